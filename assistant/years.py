"""The years that a question restricts papers to."""

import re
from dataclasses import replace

from assistant.conditions import Condition, Range
from assistant.reading import NOT, PREPOSITION, YEAR, Reading

_YEARS = re.compile(
    rf"(?:(?!\bnot (?:before|after|earlier|later)\b){NOT})?{PREPOSITION}(?:years?\s+)?(?:"
    rf"(?:between\s+)?\b(?P<low>{YEAR})\s*(?:[-–—]|to|until|till|through|up to)\s*(?P<high>{YEAR})\b"
    rf"|between\s+(?P<low2>{YEAR})\s+and\s+(?P<high2>{YEAR})\b"
    rf"|\b(?:after|(?:later|newer|more recent) than|past)\s+(?P<after>{YEAR})\b"
    rf"|\b(?:since|starting(?: in| from| with)?|(?:no|not) earlier than|not before|as of)\s+(?P<since>{YEAR})\b"
    rf"|\b(?P<since2>{YEAR})(?:\s*\+|\s+(?:on(?:wards?)?|forward)\b|,?\s+(?:or|and)\s+(?:later|newer"
    rf"|after(?:wards)?|since|above|beyond|onwards?|more recent)\b)"
    rf"|\b(?P<until2>{YEAR}),?\s+(?:or|and)\s+(?:earlier|before|older|below)\b"
    rf"|\b(?:before|(?:earlier|older) than|prior to|pre-?)\s*(?P<before>{YEAR})\b"
    rf"|\b(?:until|till|up to(?: and including)?|through|(?:no|not) later than|not after|by the end "
    rf"of)\s+(?P<until>{YEAR})\b"
    rf"|\b(?P<decade>(?:19|20)\d)0'?s\b"
    rf"|\b(?P<years>{YEAR}(?:(?:\s*,\s*(?:or\s+|and\s+)?|\s+(?:or|and|nor)(?:\s+in|\s+from)?\s+"
    rf"|\s*/\s*){YEAR}(?!\s*(?:[-–—+]|to\b|or (?:later|earlier|newer|older))))*)\b)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"(?:(?:from|in|of|during|within|over)\s+)?(?:the\s+)?\b(?:(?P<this>this|current) year"
    r"|(?:last|past|previous) (?P<n>\d+|two|three|four|five|ten) years|(?P<last>last|past|previous) year)\b",
    re.IGNORECASE,
)
_SPELLED = {"two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}


def read_years(reading: Reading) -> None:
    """Read the years in a question: single ones, several, spans, decades, `since`, `before`, `last year`."""
    text, end = reading.rest, 0
    kept: list[str] = []
    for match in _YEARS.finditer(text):
        between = text[end : match.start()]
        condition = Condition("year", _ranges(match), match.group().strip(), bool(match["no"]))
        previous = reading.found[-1] if end and reading.found[-1].field == "year" else None
        if previous and not previous.negated and not condition.negated and re.fullmatch(r"\s*,?\s*or\s*", between):
            reading.found[-1] = replace(previous, values=previous.values + condition.values)
        else:
            reading.found.append(condition)
            kept.append(between)
        end = match.end()
    reading.rest = " ".join([*kept, text[end:]])
    reading.take(_RELATIVE, lambda m: [Condition("year", (_relative(m, reading.year),), m.group())])


def _ranges(match: re.Match[str]) -> tuple[Range, ...]:
    found = {name: value for name, value in match.groupdict().items() if value and name != "no"}
    if (low := found.get("low") or found.get("low2")) and (high := found.get("high") or found.get("high2")):
        first, last = sorted((int(low), int(high)))
        return ((first, last),)
    if since := found.get("since") or found.get("since2"):
        return ((int(since), None),)
    if until := found.get("until") or found.get("until2"):
        return ((None, int(until)),)
    if "after" in found:
        return ((int(found["after"]) + 1, None),)
    if "before" in found:
        return ((None, int(found["before"]) - 1),)
    if "decade" in found:
        return ((int(found["decade"]) * 10, int(found["decade"]) * 10 + 9),)
    return tuple((int(year), int(year)) for year in dict.fromkeys(re.findall(YEAR, found["years"])))


def _relative(match: re.Match[str], year: int) -> Range:
    if match["this"]:
        return year, year
    if match["last"]:
        return year - 1, year - 1
    n = _SPELLED.get(match["n"].lower()) or int(match["n"])
    return year - n + 1, year
