"""Whether answers come from their sources: does a claim go with its abstract, does a figure change with it?

The question is asked again of small libraries that hold the papers found for it: as they are, without the paper that is
cited, and with a figure of its abstract changed.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from assistant.chain import Assistant
from assistant.errors import ChatModelError
from assistant.figures import figures
from assistant.schema import Answer, Paper, Sentence
from assistant.text import content_stems, fold
from eval.cases import Case, case_id
from eval.evaluation import Plan
from eval.measures import Values
from eval.runs import Row, Run
from eval.variants import variant

STILL_SAID = 0.8
"""Share of a claim's content words in one sentence of the later answer from which on it is still said."""

_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Altered:
    """An abstract in which a figure is another one."""

    paper: Paper
    was: str
    now: str


def probe(
    run: Run,
    cases: Sequence[Case],
    assistant: Assistant,
    plan: Plan,
    most: int,
    on_progress: Callable[[int, int], None],
) -> None:
    """Measure the faithfulness of a seeded sample of a run's answers and add it to their rows; goes on after a stop.

    Raises LibraryError, StorageError, RunError.
    """
    by_id = {case_id(case): case for case in cases}
    drawn = sampled(run.rows(), most, run.header().seed)
    for number, row in enumerate(drawn, 1):
        if "claims_gone" not in row.measures:
            papers = assistant.library.catalogue.papers(_paper_ids(row))
            try:
                values = faithfulness(by_id[row.question_id], papers, assistant, plan)
            except ChatModelError:
                values = {"claims_gone": None}
            run.add([replace(row, measures={**row.measures, **values})])
        on_progress(number, len(drawn))


def sampled(rows: Sequence[Row], most: int, seed: int) -> list[Row]:
    """Return at most so many rows of answers made from abstracts, the same ones for the same seed."""
    answered = [row for row in rows if row.measures.get("citation_recall") is not None]
    return sorted(Random(seed).sample(answered, min(most, len(answered))), key=lambda row: row.position)


def faithfulness(case: Case, papers: Sequence[Paper], assistant: Assistant, plan: Plan) -> Values:
    """Ask a case again of the papers that had been found for it, and return what became of its answer.

    `claims_gone`: the share of sentences that are no longer said once the paper they cite has gone, as in context
    attribution by leaving out (Cohen-Wang et al. 2024). `figures_followed`: 1 when a figure changed in the abstract
    is changed in the answer. None for what can't be told, as when nothing is said at first.
    """
    first = _asked(case, papers, assistant, plan)
    cited = [source.paper for source in first.papers if source.cited]
    if first.abstained or not cited or first.composed is None:
        return {"claims_gone": None}
    claims = [s for s in first.sentences if _cites(s, cited[0], first)]
    without = _asked(case, [p for p in papers if p != cited[0]], assistant, plan)
    values: Values = {"claims_gone": sum(not still_said(s.text, without) for s in claims) / len(claims)}
    altered = next(alterations(cited[0], claims, first.standalone_question, Random(first.question)), None)
    if altered is not None:
        others = [altered.paper if p == cited[0] else p for p in papers]
        otherwise = _asked(case, others, assistant, plan)
        values["figures_followed"] = float(_holds(otherwise, altered.now) and not _holds(otherwise, altered.was))
    return values


def _asked(case: Case, papers: Sequence[Paper], assistant: Assistant, plan: Plan) -> Answer:
    question = case.question
    with variant(assistant.library, papers) as small:
        return assistant.over(small).ask(question.asked(), history=question.history, words=plan.words, k=plan.k)


def _paper_ids(row: Row) -> list[str]:
    papers = row.detail.get("papers")
    return [str(paper["paper_id"]) for paper in papers if isinstance(paper, dict)] if isinstance(papers, list) else []


def still_said(claim: str, answer: Answer) -> bool:
    """Tell whether a sentence of an answer says a claim: most of its content words and all of its figures."""
    wanted, values = set(content_stems(claim)), {f.value for f in figures(claim)}
    return any(
        len(wanted & set(content_stems(s.text))) >= STILL_SAID * len(wanted)
        and values <= {f.value for f in figures(s.text)}
        for s in answer.sentences
    )


def alterations(paper: Paper, claims: Sequence[Sentence], question: str, random: Random) -> Iterator[Altered]:
    """Yield the paper with one figure of its claims changed, digit by digit, wherever its abstract has it.

    A figure of the question stays: it is what the paper is known by.
    """
    written = [f.text for claim in claims for f in figures(claim.text) if not f.spelled]
    for text in dict.fromkeys(written):
        pattern = _whole(text)
        if _YEAR.fullmatch(text) or pattern.search(fold(question)) or not pattern.search(paper.abstract):
            continue
        shift = random.randint(1, 8)
        now = "".join(str(1 + (int(c) - 1 + shift) % 9) if c in "123456789" else c for c in text)
        if now != text and not _whole(now).search(paper.abstract):
            yield Altered(replace(paper, abstract=pattern.sub(now, paper.abstract)), text, now)


def _cites(sentence: Sentence, paper: Paper, answer: Answer) -> bool:
    return any(source.paper == paper and source.n in sentence.citations for source in answer.papers)


def _holds(answer: Answer, figure: str) -> bool:
    return any(_whole(figure).search(fold(s.text)) for s in answer.sentences)


def _whole(figure: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.,]){re.escape(figure)}(?![\d]|[.,]\d)")
