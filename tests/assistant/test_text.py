import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.text import content_stems, fold, sentences, stem, words


@pytest.mark.parametrize(
    ("written", "searched"),
    [
        ("S$H^2$RFSSM", "sh2rfssm"),
        ("*MindZero*", "mindzero"),
        ("Fréchet", "frechet"),
        ("ﬁne—tuning", "fine-tuning"),
        (r"\emph{LoRA} at 13.7\%", "lora at 13.7%"),
        ("zero\u200bwidth", "zerowidth"),
        ("$\\mathcal{O}(n)$", "o(n)"),
    ],
)
def test_fold_drops_what_readers_do_not_see(written: str, searched: str) -> None:
    assert fold(written) == searched


def test_words_write_figures_one_way() -> None:
    assert words("1,860 papers, GPT-4.1, 13.7\\%") == ["1860", "papers", "gpt", "4.1", "13.7%"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("generalise", "generalization"),
        ("behaviour", "behaviors"),
        ("training", "trained"),
        ("studies", "study"),
    ],
)
def test_stems_meet_across_endings_and_spellings(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_content_stems_leave_out_stop_words() -> None:
    assert content_stems("What is the role of noise in it?") == ["role", "nois"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("We test e.g. two models. They differ.", 2),
        ("Smith et al. show it. See Fig. 3 for more.", 2),
        ("It reaches 3.5 points. Is that much? Yes!", 3),
        ("The cost is $n. T$ in all. Done.", 2),
        ("First paragraph\n\nSecond paragraph", 2),
        ("A (quoted “end.”) Next one.", 2),
        ("It is slow. β-VAE is not.", 2),
        ("in lower case. there are sentences too. e.g. this.", 3),
        ("See the site. com is no start.", 1),
        ("", 0),
    ],
)
def test_sentences(text: str, count: int) -> None:
    assert len(sentences(text)) == count


@given(st.text(max_size=400))
def test_sentences_cover_everything_but_white_space_in_order(text: str) -> None:
    spans = sentences(text)
    position = 0
    for span in spans:
        assert text[position : span.start].strip() == ""
        assert span.start < span.end
        assert text[span.start : span.end] == text[span.start : span.end].strip()
        position = span.end
    assert text[position:].strip() == ""
