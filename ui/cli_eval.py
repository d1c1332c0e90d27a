"""`askpapers eval`: what each of its commands takes. What it does is in `ui.commands`, imported when it runs."""

from pathlib import Path
from typing import Annotated

import typer

from ui import arguments
from ui.options import Options
from ui.parameters import AsJson, K, LibraryFolder, Llm, Verbose, Words, command, group, need, usage

eval_app = group("Measure askpapers on your own papers.")

Questions = Annotated[
    Path, typer.Argument(metavar="FILE", help='{"id", "question", "type", "gold", "nuggets", "reference"} a line.')
]
Keys = Annotated[
    Path | None,
    typer.Option("--papers", metavar="FILE", help='What the keys of gold mean: [{"key", "contains": [text]}].'),
]
RunFolder = Annotated[
    Path | None,
    typer.Option("--out", metavar="RUN", help="Keep the run in this folder; one that was stopped goes on there."),
]
Seed = Annotated[int, typer.Option("--seed", metavar="S", help="What chance begins with.")]


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
    papers: Keys = None,
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
    from eval.retrieval.ranking import run_names
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
    """Measure ingest, search, answers, memory and start-up, beside a bare encode and LangChain's plain pipeline."""
    from ui.commands import speed as work

    return work.speed(path, as_json, Options(verbose=verbose))


@command(eval_app, "answers")
def eval_answers(
    questions: Questions,
    papers: Keys = None,
    out: RunFolder = None,
    faithfulness: Annotated[
        int,
        typer.Option(
            "--faithfulness", min=0, metavar="N", help="Ask N answered questions again, their sources gone or changed."
        ),
    ] = 0,
    judge: Annotated[
        str | None,
        typer.Option("--judge", metavar="PROVIDER:MODEL", help="Have this chat model grade the answers as well."),
    ] = None,
    judge_itself: Annotated[
        bool, typer.Option("--judge-itself", help="Let the judge be the model whose answers it grades.")
    ] = False,
    seed: Seed = 0,
    as_json: AsJson = False,
    words: Words = None,
    k: K = None,
    llm: Llm = None,
    library: LibraryFolder = None,
    verbose: Verbose = False,
) -> int:
    """Measure the answers to a file of questions: papers, facts, citations, abstention."""
    from ui.commands import answers as work

    need(judge or not judge_itself, "--judge-itself goes with --judge.")
    wanted = work.Wanted(questions, papers, out, faithfulness, judge, judge_itself, seed)
    return work.answers(wanted, as_json, Options(library, llm, words=words, k=k, verbose=verbose))


@command(eval_app, "judge")
def eval_judge(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="LABELLED.jsonl",
            help='Answers that people labelled, one a line: {"id", "question", "answer", "label": 0 or 1, or 1 to 5,'
            ' "reference"?, "evidence"?}.',
        ),
    ],
    judge: Annotated[str, typer.Option("--judge", metavar="PROVIDER:MODEL", help="Who judges, as ollama:qwen3:4b.")],
    as_json: AsJson = False,
    verbose: Verbose = False,
) -> int:
    """Measure how far a chat model that grades answers agrees with people, and what sways it.

    With a reference it grades whether the answer gives what the reference gives, with evidence it tells whether the
    evidence states the answer, else it grades whether the answer addresses the question.
    """
    from ui.commands import judge as work

    return work.judge(path, judge, as_json, Options(verbose=verbose))


@command(eval_app, "calibrate")
def eval_calibrate(
    questions: Annotated[
        Path | None, typer.Argument(metavar="FILE", help='{"id", "question", "type", "gold", "nuggets"} a line.')
    ] = None,
    papers: Keys = None,
    write: Annotated[bool, typer.Option("--write", help="Keep in the library what did better.")] = False,
    reset: Annotated[bool, typer.Option("--reset", help="Go back to the thresholds that askpapers ships.")] = False,
    seed: Seed = 0,
    as_json: AsJson = False,
    llm: Llm = None,
    library: LibraryFolder = None,
    verbose: Verbose = False,
) -> int:
    """Fit the thresholds of abstention and support on your own questions, cross-validated; before and after.

    Nothing is changed without --write.
    """
    need((questions is None) == reset, "Give a file of questions, or --reset alone.")
    from ui.commands import calibration as work

    options = Options(library, llm, verbose=verbose)
    return (
        work.reset(options) if questions is None else work.calibrate(questions, papers, write, seed, as_json, options)
    )


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
