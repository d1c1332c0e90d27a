"""What commands of the command line share: how they are added to a group, and the options that several take."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, ParamSpec, TypeVar

import typer
from typer.core import TyperGroup

from ui import arguments
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


def group(about: str, kind: type[TyperGroup] = TyperGroup) -> typer.Typer:
    """Return an empty group of commands."""
    return typer.Typer(
        help=about,
        cls=kind,
        no_args_is_help=kind is TyperGroup,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def command(to: typer.Typer, name: str) -> Callable[[Callable[P, int]], Callable[P, None]]:
    """Add a command whose return value is its exit code and whose errors become one sentence."""

    def add(function: Callable[P, int]) -> Callable[P, None]:
        @wraps(function)
        def run(*args: P.args, **kwargs: P.kwargs) -> None:
            verbose = bool(kwargs.get("verbose"))
            raise typer.Exit(exit_code(lambda: function(*args, **kwargs), verbose, (typer.BadParameter,)))

        to.command(name)(run)
        return run

    return add


def usage(parse: Callable[[str], T]) -> Callable[[str], T]:
    """Return a parser of an option's text whose faults are wrong usage."""

    def parsed(text: str) -> T:
        try:
            return parse(text)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error

    return parsed


def need(fits: object, message: str) -> None:
    """Refuse a combination of options as wrong usage."""
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
    typer.Option("--year", metavar="YEARS", parser=usage(arguments.years), help="2024-2026, 2024, 2024- or -2026."),
]
Venue = Annotated[list[str] | None, typer.Option("--venue", metavar="NAME", help="Only this venue; repeatable.")]
Author = Annotated[list[str] | None, typer.Option("--author", metavar="NAME", help="Only this author; repeatable.")]
Words = Annotated[int | None, typer.Option("--words", min=1, metavar="N", help="About how long an answer may be.")]
K = Annotated[int | None, typer.Option("-k", min=1, metavar="N", help="How many papers to retrieve.")]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Say more; faults in full.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write there, not to standard output.")]
