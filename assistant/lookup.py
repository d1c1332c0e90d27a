"""Single papers that a question names by identifier or title, and what their records say of them."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Final, Literal

from assistant import listing, routing
from assistant.library import Library
from assistant.naming import own_name
from assistant.schema import Answer, Paper, Sentence
from assistant.text import fold, words

ALIKE: Final = 0.9
NEAR: Final = 0.6
FEWEST_WORDS: Final = 3
MOST_SO_CALLED: Final = 3

RecordField = Literal["authors", "year", "venue", "doi", "url", "keywords", "session"]

_QUOTED = re.compile(r"[\"“«]\s*([^\"”»“]{3,300}?)\s*[\"”»]")
_FIELDS: Final[tuple[tuple[RecordField, re.Pattern[str]], ...]] = (
    (
        "authors",
        re.compile(
            r"^(?:do you know |tell me )?who (?:wrote|(?:has |have )?written|(?:co-?)?authored|published|(?:is|are"
            r"|were|was) (?:the )?(?:\w+ )?(?:co-?)?authors?)\b"
            r"|\b(?:list|name|give me|show(?: me)?|what are|which are) (?:the )?(?:names of )?(?:the )?authors "
            r"of\b|^(?:the )?authors? of\b"
            r"|\bby whom\b|^whose (?:paper|work) is\b"
        ),
    ),
    (
        "year",
        re.compile(
            r"^when (?:was|were|is|did|has|have)\b.*\b(?:publish\w*|writ\w+|appear\w*|come out|came out|released"
            r"|from)\b"
            r"|\b(?:what|which|in which|in what) year (?:was|is|did|were)\b|^(?:what is )?the (?:publication "
            r")?year of\b|^(?:what is )?the publication date of\b|^how old is\b"
        ),
    ),
    (
        "venue",
        re.compile(
            r"^where (?:was|were|is|did|has|can)\b.*\b(?:publish\w*|appear\w*|present\w*)\b"
            r"|\b(?:what|which) (?:venue|conference|journal)\b.*\b(?:publish\w*|appear\w*|present\w*|accept\w*|in"
            r"|at|of|is)\b|^(?:what is )?the venue of\b"
        ),
    ),
    ("doi", re.compile(r"\b(?:what is |what's |give me )?(?:the )?doi (?:of|for)\b|\bwhich doi\b")),
    (
        "url",
        re.compile(r"\b(?:the |a )?(?:link|url|address) (?:of|to|for)\b|^where can i (?:find|read|download|get)\b"),
    ),
    ("keywords", re.compile(r"\b(?:the |which |what )?keywords\b.*\b(?:of|for|does|has|have)\b")),
    ("session", re.compile(r"\b(?:which|what) session\b")),
)
_CONTRACTED = re.compile(r"\b(who|what|where|when)'s\b")
_FIELD_WORDS = frozenset(
    """who wrote written write has have is are was were the author authors co of coauthored authored published
    publish and list name give me show what which whose work when did appear appeared come came out released
    from in year publication date how old where presented venue conference journal accepted at doi link url to
    address for can i find read download get keywords does session paper article a an study method model on this
    it do you know tell by whom first last""".split()
)
_GIST = re.compile(
    r"\b(?:about|summar\w+|overview|gist|tldr|tl;dr|in a nutshell|main (?:idea|finding|contribution|result)s?|what "
    r"does .* (?:say|do|propose|present|find|show))\b|^\W*(?:doi|arxiv|openreview|pubmed|https?|10\.)\S*\W*$"
)


@dataclass(frozen=True, slots=True)
class Lookup:
    """The papers that a question names; `unknown` is what it names and the library lacks, as the question has it."""

    papers: tuple[Paper, ...]
    unknown: str = ""
    near: tuple[Paper, ...] = ()


class Finder:
    """Finds the papers that questions name. Safe from any thread."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._titles: tuple[int, list[tuple[str, str, str]]] = (-1, [])

    def find(self, question: str) -> Lookup | None:
        """Return what a question names by an identifier or a title; None when it names nothing in such a way."""
        if named := routing.identifiers(question):
            ids = self._library.catalogue.resolve(named)
            if papers := self._library.catalogue.papers(dict.fromkeys(ids[key] for key in named if key in ids)):
                return Lookup(tuple(papers))
            return Lookup((), f"with the id {' or '.join(named)}")
        if found := self._titled(question):
            return Lookup(tuple(found))
        if field_asked(question) and (named_so := self._called(question)):
            return Lookup(tuple(named_so))
        quoted = [title for title in _QUOTED.findall(question) if len(words(title)) >= FEWEST_WORDS]
        if quoted and (field_asked(question) or _is_request(question)):
            return Lookup((), f"titled “{quoted[0]}”", tuple(self._alike(quoted[0], NEAR)[:3]))
        return None

    def _titled(self, question: str) -> list[Paper]:
        """Return the papers whose whole title stands in a question, or whose title a quoted one nearly is."""
        asked = f" {' '.join(words(question))} "
        found = [t for t in self._known() if t[1].count(" ") >= FEWEST_WORDS - 1 and f" {t[1]} " in asked]
        longest = [t for t in found if not any(t[1] != u[1] and f" {t[1]} " in f" {u[1]} " for u in found)]
        if longest:
            return self._library.catalogue.papers(paper_id for paper_id, _, _ in longest)
        for title in _QUOTED.findall(question):
            quoted = " ".join(words(title))
            exact = [t[0] for t in self._known() if quoted and quoted in (t[1], t[2])]
            if exact:
                return self._library.catalogue.papers(exact)
            if quoted.count(" ") >= FEWEST_WORDS - 1 and (alike := self._alike(title, ALIKE)):
                return alike[:1]
        return []

    def _alike(self, title: str, at_least: float) -> list[Paper]:
        """Return the papers with a title like this one, likest first; one that it begins counts as alike."""
        wanted = " ".join(words(title))
        matcher = SequenceMatcher(b=wanted, autojunk=False)
        ratios: dict[str, float] = {}
        for paper_id, known, main in self._known():
            if known.startswith(f"{wanted} ") and wanted.count(" ") >= FEWEST_WORDS - 1:
                ratios[paper_id] = 0.99
                continue
            for candidate in {known, main}:
                matcher.set_seq1(candidate)
                if matcher.real_quick_ratio() >= at_least and matcher.quick_ratio() >= at_least:
                    ratios[paper_id] = max(ratios.get(paper_id, 0.0), matcher.ratio())
        best = [paper_id for paper_id in sorted(ratios, key=lambda i: -ratios[i]) if ratios[paper_id] >= at_least]
        return self._library.catalogue.papers(best)

    def _called(self, question: str) -> list[Paper]:
        """Return the papers that call themselves what a question about a record consists of beside that."""
        rest = " ".join(word for word in words(_spelled_out(question)) if word not in _FIELD_WORDS)
        if not rest:
            return []
        known = self._known()
        tests: tuple[Callable[[str, str], bool], ...] = (
            lambda name, main: rest in (name, main),
            lambda name, _: len(rest) > 2 and f" {rest} " in f" {name} ",
        )
        for test in tests:
            ids = [paper_id for paper_id, name, main in known if test(name, main)]
            if ids:
                return self._library.catalogue.papers(ids) if len(ids) <= MOST_SO_CALLED else []
        return []

    def _known(self) -> list[tuple[str, str, str]]:
        """Return each paper's id, the words of its name, and those of its own name or of its title up to a colon."""
        generation = self._library.generation
        if self._titles[0] != generation:
            known = []
            for paper in self._library.catalogue:
                main = own_name(paper) or paper.name.partition(":")[0]
                known.append((paper.paper_id, " ".join(words(paper.name)), _bare(main)))
            self._titles = (generation, known)
        return self._titles[1]


def _spelled_out(question: str) -> str:
    """Return a question folded, its "who's" a "who is"."""
    return _CONTRACTED.sub(r"\1 is", fold(question))


def _bare(name: str) -> str:
    return " ".join(word for word in words(name) if word not in _FIELD_WORDS) or " ".join(words(name))


def field_asked(question: str) -> RecordField | None:
    """Return which field of a record a question asks for."""
    text = _spelled_out(question)
    return next((name for name, pattern in _FIELDS if pattern.search(text)), None)


def asks_gist(question: str) -> bool:
    """Tell whether a question asks what a paper is about rather than for something in it."""
    return _GIST.search(fold(_QUOTED.sub(" ", question))) is not None


def _is_request(question: str) -> bool:
    return asks_gist(question) or routing.is_about_one(_QUOTED.sub(" ", question))


def from_record(found: Lookup, wanted: RecordField, blank: Answer) -> Answer:
    """Return the answer that the records of the papers give, or say that they don't."""
    stated = [(n, text) for n, paper in enumerate(found.papers, start=1) if (text := _stated(paper, wanted))]
    blank = replace(blank, kind="lookup")
    if not stated:
        names = " and ".join(f"“{paper.name}” [{n}]" for n, paper in enumerate(found.papers, start=1))
        whose, verb = ("its record names", "is") if len(found.papers) == 1 else ("their records name", "are")
        what = {"authors": "authors", "keywords": "keywords", "url": "link", "doi": "DOI"}.get(wanted, wanted)
        text = f"{names} {verb} in this library, but {whose} no {what}."
        near = listing.sources(found.papers, cited=False)
        return replace(blank, text=text, abstained=True, reason="not_stated", papers=near)
    sentences = tuple(Sentence(text, (n,), "supported", 1.0) for n, text in stated)
    cited = {n for n, _ in stated}
    papers = tuple(replace(source, cited=source.n in cited) for source in listing.sources(found.papers))
    return replace(blank, text=listing.text_of(sentences), sentences=sentences, papers=papers)


def not_held(found: Lookup, blank: Answer) -> Answer:
    """Say that the library lacks what a question names."""
    hint = f" The nearest: {'; '.join(listing.entry(paper) for paper in found.near)}." if found.near else ""
    papers = listing.sources(found.near, cited=False)
    text = f"This library holds no paper {found.unknown}.{hint}"
    return replace(blank, kind="lookup", text=text, abstained=True, reason="nothing_relevant", papers=papers)


def _stated(paper: Paper, wanted: RecordField) -> str:
    """Return what a paper's record says in a field as a sentence, or "" when it says nothing."""
    if wanted == "authors":
        *others, last = paper.authors or ("",)
        listed = f"{', '.join(others)} and {last}" if others else last
        return f"{paper.name} was written by {listed}." if paper.authors else ""
    if wanted == "year":
        where = f", at {paper.venue}" if paper.venue else ""
        return f"{paper.name} was published in {paper.year}{where}." if paper.year else ""
    if wanted == "venue":
        when = f" in {paper.year}" if paper.year else ""
        return f"{paper.name} was published at {paper.venue}{when}." if paper.venue else ""
    if wanted == "doi":
        return f"{paper.name} has the DOI {paper.doi}." if paper.doi else ""
    if wanted == "url":
        return f"{paper.name} stands at {paper.url}." if paper.url else ""
    if wanted == "keywords":
        return f"{paper.name} has the keywords {', '.join(paper.keywords)}." if paper.keywords else ""
    session = paper.extra.get("session")
    named = [session] if isinstance(session, str) else session if isinstance(session, list) else []
    return f"{paper.name} is in {' and '.join(map(str, named))}." if named else ""
