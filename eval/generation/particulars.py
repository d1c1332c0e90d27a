"""Questions for parts, names, data sets, definitions, abbreviations and addresses. Patterns."""

# ruff: noqa: E501 (a pattern reads best on one line)

import re
from collections.abc import Iterator
from typing import Final

from eval.generation.clauses import head, is_sayable, items, phrase, weight
from eval.generation.statements import SPELLED, Asked, Pattern, Statement, facts_in, spellings_of

_NAMED_DATA = re.compile(r"(?:[A-Z0-9][\w.+/-]*[A-Z0-9][\w.+/-]*|[A-Z]{2,}[\w-]*)(?: [A-Z0-9][\w.+/-]*)*")
_DATA_NOUN = re.compile(r"\b(datasets?|benchmarks?|tasks?|data sets?|corpus|corpora|suites?)\b")
_VAGUE = frozenset(
    """similar multiple diverse public challenging real real-world synthetic standard novel various all other open main
    representative downstream common popular established recent complex unseen prominent key core extensive
    available open-source
    practical""".split()
)
_DEMONSTRATIVE = re.compile(r"\b(?:these|those|the following|its|their)\s*$", re.IGNORECASE)
_MODELS = re.compile(r"qwen|gpt|llama|gemini|claude|mistral|deepseek|dft", re.IGNORECASE)


def _field(said: Statement) -> Iterator[Asked]:
    """What kinds of data or tasks it is tried on, where they are described and not named."""
    kinds = "benchmarks|datasets|tasks|domains|scenarios|games|environments|problems"
    tried = r"(?i:evaluat\w+|test\w*|experiments?|validat\w+|results?|benchmark\w*|performance|efficiency)"
    pattern = rf"{tried}\b[^.;:,]{{0,50}}? (?P<prep>on|across|in) (?:(?:diverse|multiple|various|several|challenging|widely used|standard|public|real-world|synthetic and real-world|a (?:wide )?range of|a variety of|different) )*(?P<what>(?:[A-Za-z][\w-]*(?:,? and |, | ))+?)(?P<kind>{kinds})\b"
    ours = re.match(
        rf"(?:{said.me}|[Ww]e |(?:\w+ )?(?:[Ee]xperiment|[Ee]valuation|[Rr]esults|[Vv]alidation))", said.main
    )
    match = (
        re.search(pattern, said.main)
        if ours or re.match(r"(?:\w+ )?(?:[Ee]xperiment|[Ee]valuation)", said.text)
        else None
    )
    if (
        match is None
        or match["what"].rstrip().endswith((" and", " or"))
        or re.search(r"\b(?:its|the|of|for|this|these|those|both|other|on|across|with)\b", match["what"])
    ):
        return
    if len(_DATA_NOUN.findall(said.text)) > 1 or re.match(
        r",? (?:spanning|covering|including|such as|across)", said.main[match.end() :]
    ):
        return  # it names more than this
    what = re.sub(rf"^(?:(?:\d+|{'|'.join(SPELLED)}|{'|'.join(_VAGUE)}) )+", "", match["what"].strip())
    parts = [bare for part in items(what) if weight(part) and (bare := head(part))]
    if any(part.lower() in _VAGUE for part in parts) or said.reference.is_collection:
        return
    if (
        any(_VERBAL.search(part) for part in parts)
        or (len(parts) == 1 and not re.search(r"[ -]", parts[0]))
        or (len(parts) == 1 and _ADJECTIVE.search(parts[0]))
    ):
        return
    if parts and all(len(part.split()) <= 4 for part in parts) and len(parts) <= 4:
        prep = "In" if match["prep"] == "in" else "On"
        yield Asked(
            "field", f"{prep} what kind of {match['kind']} is {{it}} evaluated?", tuple((part,) for part in parts)
        )


_FINITE = re.compile(r"\b(?:is|are|generate|can|has|have|where|that|which)\b")
_VERBAL = re.compile(r"^\w+ing\b(?! \w)|\b(?:covering|spanning|involving|including|eliminating|using)\b|\bmodel\b")
_ADJECTIVE = re.compile(r"^[\w-]+(?:ive|al|ic|ous|ed|ent|ant|able|ful|less|ary|level)$")


def _parts(said: Statement) -> Iterator[Asked]:
    """What something consists of: "three stacked components: A, B, and C" or "SiltNet consists of A and B"."""
    raw = " ".join(said.raw.split())
    if found := _NUMBERED.search(raw):
        listed, what = _enumerated(found["list"]), found["what"]
        told = is_sayable(what) and not _DEMONSTRATIVE.search(raw[: found.start()][-16:])
        counted = SPELLED.index(found["count"]) + 2 if found["count"] in SPELLED else len(listed)
        whole_list = (
            not re.match(r"An? ", said.text)
            and 2 <= len(listed) == counted
            and all(len(part.split()) <= 6 for part in listed)
        )
        if whole_list and told and not _LOOSE.search(what):
            what = what if found["count"] == "several" else f"{found['count']} {what}"
            facts = tuple(spellings for part in listed if (spellings := spellings_of(part)))
            asks = (
                f"What are the {what} of {{it}}?"
                if _OWN.search(what)
                else f"Which {what} do the authors of {{it}} name?"
            )
            if len(facts) == len(listed) and not any(_FINITE.search(part) for part in listed):
                yield Asked("parts", asks, facts)
    whole = re.match(
        rf"{said.me} (?:consists? of|comprises|is composed of|is built on|is made of) (?P<list>[^:;]+)", said.main
    )
    piece = phrase(whole["list"], most=18) if whole else None
    if piece and len(items(piece)) > 1:
        yield Asked("parts", "What does {it} consist of?", facts_in(piece))


_NUMBERED = re.compile(
    rf"(?:(?P<count>{'|'.join(SPELLED[:5])}|several) )(?P<what>(?:[a-z][\w-]* ){{0,3}}[a-z][\w-]*s)"
    r"(?: of [^:,.]{3,40})?(?:[:—–]|,(?= including))\s?(?:including )?(?P<list>.+)"
)
_OWN = re.compile(r"\b(?:components|modules|stages|parts|mechanisms|pillars|experts|objectives|phases|blocks|steps)$")
_LOOSE = re.compile(r"\b(?:insights|findings|observations|ways|contributions|questions|sizes)$")


def _enumerated(text: str) -> list[str]:
    text = re.sub(r" \((?:e\.g\.|i\.e\.|such as)[^()]*\)", "", text)
    parts = re.split(r"[,;]?\s*(?:and )?\((?:\d|[ivx]{1,4}|[a-d])\)\s*", text)
    if len(parts) > 2:
        return [head_of for part in parts if (head_of := head(part)) and weight(head_of)]
    piece = re.split(r"[;.](?:\s|$)|—", text)[0].strip(" .")
    found = items(piece)
    short = all(len(part.split()) <= 5 for part in found)
    return found if short and 2 <= len(found) <= 5 and re.search(r"\b(?:and|or)\b", piece) else []


def _data(said: Statement) -> Iterator[Asked]:
    if not re.search(
        r"(?i)\b(?:evaluat|test|experiment|validat|outperform|improv|achiev|superior|state-of-the-art)", said.text
    ):
        return
    for match in re.finditer(
        r"\b(?:on|across)(?: the)? (?:large |popular |public |standard )?(?P<list>[A-Z][^;.]{2,120})", said.raw
    ):
        names, noun = _listed_names(match["list"])
        alone = len(names) == 1 and noun is not None and noun.endswith("s")  # others are left out
        if names and not alone and not said.reference.is_collection:
            noun = noun if noun and noun.endswith("s") else "datasets" if len(names) > 1 else "dataset"
            yield Asked("data", f"On which {noun} is {{it}} evaluated?", tuple((name,) for name in names[:4]))


def _listed_names(text: str) -> tuple[list[str], str | None]:
    noun = _DATA_NOUN.search(text)
    found = []
    for part in re.split(r",\s+(?:and\s+)?|\s+and\s+(?:the\s+)?", text[: noun.start()] if noun else text):
        name = _NAMED_DATA.match(part)
        if (
            name is None
            or _MODELS.match(part)
            or not re.search(r"[A-Za-z]{2}", name.group())
            or name.end() < len(part.rstrip(". ,"))
        ):
            return [], None
        found.append(name.group().rstrip(",."))
    return (found if noun or len(found) > 1 else []), noun.group() if noun else None


def _acronym(said: Statement) -> Iterator[Asked]:
    for match in re.finditer(r"(?P<long>(?:[A-Za-z][\w-]*[ -]){1,7})\((?P<short>[A-Z][A-Za-z-]*[A-Z])s?\)", said.raw):
        letters = re.sub(r"[^A-Za-z]", "", match["short"])
        tokens = match["long"].split()
        for count in range(min(len(tokens), len(letters) + 2), 0, -1):
            spelled = " ".join(tokens[-count:])
            initials = "".join(part[0] for part in re.split(r"[ -]", spelled) if part)
            if initials.lower() == letters.lower() and count >= 2:
                yield Asked("acronym", f"What does {match['short']} stand for?", ((spelled, *_singular(spelled)),))
                break


def _singular(text: str) -> tuple[str, ...]:
    return (text[:-1],) if text.endswith("s") and not text.endswith("ss") else ()


def _code(said: Statement) -> Iterator[Asked]:
    found = re.search(r"https?:/{1,2}[^\s\])}]+", said.raw)
    if found and re.search(r"\b(?:[Cc]ode|[Dd]ata|[Ii]mplementation|publicly)\b", said.raw):
        yield Asked(
            "code", "Where can the code of {it} be found?", ((re.sub(r"https?:/+", "", found.group()).rstrip(".,/"),),)
        )


PATTERNS: Final[tuple[Pattern, ...]] = (_field, _parts, _data, _acronym, _code)
