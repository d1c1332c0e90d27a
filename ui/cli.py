"""The command line: what each command takes. What it does is in `ui.commands`, imported when it runs."""

from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Annotated

import typer

from assistant.bibliography import Form
from ui import arguments, noise
from ui.cli_eval import eval_app
from ui.options import Options
from ui.parameters import (
    AsJson,
    Author,
    DefaultCommand,
    K,
    LibraryFolder,
    Llm,
    Out,
    Venue,
    Verbose,
    Words,
    Year,
    command,
    group,
    need,
    usage,
)

app = group("Ask a body of research-paper abstracts; every sentence of the answer cites its paper.")
papers_app = group("List, show, export and remove papers.", DefaultCommand)
library_app = group("Check and repair the library folder.", DefaultCommand)
models_app = group("Chat models of the Ollama in use.", DefaultCommand)


def _format(text: str) -> str:
    from ingest.formats import READERS

    if text not in READERS:
        raise ValueError(f"{text!r} is not one of {', '.join(READERS)}.")
    return text


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


@command(app, "ingest")
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
            parser=usage(arguments.field_value),
            help="Fill what records lack, as venue=ICML; repeatable.",
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="F",
            parser=usage(_format),
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
    need(bool(paths) or sample, "Name files or folders to read, or give --sample.")
    from ui.commands import ingest as work

    defaults = {given.field: given.value for given in fields or ()}
    sources = work.Sources(tuple(paths or ()), sample, defaults, form)
    return work.ingest_paths(sources, Options(library, verbose=verbose), encoder, sync, dry_run, as_json)


@command(app, "ask")
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
    need(question is None or questions is None, "Give a question or --questions, not both.")
    need(out is None or questions is not None, "--out goes with --questions.")
    need(out is None or out != questions, "--out must not be the file of questions.")
    from ui.commands import ask as work

    options = Options(library, llm, arguments.filters(year, venue, author), words, k, verbose)
    if questions is not None:
        return work.ask_many(questions, out, options)
    if question is not None:
        return work.ask_one(question, options, as_json)
    return work.converse(options, as_json)


@command(app, "search")
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
    need((query is None) != (queries is None), "Give a query or --queries, one of them.")
    need(out is None or queries is not None, "--out goes with --queries.")
    need(out is None or out != queries, "--out must not be the file of queries.")
    from ui.commands import search as work

    options = Options(library, None, arguments.filters(year, venue, author), None, k, verbose)
    if queries is not None:
        return work.search_many(queries, out, options)
    return work.search_one(query or "", options, as_json)


@command(papers_app, "list")
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
    from ui.commands import papers as work

    return work.list_papers(Options(library, None, arguments.filters(year, venue, author), verbose=verbose), which)


PaperId = Annotated[str, typer.Argument(metavar="ID", help="A paper's id, or an id that its source gave.")]


@command(papers_app, "show")
def papers_show(paper_id: PaperId, library: LibraryFolder = None, verbose: Verbose = False) -> int:
    """Show all that the library knows of one paper."""
    from ui.commands import papers as work

    return work.show(paper_id, Options(library, verbose=verbose))


@command(papers_app, "export")
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
    from ui.commands import papers as work

    filters = arguments.filters(year, venue, author)
    return work.export_papers(form, out, Options(library, None, filters, verbose=verbose))


@command(papers_app, "remove")
def papers_remove(paper_id: PaperId, library: LibraryFolder = None, verbose: Verbose = False) -> int:
    """Remove one paper from the library."""
    from ui.commands import papers as work

    return work.remove(paper_id, Options(library, verbose=verbose))


@command(library_app, "info")
def library_info(as_json: AsJson = False, library: LibraryFolder = None, verbose: Verbose = False) -> int:
    """Say what the library holds and how it was made."""
    from ui.commands import library as work

    return work.info(Options(library, verbose=verbose), as_json)


@command(library_app, "verify")
def library_verify(as_json: AsJson = False, library: LibraryFolder = None, verbose: Verbose = False) -> int:
    """Check that the catalogue and both indexes agree."""
    from ui.commands import library as work

    return work.verify(Options(library, verbose=verbose), as_json)


@command(library_app, "rebuild")
def library_rebuild(
    encoder: Annotated[
        str | None, typer.Option("--encoder", metavar="NAME|FOLDER", help="Encode all papers anew with this model.")
    ] = None,
    as_json: AsJson = False,
    library: LibraryFolder = None,
    verbose: Verbose = False,
) -> int:
    """Make both indexes anew from the catalogue."""
    from ui.commands import library as work

    return work.rebuild(Options(library, verbose=verbose), encoder, as_json)


@command(models_app, "list")
def models_list(verbose: Verbose = False) -> int:
    """List the chat models."""
    from ui.commands import models as work

    return work.list_models(Options(verbose=verbose))


@command(models_app, "pull")
def models_pull(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A model of Ollama's library, as qwen3:4b.")],
    verbose: Verbose = False,
) -> int:
    """Pull a chat model; what was stopped is resumed."""
    from ui.commands import models as work

    return work.pull(name, Options(verbose=verbose))


@command(app, "doctor")
def doctor(llm: Llm = None, library: LibraryFolder = None, verbose: Verbose = False) -> int:
    """Find problems, each with its remedy."""
    from ui.commands import doctor as work

    return work.doctor(Options(library, llm, verbose=verbose))


@command(app, "chat")
def chat(
    host: Annotated[str, typer.Option("--host", metavar="H", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="P", min=1, max=65535, help="The port.")] = 7860,
    auth: Annotated[
        arguments.Credentials | None,
        typer.Option(
            "--auth",
            metavar="USER:PASSWORD",
            parser=usage(arguments.credentials),
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
    need(not (auth and no_auth), "Give --auth or --no-auth, not both.")
    from ui.commands import chat as work

    return work.chat(host, port, auth, no_auth, Options(library, llm, verbose=verbose))


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
