import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.identity import doi, identifiers, text_key, title_key

IDS = st.from_regex(r"[A-Za-z0-9_-]{10}", fullmatch=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10.1145/3292500.3330701", "10.1145/3292500.3330701"),
        ("https://doi.org/10.1145/ABC", "10.1145/abc"),
        ("http://dx.doi.org/10.1000/x(1)y", "10.1000/x(1)y"),
        ("doi: 10.1000/xyz.", "10.1000/xyz"),
        ("11.1145/abc", None),
        ("10.1/abc", None),
        ("see the paper", None),
        ("", None),
    ],
)
def test_doi(text: str, expected: str | None) -> None:
    assert doi(text) == expected


@pytest.mark.parametrize(
    "link",
    [
        "https://arxiv.org/abs/2401.01234",
        "http://arxiv.org/pdf/2401.01234v3",
        "https://www.arxiv.org/pdf/2401.01234v12.pdf",
        "https://export.arxiv.org/abs/2401.01234#sec",
        "https://doi.org/10.48550/arXiv.2401.01234",
    ],
)
def test_arxiv_from_links(link: str) -> None:
    assert "arxiv:2401.01234" in identifiers(urls=[link])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2401.01234v2", ("arxiv:2401.01234",)),
        ("arXiv:2401.01234", ("arxiv:2401.01234",)),
        ("hep-th/9901001v1", ("arxiv:hep-th/9901001",)),
        ("math.GT/0309136", ("arxiv:math/0309136",)),
        ("2413.01234", ()),
        ("nonsense", ()),
    ],
)
def test_arxiv_field(value: str, expected: tuple[str, ...]) -> None:
    assert identifiers(arxiv=value) == expected


def test_an_arxiv_doi_is_both_and_the_order_is_by_strength() -> None:
    keys = identifiers(
        dois=["10.48550/arXiv.2401.01234"],
        openreview="https://openreview.net/forum?noteId=x&id=AbC_-12345",
        pubmed="PMID: 123456",
    )
    assert keys == (
        "doi:10.48550/arxiv.2401.01234",
        "arxiv:2401.01234",
        "openreview:AbC_-12345",
        "pubmed:123456",
    )


@given(IDS)
def test_openreview_id_and_links_agree(forum: str) -> None:
    expected = (f"openreview:{forum}",)
    assert identifiers(openreview=forum) == expected
    assert identifiers(urls=[f"https://openreview.net/pdf?id={forum}"]) == expected
    assert identifiers(openreview=f"https://openreview.net/forum?id={forum}") == expected


def test_pubmed_links() -> None:
    assert identifiers(urls=["https://pubmed.ncbi.nlm.nih.gov/31452104/"]) == ("pubmed:31452104",)
    assert identifiers(urls=["https://www.ncbi.nlm.nih.gov/pubmed/31452104"]) == ("pubmed:31452104",)
    assert identifiers(pubmed="12a") == ()


def test_other_links_identify_nothing() -> None:
    assert identifiers(urls=["https://icml.cc/virtual/2026/poster/66738", "https://example.org/10/2401"]) == ()


@pytest.mark.parametrize(
    "variant",
    [
        "We  show that 7.6% of $H^2$ is well-known.",
        "we show that 7.6\\% of $H^{2}$ is well–known",
        "We show\nthat 7.6 % of H² is \\emph{well-known}.",
    ],
)
def test_variants_of_an_abstract_have_one_key(variant: str) -> None:
    assert text_key(variant) == text_key("We show that 7.6% of $H^2$ is well-known.")


@given(st.text(min_size=1), st.text(alphabet=" \t\n-–—,.", max_size=20))
def test_space_and_punctuation_do_not_matter(text: str, noise: str) -> None:
    assert text_key("word" + text + "word") == text_key(noise + "word" + text + "word" + noise)


@given(st.lists(st.integers(), min_size=2, max_size=2, unique=True))
def test_other_figures_are_another_abstract(figures: list[int]) -> None:
    assert len({text_key(f"We reach {abs(n)} points{' less' * (n < 0)}.") for n in figures}) == 2


def test_text_without_letters_has_a_key_of_its_own() -> None:
    assert text_key("!!! ???") != text_key("... ---")


def test_title_key_takes_surnames_in_any_order() -> None:
    key = title_key("Attention: Is All You Need?", ["Ada Lovelace", "Alan M. Turing"])
    assert key == title_key("attention is all you need", ["A. Turing", "A. Lovelace"])
    assert key == title_key("Attention – is all you need", ["Turing", "Ada Lovelace, Jr."])
    assert key != title_key("Attention is all you need", ["Grace Hopper"])
    assert key != title_key("Attention is all you need", [])


@given(st.text())
def test_any_text_is_taken(text: str) -> None:
    identifiers(dois=[text], arxiv=text, openreview=text, pubmed=text, urls=[text])
    assert text_key(text).startswith("text:")
    assert len(title_key(text, [text])) == len("title:") + 16
