"""From a question to the papers that may answer it: a search, one for each thing compared, or a look-up."""

from collections.abc import Sequence
from dataclasses import dataclass

from assistant import lookup, routing, topics
from assistant.answering import Task
from assistant.followup import Standalone
from assistant.length import sentences_asked, words_asked
from assistant.library import Library
from assistant.retrieval import Retriever
from assistant.schema import Candidate, Filters, Kind, Sentence
from assistant.sought import Sought, sought
from assistant.text import content_stems

CITED = 0.3  # what it counts that a follow-up refers to a paper, when it refers to several
CITED_AMONG = 100
CONTENT_DEPTH = 8
SURVEY_DEPTH = 24
_ENTITY_DEPTH = 3
_SURVEYS: frozenset[Kind] = frozenset(("summary", "list", "count", "compare"))


@dataclass(frozen=True, slots=True)
class Gathered:
    """A task ready to be answered, and sentences that say of which of the things compared no paper is here."""

    task: Task
    absent: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Gathering:
    """Finds papers for questions. Holds no per-user state."""

    library: Library
    retriever: Retriever

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
        )
        return Gathered(task, absent)

    def _candidates(
        self, asked: Standalone, question: str, kind: Kind, filters: Filters, k: int | None
    ) -> tuple[list[Candidate], list[list[int]]]:
        """Return the papers found, and for a comparison the places of those found for each thing compared."""
        survey = kind in _SURVEYS
        depth = k or (SURVEY_DEPTH if survey else CONTENT_DEPTH)
        query = routing.topic(asked.question) if survey and kind != "compare" else asked.question
        entities = routing.entities(asked.question) if kind == "compare" else ()
        lists = _apart(entities, [self.retriever.search(entity, _ENTITY_DEPTH, filters) for entity in entities])
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
