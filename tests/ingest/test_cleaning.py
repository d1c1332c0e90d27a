import re
import time
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ingest import latex
from ingest.cleaning import clean, storable

WORDS = st.lists(st.from_regex(r"[A-Za-z0-9éüßλ]{1,12}", fullmatch=True), min_size=1, max_size=30)
GLUE = st.sampled_from(
    [
        " ",
        "  ",
        "\n\n",
        "\t",
        " -- ",
        " --- ",
        ", ",
        " (",
        ") ",
        " $ ",
        " < ",
        " > ",
        " & ",
        r" \% ",
        "~(",
        " {",
        "} ",
        " ``",
        "'' ",
        " *",
        "* ",
        r" \emph{",
        " \u200b",
        " <b>",
        "</b> ",
        "<br/>",
        " 100% ",
        " <50 ",
        "/",
        "; ",
    ]
)


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("fiancÃ©e donâ€™t", "fiancée don’t"),
        ("caf\u0065\u0301", "café"),
        ("zero\u200bwidth and soft\u00adhyphen\x00", "zerowidth and softhyphen"),
        ("two\n\nparagraphs\tand  spaces", "two paragraphs and spaces"),
        ("lone \ud800 and a pair \ud83d\ude00", "lone \ufffd and a pair 😀"),
        ("Q&amp;A, O&amp;#x27;Neill, 20&times;, AT&T &lt", "Q&A, O'Neill, 20×, AT&T &lt"),
        ("<p>One.</p><p>Two <b>bold</b> <a href='http://x.org'>link</a></p>", "One. Two bold link"),
        ("&lt;i&gt;E. coli&lt;/i&gt; grows", "E. coli grows"),
        ("<jats:title>Aim</jats:title><jats:p>We ask.</jats:p>", "Aim We ask."),
        ("H<sub>2</sub>O, x<sup>2</sup>, 1<sup>st</sup>", "H2O, x^2, 1st"),
        ("x<y and a>b (<50 F1)", "x<y and a>b (<50 F1)"),
        (
            "List<T>, vector<int>, Map<String, b>, a<b and c>d",
            "List<T>, vector<int>, Map<String, b>, a<b and c>d",
        ),
        ("a <num> token, <think>", "a <num> token, <think>"),
    ],
)
def test_encoding_and_html(source: str, shown: str) -> None:
    assert clean(source) == shown


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (
            r"na\"ive Schr\"{o}dinger {\"U}ber R{{\'e}}mi \'Etude \c{c}a \v{S}koda \~n",
            "naïve Schrödinger Über Rémi Étude ça Škoda ñ",
        ),
        (r"\"quoted\" words", '"quoted" words'),
        (r"\emph{a \textbf{b}} {\em c} \textsc{Muon}", "a b c Muon"),
        (r"\textbf{\ul{Path}}ology \b{Co}upled", "Pathology Coupled"),
        (r"7.6\% of a\_b \& c\#", "7.6% of a_b & c#"),
        (r"21.3~mm, Fig.~3, graphs~(GNNs)", "21.3 mm, Fig. 3, graphs (GNNs)"),
        ("~50%, 3~5, 3.0%~7.6%, X~N(0,1), x ~ y", "~50%, 3~5, 3.0%~7.6%, X~N(0,1), x ~ y"),
        ("the ``gold standard'' and ``mixed\" and 5''", "the “gold standard” and “mixed” and 5''"),
        ("so---we 5--10 and -- thus --flag", "so—we 5–10 and – thus --flag"),
        (
            r"\href{http://a.org}{here}, \url{http://a.org/x--y_z~w}",
            "here (http://a.org), http://a.org/x--y_z~w",
        ),
        (
            r"\footnote{Code online.} FCFI \cite{wei} and \citet{xie} say",
            "(Code online.) FCFI (wei) and xie say",
        ),
        (r"\LUGS{} beats \method{}, \sys\ runs \method on", "LUGS beats method, sys runs method on"),
        (r"1.25\,\AA, (2.9\times), DeepSeek\textendash R1", "1.25 Å, (2.9×), DeepSeek–R1"),
        (r"108{,}825 papers on {BERT}s, {a b}, {0, 1}", "108,825 papers on BERTs, {a b}, {0, 1}"),
        (r"\verb|<num>| and \textcolor{red}{red}", "<num> and red"),
        ("*MindZero* and **bold**", "*MindZero* and **bold**"),
        ("unbalanced GRPO} and {open", "unbalanced GRPO} and {open"),
    ],
)
def test_latex_outside_mathematics(source: str, shown: str) -> None:
    assert clean(source) == shown


@pytest.mark.parametrize(
    "maths",
    [
        r"$\mathcal{O}(d^{6})$",
        r"$5\%~x$",
        r"\(a~b \textbf{c}\)",
        r"$$x--y$$",
        r"\[ \"o \]",
        r"$\sim \! 100$",
        "$N$",
        "$ x_1 $",
    ],
)
def test_mathematics_is_kept_as_it_is(maths: str) -> None:
    assert clean(rf"as \emph{{in}} {maths} here") == f"as in {maths} here"
    assert [span.start for span in latex.maths(f"as {maths} here")] == [3]


@pytest.mark.parametrize(
    "text", ["$5 and $10", "from $5-$10", "($5) or ($10)", "costs $5 billion, of which $2 went", "$"]
)
def test_prices_are_no_mathematics(text: str) -> None:
    assert latex.maths(text) == []
    assert clean(text) == text


def test_adjacent_and_escaped_delimiters() -> None:
    assert [(s.start, s.end) for s in latex.maths(r"$a$$b$ \$c $d$")] == [(0, 3), (3, 6), (11, 14)]


@given(st.lists(st.tuples(st.from_regex(r"[A-Za-z0-9éüßλ]{1,12}", fullmatch=True), GLUE), min_size=1, max_size=30))
@example([("a", " ``"), ("b", "'' ")])
def test_no_word_is_lost(pieces: list[tuple[str, str]]) -> None:
    source = "".join(word + glue for word, glue in pieces)
    visible = re.sub(r"</?b>|<br/>|\\emph\{|\u200b", " ", source)
    shown = re.sub(r"\W+", "", clean(source))
    for word in re.findall(r"\w+", visible):
        assert unicodedata.normalize("NFC", word) in shown


@given(WORDS)
def test_plain_words_stay_as_they_are(words: list[str]) -> None:
    assert clean("  ".join(words)) == unicodedata.normalize("NFC", " ".join(words))


@given(st.text())
@example("\\")
@example("\\'")
@example("{\\")
def test_any_text_comes_out_normal_and_on_one_line(text: str) -> None:
    shown = clean(text)
    assert shown == " ".join(shown.split())
    assert unicodedata.is_normalized("NFC", shown)
    assert not any(unicodedata.category(c) in ("Cc", "Cs") for c in shown)


@given(st.text(alphabet="\\{}$~`'\"-<>&;()[]abA 1\n_^%"))
def test_any_markup_comes_out_with_its_letters(text: str) -> None:
    assert clean(text) is not None
    spans = latex.maths(text)
    assert all(left.end <= right.start for left, right in pairwise(spans))


@given(st.text(alphabet=st.characters(categories=["L", "Cs"])))
def test_storable_text_can_be_encoded(text: str) -> None:
    storable(text).encode("utf-8")


@pytest.mark.parametrize(
    "unit",
    [
        "<",
        "\\",
        "$",
        "\\(",
        "{",
        "{A",
        "``",
        "<a ",
        "<a x=1",
        '<a href="',
        "&",
        "&amp",
        "~",
        "a~",
        "\\'",
        "\\cite{",
        "\\verb|",
        "\\href{a}{",
        "-",
        "é",
        "Ã©",
        "\\textbf{",
        "$a",
        " ",
        "https://",
        "\u0301",
        "{A" + "A" * 9999,
        "\\begin{",
    ],
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    text = (unit * 20_000)[:20_000]
    clean("warm up \\alpha é Ã©")
    start = time.process_time()
    clean(text)
    assert time.process_time() - start < 0.4
