"""`askpapers eval`: what each of its commands takes. What it does is in `ui.commands`, imported when it runs."""

from pathlib import Path
from typing import Annotated

import typer

from ui import arguments
from ui.options import Options
from ui.parameters import AsJson, K, LibraryFolder, Llm, Verbose, Words, command, group, need, usage

eval_app = group("Measure askpapers on your own papers.")


@command(eval_app, "retrieval")
def eval_retrieval(
    folder: Annotated[Path, typer.Argument(metavar="BEIR_FOLDER", help="Corpus, queries and qrels in BEIR's layout.")],
    split: Annotated[str, typer.Option("--split", metavar="S", help="The queries to use: a file in qrels.")] = "test",
    as_json: AsJson = False,
    library: LibraryFolder = None,
    verbose: Verbose = False,
) -> int:
    """Measure dense, lexical and fused search on a test collection.

    Its corpus goes into the library named, which keeps it for the next time, else into one that is thrown away.
    """
    from ui.commands import retrieval as work

    return work.retrieval(folder, split, as_json, Options(library, verbose=verbose))


@command(eval_app, "speed")
def eval_speed(
    path: Annotated[
        Path | None, typer.Argument(metavar="PATH", help="The corpus [default: the built-in sample].")
    ] = None,
    as_json: AsJson = False,
    verbose: Verbose = False,
) -> int:
    """Measure ingest, search and answers, beside a bare encode of the same texts."""
    from ui.commands import speed as work

    return work.speed(path, as_json, Options(verbose=verbose))


@command(eval_app, "answers")
def eval_answers(
    questions: Annotated[
        Path,
        typer.Argument(metavar="FILE", help='{"id", "question", "type", "gold", "nuggets", "reference"} a line.'),
    ],
    papers: Annotated[
        Path | None,
        typer.Option("--papers", metavar="FILE", help='What the keys of gold mean: [{"key", "contains": [text]}].'),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="RUN", help="Keep the run in this folder; one that was stopped goes on there."),
    ] = None,
    as_json: AsJson = False,
    words: Words = None,
    k: K = None,
    llm: Llm = None,
    library: LibraryFolder = None,
    verbose: Verbose = False,
) -> int:
    """Measure the answers to a file of questions: papers, facts, citations, abstention."""
    from ui.commands import answers as work

    return work.answers(questions, papers, out, as_json, Options(library, llm, words=words, k=k, verbose=verbose))


@command(eval_app, "compare")
def eval_compare(
    before: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder, or its name in the library.")],
    after: Annotated[Path, typer.Argument(metavar="RUN", help="The run to hold against it.")],
    gate: Annotated[
        list[arguments.Limit] | None,
        typer.Option(
            "--gate",
            metavar="MEASURE=DROP",
            parser=usage(arguments.limit),
            help="Exit with 1 when this measure got worse by more than DROP; repeatable.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Also write a report there: .html or .md.")
    ] = None,
    as_json: AsJson = False,
    library: LibraryFolder = None,
    verbose: Verbose = False,
) -> int:
    """Compare two runs question by question; with gates, exit with 1 when a measure fell.

    A gate also fails when what it names was measured before and could not be after.

    With --json: "before" and "after" (run, created, finished), "differing" (sentences), "series" by name, each with
    "questions", "measures" (before, after, difference, low, high, p, pairs, better), "by_kind", "changed",
    "only_before", "only_after" and "unscored"; and "gates".
    """
    from ui.commands import compare as work

    need(out is None or out.suffix.lower() in (".html", ".md"), "--out must end in .html or .md.")
    return work.compare(before, after, gate or [], out, as_json, Options(library, verbose=verbose))
