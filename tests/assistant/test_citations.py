import re
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assistant.citations import SentenceStream, render, split

VALID = {1, 2, 3}
MARKERS = ["[1]", "[2].", "[1, 3]", "[9]", "【2】", "[1-3]", "[", "]", "[0,1]", "[2017]"]
SIGNS = ["- ", "2) ", ".", ". ", "! ", "\n", "- ", "1. ", "$", "$x$", " "]
WORDS = ["The", "model", "e.g.", "et al.", "Fig. 3", "0.5", "A.", "reads", "Then", "É"]
fragments = st.lists(st.sampled_from(MARKERS + SIGNS + WORDS), max_size=25)
model_text = fragments.map(" ".join) | fragments.map("".join)
any_text = st.text(max_size=120) | model_text


def sentences_of(pieces: list[str]) -> list[str]:
    stream = SentenceStream()
    return [sentence for piece in pieces for sentence in stream.feed(piece)] + stream.finish()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It halves the cost [1].", ("It halves the cost.", (1,))),
        ("It halves the cost. [2] [1]", ("It halves the cost.", (2, 1))),
        ("It [1] halves [1, 2] the cost [3].", ("It halves the cost.", (1, 2, 3))),
        ("It halves the cost[1][2], they say.", ("It halves the cost, they say.", (1, 2))),
        ("It halves the cost 【2】.", ("It halves the cost.", (2,))),
        ("It halves the cost [1-3].", ("It halves the cost.", (1, 2, 3))),
        ("It halves the cost (1).", ("It halves the cost (1).", ())),
        ("Scores lie in [0,1].", ("Scores lie in [0,1].", ())),
        ("Temperatures lie in [10, 20].", ("Temperatures lie in [10, 20].", ())),
        ("The data are old [2017].", ("The data are old [2017].", ())),
        ("As shown before [9], it works.", ("As shown before, it works.", ())),
        ("As shown before [4, 9].", ("As shown before.", ())),
        ("A range that is too long [1-300] stays.", ("A range that is too long [1-300] stays.", ())),
        ("A range that runs back [3-1] stays.", ("A range that runs back [3-1] stays.", ())),
        ("[[1]1] comes twice", ("comes twice", (1,))),
    ],
)
def test_split_tells_markers_from_brackets(text: str, expected: tuple[str, tuple[int, ...]]) -> None:
    assert split(text, VALID) == expected


def test_render_puts_each_marker_behind_the_text() -> None:
    assert render("It works.", (1, 12)) == "It works. [1] [12]"
    assert render("It works.", ()) == "It works."


@given(any_text)
def test_no_marker_survives(text: str) -> None:
    left, citations = split(text, VALID)
    assert set(citations) <= VALID
    for single in re.findall(r"\[\s*([0-9]{1,2})\s*\]", left):
        assert int(single) == 0
    assert split(left, VALID) == (left, ())


@given(any_text, st.lists(st.sampled_from(sorted(VALID)), unique=True).map(tuple))
def test_what_is_rendered_splits_into_the_same(text: str, citations: tuple[int, ...]) -> None:
    bare, _ = split(text, VALID)
    assert split(render(bare, citations), VALID) == (bare, citations)


@given(any_text, st.lists(st.integers(0, 120), max_size=8))
@example("It works.[0]【0】", [13])
@example(". &A", [])
@example(". :A", [])
def test_pieces_make_no_difference(text: str, cuts: list[int]) -> None:
    whole = sentences_of([text])
    bounds = [0, *sorted(c for c in cuts if c < len(text)), len(text)]
    assert sentences_of([text[a:b] for a, b in pairwise(bounds)]) == whole
    assert sentences_of(list(text)) == whole


@given(any_text)
def test_every_letter_comes_out_once(text: str) -> None:
    letters = [c for c in text if c.isalpha()]
    assert [c for sentence in sentences_of([text]) for c in sentence if c.isalpha()] == letters


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It works. [1] It is fast [2]. Done.", ["It works. [1]", "It is fast [2].", "Done."]),
        ("It works.[1][2] It is fast.", ["It works. [1][2]", "It is fast."]),
        ("It works. [1]. It is fast.", ["It works. [1].", "It is fast."]),
        ("It works. 【1】 It is fast.", ["It works. [1]", "It is fast."]),
        ("It works!\n[1]\nIt is fast", ["It works!", "It is fast"]),
        ("[1] It works.\n[2] It is fast.", ["[1] It works.", "[2] It is fast."]),
        ("It works. 2. It is fast! - Or so.", ["It works.", "It is fast!", "Or so."]),
        ("Two things:\n- It works.\n2. It is fast.", ["Two things:", "It works.", "It is fast."]),
        ("See Fig. 3 by A. Smith et al. 2020. End.", ["See Fig. 3 by A. Smith et al. 2020.", "End."]),
        ("It gains 0.5 to 1.2 points. 3 sets agree.", ["It gains 0.5 to 1.2 points.", "3 sets agree."]),
    ],
)
def test_sentences_carry_their_own_markers(text: str, expected: list[str]) -> None:
    assert sentences_of([text]) == expected


def test_a_sentence_comes_as_soon_as_the_next_begins() -> None:
    stream = SentenceStream()
    assert stream.feed("It works. ") == []
    assert stream.feed("[1] ") == []
    assert stream.feed("I") == ["It works. [1]"]
    assert stream.feed("t is fast.\n") == ["It is fast."]
    assert stream.finish() == []


def test_finish_returns_an_unfinished_sentence_and_starts_afresh() -> None:
    stream = SentenceStream()
    stream.feed("It works. It is")
    assert stream.finish() == ["It is"]
    assert stream.feed("- New.\n") == ["New."]


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("<b>It finds 93%.</b>", "It finds 93%."),
        ("It <em class='x'>finds</em> it.<br/>", "It finds it."),
        ("<|im_start|>It works.<|im_end|></s>", "It works."),
        ("It holds where x<b and b>c.", "It holds where x<b and b>c."),
        ("At most <50 F1 and >3 layers.", "At most <50 F1 and >3 layers."),
    ],
)
def test_tags_are_taken_out_and_comparisons_are_left(written: str, left: str) -> None:
    assert split(written, ()) == (left, ())
