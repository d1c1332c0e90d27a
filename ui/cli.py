"""The command line: what each command takes. What it does is in `ui.commands`, imported when it runs."""

from collections.abc import Callable
from functools import wraps
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Annotated, Any, ParamSpec, TypeVar

import typer
from typer.core import TyperGroup

from assistant.bibliography import Form
from ui import arguments, noise
from ui.options import Options
from ui.outcome import exit_code

P = ParamSpec("P")
T = TypeVar("T")


class DefaultCommand(TyperGroup):
    """A group that runs the first of its commands when none is named: `papers --year 2026` lists."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the first command's name in front of options that belong to it."""
        if not args or (args[0].startswith("-") and args[0] not in ctx.help_option_names):
            args = [next(iter(self.commands)), *args]
        return super().parse_args(ctx, args)


def _group(about: str, kind: type[TyperGroup] = TyperGroup) -> typer.Typer:
    return typer.Typer(
        help=about,
        cls=kind,
        no_args_is_help=kind is TyperGroup,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


app = _group("Ask a body of research-paper abstracts; every sentence of the answer cites its paper.")
papers_app = _group("List, show, export and remove papers.", DefaultCommand)
library_app = _group("Check and repair the library folder.", DefaultCommand)
models_app = _group("Chat models of the Ollama in use.", DefaultCommand)
eval_app = _group("Measure askpapers on your own papers.")


def _command(group: typer.Typer, name: str) -> Callable[[Callable[P, int]], Callable[P, None]]:
    """Add a command whose return value is its exit code and whose errors become one sentence."""

    def add(function: Callable[P, int]) -> Callable[P, None]:
        @wraps(function)
        def run(*args: P.args, **kwargs: P.kwargs) -> None:
            verbose = bool(kwargs.get("verbose"))
            raise typer.Exit(exit_code(lambda: function(*args, **kwargs), verbose, (typer.BadParameter,)))

        group.command(name)(run)
        return run

    return add


def _usage(parse: Callable[[str], T]) -> Callable[[str], T]:
    def parsed(text: str) -> T:
        try:
            return parse(text)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error

    return parsed


def _format(text: str) -> str:
    from ingest.formats import READERS

    if text not in READERS:
        raise ValueError(f"{text!r} is not one of {', '.join(READERS)}.")
    return text


def _need(fits: object, message: str) -> None:
    if not fits:
        raise typer.BadParameter(message)


LibraryFolder = Annotated[
    Path | None,
    typer.Option("--library", metavar="DIR", help="The library folder [default: $ASKPAPERS_LIBRARY or your own]."),
]
Llm = Annotated[
    str | None,
    typer.Option(
        "--llm",
        metavar="WHO",
        help="Who writes: auto (Ollama when it answers), none (quotations), ollama:MODEL.",
    ),
]
Year = Annotated[
    arguments.Years | None,
    typer.Option("--year", metavar="YEARS", parser=_usage(arguments.years), help="2024-2026, 2024, 2024- or -2026."),
]
Venue = Annotated[list[str] | None, typer.Option("--venue", metavar="NAME", help="Only this venue; repeatable.")]
Author = Annotated[list[str] | None, typer.Option("--author", metavar="NAME", help="Only this author; repeatable.")]
Words = Annotated[int | None, typer.Option("--words", min=1, metavar="N", help="About how long an answer may be.")]
K = Annotated[int | None, typer.Option("-k", min=1, metavar="N", help="How many papers to retrieve.")]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Say more; faults in full.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write there, not to standard output.")]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"askpapers {installed_version('askpapers')}")
        raise typer.Exit


@app.callback()
def _top(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Print the version.")
    ] = False,
) -> None:
    pass


@_command(app, "ingest")
def ingest(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH", help="Files or folders; - is standard input.")
    ] = None,
    sample: Annotated[bool, typer.Option("--sample", help="Read the built-in corpus.")] = False,
    fields: Annotated[
        list[arguments.FieldValue] | None,
        typer.Option(
            "--set",
            metavar="FIELD=VALUE",
            parser=_usage(arguments.field_value),
            help="Fill what records lack, as venue=ICML; repeatable.",
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="F",
            parser=_usage(_format),
            help="Read every file as text, json or jsonl [default: by its content].",
        ),
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            "--encoder",
            metavar="NAME|FOLDER",
            help="The sentence-transformers model of a new library [default: the bundled one].",
        ),
    ] = None,
    sync: Annotated[
        bool, typer.Option("--sync", help="Also remove the papers that are gone from these files and folders.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Write nothing; only say what would change.")] = False,
    as_json: AsJson = False,
    library: LibraryFolder = None,
    verbose: Verbose = False,
) -> int:
    """Read papers from files into the library."""
    _need(bool(paths) or sample, "Name files or folders to read, or give --sample.")
    from ui.commands import ingest as command

    defaults = {given.field: given.value for given in fields or ()}
    sources = command.Sources(tuple(paths or ()), sample, defaults, form)
    return command.ingest_paths(sources, Options(library, verbose=verbose), encoder, sync, dry_run, as_json)


@_command(app, "ask")
def ask(
    question: Annotated[
        str | None, typer.Argument(metavar="QUESTION", help="Without one: a conversation in the terminal.")
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option("--questions", metavar="FILE", help='Many at once: {"id", "question", "history"} a line.'),
    ] = None,
    out: Out = None,
    as_json: AsJson = False,
    year: Year = None,
    venue: Venue = None,
    author: Author = None,
    words: Words = None,
    k: K = None,
    llm: Llm = None,
    library: LibraryFolder = None,
    verbose: Verbose = False,
) -> int:
    """Answer a question, with its sources."""
    _need(question is None or questions is None, "Give a question or --questions, not both.")
    _need(out is None or questions is not None, "--out goes with --questions.")
    _need(out is None or out != questions, "--out must not be the file of questions.")
    from ui.commands import ask as command

    options = Options(library, llm, arguments.filters(year, venue, author), words, k, verbose)
    if questions is not None:
        return command.ask_many(questions, out, options)
    if question is not None:
        return command.ask_one(question, options, as_json)
    return command.converse(options, as_json)


@_command(app, "search")
def search(
    query: Annotated[str | None, typer.Argument(metavar="QUERY", help="What to look for.")] = None,
    queries: Annotated[
        Path | None, typer.Option("--queries", metavar="FILE", help='Many at once: {"id", "text"} a line.')
    ] = None,
    out: Out = None,
    as_json: AsJson = False,
    k: K = 10,
    year: Year = None,
    venue: Venue = None,
    author: Author = None,
    library: LibraryFolder = None,
    verbose: Verbose = False,
) -> int:
    """Rank the papers that fit a query."""
    _need((query is None) != (queries is None), "Give a query or --queries, one of them.")
    _need(out is None or queries is not None, "--out goes with --queries.")
    _need(out is None or out != queries, "--out must not be the file of queries.")
    from ui.commands import search as command

    options = Options(library, None, arguments.filters(year, venue, author), None, k, verbose)
    if queries is not None:
        return command.search_many(queries, out, options)
    return command.search_one(query or "", options, as_json)


@_command(papers_app, "list")
def papers_list(
    which: Annotated[
        str | None, typer.Argument(metavar="WORDS", help="Which papers, as 'about tides, not from ICML'.")
    ] = None,
    year: Year = None,
    venue: Venue = None,
    author: Author = None,
    library: LibraryFolder = None,
    verbose: Verbose = False,
) -> int:
    """List papers, newest first."""
    from ui.commands import papers as command

    return command.list_papers(Options(library, None, arguments.filters(year, venue, author), verbose=verbose), which)


PaperId = Annotated[str, typer.Argument(metavar="ID", help="A paper's id, or an id that its source gave.")]


@_command(papers_app, "show")
def papers_show(paper_id: PaperId, library: LibraryFolder = None, verbose: Verbose = False) -> int:
    """Show all that the library knows of one paper."""
    from ui.commands import papers as command

    return command.show(paper_id, Options(library, verbose=verbose))


@_command(papers_app, "export")
def papers_export(
    form: Annotated[Form, typer.Option("--format", help="The kind of file.")] = "bibtex",
    out: Out = None,
    year: Year = None,
    venue: Venue = None,
    author: Author = None,
    library: LibraryFolder = None,
    verbose: Verbose = False,
) -> int:
    """Export papers as a reference list."""
    from ui.commands import papers as command

    filters = arguments.filters(year, venue, author)
    return command.export_papers(form, out, Options(library, None, filters, verbose=verbose))


@_command(papers_app, "remove")
def papers_remove(paper_id: PaperId, library: LibraryFolder = None, verbose: Verbose = False) -> int:
    """Remove one paper from the library."""
    from ui.commands import papers as command

    return command.remove(paper_id, Options(library, verbose=verbose))


@_command(library_app, "info")
def library_info(as_json: AsJson = False, library: LibraryFolder = None, verbose: Verbose = False) -> int:
    """Say what the library holds and how it was made."""
    from ui.commands import library as command

    return command.info(Options(library, verbose=verbose), as_json)


@_command(library_app, "verify")
def library_verify(as_json: AsJson = False, library: LibraryFolder = None, verbose: Verbose = False) -> int:
    """Check that the catalogue and both indexes agree."""
    from ui.commands import library as command

    return command.verify(Options(library, verbose=verbose), as_json)


@_command(library_app, "rebuild")
def library_rebuild(
    encoder: Annotated[
        str | None, typer.Option("--encoder", metavar="NAME|FOLDER", help="Encode all papers anew with this model.")
    ] = None,
    as_json: AsJson = False,
    library: LibraryFolder = None,
    verbose: Verbose = False,
) -> int:
    """Make both indexes anew from the catalogue."""
    from ui.commands import library as command

    return command.rebuild(Options(library, verbose=verbose), encoder, as_json)


@_command(models_app, "list")
def models_list(verbose: Verbose = False) -> int:
    """List the chat models."""
    from ui.commands import models as command

    return command.list_models(Options(verbose=verbose))


@_command(models_app, "pull")
def models_pull(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A model of Ollama's library, as qwen3:4b.")],
    verbose: Verbose = False,
) -> int:
    """Pull a chat model; what was stopped is resumed."""
    from ui.commands import models as command

    return command.pull(name, Options(verbose=verbose))


@_command(app, "doctor")
def doctor(llm: Llm = None, library: LibraryFolder = None, verbose: Verbose = False) -> int:
    """Find problems, each with its remedy."""
    from ui.commands import doctor as command

    return command.doctor(Options(library, llm, verbose=verbose))


@_command(app, "chat")
def chat(
    host: Annotated[str, typer.Option("--host", metavar="H", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="P", min=1, max=65535, help="The port.")] = 7860,
    auth: Annotated[
        arguments.Credentials | None,
        typer.Option(
            "--auth",
            metavar="USER:PASSWORD",
            parser=_usage(arguments.credentials),
            help="Ask visitors for these.",
        ),
    ] = None,
    no_auth: Annotated[
        bool, typer.Option("--no-auth", help="Let anybody who reaches the address in; needed without --auth.")
    ] = False,
    llm: Llm = None,
    library: LibraryFolder = None,
    verbose: Verbose = False,
) -> int:
    """Serve the chat as a web page."""
    _need(not (auth and no_auth), "Give --auth or --no-auth, not both.")
    from ui.commands import chat as command

    return command.chat(host, port, auth, no_auth, Options(library, llm, verbose=verbose))


@_command(eval_app, "retrieval")
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
    from ui.commands import retrieval as command

    return command.retrieval(folder, split, as_json, Options(library, verbose=verbose))


@_command(eval_app, "speed")
def eval_speed(
    path: Annotated[
        Path | None, typer.Argument(metavar="PATH", help="The corpus [default: the built-in sample].")
    ] = None,
    as_json: AsJson = False,
    verbose: Verbose = False,
) -> int:
    """Measure ingest, search and answers, beside a bare encode of the same texts."""
    from ui.commands import speed as command

    return command.speed(path, as_json, Options(verbose=verbose))


app.add_typer(papers_app, name="papers")
app.add_typer(library_app, name="library")
app.add_typer(models_app, name="models")
app.add_typer(eval_app, name="eval")


def main() -> None:
    """The console entry point."""
    noise.speak_utf8()
    noise.silence()
    app(prog_name="askpapers")


if __name__ == "__main__":
    main()
