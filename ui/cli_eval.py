"""`askpapers eval`: what each of its commands takes. What it does is in `ui.commands`, imported when it runs."""

from pathlib import Path
from typing import Annotated

import typer

from ui.options import Options
from ui.parameters import AsJson, K, LibraryFolder, Llm, Verbose, Words, command, group

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
    faithfulness: Annotated[
        int,
        typer.Option(
            "--faithfulness", min=0, metavar="N", help="Ask N answered questions again, their sources gone or changed."
        ),
    ] = 0,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="What chance begins with.")] = 0,
    as_json: AsJson = False,
    words: Words = None,
    k: K = None,
    llm: Llm = None,
    library: LibraryFolder = None,
    verbose: Verbose = False,
) -> int:
    """Measure the answers to a file of questions: papers, facts, citations, abstention."""
    from ui.commands import answers as work

    options = Options(library, llm, words=words, k=k, verbose=verbose)
    return work.answers(questions, papers, out, faithfulness, seed, as_json, options)
