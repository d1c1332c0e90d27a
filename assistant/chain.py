"""From a question to its answer: the stream of events that command line, web app and evaluation share."""

import re
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from math import log10
from time import perf_counter

from assistant import census, routing, selection
from assistant.answering import Extractive, Generative, Task, completed
from assistant.chat_model import ChatModel
from assistant.citations import render
from assistant.errors import ChatModelError
from assistant.followup import Standalone
from assistant.library import Library
from assistant.retrieval import Retriever, own_name
from assistant.schema import (
    EVERYTHING,
    Answer,
    Candidate,
    Checked,
    Composed,
    Event,
    Filters,
    Kind,
    Quoted,
    Removed,
    Retrieved,
    Sentence,
    Source,
    Turn,
)
from assistant.text import content_stems, fold, sound, words
from assistant.translation import Translator
from assistant.understanding import Understanding

RELEVANT = 0.16
RELEVANT_PER_DECADE = 0.06  # the more papers, the nearer the nearest of them by chance
CITED = 0.3  # what it counts that a follow-up refers to a paper, when it refers to several
CITED_AMONG = 100
CONTENT_DEPTH = 8
SURVEY_DEPTH = 24

_GREETING = "Hello. Ask me what the abstracts in this library say; every sentence of an answer cites its paper."
_NOTHING = "Nothing in this library answers that. The nearest papers are listed."
_EMPTY = "No paper in this library matches; add papers with `askpapers ingest`, or ask without filters."
_NO_ABSTRACT = "The nearest papers are here by title only, so there is nothing to quote."
_SENTENCES = re.compile(
    r"\b(?:in|within|with) (?:at most |about |just )?(one|two|three|four|five|\d{1,2}) (?:\w+ )?sentences?\b",
    re.I,
)
_SPELLED = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}


@dataclass(slots=True)
class _Clock:
    """Milliseconds since the question, by what was reached; the first time counts."""

    start: float = field(default_factory=perf_counter)
    marks: dict[str, float] = field(default_factory=dict)

    def reach(self, name: str) -> None:
        self.marks.setdefault(name, round(1000 * (perf_counter() - self.start), 1))


class Assistant:
    """Answers questions about a library, with a chat model or, when `model` is None, by quoting.

    Holds no per-user state.
    """

    def __init__(self, library: Library, model: ChatModel | None = None) -> None:
        self.library = library
        self.model = model
        self._retriever = Retriever(library)
        self._extractive = Extractive(library)
        self._understanding = Understanding(library, self._retriever, model)

    @property
    def mode(self) -> str:
        """Who writes: `extractive`, or the chat model as `PROVIDER:NAME`."""
        return self.model.spec if self.model else "extractive"

    def ask(
        self,
        question: str,
        *,
        history: Sequence[Turn] = (),
        filters: Filters = EVERYTHING,
        words: int | None = None,
        k: int | None = None,
    ) -> Answer:
        """Return the answer, which is the last event of `stream`."""
        *_, answer = self.stream(question, history=history, filters=filters, words=words, k=k)
        assert isinstance(answer, Answer)
        return answer

    def stream(
        self,
        question: str,
        *,
        history: Sequence[Turn] = (),
        filters: Filters = EVERYTHING,
        words: int | None = None,
        k: int | None = None,
    ) -> Generator[Event]:
        """Yield the papers found, the quotations, the model's text and checked sentences, and last the Answer.

        `words` bounds the length of the answer; `k` is the number of papers to consider. A chat model that fails
        doesn't fail the question: quotations complete the answer and its `notice` says so. Raises LibraryError when
        the library cannot be read.
        """
        clock = _Clock()
        question = sound(question)
        kind = routing.kind_of(question)
        if kind == "smalltalk":
            yield Answer(question, question, kind, self.mode, _GREETING)
            return
        understood = self._understanding.of(question, history)
        asked = understood.asked
        kind = routing.kind_of(asked.question)
        counted = self._counted(asked.question, kind, filters)
        if counted is not None:
            yield Retrieved(counted.papers, asked.question)
            yield _timed(replace(counted, question=question), clock)
            return
        candidates, groups = self._candidates(asked, question, kind, filters, k)
        clock.reach("retrieve")
        task = self._task(asked.question, kind, candidates, groups, words)
        sources = _sources(candidates, ())
        yield Retrieved(sources, asked.question)
        blank = Answer(question, asked.question, kind, self.mode, "", papers=sources, notice=understood.notice)
        refusal = understood.refusal or self._refusal(task)
        if refusal is not None:
            yield _timed(replace(blank, text=refusal, abstained=True, reason="nothing_relevant"), clock)
            return
        quoted = self._extractive.quote(task)
        clock.reach("quotations")
        if not quoted:
            yield _timed(replace(blank, text=_NO_ABSTRACT, abstained=True, reason="not_stated"), clock)
            return
        yield Quoted(quoted)
        if self.model is None:
            clock.reach("first_sentence")
            yield _timed(_composed(blank, candidates, quoted, "quotations"), clock)
            return
        writer = Generative(self.model, self.library)
        yield from self._written(writer, task, quoted, blank, understood.language, clock)

    def _counted(self, question: str, kind: Kind, filters: Filters) -> Answer | None:
        """Answer from the catalogue, over all papers; None for a question that is about more than it knows."""
        catalogue = self.library.catalogue
        asked = census.filters_in(question, catalogue.facets().venues) if kind in ("count", "list") else None
        if asked is None:
            return None
        admitted = set(catalogue.matching(filters))
        ids = [paper_id for paper_id in catalogue.matching(asked) if paper_id in admitted]
        blank = Answer(question, question, kind, self.mode, "")
        if not ids:
            text = f"This library holds no paper {census.described(asked)}".rstrip() + "."
            return replace(blank, text=text, abstained=True, reason="nothing_relevant")
        papers = catalogue.papers(ids[: census.MOST])
        sentences = census.sentences(kind, len(ids), papers, asked)
        return replace(blank, text=census.text_of(sentences), sentences=sentences, papers=census.sources(papers))

    def _written(
        self,
        writer: Generative,
        task: Task,
        quoted: Sequence[Sentence],
        blank: Answer,
        language: str | None,
        clock: _Clock,
    ) -> Generator[Event]:
        """Yield what the model writes and the answer made of it."""
        kept: list[Sentence] = []
        removed: list[Removed] = []
        notice: str | None = None
        try:
            with closing(writer.write(task, quoted)) as events:
                for event in events:
                    clock.reach("first_token")
                    if isinstance(event, Checked):
                        if isinstance(event.sentence, Removed):
                            removed.append(event.sentence)
                        else:
                            clock.reach("first_sentence")
                            kept.append(event.sentence)
                    yield event
        except ChatModelError as error:
            notice = f"{error} Quotations complete the answer."
        sentences: tuple[Sentence, ...] = tuple(dict.fromkeys(kept))
        composed: Composed = "model"
        if not sentences and notice is None:
            notice = f"{self.mode} wrote nothing that the abstracts support; quotations answer."
        if notice or not sentences:
            composed = "mixed" if sentences else "quotations"
            sentences = completed(sentences, quoted)
        elif language:
            sentences = _translated(sentences, Translator(writer.model, language))
        if notice is None and writer.usage.prompt_cut:
            notice = f"{self.mode} saw only part of the evidence; a larger context (ASKPAPERS_NUM_CTX) helps."
        answer = replace(blank, removed=tuple(removed), notice=notice or blank.notice, tokens=writer.usage.tokens)
        yield _timed(_composed(answer, task.candidates, sentences, composed), clock)

    def _candidates(
        self, asked: Standalone, question: str, kind: Kind, filters: Filters, k: int | None
    ) -> tuple[list[Candidate], list[list[int]]]:
        """Return the papers found, and for a comparison the places of those found for each thing compared."""
        survey = kind in ("summary", "list", "count", "compare")
        depth = k or (SURVEY_DEPTH if survey else CONTENT_DEPTH)
        query = routing.topic(asked.question) if survey and kind != "compare" else asked.question
        lists = [self._retriever.search(entity, 3, filters) for entity in routing.entities(asked.question)]
        lists = lists if kind == "compare" else []
        found = self._named(asked.question) + [c for each in lists for c in each[:1]]
        found += self._retriever.search(query, depth, filters)
        for other in dict.fromkeys((*asked.others, question)):
            found += self._retriever.search(other, depth, filters) if other != asked.question else []
        if asked.papers:
            found = self._cited_first(found, asked, filters)
        unique: dict[str, Candidate] = {}
        for candidate in found:
            unique.setdefault(candidate.paper.paper_id, candidate)
        ids = list(unique)
        if len(asked.papers) > 1 and kind in ("compare", "summary"):
            lists = [[unique[paper_id]] for paper_id in asked.papers if paper_id in unique]
        groups = [[ids.index(c.paper.paper_id) for c in each if c.paper.paper_id in ids] for each in lists]
        return list(unique.values())[: max(depth, len(lists))], groups

    def _cited_first(self, found: list[Candidate], asked: Standalone, filters: Filters) -> list[Candidate]:
        """Order candidates so that the one paper that a follow-up refers to leads, and several come near the top."""
        cited = set(asked.papers)
        missing = cited - {c.paper.paper_id for c in found}
        if missing:
            more = self._retriever.search(asked.question, CITED_AMONG, filters)
            found = found + [c for c in more if c.paper.paper_id in missing]
        share = 1.0 if len(cited) == 1 else CITED
        return sorted(found, key=lambda c: -(c.score + share * (c.paper.paper_id in cited)))

    def _named(self, question: str) -> list[Candidate]:
        """Return the papers whose identifiers stand in the question."""
        ids = self.library.catalogue.resolve(routing.identifiers(question)).values()
        return [Candidate(paper, 1.0, 1.0, 1.0) for paper in self.library.catalogue.papers(ids)]

    def _task(
        self,
        question: str,
        kind: Kind,
        candidates: Sequence[Candidate],
        groups: Sequence[Sequence[int]],
        limit: int | None,
    ) -> Task:
        about = routing.topic(question) if kind in ("summary", "list", "count") else question
        weights = self.library.terms.idf(content_stems(about))
        vector = self.library.encoder.encode_query(about)
        count = _SENTENCES.search(question)
        sentences = (_SPELLED.get(count.group(1).lower()) or int(count.group(1))) if count else None
        return Task(question, kind, vector, weights, candidates, groups, limit, sentences)

    def _refusal(self, task: Task) -> str | None:
        """Return why nothing here is relevant, or None when something is."""
        if not task.candidates:
            return _EMPTY
        named = routing.names(task.question)
        held = fold(" ".join(f"{c.paper.name} {c.paper.abstract}" for c in task.candidates))
        known = [name for name in named if fold(name).removesuffix("s") in held]
        if named and not known:
            return f"No paper in this library mentions {' or '.join(named)}. The nearest papers are listed."
        best = max(selection.relevance(found, task.weights) for found in task.candidates[:3])
        enough = RELEVANT + RELEVANT_PER_DECADE * log10(max(len(self.library.catalogue), 1))
        return None if known or best >= enough or self._names_a_paper(task) else _NOTHING

    @staticmethod
    def _names_a_paper(task: Task) -> bool:
        """Tell whether the question holds the name that the best paper goes by."""
        name = words(own_name(task.candidates[0].paper))
        return bool(name) and set(name) <= set(words(task.question))


def _translated(sentences: Iterable[Sentence], translator: Translator) -> tuple[Sentence, ...]:
    """Return checked sentences in the reader's language; quotations and what would lose something stay as they are."""
    return tuple(
        s if s.support == "verbatim" else replace(s, text=translator.sentence(s.text) or s.text) for s in sentences
    )


def _sources(candidates: Sequence[Candidate], sentences: Iterable[Sentence]) -> tuple[Source, ...]:
    cited = {n for sentence in sentences for n in sentence.citations}
    return tuple(Source(n, c.paper, n in cited, round(c.score, 4)) for n, c in enumerate(candidates, start=1))


def _composed(
    answer: Answer, candidates: Sequence[Candidate], sentences: tuple[Sentence, ...], composed: Composed
) -> Answer:
    text = " ".join(render(sentence.text, sentence.citations) for sentence in sentences)
    return replace(answer, text=text, sentences=sentences, papers=_sources(candidates, sentences), composed=composed)


def _timed(answer: Answer, clock: _Clock) -> Answer:
    clock.reach("total")
    return replace(answer, timings=dict(clock.marks))
