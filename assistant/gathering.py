"""From a question to the papers that may answer it: a search, one for each thing compared, or a look-up."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from assistant import lookup, routing, topics
from assistant.answering import Part, Task
from assistant.followup import Standalone
from assistant.length import sentences_asked, words_asked
from assistant.library import Library
from assistant.naming import Names
from assistant.retrieval import Retriever
from assistant.schema import Candidate, Filters, Kind, Sentence
from assistant.several import Asked, Bearers, asked_of_each, introduces
from assistant.sought import Sought, sought
from assistant.text import content_stems, fold

CITED = 0.3  # what it counts that a follow-up refers to a paper, when it refers to several
CITED_AMONG = 100
CONTENT_DEPTH = 8
SURVEY_DEPTH = 24
_ENTITY_DEPTH = 3
_NEAREST = 10
_MOST_NAMED = 4
_FEW_HOLD, _FEW_HOLD_SHARE = 6, 0.005
_SURVEYS: frozenset[Kind] = frozenset(("summary", "list", "count", "compare"))


@dataclass(frozen=True, slots=True)
class Gathered:
    """A task ready to be answered, and sentences that say of which of the things compared no paper is here."""

    task: Task
    absent: tuple[Sentence, ...] = ()


class Gathering:
    """Finds papers for questions. Holds no per-user state."""

    def __init__(self, library: Library, retriever: Retriever) -> None:
        self.library = library
        self.retriever = retriever
        self._names = Names(library)

    def of(
        self,
        asked: Standalone,
        question: str,
        kind: Kind,
        filters: Filters,
        *,
        words: int | None = None,
        k: int | None = None,
        named: lookup.Lookup | None = None,
    ) -> Gathered:
        """Return the task for a question whose standalone form is `asked`; `named` are papers that it names.

        `words` bounds the answer, else the reader's own words do ("briefly", "in two sentences").
        """
        if named is not None:
            candidates, groups = [Candidate(paper, 1.0, 1.0, 1.0) for paper in named.papers], list[list[int]]()
        else:
            candidates, groups = self._candidates(asked, question, kind, filters, k)
        parts, missing = tuple[Part, ...](), list[str]()
        if kind in ("content", "lookup"):
            parts, missing, candidates = self._parts(asked.question, candidates, filters, named)
        absent, groups = self._absent(asked.question, candidates, groups)
        about = routing.topic(asked.question) if kind in ("summary", "list", "count") else asked.question
        task = Task(
            asked.question,
            kind,
            self.library.encoder.encode_query(about),
            self.library.terms.idf(content_stems(about)),
            candidates,
            groups,
            words or words_asked(question),
            sentences_asked(question),
            parts,
        )
        lacking = tuple(Sentence(f"No paper here mentions {name}.", (1,), "supported", 1.0) for name in missing)
        return Gathered(task, (*absent, *lacking))

    def _candidates(
        self, asked: Standalone, question: str, kind: Kind, filters: Filters, k: int | None
    ) -> tuple[list[Candidate], list[list[int]]]:
        """Return the papers found, and for a comparison the places of those found for each thing compared."""
        survey = kind in _SURVEYS
        depth = k or (SURVEY_DEPTH if survey else CONTENT_DEPTH)
        query = routing.topic(asked.question) if survey and kind != "compare" else asked.question
        entities = routing.entities(asked.question) if kind == "compare" else ()
        lists = _apart(entities, [self._called(entity, filters) for entity in entities])
        found = self._named(asked.question) + [c for each in lists for c in each[:1]]
        found += self.retriever.search(query, depth, filters)
        if (form := sought(asked.question)) is not None and form.form == "expansion":
            found = self._expanding(form, found, filters)
        for other in dict.fromkeys((*asked.others, question)):
            found += self.retriever.search(other, depth, filters) if other != asked.question else []
        if asked.papers:
            found = self._cited_first(found, asked, filters)
        elif kind == "summary" and not routing.is_about_one(asked.question):
            found = self._of_topic(found, query)
        unique: dict[str, Candidate] = {}
        for candidate in found:
            unique.setdefault(candidate.paper.paper_id, candidate)
        if len(asked.papers) > 1 and kind in ("compare", "summary"):
            lists = [[unique[paper_id]] for paper_id in asked.papers if paper_id in unique]
        kept = list(unique.values())[: max(depth, len(lists))]
        places = {candidate.paper.paper_id: place for place, candidate in enumerate(kept)}
        groups = [[places[c.paper.paper_id] for c in each if c.paper.paper_id in places] for each in lists]
        return kept, groups

    def _parts(
        self, question: str, candidates: list[Candidate], filters: Filters, named: lookup.Lookup | None
    ) -> tuple[tuple[Part, ...], list[str], list[Candidate]]:
        """Return what a question asks of each of the papers that it names, if several, and these before the others.

        Between them come the names beside theirs that no paper holds.
        """
        titled = {paper.name: Candidate(paper, 1.0, 1.0, 1.0) for paper in (named.papers if named else ())}
        names = list(dict.fromkeys((*titled, *self._names.within(question), *routing.names(question))))
        if len(names) < 2:
            return (), [], candidates
        bearer = {name: titled.get(name) or self._bearer(name, filters) for name in names}
        bearers = Bearers(lambda name: bearer[name] is not None, lambda name: self._is_unknown(name, filters))
        asked, missing = asked_of_each(question, names, bearers)
        found = {part: own for part in asked if (own := bearer[part.name]) is not None}
        papers = {own.paper.paper_id: own for own in found.values()}
        if not 1 < len(papers) + len(missing) <= _MOST_NAMED:
            return (), [], candidates
        places = {paper_id: place for place, paper_id in enumerate(papers)}
        own_part = {places[own.paper.paper_id]: part for part, own in reversed(found.items())}
        parts = tuple(self._part(own_part[place], place) for place in sorted(own_part))
        others = [c for c in candidates if c.paper.paper_id not in places]
        return parts, missing, [*papers.values(), *others]

    def _is_unknown(self, name: str, filters: Filters) -> bool:
        """Tell whether none of the papers nearest to a name holds it."""
        found = self.retriever.search(name, _NEAREST, filters)
        return not any(fold(name) in fold(f"{c.paper.name} {c.paper.abstract}") for c in found)

    def _part(self, asked: Asked, place: int) -> Part:
        weights = self.library.terms.idf(content_stems(asked.question))
        vector = self.library.encoder.encode_query(asked.question)
        return Part(asked.name, asked.question, vector, weights, place)

    def _bearer(self, name: str, filters: Filters) -> Candidate | None:
        """Return the paper that goes by a name, or else one of the nearest that introduces it."""
        found = self.retriever.search(name, _NEAREST, filters)
        so_called = {paper.paper_id for paper in self._names.bearers(name)}
        called = next((c for c in found if c.paper.paper_id in so_called), None)
        if called is None and self._is_rare(name):
            return next((c for c in found if introduces(c.paper, name)), None)
        return called

    def _is_rare(self, name: str) -> bool:
        """Tell whether so few papers hold a name that it may be one's own, as `AUROC` and `LLM` are nobody's."""
        papers = len(self.library.catalogue)
        rarest = max(self.library.terms.idf(content_stems(name)).values(), default=0.0)
        return (papers + 1) / exp(rarest) <= max(_FEW_HOLD, _FEW_HOLD_SHARE * papers)

    def _called(self, entity: str, filters: Filters) -> list[Candidate]:
        """Return the papers nearest to one of the things compared, first the one that goes by its name."""
        found = self.retriever.search(entity, _ENTITY_DEPTH, filters)
        bearer = self._bearer(entity, filters) if routing.names(entity) or self._names.bearers(entity) else None
        return [bearer, *(c for c in found if c.paper != bearer.paper)] if bearer else found

    def _of_topic(self, found: list[Candidate], about: str) -> list[Candidate]:
        """Return the candidates that a list of papers about the topic would hold; all of them when it holds none."""
        members = {c.paper.paper_id for c in topics.papers_about(self.library, about)}
        return [c for c in found if c.paper.paper_id in members] or found

    def _cited_first(self, found: list[Candidate], asked: Standalone, filters: Filters) -> list[Candidate]:
        """Order candidates so that the one paper that a follow-up refers to leads, and several come near the top."""
        cited = set(asked.papers)
        missing = cited - {c.paper.paper_id for c in found}
        if missing:
            more = self.retriever.search(asked.question, CITED_AMONG, filters)
            found = found + [c for c in more if c.paper.paper_id in missing]
        share = 1.0 if len(cited) == 1 else CITED
        return sorted(found, key=lambda c: -(c.score + share * (c.paper.paper_id in cited)))

    def _expanding(self, form: Sought, found: list[Candidate], filters: Filters) -> list[Candidate]:
        """Return candidates for a short name's meaning, those first whose abstracts say it in full."""
        found = [*self.retriever.search(form.name, CITED_AMONG, filters), *found]
        return sorted(found, key=lambda c: not form.in_text(c.paper.abstract))

    def _named(self, question: str) -> list[Candidate]:
        """Return the papers whose identifiers stand in the question."""
        ids = self.library.catalogue.resolve(routing.identifiers(question)).values()
        return [Candidate(paper, 1.0, 1.0, 1.0) for paper in self.library.catalogue.papers(ids)]

    def _absent(
        self, question: str, candidates: Sequence[Candidate], groups: list[list[int]]
    ) -> tuple[tuple[Sentence, ...], list[list[int]]]:
        """Say of which of the things compared no paper is, and return the places of the papers about the others."""
        about: list[list[int]] = []
        missing: list[str] = []
        for entity, places in zip(routing.entities(question), groups, strict=False):
            stems = content_stems(entity)
            found = [candidates[place] for place in places]
            held = frozenset(content_stems(" ".join(f"{c.paper.name} {c.paper.abstract}" for c in found)))
            if set(stems) <= held or topics.is_relevant(self.library, entity, found):
                about.append(places)
            else:
                missing.append(entity)
        if not missing or not about:
            return (), groups
        cited = tuple(dict.fromkeys(places[0] + 1 for places in about if places))
        return tuple(
            Sentence(f"No paper here is about {entity}.", cited, "supported", 1.0) for entity in missing
        ), about


def _apart(entities: Sequence[str], lists: list[list[Candidate]]) -> list[list[Candidate]]:
    """Give two things compared that lead to one paper a paper each, where another one holds the name as well.

    The one that is less in the paper's title gives way: a paper names its rivals.
    """
    if len(lists) != 2 or not all(lists) or lists[0][0].paper != lists[1][0].paper:
        return lists
    title = frozenset(content_stems(lists[0][0].paper.name))
    stems = [frozenset(content_stems(entity)) for entity in entities]
    moved = min((0, 1), key=lambda i: (len(stems[i] & title) / max(len(stems[i]), 1), lists[i][0].score))
    others = [c for c in lists[moved][1:] if stems[moved] <= set(content_stems(f"{c.paper.name} {c.paper.abstract}"))]
    lists[moved] = [*others, lists[moved][0]] if others else lists[moved]
    return lists
