"""The two answerers: the extractive one quotes the abstracts, the generative one has a chat model write."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from assistant import prompts, routing, selection
from assistant.chat_model import ChatModel, Usage
from assistant.citations import SentenceStream, split
from assistant.library import Library
from assistant.schema import Candidate, Checked, Kind, Paper, Removed, Sentence, Token
from assistant.selection import Passage, Vector
from assistant.support import Attribution
from assistant.text import content_stems

FACT_WORDS = 70
SURVEY_WORDS = 140
SURVEY_PAPERS = 6
BELONGS = 0.62
EVIDENCE_SENTENCES = 6


@dataclass(frozen=True, slots=True)
class Task:
    """A question ready to be answered: its standalone form, its vector, and the candidates under their numbers.

    `groups` are the candidates' places by entity for a comparison, empty otherwise. `weights` are idf by stem.
    """

    question: str
    kind: Kind
    vector: Vector
    weights: Mapping[str, float]
    candidates: Sequence[Candidate]
    groups: Sequence[Sequence[int]] = ()
    words: int | None = None
    sentences: int | None = None


class Extractive:
    """Answers with the fewest verbatim sentences."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def quote(self, task: Task) -> tuple[Sentence, ...]:
        """Return the quotations that answer, in reading order; empty when no candidate has an abstract."""
        return tuple(selection.quotation(passage) for passage in self.choose(task))

    def choose(self, task: Task) -> list[Passage]:
        """Return the sentences to quote."""
        if task.kind == "compare" and len(task.groups) > 1:
            return self._side_by_side(task)
        if task.kind in ("summary", "compare", "list", "count"):
            return self._survey(task)
        return self._fact(task)

    def scored(self, task: Task, place: int) -> tuple[list[Passage], selection.Scores]:
        """Return the sentences of the candidate at `place` and their scores."""
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
        places = [group[0] for group in task.groups] or selection.belonging(relevances, BELONGS, most)
        limit = task.words or SURVEY_WORDS
        if len(places) == 1:
            return self._gist(task, places[0], task.sentences or 3, limit)
        each = 2 if len(places) <= 3 and task.sentences is None else 1
        chosen: list[Passage] = []
        for place in places:
            found = self._gist(task, place, each, limit // len(places))
            if chosen and sum(p.length for p in chosen + found) > limit:
                break
            chosen += found
        return chosen

    def _side_by_side(self, task: Task) -> list[Passage]:
        """Return two sentences of each thing compared."""
        limit = (task.words or SURVEY_WORDS) // len(task.groups)
        places = list(dict.fromkeys(group[0] for group in task.groups if group))
        chosen: list[Passage] = []
        for place in places:
            texts, scores = self.scored(task, place)
            chosen += selection.fewest(texts, scores, task.weights, min(limit, 60))
        return chosen

    @staticmethod
    def _gist(task: Task, place: int, count: int, limit: int) -> list[Passage]:
        paper = task.candidates[place].paper
        return selection.gist(paper, selection.passages(place + 1, paper), task.weights, count, limit)


class Generative:
    """Has a chat model write from selected evidence; each sentence is attributed before it counts."""

    def __init__(self, model: ChatModel, library: Library) -> None:
        self.model = model
        self._library = library
        self._extractive = Extractive(library)
        self.usage = Usage()

    def write(self, task: Task, quoted: Sequence[Sentence]) -> Generator[Token | Checked]:
        """Yield the model's text and each of its sentences once it is complete.

        Raises ChatModelError when the model fails; what was yielded before stands.
        """
        evidence = self._evidence(task, quoted)
        attribution = self._attribution(task, evidence)
        instruction = prompts.instruction(task.kind, task.words)
        num_predict = prompts.answer_tokens(task.kind, task.words)
        notes = prompts.fitting(
            [(p.n, p.text) for p in evidence],
            task.question,
            instruction,
            self.model.settings.num_ctx,
            num_predict,
        )
        messages = prompts.messages(notes, task.question, instruction)
        stream = SentenceStream()
        with closing(self.model.stream(messages, num_predict)) as reply:
            for piece in reply:
                yield Token(piece)
                for sentence in stream.feed(piece):
                    yield Checked(self._attributed(sentence, attribution))
            self.usage = reply.usage
        for sentence in () if self.usage.cut else stream.finish():
            yield Checked(self._attributed(sentence, attribution))

    def _evidence(self, task: Task, quoted: Sequence[Sentence]) -> list[Passage]:
        """Return the quoted sentences and the next best ones, by paper and in reading order."""
        chosen = {(s.evidence[0].n, s.evidence[0].start) for s in quoted}
        places = list(dict.fromkeys(s.evidence[0].n - 1 for s in quoted))
        pool: list[tuple[float, Passage]] = []
        for place in places:
            texts, scores = self._extractive.scored(task, place)
            pool += [
                (float(score) + 10 * ((p.n, p.span.start) in chosen), p) for p, score in zip(texts, scores, strict=True)
            ]
        pool.sort(key=lambda item: -item[0])
        kept = [p for _, p in pool[: max(EVIDENCE_SENTENCES, len(chosen))]]
        return sorted(kept, key=lambda p: (places.index(p.n - 1), p.span.start))

    def _attribution(self, task: Task, evidence: Sequence[Passage]) -> Attribution:
        papers: dict[int, Paper] = {p.n: task.candidates[p.n - 1].paper for p in evidence}
        texts = [p for n, paper in papers.items() for p in selection.passages(n, paper)]
        return Attribution(texts, vectors_of(self._library, papers, texts), papers)

    def _attributed(self, written: str, attribution: Attribution) -> Sentence | Removed:
        text, cited = split(written, attribution.papers.keys())
        weights = self._library.terms.idf(content_stems(text))
        return attribution.attribute(text, cited, weights, self._library.encoder.encode_query(text))


def vectors_of(library: Library, papers: Mapping[int, Paper], texts: Sequence[Passage]) -> Vector:
    """Return the unit vectors of sentences, (n, dimension): those kept at ingest, else encoded now."""
    kept = library.catalogue.sentence_vectors(paper.paper_id for paper in papers.values())
    found = [kept.get(papers[p.n].paper_id, {}).get(p.text) for p in texts]
    missing = [p.text for p, vector in zip(texts, found, strict=True) if vector is None]
    encoded = iter(library.encoder.encode_documents(missing)) if missing else iter(())
    return np.array([next(encoded) if vector is None else vector for vector in found], dtype=np.float32)


def completed(written: Sequence[Sentence], quoted: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Return an interrupted answer's sentences, completed by the quotations that say something else."""
    said = {(s.evidence[0].n, s.evidence[0].start) for s in written if s.evidence}
    return (*written, *(q for q in quoted if (q.evidence[0].n, q.evidence[0].start) not in said))
