import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.schema import Json, Span
from ui.web.mathematics import ELEMENTS, mathml
from ui.web.segments import Highlight, runs, segments

TEXT = st.text(alphabet=st.sampled_from(list("ab 5.$\\()[]{}<>^_\n")), max_size=60) | st.text(max_size=60)


def formulas(text: str) -> list[str]:
    return [s.latex for s in segments(text) if s.latex is not None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cost $O(n \\log n)$ time", ["O(n \\log n)"]),
        ("$5 and $10", []),
        ("from $5 to $10, and $20,000 for $30,000", []),
        ("we pay $5 for $x$ each", ["x"]),
        ("a \\$5 bill and a \\$6 bill", []),
        ("$ x $ is no formula", []),
        ("$x$2 is none either", []),
        ("x<y and a>b", []),
        ("\\(x<y\\) and $a>b$", ["x<y", "a>b"]),
        ("$$\\sum_i x_i$$ and \\[y\\]", ["\\sum_i x_i", "y"]),
        ("$a\n\nb$", []),
        ("$\\text{cost of \\$5}$", ["\\text{cost of \\$5}"]),
        ("", []),
    ],
)
def test_formulas_follow_pandocs_rule(text: str, expected: list[str]) -> None:
    assert formulas(text) == expected


@given(TEXT)
def test_segments_cover_the_text_in_order(text: str) -> None:
    assert "".join(text[s.start : s.end] for s in segments(text)) == text
    assert all(s.start < s.end for s in segments(text))


@given(TEXT, st.lists(st.tuples(st.integers(0, 70), st.integers(0, 70)), max_size=4))
def test_highlights_fall_on_their_characters_and_on_nothing_but_whole_formulas_more(
    text: str, spans: list[tuple[int, int]]
) -> None:
    highlights = [Highlight(Span(*sorted(span)), f"k{i}") for i, span in enumerate(spans)]
    pieces = runs(text, highlights)
    assert "".join(str(piece["t"]) for piece in pieces if isinstance(piece, dict)) == text
    at = 0
    for piece in pieces:
        assert isinstance(piece, dict)
        start, at = at, at + len(str(piece["t"]))
        touching = {h.key for h in highlights if h.span.start < at and start < h.span.end}
        keys = piece.get("k", [])
        assert isinstance(keys, list)
        assert set(map(str, keys)) == touching
        if "m" not in piece:
            assert all(h.span.start <= start and at <= h.span.end for h in highlights if h.key in keys)


def test_a_highlight_that_cuts_a_formula_takes_all_of_it() -> None:
    text = "cost $n^2$ here"
    assert [(r["t"], "k" in r) for r in runs(text, [Highlight(Span(0, 7), "s")]) if isinstance(r, dict)] == [
        ("cost ", True),
        ("$n^2$", True),
        (" here", False),
    ]


def elements(tree: Json) -> list[str]:
    if not isinstance(tree, list):
        return []
    tag, _, children = tree
    assert isinstance(children, list)
    return [str(tag), *(t for child in children for t in elements(child))]


def attributes(tree: Json) -> set[str]:
    if not isinstance(tree, list):
        return set()
    _, own, children = tree
    assert isinstance(own, dict)
    assert isinstance(children, list)
    return set(own) | {a for child in children for a in attributes(child)}


def test_a_formula_becomes_a_tree_with_space_around_function_names() -> None:
    assert elements(mathml("n\\log n")) == ["math", "mrow", "mi", "mspace", "mi", "mspace", "mi"]
    assert elements(mathml("\\frac{a}{b}^2"))[2:4] == ["msup", "mfrac"]
    assert "mspace" not in elements(mathml("\\log_2(n)"))


@pytest.mark.parametrize(
    "latex",
    [
        "\\foo{x}",
        "x_",
        "{",
        "\\left(",
        "\\newcommand{\\a}{\\a\\a}\\a",
        "\\def\\a{\\a\\a}\\a",
        "x" * 601,
        "{" * 300 + "}" * 300,
    ],
)
def test_what_cannot_be_shown_faithfully_is_none(latex: str) -> None:
    assert mathml(latex) is None


@pytest.mark.parametrize(
    "latex",
    ["\\href{javascript:alert(1)}{x}", "\\style{color:red}{x}", "\\class{a}{x}", "<img src=x onerror=alert(1)>"],
)
def test_no_formula_links_styles_or_brings_elements_of_its_own(latex: str) -> None:
    tree = mathml(latex)
    assert set(elements(tree)) <= ELEMENTS
    assert attributes(tree) <= {"display", "stretchy", "fence"}


LATEX = st.lists(
    st.sampled_from(
        [
            "\\frac",
            "{",
            "}",
            "x",
            "^",
            "_",
            "\\left(",
            "\\right)",
            "&",
            "\\\\",
            "\\sqrt",
            "[",
            "]",
            "1",
            " ",
            "\\begin{matrix}",
            "\\end{matrix}",
            "\\text",
            "\\limits",
            "\\sum",
            "'",
            "\\mathbb",
            "\\color",
            "$",
            "\\genfrac",
            "\\binom",
            "\\hspace",
            "\\substack",
            "\\overset",
            "\\operatorname",
            "\\mathrm",
        ]
    ),
    max_size=12,
).map("".join)


@given(LATEX | st.text(max_size=40))
def test_any_source_gives_a_tree_of_known_elements_or_none(latex: str) -> None:
    assert set(elements(mathml(latex))) <= ELEMENTS
