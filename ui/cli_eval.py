"""`askpapers eval`: what each of its commands takes. What it does is in `ui.commands`, imported when it runs."""

from pathlib import Path
from typing import Annotated

import typer

from ui.options import Options
from ui.parameters import AsJson, LibraryFolder, Llm, Verbose, command, group

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


@command(eval_app, "generate")
def eval_generate(
    count: Annotated[int, typer.Option("-n", min=1, metavar="N", help="How many questions to write.")],
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Write the questions there; - is standard output.")
    ],
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Another seed gives other questions.")] = 0,
    llm: Llm = None,
    as_json: AsJson = False,
    library: LibraryFolder = None,
    verbose: Verbose = False,
) -> int:
    """Write a test set from your own library: questions with gold papers and facts, each checked by round trip.

    The same library and seed give the same questions; a chat model, if there is one, words some of them.
    """
    from ui.commands import generation as work

    return work.generation(count, out, seed, as_json, Options(library, llm=llm, verbose=verbose))
