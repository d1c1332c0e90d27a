"""What a question restricts papers to: years, venues, authors, sessions, keywords, fields that are there or not.

`read` takes the restrictions out of a question and leaves the words that say what the papers are about. What names
nothing that the library holds becomes a condition that nothing meets, so that it is said rather than ignored.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from assistant.conditions import Condition, Range, Vocabulary
from assistant.text import fold, words

_Y = r"(?:19|20)\d\d"
_NOT = (
    r"(?P<no>\b(?:but |and |or )?(?:not|except(?: for)?|excluding|other than|apart from|besides|outside(?: of)?|aren't"
    r"|isn't|weren't|wasn't|non|nor)(?:[ -](?:the ones|those|papers?|articles?|published|written|presented|being|any))*"
    r"[ -]+)?"
)
_PREPOSITION = r"(?:(?:published|presented|accepted|appeared|appearing|written|dated)\s+)?(?:(?:from|in|at|of|to|for|during|by|on)\s+)?(?:the\s+)?"
_YEARS = re.compile(
    rf"(?:(?!\bnot (?:before|after|earlier|later)\b){_NOT})?{_PREPOSITION}(?:years?\s+)?(?:"
    rf"(?:between\s+)?\b(?P<low>{_Y})\s*(?:[-–—]|to|until|till|through|up to)\s*(?P<high>{_Y})\b"
    rf"|between\s+(?P<low2>{_Y})\s+and\s+(?P<high2>{_Y})\b"
    rf"|\b(?:after|(?:later|newer|more recent) than|past)\s+(?P<after>{_Y})\b"
    rf"|\b(?:since|starting(?: in| from| with)?|(?:no|not) earlier than|not before|as of)\s+(?P<since>{_Y})\b"
    rf"|\b(?P<since2>{_Y})(?:\s*\+|\s+(?:on(?:wards?)?|forward)\b|,?\s+(?:or|and)\s+(?:later|newer"
    rf"|after(?:wards)?|since|above|beyond|onwards?|more recent)\b)"
    rf"|\b(?P<until2>{_Y}),?\s+(?:or|and)\s+(?:earlier|before|older|below)\b"
    rf"|\b(?:before|(?:earlier|older) than|prior to|pre-?)\s*(?P<before>{_Y})\b"
    rf"|\b(?:until|till|up to(?: and including)?|through|(?:no|not) later than|not after|by the end of)\s+(?P<until>{_Y})\b"
    rf"|\b(?P<decade>(?:19|20)\d)0'?s\b"
    rf"|\b(?P<years>{_Y}(?:(?:\s*,\s*(?:or\s+|and\s+)?|\s+(?:or|and|nor)(?:\s+in|\s+from)?\s+"
    rf"|\s*/\s*){_Y}(?!\s*(?:[-–—+]|to\b|or (?:later|earlier|newer|older))))*)\b)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"(?:(?:from|in|of|during|within|over)\s+)?(?:the\s+)?\b(?:(?P<this>this|current) year"
    r"|(?:last|past|previous) (?P<n>\d+|two|three|four|five|ten) years|(?P<last>last|past|previous) year)\b",
    re.IGNORECASE,
)
_SPELLED = {"no": 0, "a single": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
_N = r"(?P<n>\d+|one|two|three|four|five|six|ten|a single)"
_AUTHOR_COUNT = re.compile(
    rf"(?:\b(?:with|by|have|has|having|of|written by|list(?:ing)?)\s+)?(?:(?P<more>more than|over)|(?P<least>at least)"
    rf"|(?P<less>fewer than|less than|under)|(?P<most>at most|up to|no more than)|(?P<exact>exactly|only|just))?\s*\b{_N}"
    r"(?P<or>\s+or (?:more|fewer|less))?\s+(?:co-?)?authors?\b|\b(?P<single>(?:single|sole)[- ]author(?:ed)?|solo)\b",
    re.IGNORECASE,
)
_HAS = re.compile(
    r"\b(?:(?P<no>(?:that |which |who )?(?:(?:do|does|did|have|has|are|is)(?:n't| not)?\s+)?(?:have|has|with(?=\s+no\b)"
    r"|without|lack(?:s|ing)?|miss(?:es|ing)?|not having|with)?\s*(?:\bno\b|\bnot any\b|(?<=without)|(?<=lack)|(?<=lacks)"
    r"|(?<=lacking)|(?<=missing)|(?<=misses)|(?<=n't have)|(?<=not have))|are missing|is missing)"
    r"|(?P<yes>(?:that |which )?(?:have|has|with|having)))"
    r"\s+(?:an?\s+|any\s+|the\s+|their\s+)?(?P<field>abstracts?|authors?|titles?|years?|venues?|doi|dois|urls?|links?"
    r"|keywords?|sessions?|arxiv(?: ids?| numbers?)?|openreview(?: ids?)?|pubmed(?: ids?)?)\b(?!\s+[\"“«\w]+\s*[\"”])",
    re.IGNORECASE,
)
_ARXIV = re.compile(rf"{_NOT}(?:on|from|in)\s+(?P<field>arxiv|openreview|pubmed)\b", re.IGNORECASE)
_KEYWORD = re.compile(
    r"(?P<no>\b(?:not|without(?: the)?)\s+)?(?:\b(?:with|under|having|by)\s+)?(?:the\s+)?\b(?:keywords?|tags?|tagged(?: with| as)?|labell?ed)\s+"
    r"(?:[\"“«](?P<quoted>[^\"”»]+)[\"”»]|(?P<bare>[^\s?.!,]+(?:\s+(?!from|in|of|by|and|or|since)[^\s?.!,]+){0,3}))",
    re.IGNORECASE,
)
_SESSION = re.compile(
    rf"{_NOT}{_PREPOSITION}(?P<kind>(?:\b[\w-]+\s+)?)\bsessions?\s+(?P<n>\d+\w?(?:\s*(?:,|and|or|&|,\s*and|nor)\s*\d+\w?)*)\b",
    re.IGNORECASE,
)
_NAMED_SESSION = re.compile(
    rf"{_NOT}(?:from|in|at|of)\s+(?:the\s+)?(?P<name>[^?.!,]{{3,70}}?\s+(?:workshop|session|track)"
    r"|(?:workshop|session|track)\s+(?:on|for|about)\s+[^?.!,]+)(?=\s+(?:from|in|by|of)\b|[?.!,]|\s*$)",
    re.IGNORECASE,
)
_WELL_KNOWN = frozenset(
    "NeurIPS NIPS ICML ICLR AAAI IJCAI AISTATS UAI COLT ALT JMLR TMLR PMLR ACL EMNLP NAACL EACL COLING TACL CVPR ICCV ECCV"
    " WACV BMVC TPAMI IJCV KDD WWW SIGIR CIKM WSDM RecSys ICASSP INTERSPEECH ICRA IROS CoRL RSS SIGGRAPH CHI SIGMOD VLDB"
    " ICDE STOC FOCS SODA OSDI SOSP NSDI CCS USENIX MICCAI MIDL PNAS".split()
)
_SAME_VENUE = {"nips": "neurips", "neurips": "nips"}
_UNKNOWN_VENUE = re.compile(
    rf"{_NOT}\b(?:from|at|published (?:in|at|by)|presented at|appear(?:ed|ing)? (?:in|at)|accepted (?:at|to|by))\s+(?:the\s+)?"
    r"(?P<name>(?-i:[A-Z][A-Za-z]*[A-Z][\w&-]*)|(?:Journal|Proceedings|Transactions|Annals|Conference|Symposium|Workshop)"
    r"(?-i:(?:\s+(?:of|on|for|in|the|and|[A-Z][\w&-]+))+))",
    re.IGNORECASE,
)
_BEFORE_YEAR = re.compile(
    rf"(?:\b(?:from|at|in|of)\s+)?(?:the\s+)?\b(?P<name>[A-Z][\w&-]*[A-Z][\w&-]*|(?<=from )[A-Z][\w&-]+|(?<=at )[A-Z][\w&-]+)[ ']+(?={_Y}\b)"
)
_CAPITAL = r"(?:[^\W\d_a-zß-ÿ][\w.'’-]*)"
_PARTICLE = r"(?:van|von|de|der|den|del|di|da|dos|du|la|le|el|al|bin|ibn|ben|ter|ten|zu|y)"
_NAME = rf"{_CAPITAL}(?:\s+(?:{_PARTICLE}\s+)*{_CAPITAL}){{0,4}}"
_NAMES = (
    rf"(?:{_PARTICLE}\s+)*{_NAME}(?:(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or|nor|&|and by|or by|and not)\s+){_NAME})*"
)
_BY = re.compile(
    r"(?P<no>\b(?:not|never|except(?: for| those)?|excluding|other than|(?:did|does|has|have)(?:n't| not))\s+)?"
    r"\b(?P<cue>(?:(?:was |were |been |that were )?(?:written|authored|co-?authored|published|papers?|articles?|works?|those|ones)\s+)?by"
    r"|(?i:who|which|what|how many)?\s*(?:papers?|articles?|works)?\s*\b(?:did|do|does|has|have)|(?:co-?)?authors?(?: named| called|:)?"
    r"|of|from|with)\s+(?:the\s+)?(?:author\s+|researcher\s+)?"
    rf"(?P<names>{_NAMES})(?:'s\b|’s\b)?(?P<verb>\s+(?:together\s+)?(?:write|wrote|written|publish(?:ed)?|(?:co-?)?author(?:ed)?|contribut\w+ to"
    r"|have|appear(?:ed)?(?: on)?|as (?:an? )?(?:co-?)?authors?)\b)?"
)
_WROTE = re.compile(
    rf"\b(?P<names>{_NAMES})(?P<no>\s+(?:did not|didn't|has not|hasn't|never))?\s+(?:has\s+|have\s+)?"
    r"(?:wrote|written|write|published|publish|(?:co-?)?author(?:ed)?)\b|\b(?P<own>(?:[^\W\d_a-zß-ÿ][\w.'’-]*\s+){0,3}[^\W\d_a-zß-ÿ][\w-]*)['’]s?\s+(?=(?:\w+\s+)?(?:papers|articles|works|publications))"
)
_PLAIN_BY = re.compile(
    r"\b(?:(?:papers?|articles?|works?|publications?|written|authored|anything|everything)\s+by|by|(?:papers?|articles?)\s+(?:did|has|have)|author)\s+"
    r"(?P<words>[^?.!,]+)",
    re.IGNORECASE,
)
_STOPS = frozenset(
    "from in of since before after until between about on with that which write written publish published wrote and or not for".split()
)
_NO_NAME = frozenset("the a i we you how which what who list all any this these it".split())


@dataclass(slots=True)
class _Reading:
    """A question being read: what is left of it and the conditions found so far."""

    rest: str
    vocabulary: Vocabulary
    year: int
    found: list[Condition] = field(default_factory=list)

    def take(self, pattern: re.Pattern[str], read: Callable[[re.Match[str]], Iterable[Condition] | None]) -> None:
        """Take out of the rest what the pattern matches wherever `read` makes conditions of it."""

        def replaced(match: re.Match[str]) -> str:
            conditions = read(match)
            if conditions is None:
                return match.group()
            self.found += conditions
            return " "

        self.rest = pattern.sub(replaced, self.rest)


def read(question: str, vocabulary: Vocabulary, year: int) -> tuple[tuple[Condition, ...], str]:
    """Return the conditions in a question, and the rest of it; `year` is the current one."""
    reading = _Reading(question, vocabulary, year)
    reading.take(_KEYWORD, lambda m: _keyword(m, vocabulary))
    _read_sessions(reading)
    reading.take(_AUTHOR_COUNT, _author_count)
    reading.take(_HAS, _presence)
    reading.take(_ARXIV, lambda m: _identified(m, vocabulary))
    reading.take(_venue_pattern(vocabulary.venues), lambda m: _venues(m, vocabulary))
    reading.take(_BEFORE_YEAR, lambda m: None if _resolved_authors(m["name"], vocabulary) else _unknown_venue(m))
    _read_years(reading)
    _read_authors(reading)
    reading.take(_UNKNOWN_VENUE, _unknown_venue)
    return tuple(reading.found), " ".join(reading.rest.split())


# Years


def _read_years(reading: _Reading) -> None:
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
    return tuple((int(year), int(year)) for year in dict.fromkeys(re.findall(_Y, found["years"])))


def _relative(match: re.Match[str], year: int) -> Range:
    if match["this"]:
        return year, year
    if match["last"]:
        return year - 1, year - 1
    n = _SPELLED.get(match["n"].lower()) or int(match["n"])
    return year - n + 1, year


# Numbers of authors, and fields that are there or not


def _author_count(match: re.Match[str]) -> list[Condition]:
    if match["single"]:
        return [Condition("authors", ((1, 1),), "single")]
    n = int(match["n"]) if match["n"].isdigit() else _SPELLED[match["n"].lower()]
    more, fewer = (bool(match["or"]) and word in match["or"].lower() for word in ("more", "er"))
    fewer = bool(match["or"]) and not more
    bounds: Range = (n, n)
    if match["more"]:
        bounds = (n + 1, None)
    elif match["least"] or more:
        bounds = (n, None)
    elif match["less"]:
        bounds = (None, n - 1)
    elif match["most"] or fewer:
        bounds = (None, n)
    return [Condition("authors", (bounds,), match.group().strip())]


_HELD = {"doi": "doi", "arxiv": "arxiv", "openreview": "openreview", "pubmed": "pubmed", "link": "url", "url": "url"}


def _presence(match: re.Match[str]) -> list[Condition]:
    name = match["field"].split()[0].lower()
    name = _HELD.get(name.rstrip("s"), name if name.endswith("s") else f"{name}s")
    name = {"abstracts": "abstract", "titles": "title", "years": "year", "venues": "venue", "sessions": "session"}.get(
        name, name
    )
    return [Condition("has", (name,), name, negated=match["yes"] is None)]


def _identified(match: re.Match[str], vocabulary: Vocabulary) -> list[Condition] | None:
    name = match["field"].lower()
    if any(fold(venue) == name for venue in vocabulary.venues):
        return None
    return [Condition("has", (name,), name, bool(match["no"]))]


def _keyword(match: re.Match[str], vocabulary: Vocabulary) -> list[Condition]:
    asked = (match["quoted"] or match["bare"]).strip()
    values = tuple(word for word in vocabulary.keywords if fold(word) == fold(asked))
    return [Condition("keyword", values, asked, bool(match["no"]))]


# Sessions and venues


def _read_sessions(reading: _Reading) -> None:
    sessions = reading.vocabulary.sessions
    names = sorted(sessions, key=len, reverse=True)
    if names:
        one = "|".join(re.escape(name) for name in names)
        listed = re.compile(
            rf"{_NOT}{_PREPOSITION}(?P<names>(?<!\w)(?:{one})(?!\w)(?:(?:\s*,\s*|\s*,?\s*\b(?:or|and|nor)\s+)(?:in\s+)?(?:{one})(?!\w))*)"
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
    asked = re.sub(rf"^(?:{_NOT}{_PREPOSITION})", "", match.group().strip(), flags=re.IGNORECASE)
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
    plain = [re.escape(name) for name in names if re.escape(name) not in free and not name.islower()]
    one = f"(?<![\\w-])(?:{'|'.join(free)})(?:'s)?(?![\\w-])"
    if plain:
        one = f"(?:{one}|(?<=in )(?-i:{'|'.join(plain)})\\b|(?<=from )(?-i:{'|'.join(plain)})\\b|(?<=at )(?-i:{'|'.join(plain)})\\b|(?<=or )(?-i:{'|'.join(plain)})\\b)"
    return re.compile(
        rf"{_NOT}{_PREPOSITION}(?P<names>{one}(?:(?:\s*,\s*|\s*/\s*|\s*,?\s*\b(?:or|and|nor)\s+)(?:(?:from|at|in)\s+)?{one})*)",
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


# Authors


def _read_authors(reading: _Reading) -> None:
    vocabulary = reading.vocabulary
    reading.take(_WROTE, lambda m: _authored(m["names"] or m["own"], vocabulary, negated=bool(m["no"])))
    reading.take(_BY, lambda m: _by(m, vocabulary))
    reading.rest = _PLAIN_BY.sub(lambda m: _plain_by(m, reading), reading.rest)


def _by(match: re.Match[str], vocabulary: Vocabulary) -> list[Condition] | None:
    cue = match["cue"].lower().split()[-1]
    sure = cue == "by" or cue.startswith(("author", "co-author", "coauthor")) or bool(match["verb"])
    return _authored(match["names"], vocabulary, negated=bool(match["no"]), sure=sure)


def _authored(names: str, vocabulary: Vocabulary, *, negated: bool, sure: bool = True) -> list[Condition] | None:
    """Return the conditions of a list of names: any of those joined by `or`, each of those joined by `and`."""
    kept = names.split()
    while kept and fold(kept[0]) in _NO_NAME:
        kept.pop(0)
    if not kept:
        return None
    names = " ".join(kept)
    some = [
        re.split(r"\s+or\s+(?:by\s+)?|\s+nor\s+", part)
        for part in re.split(r"\s*,\s*(?:and\s+)?|\s+(?:and|&)\s+(?:by\s+)?", names)
    ]
    if re.search(r"\b(?:or|nor)\b", names):
        some = [[name for part in some for name in part]]
    found = []
    for part in some:
        borne = {name: _resolved_authors(name, vocabulary) for name in part}
        values = tuple(dict.fromkeys(value for some in borne.values() for value in some))
        if not values and not sure:
            return None
        missing = tuple(name for name, some in borne.items() if not some)
        found.append(Condition("author", values, " or ".join(part), negated, missing if values else ()))
    return found


def _plain_by(match: re.Match[str], reading: _Reading) -> str:
    """Read a name that is not written as one, as in `papers by lei sha`."""
    tokens = match["words"].split()
    end = next((i for i, token in enumerate(tokens) if token.lower() in _STOPS), len(tokens))
    name = " ".join(tokens[:end])
    sure = not match.group().lower().startswith("by")  # `accelerated by long …` names no author Long
    for size in range(min(end, 5), 0, -1):
        values = _resolved_authors(" ".join(tokens[:size]), reading.vocabulary)
        if values and (size > 1 or sure):
            reading.found.append(Condition("author", tuple(values), " ".join(tokens[:size])))
            return match.group()[: match.start("words") - match.start()] + " ".join(["", *tokens[size:]])
    if (
        1 <= end <= 3
        and sure
        and not re.match(r"(?:papers?|articles?)\s+(?:did|has|have)", match.group(), re.IGNORECASE)
    ):
        reading.found.append(Condition("author", (), name))
        return " ".join(["", *tokens[end:]])
    return match.group()


def _resolved_authors(asked: str, vocabulary: Vocabulary) -> list[str]:
    """Return the authors, as the library spells them, that a name can stand for: all that bear it."""
    wanted = words(asked.replace(".", " "))
    if not wanted:
        return []
    surname = wanted[-1]
    near = [(name, words(name)) for name in vocabulary.authors if surname in fold(name)]
    if len(wanted) == 1:
        return [name for name, parts in near if parts and parts[-1] == surname] or [
            name for name, parts in near if surname in parts and len(surname) > 2
        ]
    for same in (_is_same, _is_part, _has_initials):
        if found := [name for name, parts in near if same(wanted, parts)]:
            return found
    return []


def _is_same(wanted: list[str], parts: list[str]) -> bool:
    return wanted == parts


def _is_part(wanted: list[str], parts: list[str]) -> bool:
    return f" {' '.join(wanted)} " in f" {' '.join(parts)} "


def _has_initials(wanted: list[str], parts: list[str]) -> bool:
    """Tell whether a name's words, or words that begin with its initials, stand in another in this order."""
    if not parts or wanted[-1] != parts[-1]:
        return False
    left = iter(parts[:-1])
    return all(any(p == w or (len(w) == 1 and p.startswith(w)) for p in left) for w in wanted[:-1])


def nearest(condition: Condition, vocabulary: Vocabulary) -> list[str]:
    """Return spellings that the library holds and that are near to what a condition without values asks for."""
    held: Mapping[str, Collection[str]] = {
        "venue": vocabulary.venues,
        "author": vocabulary.authors,
        "session": vocabulary.sessions,
        "keyword": vocabulary.keywords,
    }
    names = held.get(condition.field, ())
    by_fold = {words(name)[-1]: name for name in names if words(name)} if condition.field == "author" else {}
    by_fold |= {fold(name): name for name in names if name}
    return [by_fold[name] for name in get_close_matches(fold(condition.asked), list(by_fold), 3, 0.75)]
