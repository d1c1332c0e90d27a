"""Asks the questions of a dataset and measures each answer; on several cores where no chat model writes."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Protocol

from assistant.chain import Assistant
from assistant.errors import AskpapersError, QuestionError, RunError
from assistant.library import Library
from assistant.schema import Answer, Json, Turn
from assistant.transcript import answer_row
from eval.cases import Case, case_id
from eval.judging.judge import Judge, judged
from eval.measures import Values, measured
from eval.runs import Row, Run

WORTH_SPREADING = 60  # questions below which further processes cost more than they bring


class Answerer(Protocol):
    """Whoever answers: the assistant, or in tests one that was damaged on purpose."""

    library: Library

    def ask(
        self, question: str, *, history: Sequence[Turn] = (), words: int | None = None, k: int | None = None
    ) -> Answer:
        """Return the answer to a question."""
        ...


@dataclass(frozen=True, slots=True)
class Plan:
    """How every question is asked."""

    words: int | None = None
    k: int | None = None


def evaluate(
    answerer: Answerer,
    cases: Sequence[Case],
    run: Run,
    on_progress: Callable[[int, int], None],
    *,
    plan: Plan = Plan(),
    judge: Judge | None = None,
    device: str | None = None,
    spread: bool = False,
) -> None:
    """Ask the cases that the run lacks, or that failed in it, and keep a row of each as soon as it is known.

    With `spread`, several processes ask, each with the library open: for answers by quotation. Raises RunError when
    a row can't be kept or such a process ends early, LibraryError when the library can't be read.
    """
    done = run.done()
    open_ = [(position, case) for position, case in enumerate(cases) if case_id(case) not in done]
    if spread and len(open_) >= WORTH_SPREADING and _workers() > 1:
        rows = _spread(open_, answerer.library.folder, device, plan)
    else:
        rows = (examined(answerer, case, position, plan, judge) for position, case in open_)
    for number, row in enumerate(rows, 1):
        run.add([row])
        on_progress(len(done) + number, len(cases))
    run.finish()


def examined(answerer: Answerer, case: Case, position: int = 0, plan: Plan = Plan(), judge: Judge | None = None) -> Row:
    """Ask one case and measure the answer; a case that can't be asked, or fails, is a row without scores."""
    question = case.question
    detail: dict[str, Json] = {"question": question.text}
    try:
        if case.fault:
            raise QuestionError(case.fault)
        answer = answerer.ask(question.asked(), history=question.history, words=plan.words, k=plan.k)
    except AskpapersError as error:
        return Row(case_id(case), case.kind, _unscored(case), position=position, detail=detail | {"error": str(error)})
    values = measured(case, answer, answerer.library)
    if judge is not None and answer.sentences:
        evidence = [(s.text, [quote.quote for quote in s.evidence]) for s in answer.sentences]
        values |= judged(judge, question.text, case.reference, answer.text, evidence)
    return Row(case_id(case), case.kind, values, "answers", position, answer.confidence, _detail(case, answer))


def _unscored(case: Case) -> Values:
    """Return the measures that a case should have had a value of."""
    values: Values = {"coverage": None}
    if case.answerable is not None:
        values |= {"false_refusal": None} if case.answerable else {"abstention_recall": None, "abstention_f1": None}
    if case.gold is not None or case.nuggets:
        values["risk"] = None
    if case.gold:
        values |= {"paper_recall": None, "paper_precision": None}
    if case.nuggets:
        values |= {"nugget_recall": None, "all_nuggets": None, "nugget_f3": None}
    if case.reference:
        values |= {"reference_recall": None, "reference_f1": None}
    return values


def _detail(case: Case, answer: Answer) -> dict[str, Json]:
    """Return the answer's row without abstracts, and what had been expected."""
    row = answer_row(answer, case.question.question_id)
    papers = row["papers"]
    assert isinstance(papers, list)
    row["papers"] = [
        {name: paper[name] for name in ("n", "paper_id", "title", "label", "cited")}
        for paper in papers
        if isinstance(paper, dict)
    ]
    gold: Json = None if case.gold is None else [sorted(ids)[0] for ids in case.gold]
    nuggets: list[Json] = [list(spellings) for spellings in case.nuggets]
    return row | {"gold": gold, "nuggets": nuggets, "reference": case.reference, "notice": answer.notice}


# What a further process holds: an assistant of its own, opened once.
_assistant: Assistant | None = None


def _spread(open_: Sequence[tuple[int, Case]], folder: Path, device: str | None, plan: Plan) -> Iterator[Row]:
    with ProcessPoolExecutor(_workers(), get_context("spawn"), _open_worker, (folder, device)) as pool:
        futures = [pool.submit(_examined_by_worker, case, position, plan) for position, case in open_]
        try:
            for future in as_completed(futures):
                yield future.result()
        except BrokenProcessPool as error:
            raise RunError(
                "A process that asked questions was ended, perhaps for want of memory; the same command with --out "
                "goes on where it stopped."
            ) from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _workers() -> int:
    return min(4, os.cpu_count() or 1)


def _open_worker(folder: Path, device: str | None) -> None:
    global _assistant
    Thread(target=_leave_with_parent, daemon=True).start()
    _assistant = Assistant(Library.open(folder, device=device))


def _leave_with_parent() -> None:
    """End this process once the one that started it is gone, as when it is killed: nothing else would."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def _examined_by_worker(case: Case, position: int, plan: Plan) -> Row:
    assert _assistant is not None
    return examined(_assistant, case, position, plan)
