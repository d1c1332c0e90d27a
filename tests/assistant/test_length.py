import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.length import sentences_asked, without_length, words_asked


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("Explain it in two sentences.", 2),
        ("In one sentence: what is it?", 1),
        ("Say it in just a single short sentence", 1),
        ("within at most 12 sentences", 12),
        ("What is it? Two sentences, please.", 2),
        ("tell me about it, two sentences please", 2),
        ("three sentences max: what is it?", 3),
        ("Keep it to three sentences. What is it?", 3),
        ("a two-sentence summary of it", 2),
        ("What is it? 3 sentences.", 3),
        ("Explain it in about three sentences", 3),
        ("no more than four sentences", 4),
        ("Which sentences are in two parts?", None),
        ("Which model reads two sentences at once?", None),
        ("Does one sentence follow another?", None),
        ("", None),
    ],
)
def test_sentences_asked(question: str, count: int | None) -> None:
    assert sentences_asked(question) == count


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What is it, in 50 words?", 50),
        ("Under 120 words, please: what is it?", 120),
        ("no more than 70 words, in detail", 70),
        ("Explain it in around 100 words", 100),
        ("Explain it in a hundred words", 100),
        ("Explain it in a maximum of fifty words", 50),
        ("Explain it in 40 words or less", 40),
        ("What is it? ~60 words.", 60),
        ("80 words, please: what is it?", 80),
        ("a 90-word summary of it", 90),
        ("limit it to 75 words", 75),
        ("in 3 words", 10),
        ("Briefly, what is it?", 45),
        ("tl;dr", 45),
        ("Explain it in detail.", 220),
        ("What are its 50 words?", None),
        ("Is Wikipedia cut into passages of 100 words?", None),
        ("Is the brief detail long?", None),
    ],
)
def test_words_asked(question: str, words: int | None) -> None:
    assert words_asked(question) == words


def test_what_is_left_asks_for_no_length() -> None:
    assert without_length("Summarise bees in about 80 words").split() == ["Summarise", "bees"]
    assert without_length("Bees dance in 2 sentences.").split() == ["Bees", "dance", "."]


@given(st.one_of(st.text(), st.from_regex(r"(in|within) (at most )?(one|five|\d{1,2}) (\w+ )?(sentences?|words)")))
def test_any_question_may_ask_for_a_length(question: str) -> None:
    assert (sentences_asked(question) or 0) >= 0
    assert (words_asked(question) or 10) >= 10
    without_length(question)
