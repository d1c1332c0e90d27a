"""When not to answer, and what to say then: nothing relevant is here, or the abstracts do not state what is asked."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import log10

from assistant import routing, selection
from assistant.answerability import Signals, signals, terms_of
from assistant.answering import Task
from assistant.calibration import Calibration, log_odds
from assistant.chat_model import ChatModel
from assistant.library import Library
from assistant.lookup import asks_gist
from assistant.naming import in_use, is_called, own_name
from assistant.schema import Candidate, Kind, Paper, Reason, Sentence
from assistant.sought import DECIDED, sought
from assistant.text import content_stems, fold, words

RELEVANT = 0.16
RELEVANT_PER_DECADE = 0.06  # the more papers, the nearer the nearest of them by chance
MOST_SAID = 3.0  # log odds that a chat model can add or take
FOLLOWS = 1.0  # log odds that a question gains which refers back to what an answer was about
CLEARLY_NOT = 2.0  # log odds below the threshold at which a chat model is not even asked

_NOTHING = "Nothing in this library answers that. The nearest papers are listed."
_EMPTY = "No paper in this library matches; add papers with `askpapers ingest`, or ask without filters."
_TASK = re.compile(
    r"^(?:please |can you |could you |now )*(?:write|compose|translate|draw|ignore|forget|pretend|act|sing|book|invest"
    r"|solve|generate|repeat|print|reveal|play|order|remind|calculate|convert)\b"
)
_ASKS_FOR_MORE = re.compile(
    r"(?:and |so |but )?(?:who|when|where|how|which|why|does|do|did|is|are|can|could|has|have)\b"
)
_STATED_KINDS: frozenset[Kind] = frozenset(("content", "lookup"))
_ASKED_OF_SUBJECT = re.compile(r"^(?:how (?:many|much)|which|what|who)\b", re.I)
_AUXILIARY = re.compile(r"\b(?:do|does|did|can|could|will|would|has|have|had|is|are|was|were)\b", re.I)
_WITH_BE = re.compile(
    r"^(?P<wh>(?:what|which)(?: \w+)?|who) (?P<be>is|are|was|were)"
    r" (?P<rest>(?!it\b|they\b|\w+(?:ed|en)\b|meant\b)[^?]*\b(?!(?:with|in|on|by|for|of|to|from|at)$)\w+\W*)$",
    re.I,
)
_PASSIVE = re.compile(
    r"^(?P<wh>(?:how (?:many|much)|which|what) .+?) (?P<rest>(?:is|are|was|were) \w+(?:ed|en|de)\b.*)$", re.I
)


@dataclass(frozen=True, slots=True)
class Abstention:
    """Why there is no answer, in the contract's word and in a sentence for the reader."""

    reason: Reason
    text: str


NO_ABSTRACT = Abstention("not_stated", "The nearest papers are here by title only, so there is nothing to quote.")


@dataclass(frozen=True, slots=True)
class Gate:
    """Decides whether a question is answered at all, by figures that `calibration` was fitted on."""

    library: Library
    calibration: Calibration

    def irrelevant(self, task: Task) -> Abstention | None:
        """Return why nothing here is relevant; None when something is."""
        text = self._irrelevance(task)
        return Abstention("nothing_relevant", text) if text else None

    def stated(self, task: Task, quoted: Sequence[Sentence], *, follows: bool = False) -> float | None:
        """Return the log odds, beyond the threshold, that the best paper states what is asked.

        None for questions that are not about a fact, as those for a summary, or what a paper's own method is.
        `follows`: the question refers back to what an earlier answer was about.
        """
        if task.parts:
            each = [self.stated(*alone, follows=follows) for alone in _by_part(task, quoted)]
            return max((DECIDED if one is None else one for one in each), default=None)
        form = sought(task.question)
        if form is not None and form.decides and task.kind in _STATED_KINDS:
            return DECIDED if any(form.in_text(sentence.text) for sentence in quoted) else -DECIDED
        found = self.signals(task, quoted)
        if found is None:
            return None
        beyond = self.calibration.answerability.log_odds(asdict(found)) - log_odds(self.calibration.stated)
        return beyond + FOLLOWS * follows

    def signals(self, task: Task, quoted: Sequence[Sentence]) -> Signals | None:
        """Return what `stated` is made from; None for questions that are not about a fact."""
        paper = task.candidates[quoted[0].citations[0] - 1].paper
        if task.kind not in _STATED_KINDS or asks_gist(task.question) or self._asks_what_it_is(task.question, paper):
            return None
        text = f"{paper.name}. {paper.abstract}"
        terms = terms_of(task.question, routing.names(task.question), task.weights, text, self.library.encoder)
        best = task.candidates[quoted[0].citations[0] - 1 :]
        return signals(task.question, task.weights, best, quoted, terms)

    def apart(
        self, task: Task, quoted: Sequence[Sentence], at_least: float, *, follows: bool = False
    ) -> tuple[tuple[Sentence, ...], tuple[Sentence, ...]]:
        """Return the quotations of the parts that the abstracts state, and sentences that say which they don't.

        All quotations and no sentence when the question has no parts, or when none of them is stated.
        """
        kept: list[Sentence] = []
        lacking: list[Sentence] = []
        for part, own in _by_part(task, quoted):
            stated = self.stated(part, own, follows=follows)
            if stated is None or stated >= at_least:
                kept += own
            else:
                n = own[0].citations[0]
                says = f"The abstract of {_called(task, n)} does not state what you ask of it."
                lacking.append(Sentence(says, (n,), "supported", 1.0))
        return (tuple(kept), tuple(lacking)) if kept else (tuple(quoted), ())

    def judged(self, stated: float, said: float | None, model: ChatModel) -> float:
        """Return the log odds with what a chat model said of it, yes against no; it never decides alone."""
        if said is None:
            return stated
        judgement = self.calibration.judgement(model.billions)
        return stated + max(-MOST_SAID, min(MOST_SAID, judgement.weight * (said - judgement.centre)))

    @staticmethod
    def not_stated(task: Task, quoted: Sequence[Sentence]) -> Abstention:
        """Say that papers are known and what is asked is not in their abstracts."""
        found = list(dict.fromkeys(n for sentence in quoted for n in sentence.citations))[: len(task.parts) or 1]
        here = " and ".join(f"{_called(task, n)} [{n}]" for n in found)
        asked = None if task.parts else indirect(task.question)
        says = f"say {asked}" if asked else "state what you ask"
        which, do = (
            ("is here, but its abstract", "does") if len(found) == 1 else ("are here, but their abstracts", "do")
        )
        return Abstention("not_stated", f"{here} {which} {do} not {says}. The nearest papers are listed.")

    def _irrelevance(self, task: Task) -> str | None:
        if not task.candidates:
            return _EMPTY
        if task.kind == "lookup" or task.parts:
            return None
        named = routing.names(task.question)
        held = fold(" ".join(f"{c.paper.name} {c.paper.abstract}" for c in task.candidates))
        known = [name for name in named if fold(name).removesuffix("s") in held]
        compared = [task.candidates[group[0]] for group in task.groups if group]
        if named and not known and not any(self._names(found, task.question) for found in compared):
            return f"No paper in this library mentions {' or '.join(named)}. The nearest papers are listed."
        if task.kind in _STATED_KINDS and _TASK.search(fold(task.question)):
            return _NOTHING
        best = max(selection.relevance(found, task.weights) for found in task.candidates[:3])
        enough = RELEVANT + RELEVANT_PER_DECADE * log10(max(len(self.library.catalogue), 1))
        return None if known or best >= enough or self._names(task.candidates[0], task.question) else _NOTHING

    def _names(self, found: Candidate, question: str) -> bool:
        """Tell whether a question calls a paper by the name that it goes by."""
        return is_called(question, own_name(found.paper), in_use(self.library))

    def _asks_what_it_is(self, question: str, paper: Paper) -> bool:
        """Tell whether a question holds a paper's name and one word more at most, as "What is BERT?"."""
        if _ASKS_FOR_MORE.match(fold(question)):
            return False
        name = own_name(paper)
        called = is_called(question, name, in_use(self.library))
        return called and len(set(content_stems(question))) <= len(set(words(name))) + 1


def _called(task: Task, n: int) -> str:
    """Return what a refusal calls the paper that bears number `n`: as the question does, if that is known."""
    paper = task.candidates[n - 1].paper
    asked = next((part.name for part in task.parts if part.place == n - 1), "")
    return asked or own_name(paper) or f"“{paper.name}”"


def _by_part(task: Task, quoted: Sequence[Sentence]) -> list[tuple[Task, list[Sentence]]]:
    """Return each part of a task that was answered, as a task of its own, with its quotations."""
    own = [(part, [s for s in quoted if s.citations[0] == part.place + 1]) for part in task.parts]
    return [(task.of(part), sentences) for part, sentences in own if sentences]


def indirect(question: str) -> str | None:
    """Return a question as the object of "does not say"; None when rules can't turn it round.

    >>> indirect("How many GPUs were used to train Paella?")
    'how many GPUs were used to train Paella'
    >>> indirect("What is the accuracy of Paella on large pans?")
    'what the accuracy of Paella on large pans is'
    """
    asked = " ".join(question.split()).rstrip(" ?.!")
    if (match := _PASSIVE.match(asked)) and not _AUXILIARY.search(match["wh"]):
        return _lower(f"{match['wh']} {match['rest']}")
    if (match := _WITH_BE.match(asked)) and " and " not in asked:
        return _lower(f"{match['wh']} {match['rest']} {match['be']}")
    return _lower(asked) if _ASKED_OF_SUBJECT.match(asked) and not _AUXILIARY.search(asked) else None


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
