"""The venues and sessions that a question restricts papers to."""

import re
from collections.abc import Collection, Iterable

from assistant.authorship import resolved
from assistant.conditions import Condition, Vocabulary
from assistant.reading import NOT, PREPOSITION, YEAR, Reading
from assistant.text import fold, words

_SESSION = re.compile(
    rf"{NOT}{PREPOSITION}(?P<kind>(?:\b[\w-]+\s+)?)\bsessions?\s+(?P<n>\d+\w?(?:\s*(?:,|and|or|&|,\s*and"
    rf"|nor)\s*\d+\w?)*)\b",
    re.IGNORECASE,
)
_NAMED_SESSION = re.compile(
    rf"{NOT}(?:from|in|at|of)\s+(?:the\s+)?(?P<name>[^?.!,]{{3,70}}?\s+(?:workshop|session|track)"
    r"|(?:workshop|session|track)\s+(?:on|for|about)\s+[^?.!,]+)(?=\s+(?:from|in|by|of)\b|[?.!,]|\s*$)",
    re.IGNORECASE,
)
_KIND = r"(?:(?:poster|oral|spotlight|paper|conference|publication) )?"
_DESIGNATED = re.compile(
    rf"{NOT}{PREPOSITION}(?:"
    rf"{_KIND}\b(?P<before>venues?|conferences?|journals?|sessions?|workshops?|tracks?)"
    r"(?: (?:named|called|titled|entitled))?[,:]?\s+[\"“«'‘](?P<named>[^\"”»“’]{2,120}?)[\"”»'’](?!\w)"
    r"|[\"“«'‘](?P<quoted>[^\"”»“’]{2,120}?)[\"”»'’]\s+"
    r"(?P<after>venues?|conferences?|journals?|sessions?|workshops?|tracks?)\b)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“«](?P<quoted>[^\"”»“]{2,120}?)[\"”»]")
_WELL_KNOWN = frozenset(
    "NeurIPS NIPS ICML ICLR AAAI IJCAI AISTATS UAI COLT ALT JMLR TMLR PMLR ACL EMNLP NAACL EACL COLING TACL CVPR "
    "ICCV ECCV"
    " WACV BMVC TPAMI IJCV KDD WWW SIGIR CIKM WSDM RecSys ICASSP INTERSPEECH ICRA IROS CoRL RSS SIGGRAPH CHI "
    "SIGMOD VLDB"
    " ICDE STOC FOCS SODA OSDI SOSP NSDI CCS USENIX MICCAI MIDL PNAS".split()
)
_SAME_VENUE = {"nips": "neurips", "neurips": "nips"}
_UNKNOWN_VENUE = re.compile(
    rf"{NOT}\b(?:from|at|published (?:in|at|by)|presented at|appear(?:ed|ing)? (?:in|at)|accepted (?:at|to"
    rf"|by))\s+(?:the\s+)?"
    r"(?P<name>(?-i:[A-Z][A-Za-z]*[A-Z][\w&-]*)|(?:Journal|Proceedings|Transactions|Annals|Conference|Symposium"
    r"|Workshop)"
    r"(?-i:(?:\s+(?:of|on|for|in|the|and|[A-Z][\w&-]+))+))",
    re.IGNORECASE,
)
_BEFORE_YEAR = re.compile(
    rf"(?:\b(?:from|at|in|of)\s+)?(?:the\s+)?\b(?P<name>[A-Z][\w&-]*[A-Z][\w&-]*|(?<=from )[A-Z][\w&-]+|(?<=at "
    rf")[A-Z][\w&-]+)[ ']+(?={YEAR}\b)"
)


def read_designated(reading: Reading) -> None:
    """Read the venues and sessions that a question calls so and quotes: `the session “Poster Session 1”`.

    What it quotes without saying what it is loses its marks where the library holds a place or an author of that name,
    and so does the word for a place before its name: `at the venue ICML`.
    """
    vocabulary = reading.vocabulary
    reading.take(_DESIGNATED, lambda m: _designated(m, vocabulary))
    held = {fold(name) for name in (*vocabulary.venues, *vocabulary.sessions)}
    if _QUOTED.search(reading.rest):
        held |= {fold(name) for name in vocabulary.authors}
        reading.rest = _QUOTED.sub(lambda m: m["quoted"] if fold(m["quoted"]) in held else m.group(), reading.rest)
    named = sorted((*vocabulary.venues, *vocabulary.sessions, *_WELL_KNOWN), key=len, reverse=True)
    one = "|".join(re.escape(name) for name in named)
    noun = r"(?:venue|conference|journal|session|workshop|track)"
    reading.rest = re.sub(rf"\b{noun}\s+(?:named |called )?(?=(?:{one})(?!\w))", "", reading.rest, flags=re.IGNORECASE)
    reading.rest = re.sub(rf"(?<!\w)({one})\s+{noun}s?\b(?!\s+\d)", r"\1", reading.rest, flags=re.IGNORECASE)


def _designated(match: re.Match[str], vocabulary: Vocabulary) -> list[Condition]:
    noun = (match["before"] or match["after"]).lower().removesuffix("s")
    asked = (match["named"] or match["quoted"]).strip()
    sessions, venues = (
        tuple(name for name in names if fold(name) == fold(asked)) for names in (vocabulary.sessions, vocabulary.venues)
    )
    of_session = bool(sessions) if sessions or venues else noun in ("session", "track", "workshop")
    return [Condition("session" if of_session else "venue", sessions or venues, asked, bool(match["no"]))]


def read_venues(reading: Reading) -> None:
    """Read the venues that the library holds, those that are known everywhere, and names before a year."""
    vocabulary = reading.vocabulary
    reading.take(_venue_pattern(vocabulary.venues), lambda m: _venues(m, vocabulary))
    reading.take(_BEFORE_YEAR, lambda m: None if resolved(m["name"], vocabulary) else _unknown_venue(m))


def read_unknown_venues(reading: Reading) -> None:
    """Read what stands where a venue would and is none that the library holds; after all else has been read."""
    reading.take(_UNKNOWN_VENUE, _unknown_venue)


def read_sessions(reading: Reading) -> None:
    """Read the sessions in a question: by name, by number, or by words of a name."""
    sessions = reading.vocabulary.sessions
    names = sorted(sessions, key=len, reverse=True)
    if names:
        one = "|".join(re.escape(name) for name in names)
        listed = re.compile(
            rf"{NOT}{PREPOSITION}(?P<names>(?<!\w)(?:{one})(?!\w)(?:(?:\s*,\s*|\s*,?\s*\b(?:or|and"
            rf"|nor)\s+)(?:in\s+)?(?:{one})(?!\w))*)"
            r"(?!\s*(?:,|and|or)\s*\d)",
            re.IGNORECASE,
        )
        reading.take(
            listed,
            lambda m: [
                Condition("session", _within(m["names"], names), m["names"], bool(m["no"])),
            ],
        )
    reading.take(_SESSION, lambda m: _numbered_sessions(m, sessions))
    reading.take(_NAMED_SESSION, lambda m: _named_session(m, sessions))


def _within(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return those names, longest first, that stand in a text and not merely in a longer one."""
    found, left = [], fold(text)
    for name in names:
        pattern = rf"(?<!\w){re.escape(fold(name))}(?!\w)"
        if re.search(pattern, left):
            left = re.sub(pattern, " ", left)
            found.append(name)
    return tuple(sorted({same for name in found for same in names if fold(same) == fold(name)}))


def _numbered_sessions(match: re.Match[str], sessions: Collection[str]) -> list[Condition]:
    kind = match["kind"].strip()
    values: dict[str, None] = {}
    for number in re.findall(r"\d+\w?", match["n"]):
        whole, short = fold(f"{kind} session {number}"), fold(f"session {number}")
        same = [name for name in sessions if fold(name) == whole]
        kinds = {fold(name).removesuffix(short).strip() for name in sessions if fold(name).endswith(short)}
        if not same and fold(kind) not in kinds and fold(kind) not in ("poster", "oral", "spotlight", "workshop"):
            same = [name for name in sessions if f" {fold(name)}".endswith(f" {short}")]
        values |= dict.fromkeys(same)
    asked = re.sub(rf"^(?:{NOT}{PREPOSITION})", "", match.group().strip(), flags=re.IGNORECASE)
    return [Condition("session", tuple(values), asked, bool(match["no"]))]


def _named_session(match: re.Match[str], sessions: Collection[str]) -> list[Condition] | None:
    wanted = set(words(match["name"])) - _SESSION_WORDS
    negated = bool(match["no"])
    if not wanted and sessions:
        return [Condition("has", ("session",), "session", negated)]
    values = tuple(name for name in sessions if wanted <= set(words(name)))
    return [Condition("session", values, match["name"], negated)] if values or sessions else None


_SESSION_WORDS = frozenset("workshop session track on for about the a an any of and".split())


def _venue_pattern(venues: Collection[str]) -> re.Pattern[str]:
    names = sorted({*venues, *(fold(venue) for venue in venues), *_WELL_KNOWN}, key=len, reverse=True)
    free = [
        re.escape(name)
        for name in names
        if len(name.split()) > 1 or sum(map(str.isupper, name)) > 1 or fold(name) in _FOLDED
    ]
    # A venue with a plain word's name, as Nature, must be written as a name behind a preposition.
    # In a list behind another venue, or before `papers`, its capital tells as well.
    plain = [re.escape(name) for name in names if re.escape(name) not in free and not name.islower()]
    one = following = f"(?<![\\w-])(?:{'|'.join(free)})(?:'s)?(?![\\w-])"
    if plain:
        named = f"(?<![\\w-])(?-i:{'|'.join(plain)})\\b"
        following = f"(?:{one}|{named})"
        behind = (f"(?<={word} ){named}" for word in ("in", "from", "at", "or", "the"))
        one = f"(?:{'|'.join([one, *behind, f'{named}(?= (?:papers?|articles?)[ ?.!,]|$)'])})"
    return re.compile(
        rf"{NOT}{PREPOSITION}(?P<names>{one}(?:(?:\s*,\s*|\s*/\s*|\s*,?\s*\b(?:or|and|nor)\s+)(?:(?:from|at"
        rf"|in)\s+)?{following})*)",
        re.IGNORECASE,
    )


_FOLDED = frozenset(fold(name) for name in _WELL_KNOWN)


def _venues(match: re.Match[str], vocabulary: Vocabulary) -> list[Condition]:
    held = sorted(vocabulary.venues, key=len, reverse=True)
    values = _within(match["names"], held)
    known = {fold(value) for value in values}
    missing = []
    for asked in re.split(r"\s*[,/]\s*|\s+(?:or|and|nor)\s+", match["names"]):
        name = re.sub(r"^(?:from|at|in|or|and)\s+|'s$", "", asked.strip())
        twins = [venue for venue in held if fold(venue) == _SAME_VENUE.get(fold(name))]
        values += tuple(venue for venue in twins if venue not in values)
        if name and not twins and fold(name) in _FOLDED - known:
            missing.append(name)
    return [Condition("venue", values, match["names"], bool(match["no"]), tuple(missing) if values else ())]


def _unknown_venue(match: re.Match[str]) -> list[Condition]:
    return [Condition("venue", (), match["name"], bool(match["no"]) if "no" in match.re.groupindex else False)]
