"""Writes the results of docs/evaluation.md anew, from public test collections and the sample corpus.

    python -m eval.results FOLDER [--libraries DIR]

FOLDER holds the collections as folders: `scifact`, `cisi` and `med` in BEIR's layout, `pubmedqa` with
`train500.jsonl.gz`. DIR keeps their libraries for the next time. Run it in the project's folder.
"""

import argparse
import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from assistant.chain import Assistant
from assistant.library import Library
from eval.cases import PaperKeys, read_dataset, read_keys
from eval.documentation import with_part
from eval.evaluation import examined
from eval.provenance import fingerprint, versions
from eval.retrieval.beir import read_collection
from eval.retrieval.collection import Collection
from eval.retrieval.ranking import run_names
from eval.retrieval.searches import evaluate
from eval.retrieval.side_by_side import SideBySide, side_by_side
from eval.runs import Header, Run
from eval.statistics import Difference, Estimate
from eval.summary import Scored, scored
from ingest.pipeline import ingest
from ingest.readers import read
from ingest.sample import sample_path

_PAGE = Path("docs") / "evaluation.md"
_QUESTIONS = Path("tests") / "questions"
_SHOWN = ("nDCG@10", "R@10", "R@100", "RR@10", "AP@100")
_ANSWERS = (
    "paper_recall", "paper_precision", "nugget_recall", "all_nuggets", "nugget_f3", "citation_recall",
    "citation_precision", "foreign_figures", "abstention_recall", "abstention_precision", "abstention_f1",
    "false_refusal", "risk", "aurc", "answer_words",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Known:
    """What is to be said of a collection: where it comes from, what was fitted on it, and what others report."""

    folder: str
    title: str
    source: str
    split: str
    fitted: str
    published: str


_KNOWN = (
    Known("scifact", "SciFact", "Wadden et al. 2020, in BEIR (Thakur et al. 2021): claims of science", "test",
          "nothing; the weight of fusion was chosen on its train queries",
          "nDCG@10: bge-small 0.713, SPLADE 0.699, ColBERTv2 0.689, BM25 with a cross-encoder 0.688, BM25 0.665"),
    Known("cisi", "CISI", "collected at Ithaca for library science, 1983, as distributed for teaching", "test",
          "nothing", "none on these measures that compares"),
    Known("med", "MED", "MEDLARS abstracts, as distributed for teaching", "test", "nothing",
          "none on these measures that compares"),
    Known("pubmedqa", "PubMedQA", "Jin et al. 2019, 500 labelled questions: does a question find its abstract?", "test",
          "nothing", "none for retrieval"),
)  # fmt: skip


def retrieval_results(known: Known, folder: Path, libraries: Path) -> str:
    """Search a collection's queries and return what came of it, as Markdown."""
    collection = read_collection(folder, known.split)
    assert collection.corpus is not None
    with Library.open(libraries / known.folder, create=True) as library, TemporaryDirectory() as place:
        ingest(library, read([str(collection.corpus)]))
        header = Header("retrieval", collection.digest, fingerprint(library), {}, versions("ir-measures"))
        with Run.begin(Path(place), header) as run:
            evaluate(library, collection, run, lambda *_: None)
            found = side_by_side(run.rows(), run_names(()), "lexical")
        return _retrieval_part(known, collection, len(library.catalogue), found)


def _retrieval_part(known: Known, collection: Collection, papers: int, found: SideBySide) -> str:
    names = list(found.runs)
    rows = [f"| | {' | '.join(names)} | fused − {found.baseline} |", "|---" * (len(names) + 2) + "|"]
    for measure in _SHOWN:
        cells = [_interval(found.runs[name][measure]) for name in names]
        rows.append(f"| {measure} | {' | '.join(cells)} | {_difference(found.differences['fused'][measure])} |")
    about = (
        f"{known.source}. {len(collection.queries):,} queries of its {known.split} split, {papers:,} abstracts. "
        f"Fitted on it: {known.fitted}. Published: {known.published}."
    )
    return "\n".join([f"### {known.title}", "", about, "", *rows])


def answer_results(questions: Path, title: str, about: str) -> str:
    """Ask a file of the project's own questions of the sample corpus, and return what came of it, as Markdown."""
    with sample_path() as corpus, TemporaryDirectory() as place, Library.open(Path(place), create=True) as library:
        ingest(library, read([str(corpus)]))
        keys = read_keys((_QUESTIONS / "sample_papers.json").read_text(encoding="utf-8"))
        dataset = read_dataset(questions.read_text(encoding="utf-8").splitlines(), PaperKeys(library, keys))
        assistant = Assistant(library)
        rows = [examined(assistant, case, place) for place, case in enumerate(dataset.cases)]
    found = scored(rows)
    lines = [f"| `{name}` | {_score(found[name])} | {found[name].scored} |" for name in _ANSWERS if name in found]
    heading = [f"### {title}", "", about.format(len(rows)), "", "| measure | mean | answers |", "|---|---|---|"]
    return "\n".join([*heading, *lines])


@contextmanager
def as_beir(records: Sequence[dict[str, str]]) -> Iterator[Path]:
    """Lay questions, each with the abstract that it was made for, out as a BEIR folder."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "qrels").mkdir()
        write = _lines(folder)
        write("corpus.jsonl", [json.dumps({"_id": r["pmid"], "text": r["abstract"]}) for r in records])
        write("queries.jsonl", [json.dumps({"_id": r["pmid"], "text": r["question"]}) for r in records])
        write("qrels/test.tsv", ["query-id\tcorpus-id\tscore", *(f"{r['pmid']}\t{r['pmid']}\t1" for r in records)])
        yield folder


def _lines(folder: Path) -> Callable[[str, Sequence[str]], int]:
    return lambda name, lines: (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _interval(e: Estimate) -> str:
    return f"{e.mean:.3f} [{e.low:.3f}, {e.high:.3f}]"


def _difference(d: Difference) -> str:
    return f"{d.mean:+.3f} [{d.low:+.3f}, {d.high:+.3f}]{' *' if d.p < 0.05 else ''}"


def _score(found: Scored) -> str:
    if found.estimate is None:
        return "unscored"
    e = found.estimate
    return f"{e.mean:.1f} [{e.low:.1f}, {e.high:.1f}]" if e.high > 1 else _interval(e)


def results(bench: Path, libraries: Path) -> str:
    """Return all results, as Markdown."""
    parts = [
        "Written by `python -m eval.results FOLDER`. 95% bootstrap intervals; * a difference with p < 0.05 by a paired "
        "randomisation test, corrected for the comparisons of a measure (Holm)."
    ]
    for known in _KNOWN:
        if known.folder == "pubmedqa":
            with gzip.open(bench / known.folder / "train500.jsonl.gz", "rt", encoding="utf-8") as lines:
                records = [json.loads(line) for line in lines]
            with as_beir(records) as folder:
                parts.append(retrieval_results(known, folder, libraries))
        else:
            parts.append(retrieval_results(known, bench / known.folder, libraries))
    about = "35 papers, {} questions by the project, answered by quotation. Fitted on it: "
    parts += [
        answer_results(_QUESTIONS / "sample.jsonl", "Sample corpus, answers",
                       about + "nothing as such, but they were looked at while rules were written."),
        answer_results(_QUESTIONS / "sample_hard.jsonl", "Sample corpus, hard questions",
                       about + "the abstention weights, among other questions."),
    ]  # fmt: skip
    return "\n\n".join(parts)


def main() -> None:
    """Write the page anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--libraries", type=Path)
    given = parser.parse_args()
    with TemporaryDirectory(ignore_cleanup_errors=True) as thrown_away:
        text = results(given.folder, given.libraries or Path(thrown_away))
    _PAGE.write_text(with_part(_PAGE.read_text(encoding="utf-8"), "results", text), encoding="utf-8")


if __name__ == "__main__":
    main()
