"""From a question to its answer: the stream of events that command line, web app and evaluation share."""

import re
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from time import perf_counter

from assistant import lookup, routing, topics
from assistant.abstention import CLEARLY_NOT, NO_ABSTRACT, Abstention, Gate
from assistant.answering import Extractive, Generative, Task
from assistant.calibration import shipped
from assistant.census import Census
from assistant.chat_model import ChatModel
from assistant.citations import render
from assistant.errors import ChatModelError
from assistant.kinds import kind_of
from assistant.library import Library
from assistant.retrieval import Retriever
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
    Waiting,
)
from assistant.text import content_stems, sound

CONTENT_DEPTH = 8
SURVEY_DEPTH = 24

_GREETING = "Hello. Ask me what the abstracts in this library say; every sentence of an answer cites its paper."
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
        self._census = Census(library)
        self._finder = lookup.Finder(library)
        self._retriever = Retriever(library)
        self._extractive = Extractive(library)
        self._gate = Gate(library, shipped())

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

        Waiting comes while the model is silent, so that the generator can be closed within a second at any time.

        `words` bounds the length of the answer; `k` is the number of papers to consider. A chat model that fails
        doesn't fail the question: quotations complete the answer and its `notice` says so. Raises LibraryError when
        the library cannot be read.
        """
        clock = _Clock()
        question = sound(question)
        kind = kind_of(question)
        if kind == "smalltalk":
            yield Answer(question, question, kind, self.mode, _GREETING)
            return
        blank = Answer(question, question, kind, self.mode, "")
        counted = self._census.answer(question, blank, filters, history[-1].papers if history else ())
        named = self._finder.find(question) if counted is None and kind != "compare" else None
        if named is not None and not named.papers:
            counted = lookup.not_held(named, blank)
        elif named is not None and (wanted := lookup.field_asked(question)):
            counted = lookup.from_record(named, wanted, blank)
        if counted is not None:
            yield Retrieved(counted.papers, question)
            yield _timed(counted, clock)
            return
        asked = routing.standalone(question, history)
        if named is not None:
            kind = "lookup"
        candidates, groups = self._candidates(asked, question, kind, filters, k, named)
        absent, groups = self._absent(asked.question, candidates, groups)
        clock.reach("retrieve")
        task = self._task(asked.question, kind, candidates, groups, words)
        sources = _sources(candidates, ())
        yield Retrieved(sources, asked.question)
        blank = Answer(question, asked.question, kind, self.mode, "", papers=sources)
        refusal = self._gate.irrelevant(task)
        quoted = () if refusal else self._extractive.quote(task)
        if not quoted:
            yield _timed(_refused(blank, refusal or NO_ABSTRACT), clock)
            return
        stated = self._gate.stated(task, quoted)
        if stated is not None and stated < (0.0 if self.model is None else -CLEARLY_NOT):
            yield _timed(_refused(blank, self._gate.not_stated(task, quoted)), clock)
            return
        clock.reach("quotations")
        yield Quoted((*quoted, *absent))
        if self.model is None:
            clock.reach("first_sentence")
            yield _timed(_completed(_composed(blank, candidates, quoted, "quotations"), absent), clock)
            return
        with self.model.turn() as turn:
            yield from turn
            for event in self._written(Generative(self.model, self.library), task, quoted, blank, stated, clock):
                yield _completed(event, absent) if isinstance(event, Answer) else event

    def _written(
        self,
        writer: Generative,
        task: Task,
        quoted: Sequence[Sentence],
        blank: Answer,
        stated: float | None,
        clock: _Clock,
    ) -> Generator[Event]:
        """Yield what the model writes and the answer made of it; first it says whether the evidence has the answer.

        `stated` are the log odds that it has, before the model was asked.
        """
        kept: list[Sentence] = []
        removed: list[Removed] = []
        notice: str | None = None
        try:
            said = None if stated is None else (yield from writer.judge(task, quoted))
            if stated is not None and self._gate.judged(stated, said, writer.model) < 0:
                yield _timed(_refused(blank, self._gate.not_stated(task, quoted)), clock)
                return
            with closing(writer.write(task, quoted)) as events:
                for event in events:
                    if not isinstance(event, Waiting):
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
        made = writer.compose(task, kept, quoted, interrupted=notice is not None)
        if notice is None and made.composed == "quotations":
            notice = f"{self.mode} wrote nothing that answers and that the abstracts support; quotations answer."
        elif notice is None and writer.usage.prompt_cut:
            notice = f"{self.mode} saw only part of the evidence; a larger context (ASKPAPERS_NUM_CTX) helps."
        answer = replace(blank, removed=(*removed, *made.beside), notice=notice, tokens=writer.usage.tokens)
        yield _timed(_composed(answer, task.candidates, made.sentences, made.composed), clock)

    def _candidates(
        self,
        asked: routing.Standalone,
        question: str,
        kind: Kind,
        filters: Filters,
        k: int | None,
        named: lookup.Lookup | None,
    ) -> tuple[list[Candidate], list[list[int]]]:
        """Return the papers found, and for a comparison the places of those found for each thing compared."""
        if named is not None:
            return [Candidate(paper, 1.0, 1.0, 1.0) for paper in named.papers], []
        survey = kind in ("summary", "list", "count", "compare")
        depth = k or (SURVEY_DEPTH if survey else CONTENT_DEPTH)
        query = routing.topic(asked.question) if survey and kind != "compare" else asked.question
        lists = [self._retriever.search(entity, 3, filters) for entity in routing.entities(asked.question)]
        lists = lists if kind == "compare" else []
        found = self._named(asked.question) + [c for each in lists for c in each[:1]]
        found += self._retriever.search(query, depth, filters)
        if asked.question != question:
            found += self._retriever.search(question, depth, filters)
            found = _cited_first(found, asked.papers)
        unique: dict[str, Candidate] = {}
        for candidate in found:
            unique.setdefault(candidate.paper.paper_id, candidate)
        ids = list(unique)
        groups = [[ids.index(c.paper.paper_id) for c in each if c.paper.paper_id in ids] for each in lists]
        return list(unique.values())[: max(depth, len(lists))], groups

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


def _cited_first(found: Iterable[Candidate], cited: Sequence[str]) -> list[Candidate]:
    """Order candidates so that a paper an earlier answer cited precedes those that score about the same."""
    return sorted(found, key=lambda c: -(c.score + 0.3 * (c.paper.paper_id in cited)))


def _sources(candidates: Sequence[Candidate], sentences: Iterable[Sentence]) -> tuple[Source, ...]:
    cited = {n for sentence in sentences for n in sentence.citations}
    return tuple(Source(n, c.paper, n in cited, round(c.score, 4)) for n, c in enumerate(candidates, start=1))


def _composed(
    answer: Answer, candidates: Sequence[Candidate], sentences: tuple[Sentence, ...], composed: Composed
) -> Answer:
    text = " ".join(render(sentence.text, sentence.citations) for sentence in sentences)
    return replace(answer, text=text, sentences=sentences, papers=_sources(candidates, sentences), composed=composed)


def _refused(answer: Answer, why: Abstention) -> Answer:
    return replace(answer, text=why.text, abstained=True, reason=why.reason)


def _completed(answer: Answer, more: Sequence[Sentence]) -> Answer:
    """Return an answer with sentences behind its own."""
    text = " ".join([answer.text, *(render(sentence.text, sentence.citations) for sentence in more)])
    return replace(answer, text=text, sentences=(*answer.sentences, *more))


def _timed(answer: Answer, clock: _Clock) -> Answer:
    clock.reach("total")
    return replace(answer, timings=dict(clock.marks))
