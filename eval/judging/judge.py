"""A chat model that grades answers, for those who want one: no measure of `eval` needs it.

Each verdict is one short prompt. The last grade of the reply counts; a reply without one is asked for once more, with a
stricter last line and room to think; then the verdict is unscored, which is counted and never taken for a grade.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from assistant.chat_model import ChatModel, ChatModelSettings, Usage, choose
from assistant.errors import ChatModelError, ChatModelMissing, ChatModelUnreachable, SettingsError
from assistant.prompts import as_note
from eval.judging.grades import SCALE, Place, affirmed, chosen, grade

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

VerdictName = Literal["correct", "supported", "helpful"]

_ROOM, _MORE_ROOM = 128, 768  # tokens; a model that thinks aloud needs the second
_LONGEST_TEXT = 400
_NOTHING = "neither reply holds a {}"
_TOO_LONG = "the texts are too long for the judge's context: set ASKPAPERS_NUM_CTX higher"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge found: `value` from 0 to 1, or None with the reason why it is unscored.

    `attempts`: how often the model was asked; `text`: the beginning of its last reply.
    """

    value: float | None
    reason: str | None
    attempts: int
    text: str


@dataclass(frozen=True, slots=True)
class _Task:
    """What is asked in the last line of a prompt, the line added the second time, and how a reply is read."""

    asked: str
    again: str
    wanted: str
    read: Callable[[str], float | None]


def _graded(text: str) -> float | None:
    found = grade(text)
    return None if found is None else (found - SCALE[0]) / (SCALE[-1] - SCALE[0])


def _affirmed(text: str) -> float | None:
    found = affirmed(text)
    return None if found is None else float(found)


def _second(text: str) -> float | None:
    place = chosen(text)
    return None if place is None else float(place == "second")


_ONE_DIGIT = "Write one digit from 1 to 5 and nothing else."
_CORRECT = _Task(
    "Does the answer give what the reference gives? Grade it: 1 wrong, 2 mostly wrong, 3 half right, 4 mostly right, "
    "5 right. Reply with the grade only.",
    _ONE_DIGIT,
    "grade from 1 to 5",
    _graded,
)
_HELPFUL = _Task(
    "Does the answer address the question? Grade it: 1 not at all, 2 hardly, 3 in part, 4 mostly, 5 fully. "
    "Reply with the grade only.",
    _ONE_DIGIT,
    "grade from 1 to 5",
    _graded,
)
_SUPPORTED = _Task(
    "Does the evidence state the claim? Reply yes or no.", "Write one word, yes or no.", "yes or no", _affirmed
)
_PREFERRED = _Task("Which answer is better? Reply A or B.", "Write one letter, A or B.", "choice of A or B", _second)


class Judge:
    """A chat model that grades; asked again, it answers the same, as far as a model at temperature 0 does."""

    def __init__(self, model: ChatModel) -> None:
        self.model = model
        self._heard = False

    def correct(self, question: str, reference: str, answer: str) -> Verdict:
        """Grade whether the answer gives what the reference gives.

        1 wrong, 2 mostly wrong, 3 half right, 4 mostly right, 5 right, as 0, 0.25, 0.5, 0.75 and 1. Raises, as all
        verdicts do, ChatModelUnreachable or ChatModelMissing when the model has never been heard of; what fails
        later is unscored.
        """
        return self._verdict([("Question", question), ("Reference", reference), ("Answer", answer)], _CORRECT)

    def supported(self, sentence: str, evidence: Sequence[str]) -> Verdict:
        """Tell whether the evidence states this: 1 for yes, 0 for no."""
        return self._verdict([*(("Evidence", text) for text in evidence), ("Claim", sentence)], _SUPPORTED)

    def helpful(self, question: str, answer: str) -> Verdict:
        """Grade whether the answer addresses the question, right or not: 1 not at all to 5 fully, as 0 to 1."""
        return self._verdict([("Question", question), ("Answer", answer)], _HELPFUL)

    def prefers(self, question: str, first: str, second: str) -> Place | None:
        """Tell which of two answers is the better one; None when the judge doesn't say."""
        shown = [("Question", question), ("Answer A", first), ("Answer B", second)]
        value = self._verdict(shown, _PREFERRED).value
        return None if value is None else "second" if value else "first"

    def _verdict(self, shown: Sequence[tuple[str, str]], task: _Task) -> Verdict:
        """Ask, and once more when the reply is none, within one turn in the line before the model's server."""
        material = "\n".join(f"{name}: {as_note(text)}" for name, text in shown)
        text = ""
        with self.model.turn() as turn:
            for _ in turn:
                pass
            for attempt, (last_line, room) in enumerate(((task.asked, _ROOM), (task.again, _MORE_ROOM)), 1):
                material += f"\n{last_line}"
                try:
                    text, usage = self._reply(material, room)
                except ChatModelError as error:
                    if isinstance(error, ChatModelUnreachable | ChatModelMissing) and not self._heard:
                        raise
                    return Verdict(None, str(error), attempt, "")
                if usage.prompt_cut:
                    return Verdict(None, _TOO_LONG, attempt, text[:_LONGEST_TEXT])
                if (value := task.read(_behind(last_line, text))) is not None:
                    return Verdict(value, None, attempt, text[:_LONGEST_TEXT])
        return Verdict(None, _NOTHING.format(task.wanted), 2, text[:_LONGEST_TEXT])

    def _reply(self, prompt: str, room: int) -> tuple[str, Usage]:
        from langchain_core.messages import HumanMessage

        messages: list[BaseMessage] = [HumanMessage(prompt)]
        with self.model.stream(messages, room) as reply:
            text = "".join(reply)
        self._heard = True
        return text, reply.usage


def choose_judge(spec: str, judged_mode: str, forced: bool, settings: ChatModelSettings) -> Judge:
    """Return the judge that `--judge` asks for, as PROVIDER:MODEL.

    Raises SettingsError for anything else, and for the model whose answers it is to judge (`judged_mode`, as in
    `Answer.mode`) unless `forced`: models prefer what they wrote themselves (Panickssery et al. 2024). Raises
    ChatModelError when the model cannot be used.
    """
    try:
        model = choose(spec, settings) if all(part.strip() for part in spec.partition(":")) else None
    except (ChatModelMissing, SettingsError) as error:
        raise type(error)(str(error).replace("--llm", "--judge")) from error
    if model is None:
        raise SettingsError(f"{spec!r} names no judge: write, say, `--judge ollama:qwen3:4b`.")
    if model.spec == judged_mode and not forced:
        raise SettingsError(
            f"{model.spec} wrote these answers and would judge itself: name another model, or add `--judge-itself`."
        )
    return Judge(model)


def judged(
    judge: Judge, question: str, reference: str | None, answer: str, sentences: Sequence[tuple[str, Sequence[str]]]
) -> dict[str, float | None]:
    """Return what a judge says of one answer, from 0 to 1: None where unscored, no key where there is nothing to judge.

    `sentences` are the answer's, each with its evidence. `judge_supported` is the share of them that is supported
    among those that could be scored.
    """
    found: dict[str, float | None] = {}
    if answer.strip():
        if reference and reference.strip():
            found["judge_correct"] = judge.correct(question, reference, answer).value
        found["judge_helpful"] = judge.helpful(question, answer).value
    values = [judge.supported(sentence, evidence).value for sentence, evidence in sentences if evidence]
    if values:
        scored = [value for value in values if value is not None]
        found["judge_supported"] = sum(scored) / len(scored) if scored else None
    return found


def _behind(line: str, text: str) -> str:
    """Return what follows the last line of the prompt in a reply that repeats it."""
    return text.rpartition(line)[2]
