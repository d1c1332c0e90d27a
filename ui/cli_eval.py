"""`askpapers eval`: what each of its commands takes. What it does is in `ui.commands`, imported when it runs."""

from pathlib import Path
from typing import Annotated

import typer

from ui import arguments
from ui.options import Options
from ui.parameters import AsJson, K, LibraryFolder, Llm, Verbose, Words, command, group, need, usage

PaperKeysFile = Annotated[
    Path | None,
    typer.Option("--papers", metavar="FILE", help='What the keys of gold mean: [{"key", "contains": [text]}].'),
]
RunFolder = Annotated[
    Path | None,
    typer.Option("--out", metavar="RUN", help="Keep the run in this folder; one that was stopped goes on there."),
]

eval_app = group("Measure askpapers on your own papers.")


@command(eval_app, "retrieval")
def eval_retrieval(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="BEIR_FOLDER|FILE",
            help='Corpus, queries and qrels in BEIR\'s layout; or questions, {"id", "question", "gold"} a line.',
        ),
    ],
    split: Annotated[
        str | None, typer.Option("--split", metavar="S", help="The queries to use: a file in qrels [default: test].")
    ] = None,
    papers: PaperKeysFile = None,
    weights: Annotated[
        list[float] | None,
        typer.Option(
            "--weight",
            metavar="W",
            parser=usage(arguments.share),
            help="Also measure fused search with this share for meaning, 0 to 1; repeatable.",
        ),
    ] = None,
    baseline: Annotated[
        str, typer.Option("--baseline", metavar="NAME", help="What the others are compared with.")
    ] = "lexical",
    encoder: Annotated[
        str | None,
        typer.Option(
            "--encoder",
            metavar="NAME|FOLDER",
            help="The sentence-transformers model of a new library [default: the bundled one].",
        ),
    ] = None,
    out: RunFolder = None,
    as_json: AsJson = False,
    library: LibraryFolder = None,
    verbose: Verbose = False,
) -> int:
    """Measure dense, lexical and fused search on judged queries, side by side.

    The corpus of a BEIR folder goes into the library named, which keeps it for the next time, else into one that is
    thrown away. Questions are searched in your library; their gold papers are the relevant ones.
    """
    from eval.ranking import run_names
    from ui.commands import retrieval as work

    names = run_names(weights or ())
    need(baseline in names, f"--baseline is one of {', '.join(names)}.")
    asked_folder = source.is_dir()
    need(papers is None or not asked_folder, "--papers goes with a file of questions.")
    need(
        asked_folder or (split is None and encoder is None), "--split and --encoder go with a folder in BEIR's layout."
    )
    asked = work.Asked(source, split or "test", papers, tuple(weights or ()), baseline, encoder, out)
    return work.retrieval(asked, as_json, Options(library, verbose=verbose))


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
    papers: PaperKeysFile = None,
    out: RunFolder = None,
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
