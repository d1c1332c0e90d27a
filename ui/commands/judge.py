"""`askpapers eval judge`: how far a chat model that grades agrees with people, and what sways it."""

from dataclasses import asdict
from pathlib import Path
from typing import cast

from assistant.schema import Json
from eval.judging.agreement import (
    Agreement,
    Figure,
    LengthBias,
    PositionBias,
    agreement,
    length_bias,
    position_bias,
    reasons,
)
from eval.judging.judge import VerdictName, choose_judge
from eval.judging.labelled import judge_pairs, judge_rows, read_labelled
from ui.options import Options
from ui.rows import reading, write_row
from ui.session import chat_model_settings, settings, warning
from ui.terminal import progress, say, show_grid, show_pairs

_WEIGHTED = {"none": "Cohen's kappa", "linear": "kappa, linear weights", "quadratic": "kappa, quadratic weights"}


def judge(path: Path, spec: str, as_json: bool, options: Options) -> int:
    """Have labelled answers judged, and report agreement, the biases of position and length, and what is unscored."""
    chosen = settings(options)
    with reading(path) as lines:
        rows, scale = read_labelled(lines)
    grader = choose_judge(spec, "", False, chat_model_settings(chosen))
    if warned := warning(grader.model):
        say(warned)
    with progress("Judging") as bar:
        judged = judge_rows(grader, rows, bar)
    with progress("Comparing") as bar:
        position = position_bias(judge_pairs(grader, rows, bar))
    found, length = agreement(judged, scale), length_bias(judged)
    unscored = reasons([verdict for each in judged for verdict in (each.verdict, each.padded)])
    if as_json:
        write_row(
            {
                "judge": grader.model.spec,
                "agreement": {name: cast(Json, asdict(each)) for name, each in found.items()},
                "position": cast(Json, asdict(position)),
                "length": cast(Json, asdict(length)),
                "unscored": cast(Json, unscored),
            }
        )
    else:
        for name, each in found.items():
            _show_agreement(name, each)
        show_pairs(_biases(position, length, unscored))
    return 0


def _show_agreement(name: VerdictName, found: Agreement) -> None:
    shown = [(name, f"{found.scored} answers judged, {found.unscored} unscored"), ("accuracy", _shown(found.accuracy))]
    show_pairs([*shown, *((_WEIGHTED[weighting], _shown(figure)) for weighting, figure in found.kappa.items())])
    header = ["label", *(f"judged {value}" for value in found.scale)]
    rows = [[str(label), *map(str, row)] for label, row in zip(found.scale, found.counts, strict=True)]
    show_grid([header, *rows, [""] * len(header)])


def _biases(position: PositionBias, length: LengthBias, unscored: dict[str, int]) -> list[tuple[str, str]]:
    return [
        ("position bias", f"{position.pairs} pairs in both orders, {position.unscored} unscored"),
        ("same answer in both orders", _shown(position.consistent)),
        ("the first one preferred", f"{_shown(position.first)}; 0.5 without bias"),
        ("length bias", f"{length.pairs} answers with a sentence repeated, {length.unscored} unscored"),
        ("value rises", _shown(length.rising)),
        ("mean rise, of 1", _shown(length.rise)),
        ("value against words", f"{_shown(length.words)} (Spearman)"),
        ("labels against words", f"{_shown(length.words_of_labels)} (Spearman)"),
        *(("unscored", f"{count} times: {reason}") for reason, count in unscored.items()),
    ]


def _shown(figure: Figure) -> str:
    if figure.value is None:
        return f"not defined: {figure.reason}"
    return f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]"
