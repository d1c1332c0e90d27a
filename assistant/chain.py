"""From a question to its answer: the stream of events that command line, web app and evaluation share."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from time import perf_counter

from assistant import lookup
from assistant.abstention import CLEARLY_NOT, NO_ABSTRACT, Abstention, Gate
from assistant.answering import Extractive, Generative, Task
from assistant.calibration import probability
from assistant.census import OF_THEM, Census
from assistant.chat_model import ChatModel
from assistant.citations import render
from assistant.composition import Composition
from assistant.cross_encoder import CrossEncoder
from assistant.errors import ChatModelError
from assistant.gathering import Gathered, Gathering
from assistant.kinds import kind_of
from assistant.library import Library
from assistant.retrieval import Retriever
from assistant.schema import (
    EVERYTHING,
    Answer,
    Candidate,
    Checked,
    Event,
    Filters,
    Quoted,
    Removed,
    Retrieved,
    Sentence,
    Source,
    Turn,
    Waiting,
)
from assistant.text import sound
from assistant.translation import Translator
from assistant.understanding import Understanding, Understood

_GREETING = "Hello. Ask me what the abstracts in this library say; every sentence of an answer cites its paper."


@dataclass(slots=True)
class _Clock:
    """Milliseconds since the question, by what was reached; the first time counts."""

    start: float = field(default_factory=perf_counter)
    marks: dict[str, float] = field(default_factory=dict)

    def reach(self, name: str) -> None:
        self.marks.setdefault(name, round(1000 * (perf_counter() - self.start), 1))


@dataclass(frozen=True, slots=True)
class _Writing:
    """What a chat model is to answer: `stated` are the log odds, before it was asked, that the evidence has it."""

    task: Task
    quoted: Sequence[Sentence]
    absent: Sequence[Sentence]
    blank: Answer
    stated: float | None
    language: str | None
    clock: _Clock


class Assistant:
    """Answers questions about a library, with a chat model or, when `model` is None, by quoting.

    A cross-encoder has a say in what of the model's sentences stands. Holds no per-user state.
    """

    def __init__(
        self, library: Library, model: ChatModel | None = None, cross_encoder: CrossEncoder | None = None
    ) -> None:
        self.library = library
        self.model = model
        self.cross_encoder = cross_encoder
        retriever = Retriever(library)
        self._understanding = Understanding(library, retriever, model)
        self._census = Census(library)
        self._finder = lookup.Finder(library)
        self._gathering = Gathering(library, retriever)
        self._extractive = Extractive(library)
        self._gate = Gate(library, library.calibration)

    def over(self, library: Library) -> "Assistant":
        """Return an assistant for another library, with the same model to write and to check."""
        return Assistant(library, self.model, self.cross_encoder)

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
        if kind_of(question) == "smalltalk":
            yield Answer(question, question, "smalltalk", self.mode, _GREETING)
            return
        understood = yield from self._understanding.of(question, history)
        asked = understood.asked
        kind = kind_of(asked.question)
        blank = Answer(question, asked.question, kind, self.mode, "", notice=understood.notice)
        cited = history[-1].papers if history else ()
        answer, named = self._from_catalogue(blank, filters, cited)
        if answer is not None:
            yield Retrieved(answer.papers, answer.standalone_question)
            yield _timed(replace(answer, question=question), clock)
            return
        kind = "lookup" if named is not None else kind
        gathered = self._gathering.of(asked, question, kind, filters, words=words, k=k, named=named)
        clock.reach("retrieve")
        sources = _sources(gathered.task.candidates, ())
        yield Retrieved(sources, asked.question)
        yield from self._answered(gathered, understood, replace(blank, kind=kind, papers=sources), clock)

    def _from_catalogue(
        self, blank: Answer, filters: Filters, cited: Sequence[str]
    ) -> tuple[Answer | None, lookup.Lookup | None]:
        """Return the answer that the catalogue alone gives, or else the papers that the question names."""
        if cited and OF_THEM.search(blank.question):
            blank = replace(blank, standalone_question=blank.question, kind=kind_of(blank.question))
        question = blank.standalone_question
        counted = self._census.answer(question, blank, filters, cited)
        if counted is not None or blank.kind == "compare":
            return counted, None
        named = self._finder.find(question)
        if named is None:
            return None, None
        if not named.papers:
            return lookup.not_held(named, blank), None
        wanted = lookup.field_asked(question)
        return (lookup.from_record(named, wanted, blank), None) if wanted else (None, named)

    def _answered(self, gathered: Gathered, understood: Understood, blank: Answer, clock: _Clock) -> Generator[Event]:
        """Yield the quotations and the answer, or why there is none."""
        task = gathered.task
        refusal = Abstention("nothing_relevant", understood.refusal) if understood.refusal else None
        refusal = refusal or self._gate.irrelevant(task)
        quoted = () if refusal else self._extractive.quote(task)
        if not quoted:
            yield _timed(_refused(blank, refusal or NO_ABSTRACT), clock)
            return
        follows = understood.asked.depends and understood.asked.resolved
        at_least = 0.0 if self.model is None else -CLEARLY_NOT
        stated = self._gate.stated(task, quoted, follows=follows)
        blank = _sure(blank, stated)
        if stated is not None and stated < at_least:
            yield _timed(_refused(blank, self._gate.not_stated(task, quoted)), clock)
            return
        quoted, lacking = self._gate.apart(task, quoted, at_least, follows=follows)
        absent = (*gathered.absent, *lacking)
        clock.reach("quotations")
        yield Quoted((*quoted, *absent))
        if self.model is None:
            clock.reach("first_sentence")
            sentences = (*quoted, *absent)
            yield _timed(_composed(blank, task.candidates, Composition(sentences, "quotations")), clock)
            return
        writing = _Writing(task, quoted, absent, blank, stated, understood.language, clock)
        with self.model.turn() as turn:
            yield from turn
            yield from self._written(Generative(self.model, self.library, task, quoted, self.cross_encoder), writing)

    def _written(self, writer: Generative, w: _Writing) -> Generator[Event]:
        """Yield what the model writes and the answer made of it; first it says whether the evidence has the answer."""
        kept: list[Sentence] = []
        removed: list[Removed] = []
        failure: str | None = None
        blank = w.blank
        try:
            if w.stated is not None:
                judged = self._gate.judged(w.stated, (yield from writer.judge()), writer.model)
                blank = _sure(w.blank, judged)
                if judged < 0:
                    yield _timed(_refused(blank, self._gate.not_stated(w.task, w.quoted)), w.clock)
                    return
            with closing(writer.write()) as events:
                for event in events:
                    if not isinstance(event, Waiting):
                        w.clock.reach("first_token")
                    checked = event.sentence if isinstance(event, Checked) else None
                    if isinstance(checked, Removed):
                        removed.append(checked)
                    elif checked is not None:
                        w.clock.reach("first_sentence")
                        kept.append(checked)
                    yield event
        except ChatModelError as error:
            failure = f"{error} Quotations complete the answer."
        made = writer.compose(kept, interrupted=failure is not None)
        notice = failure or self._remark(made, writer) or blank.notice
        sentences = made.sentences
        if w.language and failure is None:
            sentences = yield from _translated(sentences, Translator(writer.model, w.language))
        made = replace(made, sentences=(*sentences, *w.absent))
        answer = replace(blank, removed=(*removed, *made.beside), notice=notice, tokens=writer.usage.tokens)
        yield _timed(_composed(answer, w.task.candidates, made), w.clock)

    def _remark(self, made: Composition, writer: Generative) -> str | None:
        if made.composed == "quotations":
            return f"{self.mode} wrote nothing that answers and that the abstracts support; quotations answer."
        if writer.usage.prompt_cut:
            return f"{self.mode} saw only part of the evidence; a larger context (ASKPAPERS_NUM_CTX) helps."
        return None


def _translated(
    sentences: Iterable[Sentence], translator: Translator
) -> Generator[Waiting, None, tuple[Sentence, ...]]:
    """Return checked sentences in the reader's language; quotations and what would lose something stay as they are."""
    told: list[Sentence] = []
    for sentence in sentences:
        text = None if sentence.support == "verbatim" else (yield from translator.sentence(sentence.text))
        told.append(replace(sentence, text=text or sentence.text))
    return tuple(told)


def _sources(candidates: Sequence[Candidate], sentences: Iterable[Sentence]) -> tuple[Source, ...]:
    cited = {n for sentence in sentences for n in sentence.citations}
    return tuple(Source(n, c.paper, n in cited, round(c.score, 4)) for n, c in enumerate(candidates, start=1))


def _composed(answer: Answer, candidates: Sequence[Candidate], made: Composition) -> Answer:
    text = " ".join(render(sentence.text, sentence.citations) for sentence in made.sentences)
    papers = _sources(candidates, made.sentences)
    return replace(answer, text=text, sentences=made.sentences, papers=papers, composed=made.composed)


def _sure(answer: Answer, beyond: float | None) -> Answer:
    """Return an answer with its confidence, of log odds beyond the threshold."""
    return answer if beyond is None else replace(answer, confidence=probability(beyond))


def _refused(answer: Answer, why: Abstention) -> Answer:
    return replace(answer, text=why.text, abstained=True, reason=why.reason)


def _timed(answer: Answer, clock: _Clock) -> Answer:
    clock.reach("total")
    return replace(answer, timings=dict(clock.marks))
