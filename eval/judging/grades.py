"""What a judge's reply says: its last grade, its last yes or no, its last choice between two answers. Pure.

Weak models explain themselves, change their mind, repeat the scale and think aloud. Only what stands as a verdict
counts ("Grade: 4", "4/5", "no, 4", a line of its own), not each figure or "no" of an explanation; and of verdicts the
last one.
"""

import re
from typing import Literal

from assistant.thinking import Thinking

Place = Literal["first", "second"]
SCALE = range(1, 6)

_UNOPENED = re.compile(r"\A(?:(?!<think).)*?</think(?:ing)?>", re.IGNORECASE | re.DOTALL)
_LEGEND = re.compile(
    r"(?:\b[1-5]\W{1,3}(?:is |means )?(?:(?:completely |entirely |mostly |half |partly |fully )?"
    r"(?:wrong|right|correct|incorrect|helpful)|not at all|hardly|in part|mostly|fully)\b\W*(?:to |and |or )?){2,}",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\b1\s*(?:-|–|—|to|and|through)\s*5\b", re.IGNORECASE)
_ENUMERATOR = re.compile(r"^\s*\d+[.)]\s+(?=\S)", re.MULTILINE)
# What repeats is bounded: a model that writes nothing but asterisks must not take a quadratic time to read.
_OPEN, _CLOSE = r"[*_\"'(\[{`“‘]{0,8}", r"[*_\"')\]}`$”’]{0,8}"
_GRADE = r"(?<![\w/%−-])(?<!\d[.,])([1-5])(?:\.0)?(?!\w|[.,]\d|\s*%|\*?\s*/\s*(?!5\b)\d|\s+(?:out\s+)?of\s+(?!5\b))"
_GIVEN = (
    r"\b(?:grades?|graded|scores?|scored|rating|rates?|rated|mark|verdict|say|think|guess|deserves?|assign|go with|"
    r"gives? (?:it|this|that|the answer))\b[^\w\n]{0,12}"
    r"(?:(?:i|my|it|this|that|the|final|answer|a|an|is|of|as|at|be|would|with|to)\b[^\w\n]{0,12}){0,5}"
)
_GRADES = re.compile(
    "|".join(
        (
            _GRADE + rf"{_CLOSE}\s*(?:/|(?:out\s+)?of)\s*5\b",
            _GIVEN + _GRADE,
            rf"(?:^|[,;:.!?…*(—–{{]|\[\[)\s*{_OPEN}"
            + _GRADE
            + rf"(?={_CLOSE}\s*(?:[.,;:!?…(—–-]|\n|\Z|(?:mostly |half )?(?:wrong|right)\W*(?:\n|\Z)))",
        )
    ),
    re.IGNORECASE | re.MULTILINE,
)
_CHOICE_OF_WORDS = re.compile(r"\byes\W{0,3}(?:or|/)\W{0,3}no\b|\bno\W{0,3}(?:or|/)\W{0,3}yes\b", re.IGNORECASE)
_YES_NO = re.compile(
    r"(?:^|[.!?…:,;*\"'(\[{—–]|\b(?:answer|verdict|reply) (?:is|would be|should be):?|\b(?:but|then|say))"
    r"[^\w\n]{0,12}(yes|no)\b(?![-’']\w)"
    r"|(?<![\w-])(yes|no)\b(?![-’']\w)(?![^\S\n]+\w)",
    re.IGNORECASE | re.MULTILINE,
)
_DETERMINER = re.compile(r"\bno (?:doubt|question|problem|idea|wonder|matter)\b", re.IGNORECASE)
_CHOICE_OF_ANSWERS = re.compile(r"\bA\W{0,3}(?:or|/|and)\W{0,3}(?i:answer )?B\b")
_ANSWER = rf"(?i:the |answer |response ){{0,3}}{_OPEN}(A|B|(?i:first|second))\b{_CLOSE}(?i: answer| one| response)?"
_CHOSEN = re.compile(
    "|".join(
        (
            rf"(?:^|[,;:.!?…—–])\s*{_ANSWER}(?=\s*(?:[.,;!?…]|\n|\Z))",
            _ANSWER + r"(?i:\s+(?:is|was|seems|looks)(?: (?!not\b)\w+)?\s+(?:better|best|preferable|stronger))\b",
            r"(?i:\b(?:prefer|choose|pick|select|better|best|winner|verdict|choice|go with))\b[^\w\n]{0,12}"
            r"(?:(?i:is|one|would be|answer|the)\b[^\w\n]{0,12}){0,4}" + _ANSWER,
        )
    ),
    re.MULTILINE,
)


def grade(text: str) -> int | None:
    """Return the last grade from 1 to 5 that a reply gives; None when it gives none, or only others."""
    text = _LEGEND.sub(" ", spoken(text))
    if len(_ENUMERATOR.findall(text)) > 1:
        text = _ENUMERATOR.sub("", text)
    last = _last(_GRADES, _RANGE.sub(" ", text))
    return int(last) if last else None


def affirmed(text: str) -> bool | None:
    """Return whether the last yes or no of a reply is yes; None when it holds neither as an answer."""
    text = _DETERMINER.sub(" ", _CHOICE_OF_WORDS.sub(" ", spoken(text)))
    last = _last(_YES_NO, text)
    return last.casefold() == "yes" if last else None


def chosen(text: str) -> Place | None:
    """Return which of two answers, A and B, a reply says last is the better one; None when it names none."""
    last = _last(_CHOSEN, _CHOICE_OF_ANSWERS.sub(" ", spoken(text)))
    if last is None:
        return None
    return "first" if last.casefold() in ("a", "first") else "second"


def spoken(text: str) -> str:
    """Return a reply without what was thought aloud, also where a chat template swallowed the beginning of it."""
    thinking = Thinking()
    return (thinking.feed(_UNOPENED.sub("", text)) + thinking.finish()).strip()


def _last(pattern: re.Pattern[str], text: str) -> str | None:
    found = None
    for match in pattern.finditer(text):
        found = next(group for group in match.groups() if group)
    return found
