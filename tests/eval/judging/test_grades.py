"""What stands in a reply as a verdict, and what doesn't."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from eval.judging.grades import affirmed, chosen, grade, spoken

PROSE = st.text(alphabet="abcxyzåü ,.!?\n\"'*…", max_size=60)
TEXT = st.text(max_size=200)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5", 5),
        ("4.", 4),
        ("4.0", 4),
        ("(3)", 3),
        ("**5**", 5),
        ("[[3]]", 3),
        ("$\\boxed{4}$", 4),
        ("4 mostly right", 4),
        ("4 - mostly right", 4),
        ("4 (1 = wrong, 5 = right)", 4),
        ("4, since it says 91%", 4),
        ("4\n\nThe answer lacks 2 of the 3 figures.", 4),
        ("4/5", 4),
        ("4 out of 5", 4),
        ("Grade: **4**/5", 4),
        ("Grade 2", 2),
        ("**Grade:** 3", 3),
        ("Rating: [[4]]", 4),
        ('```json\n{"grade": 2}\n```', 2),
        ("I would give it a 3.", 3),
        ("My grade would be a 4", 4),
        ("The grade is 5 because 91% is given.", 5),
        ("Grade: 4. The answer covers 2 points", 4),
        ("I'd say 3 … no, 4", 4),
        ("I'd say 3 ... no, 4", 4),
        ("Grade: 3 … no, 4", 4),
        ("1 (wrong) to 5 (right): 4", 4),
        ("On a scale of 1 to 5, I rate this 2", 2),
        ("On a scale from 1-5: 3", 3),
        ("1. It names it.\n2. It counts.\n\nGrade: 5", 5),
        ("<think>5? 4?</think>2", 2),
        ("hm, 5.</think>\n3", 3),
        ("4 <think>or 5", 4),
    ],
)
def test_a_grade_is_read(text: str, expected: int) -> None:
    assert grade(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "7",
        "10",
        "-4",
        "40%",
        "3.5",
        "3.5/5",
        "4/10",
        "8/10",
        "Grade: 6",
        "The answer gives 3 of the facts",
        "as said in [3].",
        "1. It names it.\n2. It counts.\n3. Fine.",
        "<think> 3",
        "1 wrong, 2 mostly wrong, 3 half right, 4 mostly right, 5 right",
        "1 not at all, 2 hardly, 3 in part, 4 mostly, 5 fully",
    ],
)
def test_no_grade_is_made_up(text: str) -> None:
    assert grade(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yes", True),
        ("NO", False),
        ("**Yes**", True),
        ('"No"', False),
        ('{"supported": "yes"}', True),
        ("no, … yes", True),
        ("Yes, there is no doubt.", True),
        ("Yes it does", True),
        ("No the evidence does not", False),
        ("yes it does. no it does not", False),
        ("yes\nno", False),
        ("Yes or no: yes", True),
        ("The answer is yes because it says so", True),
        ("I first thought no but yes it does", True),
        ("<think>no</think>Yes", True),
        ("", None),
        ("Reply yes or no", None),
        ("There is no mention of it", None),
        ("No-one says", None),
        ("I know nothing; it yesterday eyes", None),
    ],
)
def test_yes_and_no(text: str, expected: bool | None) -> None:
    assert affirmed(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A", "first"),
        ("B.", "second"),
        ("**B**", "second"),
        ("[[B]]", "second"),
        ("Answer A", "first"),
        ("second", "second"),
        ("A, because it names the figure", "first"),
        ("A is better than B", "first"),
        ("B is better because A lacks figures", "second"),
        ("Answer A says x. Answer B says y. A is better.", "first"),
        ("The first answer is better", "first"),
        ("The better answer is A", "first"),
        ("Winner: B", "second"),
        ("I prefer answer B.", "second"),
        ("A … no, B", "second"),
        ("", None),
        ("A or B", None),
        ("Both are equal", None),
        ("A is not better", None),
        ("A good answer would say so.", None),
        ("Answer A: this\nAnswer B: that", None),
    ],
)
def test_the_better_answer(text: str, expected: str | None) -> None:
    assert chosen(text) == expected


@given(TEXT)
@example("grade " * 5)
@example("<think>" * 3)
def test_any_text_is_read_as_a_grade_or_as_none(text: str) -> None:
    assert grade(text) in (None, 1, 2, 3, 4, 5)
    assert affirmed(text) in (None, True, False)
    assert chosen(text) in (None, "first", "second")
    assert spoken(spoken(text)) == spoken(text) or "<" in text


@pytest.mark.parametrize(
    "babble", ["*", "(", "answer ", "grade it ", "\n", "yes ", "A is ", "1 ", "5 / ", "— ", "<think"]
)
def test_a_long_reply_is_read_in_no_time(babble: str) -> None:
    started = time.perf_counter()
    grade(babble * 4000), affirmed(babble * 4000), chosen(babble * 4000)
    assert time.perf_counter() - started < 5


@given(PROSE, st.integers(1, 5), st.integers(1, 5), PROSE)
def test_the_last_grade_wins_whatever_is_said_around_it(before: str, first: int, last: int, behind: str) -> None:
    assert grade(f"{before}\nGrade: {first}\n{before}\nGrade: {last}\n{behind}") == last
    assert grade(f"{first}/5 {before}\n{last}") == last


@given(PROSE, st.booleans(), st.booleans())
def test_the_last_yes_or_no_wins(before: str, first: bool, last: bool) -> None:
    words = {True: "Yes", False: "no"}
    assert affirmed(f"{words[first]}. {before}\n{words[last]}.") is last


@given(st.one_of(st.integers(6, 10**6), st.integers(-(10**6), 0)))
def test_other_numbers_are_no_grades(number: int) -> None:
    assert grade(str(number)) is None
    assert grade(f"Grade: {number}") is None
    assert grade(f"I'd say {number}, no, 3") == 3


@given(PROSE, st.integers(1, 5))
def test_what_is_thought_is_not_said(thought: str, number: int) -> None:
    assert grade(f"<think>{thought}\nGrade: {6 - number}</think>{number}") == number
    assert grade(f"<think>{thought}\nGrade: {number}") is None
