"""Questions whose answer is a figure: how many, by how much, what score. Patterns."""

# ruff: noqa: E501 (a pattern reads best on one line)

import re
from collections.abc import Iterator
from typing import Final

from assistant.polarity import inflected
from eval.generation.clauses import GERUND, THIRD, is_sayable, phrase, weight
from eval.generation.statements import ADVERB, SPELLED, THIRDS, Asked, Pattern, Statement

_CHANGES = """reduce improve increase decrease lower cut raise boost outperform exceed surpass accelerate enhance shorten
    shrink""".split()
_CHANGED = {form: verb for verb in _CHANGES for form in inflected(verb)}
_CHANGING = "|".join(sorted(_CHANGED, key=len, reverse=True))
_UNIT = r"(?:\s?(?:\\?%|×|x\b|percentage points?|points?|percent|times|orders? of magnitude|fold|BLEU|dB)|-fold)?"
_FIGURE = rf"(?:~|≈)?\d[\d,]*(?:\.\d+)?{_UNIT}"
_ABOUT = r"(?:up to |an average of |on average |over |more than |about |roughly |nearly |almost |at least |a factor of |around |approximately )?"
_COUNTED = rf"(?P<number>\d[\d,]*(?:\.\d+)?[kKM]?|{'|'.join(SPELLED)}) (?P<what>(?:[A-Za-z][\w/'-]*,? ){{0,6}}?[A-Za-z][\w/-]*s|data)"
_ENDS = r"(?=[,.;:]|$| (?:and|with|for|of|in|on|from|to|that|which|using|by|across|spanning|covering|over|where|under|while|through|via|including|such|relative|compared|without|drawn|collected|is|are|at|between|as)\b)"
_YEAR = re.compile(r"(?:19|20)\d\d")
_GIVES = "achieve|attain|reach|obtain|yield|score|deliver|report"
_BARE = re.compile(r"(?:\w[\w-]* )?(?:experiments|tasks|datasets|models|benchmarks|systems)")


def _figure(text: str) -> tuple[str, ...]:
    """Return how a figure may be written."""
    bare = re.match(r"[~≈]?(\d[\d,]*(?:\.\d+)?)", text)
    if re.search(r"\d[kKMB]$", text):
        return (text,)
    plain_figure = bare.group(1) if bare else text
    found = [text.strip("~≈ "), plain_figure, plain_figure.replace(",", "")]
    if text in SPELLED:
        found.append(str(SPELLED.index(text) + 2))
    if plain_figure.isdigit() and 2 <= int(plain_figure) <= 12 and text == plain_figure:
        found.append(SPELLED[int(plain_figure) - 2])
    return tuple(dict.fromkeys(found))


_OF_WHAT = re.compile(
    r"(?:(?:average|mean|relative|overall|absolute|maximum|total|performance|substantial|further) )*"
    r"(?:improvement|reduction|gain|increase|decrease|speed-?up|drop|boost)s?"
)  # a gain in nobody knows what


def _by_how_much(said: Statement) -> Iterator[Asked]:
    if not re.match(rf"(?:{said.me}|[Ww]e|[Ii]t)\b", said.main) or ":" in said.main:
        return
    change = rf"\b(?P<verb>{_CHANGING}) (?P<what>(?:[\w()$^/-]+ ){{1,7}}?)by {_ABOUT}(?P<figure>{_FIGURE})(?![\w\\$–-]|\.\d)(?P<after> (?:on|over|compared|relative)[^,.;]*)?"
    for match in re.finditer(change, said.main):
        what = match["what"].strip()
        if re.match(r" in ", said.main[match.end("figure") :]):
            continue  # by so much in what?
        if is_sayable(what) and not re.search(r"(?<![\w-])\d|\bby\b|\band\b", what):
            where = said.lead or _where(match["after"] or "")
            yield Asked(
                "by how much",
                f"By how much does {{it}} {_CHANGED[match['verb']]} {what}{where}?",
                (_figure(match["figure"]),),
            )


def _where(after: str) -> str:
    piece = phrase(after.strip(), most=7) if after.strip() else None
    return f" {piece}" if piece and is_sayable(piece) and not re.search(r"\d%", piece) else ""


def _metric(said: Statement) -> Iterator[Asked]:
    of = rf"(?:{_GIVES})(?:s|es)? (?:an? |the )?(?P<what>(?:[A-Za-z][\w/@-]* ){{1,5}}?)of {_ABOUT}(?P<figure>{_FIGURE})(?P<after> (?:on|over|in|for|across) [^,.;]*)?"
    before = rf"(?:{_GIVES})(?:s|es)? {_ABOUT}(?P<figure>{_FIGURE}) (?P<what>(?:[A-Za-z][\w/@-]* ){{0,4}}(?:accuracy|precision|recall|F1|success rate|score|speedup|AUROC|AUC|error|BLEU|mIoU|reduction|improvement|correlation|coverage|gain)s?)\b(?P<after> (?:on|over|in|for|across) [^,.;]*)?"
    if not re.match(rf"{said.me}\b", said.main):
        return
    for match in (*re.finditer(of, said.main), *re.finditer(before, said.main)):
        what = match["what"].strip()
        if _OF_WHAT.fullmatch(what):
            continue
        verb = "show" if what.startswith(("average", "mean")) else "achieve"
        yield Asked(
            "metric",
            f"What {what} does {{it}} {verb}{_where(match['after'] or '') or said.lead}?",
            (_figure(match["figure"]),),
        )


def _gain(said: Statement) -> Iterator[Asked]:
    kinds = "improvement|reduction|gain|increase|decrease|speedup|speed-up|drop|boost"
    after = rf"(?:an? |the )?(?P<what>(?:[A-Za-z][\w-]* ){{0,4}}(?:{kinds})) of {_ABOUT}(?P<figure>{_FIGURE})(?P<in>)"
    before = rf"(?P<figure>{_FIGURE}) (?P<what>(?:[a-z][\w-]* ){{0,2}}(?:{kinds}))(?P<in> in (?:[\w-]+ ){{0,4}}?[\w-]+){_ENDS}"
    for match in (*re.finditer(after, said.main), *re.finditer(before, said.main)):
        what = re.sub(r"^(?:yielding|achieving|with|and|by|to|a|an) (?:an? )?", "", match["what"])
        if (
            is_sayable(what + match["in"])
            and weight(what + match["in"]) >= 1
            and not _OF_WHAT.fullmatch(what + match["in"])
            and what.split()[0] not in ("of", "in", "significant")
            and not re.search(r"\b(?:an?|the|and|brings?|gives?)\b", what)
            and not match["in"].endswith("ed")
        ):
            yield Asked(
                "gain", f"How large is the {what}{match['in']} reported for {{it}}?", (_figure(match["figure"]),)
            )


def _noted(said: Statement) -> Iterator[Asked]:
    """A measure in brackets: "(AUROC = 0.95)"."""
    for match in re.finditer(
        rf"(?P<before>[\w-]+ [\w-]+) \((?P<what>[A-Z][A-Za-z0-9-]{{1,14}}) ?[=:] ?(?P<figure>{_FIGURE})\)", said.raw
    ):
        if is_sayable(match["before"]):
            yield Asked(
                "noted",
                f"Which {match['what']} is reported for {match['before']} with {{it}}?",
                (_figure(match["figure"]),),
            )


def _count(said: Statement) -> Iterator[Asked]:
    for match in re.finditer(
        rf"\b(?P<prep>across|over|on|spanning|covering|comprising|containing|from|with|including)?(?(prep) )(?<![\w.,$-]){_COUNTED}{_ENDS}",
        said.main,
    ):
        what, number = match["what"].strip(), match["number"]
        if (
            _YEAR.fullmatch(number)
            or not is_sayable(what)
            or (weight(what) < 1 and not _BARE.fullmatch(what))
            or _hollow(what)
        ):
            continue
        if said.main[match.end("number") :][:1] in ".,":
            continue
        yield from _counted(said, match, re.sub(r"^(?:different|diverse|distinct|challenging|novel|new) ", "", what))


def _hollow(what: str) -> bool:
    return (
        re.match(
            r"(?:million|billion|thousand|types|kinds|parts|issues|algorithms|ways|times|settings|key|main|points|steps|complementary|orders|percent|components|stages|aspects|years|challenges"
            r"|novel methods|methods|factors|extensions|major|significant|seconds|minutes|hours|lines|or|and|to)\b",
            what,
        )
        is not None
        or re.search(
            r"\b(?:settings|implications|regimes|insights|challenges|aspects)$"
            r"|\b(?:and|or|to|is|are|of|this|that|demonstrates?|shows?|curated|organized|collected|from|for)\b",
            what,
        )
        is not None
    )


def _counted(said: Statement, match: re.Match[str], what: str) -> Iterator[Asked]:
    """Ask for a number by what stands in front of it: a test, a verb of gathering, a collection, "comprising"."""
    before, prep = said.main[: match.start()].rstrip(), match["prep"]
    gathered = _GATHERS.search(before) if prep is None else None
    collection = _COLLECTION.search(before) if prep in (None, *_HOLDING, "with", "including") else None
    asks = None
    if prep in ("across", "on", "over") and _TESTS.search(before) and _is_own_test(said, before):
        asks = (
            f"How many {what} does {{it}} span?"
            if said.reference.is_collection
            else f"On how many {what} is {{it}} evaluated?"
        )
    elif gathered:
        verb = GERUND.get(gathered["verb"]) or _GATHERED.get(gathered["verb"], gathered["verb"])
        asks = f"How many {what} do the authors of {{it}} {verb}?"
    elif collection:
        asks = f"How many {what} are in the {re.sub('^(?:an?|the) ', '', collection['set'])} of {{it}}?"
    elif (prep in _HOLDING or _HOLDS.search(before)) and re.search(
        rf"^{said.me}\b|{said.me},?$|dataset|benchmark", before
    ):
        set_of = "" if said.reference.is_collection or re.match(said.me, before) else "the dataset of "
        asks = f"How many {what} does {set_of}{{it}} {'span' if 'span' in (prep or before[-6:]) else 'comprise'}?"
    if asks:
        yield Asked("count", asks, (_figure(match["number"]),))


def _is_own_test(said: Statement, before: str) -> bool:
    return re.match(rf"{said.me}|[Ww]e\b|.*(?:[Ee]xperiment|[Ee]valuat|[Rr]esult)", before) is not None


_TESTS = re.compile(
    r"evaluat|test|experiment|validat|benchmark|result|demonstrat|compar|assess|analys|improv|outperform|measur",
    re.IGNORECASE,
)
_GATHERS = re.compile(
    rf"\b(?:[Ww]e {ADVERB}|(?=\w+ing(?: a total of)?$))"
    r"(?P<verb>construct|curate|collect|release|create|conduct|train|annotate|survey|build|benchmark|analyze|generate"
    r"|(?:construct|curat|collect|releas|creat|conduct|train|annotat|benchmark|analyz)ing)(?: a total of)?$"
)
_GATHERED = {
    f"{verb.removesuffix('e')}ing": verb
    for verb in "curate collect release create conduct train annotate benchmark analyze".split()
}
_COLLECTION = re.compile(r"\b(?P<set>(?:[\w-]+ )?(?:dataset|benchmark|corpus|collection|suite|index))(?: of)?$")
_HOLDING = ("spanning", "covering", "comprising", "containing")
_HOLDS = re.compile(r"\b(?:comprises|contains|includes|consists of|spans|covers|holds|has)$")


def _share(said: Statement) -> Iterator[Asked]:
    if match := re.match(
        rf"(?:{said.me}|It) {ADVERB}(?P<verb>{THIRDS}) {_ABOUT}(?P<figure>{_FIGURE}) of (?P<what>the [^,.;]+)",
        said.main,
    ):
        piece = phrase(match["what"], most=12)
        if piece and "%" in match["figure"]:
            yield Asked(
                "share", f"What share of {piece} does {{it}} {THIRD[match['verb']]}?", (_figure(match["figure"]),)
            )


PATTERNS: Final[tuple[Pattern, ...]] = (_by_how_much, _metric, _gain, _noted, _count, _share)
