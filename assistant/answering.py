"""The two answerers: the extractive one quotes the abstracts, the generative one has a chat model write."""

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from assistant import prompts, routing, selection
from assistant.chat_model import ChatModel, Usage
from assistant.citations import SentenceStream, split
from assistant.composition import Composition, compose, places
from assistant.cross_encoder import CrossEncoder
from assistant.library import Library
from assistant.lookup import asks_gist
from assistant.schema import Candidate, Checked, Kind, Paper, Sentence, Token, Waiting
from assistant.selection import Passage, Vector
from assistant.support import Verifier
from assistant.text import fold

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

FACT_WORDS = 70
SURVEY_WORDS = 140
SURVEY_PAPERS = 6
BELONGS = 0.62
EVIDENCE_SENTENCES = 6
RUNAWAY = 3  # times that a model may not write the same sentence


@dataclass(frozen=True, slots=True)
class Part:
    """What a question that names several papers asks of the one that goes by `name`, the candidate at `place`."""

    name: str
    question: str
    vector: Vector
    weights: Mapping[str, float]
    place: int


@dataclass(frozen=True, slots=True)
class Task:
    """A question ready to be answered: its standalone form, its vector, and the candidates under their numbers.

    `groups` are the candidates' places by entity for a comparison, empty otherwise; `parts` what is asked of each of
    several papers that a question names. `weights` are idf by stem.
    """

    question: str
    kind: Kind
    vector: Vector
    weights: Mapping[str, float]
    candidates: Sequence[Candidate]
    groups: Sequence[Sequence[int]] = ()
    words: int | None = None
    sentences: int | None = None
    parts: Sequence[Part] = ()

    def of(self, part: Part) -> "Task":
        """Return the task that one part is by itself, about its paper alone; the paper keeps its number."""
        return replace(self, question=part.question, vector=part.vector, weights=part.weights, parts=())


class Extractive:
    """Answers with the fewest verbatim sentences."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def quote(self, task: Task) -> tuple[Sentence, ...]:
        """Return the quotations that answer, in reading order; empty when no candidate has an abstract."""
        return tuple(selection.quotation(passage) for passage in self.choose(task))

    def choose(self, task: Task) -> list[Passage]:
        """Return the sentences to quote."""
        if task.parts:
            return self._each(task)
        if task.kind == "compare" and task.groups:
            return self._side_by_side(task)
        if task.kind in ("summary", "compare", "list", "count"):
            return self._survey(task)
        if task.kind == "lookup" and asks_gist(task.question):
            return self._gist(task, 0, task.sentences or 3, task.words or SURVEY_WORDS)
        return self._fact(task)

    def scored(self, task: Task, place: int) -> tuple[list[Passage], selection.Scores]:
        """Return the sentences of the candidate at `place` and their scores."""
        if own := [part for part in task.parts if part.place == place]:
            task = task.of(own[0])
        texts = selection.passages(place + 1, task.candidates[place].paper)
        if not texts:
            return [], np.zeros(0)
        cosines = vectors_of(self._library, {place + 1: task.candidates[place].paper}, texts) @ task.vector
        return texts, selection.score(task.question, task.weights, texts, cosines)

    def _fact(self, task: Task) -> list[Passage]:
        with_abstract = [i for i, found in enumerate(task.candidates) if found.paper.abstract]
        if not with_abstract:
            return []
        texts, scores = self.scored(task, with_abstract[0])
        return selection.fewest(texts, scores, task.weights, task.words or FACT_WORDS)

    def _survey(self, task: Task) -> list[Passage]:
        """Return one or two sentences of each paper that belongs to the topic, or the gist of the only one."""
        relevances = [selection.relevance(found, task.weights) for found in task.candidates]
        most = 1 if routing.is_about_one(task.question) else task.sentences or SURVEY_PAPERS
        places = [group[0] for group in task.groups if group] or selection.belonging(relevances, BELONGS, most)
        limit = task.words or SURVEY_WORDS
        if len(places) == 1:
            return self._gist(task, places[0], task.sentences or 3, limit)
        each, more = divmod(task.sentences or len(places) * (2 if len(places) <= 3 else 1), max(len(places), 1))
        chosen: list[Passage] = []
        for i, place in enumerate(places):
            found = self._gist(task, place, max(each + (i < more), 1), limit // len(places))
            if chosen and sum(p.length for p in chosen + found) > limit:
                break
            chosen += found
        return chosen

    def _each(self, task: Task) -> list[Passage]:
        """Return the sentences that answer each part, each from its own paper."""
        limit = min((task.words or SURVEY_WORDS) // len(task.parts), FACT_WORDS)
        chosen: list[Passage] = []
        for part in task.parts:
            texts, scores = self.scored(task, part.place)
            chosen += selection.fewest(texts, scores, part.weights, limit) if texts else []
        return chosen

    def _side_by_side(self, task: Task) -> list[Passage]:
        """Return two sentences of each thing compared: what it is and what it brings, unless more is asked of them."""
        limit = (task.words or SURVEY_WORDS) // len(task.groups)
        if not routing.aspect(task.question):
            two = routing.entities(task.question)
            compared = dict.fromkeys(group[0] for group in task.groups if group)
            return [passage for place in compared for passage in self._gist(task, place, 2, min(limit, 70), two)]
        places = list(dict.fromkeys(group[0] for group in task.groups if group))
        chosen: list[Passage] = []
        for place in places:
            texts, scores = self.scored(task, place)
            chosen += selection.fewest(texts, scores, task.weights, min(limit, 60))
        return chosen

    @staticmethod
    def _gist(task: Task, place: int, count: int, limit: int, called: Sequence[str] = ()) -> list[Passage]:
        paper = task.candidates[place].paper
        return selection.gist(paper, selection.passages(place + 1, paper), task.weights, count, limit, called)


class Generative:
    """Has a chat model answer one task from selected evidence; each sentence is verified before it counts.

    `quoted` are the quotations that would answer without a model.
    """

    def __init__(
        self,
        model: ChatModel,
        library: Library,
        task: Task,
        quoted: Sequence[Sentence],
        cross_encoder: CrossEncoder | None = None,
    ) -> None:
        self.model = model
        self._cross_encoder = cross_encoder
        self.usage = Usage()
        self._library, self._task, self._quoted = library, task, quoted
        self._scored = scored_passages(library, task, quoted)
        self._evidence = evidence(self._scored, quoted, max(EVIDENCE_SENTENCES, len(quoted)))

    def judge(self) -> Generator[Waiting, None, float | None]:
        """Return what the model says of "does this evidence give the answer?", as log odds of yes; None if nothing.

        Yields Waiting while nothing comes. The prompt is that of `write` but for its last line, so that the server
        reads it only once. Raises ChatModelError as `write` does.
        """
        return (yield from self.model.yes_log_odds(self._messages(prompts.JUDGE)))

    def write(self) -> Generator[Token | Checked | Waiting]:
        """Yield the model's text and each of its sentences once it is complete; Waiting while nothing comes.

        A model that repeats itself is stopped. Raises ChatModelError when the model fails; what was yielded before
        stands.
        """
        verifier = self._verifier()
        messages = self._messages(prompts.instruction(self._task.kind, self._task.words))
        stream = SentenceStream()
        times: Counter[str] = Counter()
        with closing(self.model.stream(messages, self._num_predict)) as reply:
            for piece in reply:
                if not piece:
                    verifier.prepare(p.text for p in self._evidence)
                yield Token(piece) if piece else self.model.waiting()
                for sentence in stream.feed(piece) if piece else ():
                    text = fold(split(sentence, verifier.papers.keys())[0])
                    times[text] += 1
                    if times[text] == RUNAWAY:
                        return
                    yield self._checked(sentence, verifier)
            self.usage = reply.usage
        for sentence in () if self.usage.cut else stream.finish():
            yield self._checked(sentence, verifier)

    def compose(self, written: Sequence[Sentence], *, interrupted: bool) -> Composition:
        """Return the answer made of what was written and of the quotations, once `write` has ended.

        A model that cannot tell whether the evidence has the answer cannot be relied on to have given it.
        """
        task = self._task
        best = max(self._scored.values(), default=0.0) or 1.0
        worth = {(p.n, p.span.start): score / best for p, score in self._scored.items()}
        sufficient = not interrupted and self._library.calibration.judgement(self.model.billions).weight > 0
        kind: Kind = "compare" if task.parts else task.kind
        words = task.words or (FACT_WORDS if kind in ("content", "lookup") else SURVEY_WORDS)
        return compose(kind, task.question, task.weights, written, self._quoted, worth, words, sufficient=sufficient)

    @property
    def _num_predict(self) -> int:
        return prompts.answer_tokens(self._task.kind, self._task.words)

    def _messages(self, last_line: str) -> "list[BaseMessage]":
        """Return the prompt: what fits of the evidence beside the longest of its last lines, so that all share it."""
        question = self._task.question
        notes = prompts.fitting(
            [(p.n, p.text) for p in self._evidence],
            question,
            prompts.instruction(self._task.kind, self._task.words),
            self.model.settings.num_ctx,
            self._num_predict,
        )
        return prompts.messages(notes, question, last_line)

    def _verifier(self) -> Verifier:
        papers: dict[int, Paper] = {p.n: self._task.candidates[p.n - 1].paper for p in self._scored}
        texts = list(self._scored)
        vectors = vectors_of(self._library, papers, texts)
        needed = self._library.calibration.needed_by(self.model.billions)
        return Verifier(self._library, papers, texts, vectors, needed, self._cross_encoder)

    @staticmethod
    def _checked(written: str, verifier: Verifier) -> Checked:
        return Checked(verifier.verify(*split(written, verifier.papers.keys())))


def scored_passages(library: Library, task: Task, quoted: Sequence[Sentence]) -> dict[Passage, float]:
    """Return the sentences of the papers quoted, and how well each answers."""
    extractive = Extractive(library)
    papers = dict.fromkeys(sentence.citations[0] - 1 for sentence in quoted)
    each = [extractive.scored(task, paper) for paper in papers]
    return {p: float(score) for texts, scores in each for p, score in zip(texts, scores, strict=True)}


def evidence(scored: Mapping[Passage, float], quoted: Sequence[Sentence], most: int) -> list[Passage]:
    """Return at most so many sentences, the quoted ones first and then the best, by paper and in reading order."""
    first = {place for sentence in quoted for place in places(sentence)}
    papers = list(dict.fromkeys(p.n for p in scored))
    best = sorted(scored, key=lambda p: ((p.n, p.span.start) not in first, -scored[p]))
    return sorted(best[:most], key=lambda p: (papers.index(p.n), p.span.start))


def vectors_of(library: Library, papers: Mapping[int, Paper], texts: Sequence[Passage]) -> Vector:
    """Return the unit vectors of sentences, (n, dimension): those kept at ingest, else encoded now."""
    kept = library.catalogue.sentence_vectors(paper.paper_id for paper in papers.values())
    found = [kept.get(papers[p.n].paper_id, {}).get(p.text) for p in texts]
    missing = [p.text for p, vector in zip(texts, found, strict=True) if vector is None]
    encoded = iter(library.encoder.encode_documents(missing)) if missing else iter(())
    return np.array([next(encoded) if vector is None else vector for vector in found], dtype=np.float32)
