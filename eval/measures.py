"""What is measured of an answer: pure functions of a case and an answer, and the list of what they measure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from assistant.figures import is_figure
from assistant.library import Library
from assistant.schema import Answer
from assistant.text import content_stems, fold, words
from eval import grounding
from eval.cases import Case, Gold, plain

Values = dict[str, float | None]
"""Measures by name; None where one applies and could not be scored. A measure that doesn't apply is left out."""

ALLOWANCE = 100  # characters that a nugget may take before an answer counts as verbose
BETA = 3.0


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure: in words, over which answers, where it was published, and which end of it is good."""

    name: str
    what: str
    over: str
    better: Literal["higher", "lower", "neither"] = "higher"
    source: str = ""


_ANSWERED = "answered"
_GOLD = "with gold papers"
MEASURES = (
    Measure("paper_recall", "share of the gold papers that the answer cites; 0 when it abstains", _GOLD),
    Measure("paper_precision", "share of the cited papers that are gold; 0 when it cites none", _GOLD),
    Measure("nugget_recall", "share of the facts asked for that the answer holds, in any of their spellings",
            "with nuggets", source="Voorhees 2003"),
    Measure("all_nuggets", "1 when the answer holds every fact", "with nuggets"),
    Measure("nugget_f3", "nugget recall against verbosity: F with β = 3 of recall and of a precision that falls "
            "once the answer is longer than 100 characters a fact it holds", "with nuggets", source="Voorhees 2003"),
    Measure("reference_recall", "share of the reference's content words that the answer holds", "with a reference",
            source="ROUGE-1 recall over stems, Lin 2004"),
    Measure("reference_f1", "F1 of the content words of answer and reference", "with a reference",
            source="SQuAD, Rajpurkar et al. 2016"),
    Measure("citation_recall", "share of sentences that their citations, taken together, support",
            "answered from abstracts", source="ALCE, Gao et al. 2023"),
    Measure("citation_precision", "share of citations without which their sentence would lack support",
            "answered from abstracts, citing", source="ALCE, Gao et al. 2023"),
    Measure("sentences_cited", "share of sentences with a citation", _ANSWERED),
    Measure("groundedness", "share of sentences that some paper of the answer's list supports, cited or not",
            "answered from abstracts", source="faithfulness of RAGAS, Es et al. 2024, without its model"),
    Measure("foreign_figures", "share of sentences with a figure that no paper they cite holds, by value and unit",
            "answered from abstracts", "lower"),
    Measure("claims_gone", "share of sentences that are no longer said once the paper they cite is taken away",
            "a sample, by --faithfulness", source="leave-one-out context attribution, Cohen-Wang et al. 2024"),
    Measure("figures_followed", "1 when a figure changed in the cited abstract is changed in the answer",
            "those of the sample with a figure"),
    Measure("abstention_recall", "share that is not answered", "that no paper answers"),
    Measure("abstention_precision", "share that no paper answers", "not answered"),
    Measure("abstention_f1", "harmonic mean of the two, over all questions", "not answered, or to be left so"),
    Measure("false_refusal", "share that is not answered", "that papers answer", "lower"),
    Measure("coverage", "share that is answered", "all", "neither"),
    Measure("risk", "share with a wrong answer: no paper has one, a fact is missing or, without facts, a gold paper",
            "answered, with gold papers or nuggets", "lower", "El-Yaniv and Wiener 2010"),
    Measure("aurc", "area under risk against coverage, the surest answers first: the mean of the risks of all "
            "coverages", "answered, with a confidence", "lower", "Geifman and El-Yaniv 2017"),
    Measure("judge_correct", "a chat model's grade, 0 to 1: does the answer give what the reference gives?",
            "answered, with a reference, by --judge"),
    Measure("judge_supported", "share of sentences of which a chat model says that their evidence states them",
            "answered with evidence, by --judge"),
    Measure("judge_helpful", "a chat model's grade, 0 to 1: does the answer address the question?",
            "answered, by --judge"),
    Measure("answer_words", "words of the answer, markers left out", _ANSWERED, "neither"),
    Measure("quoted_share", "share of sentences that stand in an abstract word for word", _ANSWERED, "neither"),
    Measure("removed_sentences", "sentences that a model wrote and verification removed", "written by a model",
            "neither"),
    Measure("model_share", "share of what a model wrote that stands in the answer, in its own words",
            "written by a model", "neither"),
    Measure("prompt_tokens", "tokens that the model read", "written by a model", "neither"),
    Measure("completion_tokens", "tokens that the model wrote", "written by a model", "neither"),
    Measure("total_ms", "milliseconds to the whole answer", "all", "lower"),
    Measure("first_sentence_ms", "milliseconds to its first checked sentence", _ANSWERED, "lower"),
)  # fmt: skip
BY_NAME = {measure.name: measure for measure in MEASURES}


def measured(case: Case, answer: Answer, library: Library) -> Values:
    """Return all that can be measured of an answer without a judge."""
    values: Values = {"coverage": float(not answer.abstained)}
    values |= _abstention(case, answer) | _papers(case, answer) | _facts(case, answer) | _reference(case, answer)
    values |= _cost(answer)
    if answer.sentences and not answer.abstained:
        values |= _form(answer) | _support(answer, library)
    if not answer.abstained and (case.gold is not None or case.nuggets):
        values["risk"] = float(is_wrong(case, values))
    return values


def is_wrong(case: Case, values: Mapping[str, float | None]) -> bool:
    """Tell whether an answer given is wrong, by what was measured of it."""
    if not case.answerable:
        return True
    if "all_nuggets" in values:
        return values["all_nuggets"] != 1.0
    return values.get("paper_recall", 1.0) != 1.0


def _abstention(case: Case, answer: Answer) -> Values:
    if case.answerable is None:
        return {}
    abstained = float(answer.abstained)
    values: Values = {"false_refusal": abstained} if case.answerable else {"abstention_recall": abstained}
    if answer.abstained:
        values["abstention_precision"] = float(not case.answerable)
    if answer.abstained or not case.answerable:
        values["abstention_f1"] = float(answer.abstained and not case.answerable)
    return values


def _papers(case: Case, answer: Answer) -> Values:
    if not case.gold:
        return {}
    cited = [source.paper.paper_id for source in answer.papers if source.cited]
    return {"paper_recall": paper_recall(case.gold, cited), "paper_precision": paper_precision(case.gold, cited)}


def paper_recall(gold: Gold, cited: list[str]) -> float:
    """Return the share of gold papers that are among those cited."""
    return sum(not ids.isdisjoint(cited) for ids in gold) / len(gold)


def paper_precision(gold: Gold, cited: list[str]) -> float:
    """Return the share of cited papers that are gold; 0 when none is cited."""
    return sum(any(name in ids for ids in gold) for name in cited) / len(cited) if cited else 0.0


def _facts(case: Case, answer: Answer) -> Values:
    if not case.nuggets:
        return {}
    text = plain(_bare(answer))
    found = 0 if answer.abstained else sum(any(holds(text, spelling) for spelling in n) for n in case.nuggets)
    recall = found / len(case.nuggets)
    return {
        "nugget_recall": recall,
        "all_nuggets": float(recall == 1),
        "nugget_f3": nugget_f(found, len(case.nuggets), len(_bare(answer).replace(" ", ""))),
    }


def nugget_f(found: int, wanted: int, length: int, beta: float = BETA) -> float:
    """Return the nugget F of an answer of `length` characters, white space left out (TREC QA, Voorhees 2003)."""
    recall = found / wanted
    allowance = ALLOWANCE * found
    precision = 1.0 if length <= allowance else 1 - (length - allowance) / length
    total = beta**2 * precision + recall
    return (beta**2 + 1) * precision * recall / total if total else 0.0


def holds(text: str, nugget: str) -> bool:
    """Tell whether a plain text holds a nugget: at a word's beginning, and one that ends in a number as a whole one.

    >>> holds("trained on 1860 pairs", "1,860"), holds("trained on 18 pairs", "1"), holds("it improves", "improve")
    (True, False, True)
    """
    wanted = plain(nugget)
    if not wanted:
        return False
    left = r"(?<![\w.])(?<!\d,)" if wanted[0].isalnum() else ""
    right = r"(?![\d,]*\d)(?!\.\d)" if wanted[-1].isdigit() else r"(?!\w)" if _ends_in_a_number(wanted) else ""
    return re.search(left + re.escape(wanted) + right, text) is not None


def _ends_in_a_number(text: str) -> bool:
    """Tell whether the last word of a text is a number in words: "eight" is not in "eighteen"."""
    last = words(text)[-1:]
    return bool(last) and last[0].isalpha() and text.endswith(last[0]) and is_figure(last[0])


def _reference(case: Case, answer: Answer) -> Values:
    if not case.reference:
        return {}
    wanted = set(content_stems(case.reference))
    given = set() if answer.abstained else set(content_stems(_bare(answer)))
    both = len(wanted & given)
    return {
        "reference_recall": both / len(wanted) if wanted else None,
        "reference_f1": 2 * both / (len(wanted) + len(given)) if wanted else None,
    }


def _form(answer: Answer) -> Values:
    sentences = answer.sentences
    values: Values = {
        "answer_words": float(len(_bare(answer).split())),
        "sentences_cited": sum(bool(s.citations) for s in sentences) / len(sentences),
        "quoted_share": sum(_is_quoted(s.text, answer) for s in sentences) / len(sentences),
    }
    if answer.mode != "extractive" and answer.composed is not None:
        own = sum(s.support != "verbatim" for s in sentences)
        values["removed_sentences"] = float(len(answer.removed))
        if own + len(answer.removed):
            values["model_share"] = own / (own + len(answer.removed))
    return values


def _is_quoted(text: str, answer: Answer) -> bool:
    quoted = fold(text).rstrip(".!?; ")
    return bool(quoted) and any(quoted in fold(source.paper.abstract) for source in answer.papers)


def _support(answer: Answer, library: Library) -> Values:
    """Return what abstracts have to say of an answer; nothing for one that was made from records."""
    if answer.composed is None:
        return {}
    sentences, asked = answer.sentences, grounding.Grounding(library, answer)
    values: Values = {
        "citation_recall": grounding.citation_recall(sentences, asked),
        "groundedness": grounding.groundedness(sentences, asked),
        "foreign_figures": grounding.foreign_figures(sentences, {s.n: s.paper for s in answer.papers}),
    }
    precision = grounding.citation_precision(sentences, asked)
    return values if precision is None else values | {"citation_precision": precision}


def _cost(answer: Answer) -> Values:
    values: Values = {}
    for name, mark in (("total_ms", "total"), ("first_sentence_ms", "first_sentence")):
        if mark in answer.timings:
            values[name] = answer.timings[mark]
    if answer.tokens.prompt or answer.tokens.completion:
        values["prompt_tokens"] = float(answer.tokens.prompt)
        values["completion_tokens"] = float(answer.tokens.completion)
    return values


def _bare(answer: Answer) -> str:
    """Return the text of an answer without its markers; what an abstract writes in brackets is text."""
    said = " ".join(sentence.text for sentence in answer.sentences) or answer.text
    return " ".join(said.split())
