import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from assistant.errors import ChatModelUnreachable, RunError
from assistant.library import Library
from assistant.schema import Answer, Sentence, Turn
from eval.cases import Case, case_id
from eval.evaluation import Plan, evaluate, examined
from eval.measures import BY_NAME
from eval.runs import Row, Run
from eval.summary import summarised
from tests.eval.answers import case
from tests.eval.conftest import Remembering
from tests.eval.outcomes import means, untimed
from tests.eval.test_runs import HEADER

Damage = Callable[[Answer], Answer]


class Damaged:
    """An assistant that does something to each answer."""

    def __init__(self, whole: Remembering, damage: Damage) -> None:
        self.library = whole.library
        self._whole, self._damage = whole, damage

    def ask(
        self, question: str, *, history: Sequence[Turn] = (), words: int | None = None, k: int | None = None
    ) -> Answer:
        """Return the damaged answer."""
        return self._damage(self._whole.ask(question, history=history, words=words, k=k))


def recited(answer: Answer, cite: Callable[[Sentence], Sequence[int]]) -> Answer:
    """Return an answer with other citations."""
    return resaid(answer, lambda sentence: replace(sentence, citations=tuple(cite(sentence))))


def resaid(answer: Answer, say: Callable[[Sentence], Sentence]) -> Answer:
    """Return an answer of other sentences."""
    sentences = tuple(map(say, answer.sentences))
    cited = {n for sentence in sentences for n in sentence.citations}
    papers = tuple(replace(source, cited=source.n in cited) for source in answer.papers)
    return replace(answer, sentences=sentences, papers=papers)


def unharmed(answer: Answer) -> Answer:
    return answer


def drops_citations(answer: Answer) -> Answer:
    return recited(answer, lambda _: ())


def cites_wrongly(answer: Answer) -> Answer:
    held = len(answer.papers)
    return recited(answer, lambda s: [n % held + 1 for n in s.citations] if held > len(s.citations) else s.citations)


def cites_everything(answer: Answer) -> Answer:
    return recited(answer, lambda _: [source.n for source in answer.papers])


def invents_figures(answer: Answer) -> Answer:
    return resaid(answer, lambda s: replace(s, text=re.sub(r"\d", lambda d: str((int(d.group()) + 3) % 10), s.text)))


def always_abstains(answer: Answer) -> Answer:
    papers = tuple(replace(source, cited=False) for source in answer.papers)
    return replace(answer, abstained=True, reason="not_stated", sentences=(), papers=papers, text="No.", composed=None)


def never_abstains(answer: Answer) -> Answer:
    if not answer.abstained or not answer.papers:
        return answer
    first = Sentence(answer.papers[0].paper.abstract.split(". ")[0], (answer.papers[0].n,), "verbatim")
    return resaid(replace(answer, abstained=False, sentences=(first,), composed="quotations"), unchanged)


def unchanged(sentence: Sentence) -> Sentence:
    return sentence


def strays(answer: Answer) -> Answer:
    """Quote another paper, faithfully."""
    if answer.abstained or answer.composed is None or len(answer.papers) < 2:
        return answer
    last = answer.papers[-1]
    return resaid(
        replace(answer, sentences=(Sentence(last.paper.abstract.split(". ")[0], (last.n,), "verbatim"),)), unchanged
    )


def rambles(answer: Answer) -> Answer:
    return resaid(answer, lambda s: replace(s, text=" ".join([s.text] + ["All of this was to be expected."] * 8)))


MOVES: dict[Damage, tuple[str, str, str]] = {
    drops_citations: (
        "sentences_cited citation_recall paper_recall paper_precision",
        "foreign_figures",
        "nugget_recall groundedness coverage reference_recall",
    ),
    cites_wrongly: (
        "citation_recall citation_precision paper_recall paper_precision",
        "foreign_figures",
        "sentences_cited nugget_recall groundedness coverage",
    ),
    cites_everything: (
        "citation_precision paper_precision",
        "",
        "citation_recall groundedness sentences_cited coverage foreign_figures nugget_recall",
    ),
    invents_figures: (
        "nugget_recall all_nuggets citation_recall citation_precision groundedness quoted_share",
        "foreign_figures risk",
        "paper_recall paper_precision sentences_cited coverage answer_words",
    ),
    always_abstains: (
        "coverage paper_recall paper_precision nugget_recall nugget_f3 abstention_precision abstention_f1",
        "false_refusal",
        "abstention_recall",
    ),
    never_abstains: ("abstention_recall abstention_f1", "coverage risk", "citation_recall groundedness"),
    strays: ("paper_recall paper_precision nugget_recall all_nuggets", "risk", "groundedness coverage"),
    rambles: ("nugget_f3 citation_recall", "answer_words", "nugget_recall paper_recall"),
}


@pytest.fixture(scope="module")
def some(sample_cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """Questions of every kind."""
    return tuple(sample_cases[i] for i in (0, 5, 7, 12, 13, 16, 22, 31, 35, 52, 53, 54))


@pytest.fixture(scope="module")
def whole(quoting: Remembering, some: tuple[Case, ...]) -> dict[str, float]:
    """What is measured of the assistant itself."""
    return means([examined(quoting, known) for known in some])


def test_the_assistant_itself_does_well(whole: dict[str, float]) -> None:
    assert whole["citation_recall"] == whole["citation_precision"] == whole["groundedness"] == 1
    assert whole["foreign_figures"] == 0
    assert whole["abstention_recall"] > 0.8
    assert whole["paper_recall"] > 0.7
    assert 0 < whole["risk"] < 0.4


def test_an_assistant_that_is_left_as_it_is_moves_nothing(
    quoting: Remembering, some: tuple[Case, ...], whole: dict[str, float]
) -> None:
    assert means([examined(Damaged(quoting, unharmed), known) for known in some]) == whole


@pytest.mark.parametrize("damage", MOVES, ids=lambda damage: damage.__name__)
def test_damage_moves_its_measures(
    quoting: Remembering, some: tuple[Case, ...], whole: dict[str, float], damage: Damage
) -> None:
    falling, rising, staying = (names.split() for names in MOVES[damage])
    found = means([examined(Damaged(quoting, damage), known) for known in some])
    for name in falling:
        assert found[name] < whole[name] - 0.01, name
    for name in rising:
        assert found[name] > whole[name] + 0.01, name
    for name in staying:
        assert found.get(name) == pytest.approx(whole[name], abs=0.02) if name in whole else name not in found, name
    worse = {name for name in (*falling, *rising) if BY_NAME[name].better != "neither"}
    assert all(BY_NAME[name].better == ("higher" if name in falling else "lower") for name in worse)


def test_confidence_in_wrong_answers_raises_the_area(
    quoting: Remembering, some: tuple[Case, ...], whole: dict[str, float]
) -> None:
    rows = [row for row in (examined(quoting, known) for known in some) if row.confidence is not None]
    risks = [float(row.measures.get("risk") or 0) for row in rows]
    assert 0 < sum(risks) < len(risks)
    knowing = means([replace(row, confidence=1 - risk) for row, risk in zip(rows, risks, strict=True)])
    mistaken = means([replace(row, confidence=risk) for row, risk in zip(rows, risks, strict=True)])
    assert knowing["aurc"] < mistaken["aurc"] - 0.2
    assert knowing["aurc"] <= whole["aurc"] <= mistaken["aurc"]
    assert knowing["risk"] == mistaken["risk"]


class Failing(Damaged):
    """An assistant whose model is gone for some questions."""

    def __init__(self, whole: Remembering, fails: Callable[[str], bool]) -> None:
        super().__init__(whole, unharmed)
        self._fails = fails

    def ask(
        self, question: str, *, history: Sequence[Turn] = (), words: int | None = None, k: int | None = None
    ) -> Answer:
        """Fail, or return the answer."""
        if self._fails(question):
            raise ChatModelUnreachable("Nothing listens there.")
        return super().ask(question, history=history, words=words, k=k)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with Run.begin(tmp_path / "run", HEADER) as opened:
        yield opened


def test_questions_that_fail_are_rows_without_scores_and_are_asked_again(
    quoting: Remembering, sample_cases: tuple[Case, ...], run: Run
) -> None:
    cases = (*sample_cases[:4], *sample_cases[52:54])
    failing = Failing(quoting, lambda question: question in {cases[1].question.text, cases[5].question.text})
    evaluate(failing, cases, run, lambda *_: None)
    rows = run.rows()
    gone = "Nothing listens there."
    assert [row.detail.get("error") for row in rows] == [None, gone, None, None, None, gone]
    expected = "coverage false_refusal risk paper_recall paper_precision nugget_recall all_nuggets nugget_f3".split()
    assert rows[1].measures == dict.fromkeys(expected)
    assert rows[5].measures == dict.fromkeys(["coverage", "abstention_recall", "abstention_f1", "risk"])
    summary = summarised(rows)
    assert [name for name, _ in summary.faults] == [case_id(cases[1]), case_id(cases[5])]
    assert (summary.measures["coverage"].scored, summary.measures["coverage"].unscored) == (4, 2)
    evaluate(quoting, cases, run, lambda *_: None)
    assert [row.detail.get("error") for row in run.rows()] == [None] * 6


def test_what_cannot_be_asked_is_a_row_too(quoting: Remembering) -> None:
    row = examined(quoting, case([["x"]], reference="A text.", fault="Line 3: odd."), 7)
    assert (row.position, row.detail["error"], row.series) == (7, "Line 3: odd.", "answers")
    unscored = "coverage false_refusal risk paper_recall paper_precision reference_recall reference_f1".split()
    assert row.measures == dict.fromkeys(unscored)
    assert examined(quoting, case(fault="Odd.")).measures == {"coverage": None}
    assert examined(quoting, case(text="   ")).measures.keys() <= {"coverage", "total_ms"}


def test_a_row_tells_what_was_said_and_what_was_wanted(quoting: Remembering, sample_cases: tuple[Case, ...]) -> None:
    row = examined(quoting, sample_cases[4])
    assert row.detail["id"] == sample_cases[4].question.question_id
    assert row.detail["nuggets"] == [["80.5"]]
    gold, papers = row.detail["gold"], row.detail["papers"]
    assert isinstance(gold, list)
    assert isinstance(papers, list)
    assert all(isinstance(p, dict) and "abstract" not in p for p in papers)
    assert gold[0] in [p["paper_id"] for p in papers if isinstance(p, dict) and p["cited"]]


def test_how_to_ask_is_passed_on(quoting: Remembering, sample_cases: tuple[Case, ...]) -> None:
    long, short = (examined(quoting, sample_cases[2], 0, plan) for plan in (Plan(), Plan(words=20, k=2)))
    assert (short.measures["answer_words"] or 0) < (long.measures["answer_words"] or 0)
    assert isinstance(short.detail["papers"], list)
    assert len(short.detail["papers"]) == 2


def serial(quoting: Remembering, cases: Sequence[Case]) -> list[Row]:
    return [untimed(examined(quoting, known, position)) for position, known in enumerate(cases)]


def test_several_processes_find_what_one_finds(
    quoting: Remembering, sample_cases: tuple[Case, ...], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eval.evaluation.WORTH_SPREADING", 5)
    monkeypatch.setattr("eval.evaluation._workers", lambda: 2)
    cases = (*sample_cases[:4], *sample_cases[46:47], *sample_cases[52:54], case(fault="Odd.", name="odd"))
    steps: list[tuple[int, int]] = []
    evaluate(quoting, cases, run, lambda done, total: steps.append((done, total)), spread=True)
    assert [untimed(row) for row in run.rows()] == serial(quoting, cases)
    assert steps == [(n, 8) for n in range(1, 9)]
    assert run.finished


def test_a_process_that_ends_early_is_one_sentence(
    quoting: Remembering, sample_cases: tuple[Case, ...], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eval.evaluation.WORTH_SPREADING", 2)
    monkeypatch.setattr("eval.evaluation._workers", lambda: 2)
    monkeypatch.setattr("eval.evaluation._open_worker", _end_early)
    with pytest.raises(RunError, match="goes on where it stopped"):
        evaluate(quoting, sample_cases[:3], run, lambda *_: None, spread=True)
    assert not run.finished


def _end_early(folder: Path, device: str | None) -> None:
    raise SystemExit(f"{folder} {device}")


_PARENT = """
import sys, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from eval.evaluation import _open_worker
from tests.eval.test_evaluation import _number

with ProcessPoolExecutor(1, get_context("spawn"), _open_worker, (Path(sys.argv[1]), None)) as pool:
    print(pool.submit(_number).result(), flush=True)
    time.sleep(60)
"""


def _number() -> int:
    return os.getpid()


def test_further_processes_end_with_one_that_is_killed(held: Library) -> None:
    command = [sys.executable, "-c", _PARENT, str(held.folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        assert psutil.pid_exists(worker)
        parent.kill()
    end = time.monotonic() + 10
    while psutil.pid_exists(worker) and psutil.Process(worker).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < end
        time.sleep(0.05)
