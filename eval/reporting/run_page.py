"""The report of one run: what was measured, how far it is to be trusted, and the questions that went wrong."""

from collections.abc import Mapping, Sequence

from assistant.schema import Json
from eval.cases import plain
from eval.measures import holds
from eval.reporting.pages import (
    Asked,
    Block,
    Cases,
    Line,
    Page,
    Plots,
    Section,
    Table,
    Text,
    Tile,
    Words,
    counted,
    figure,
    interval,
    listed,
    span,
    spoken,
)
from eval.reporting.plots import Plot, by_kind, composition, latencies, risk_against_coverage
from eval.reporting.shortfall import failed, named, ordered, total
from eval.runs import Header, Row, Run
from eval.statistics import Estimate
from eval.summary import LATENCIES, Scored, Summary

WORST = 20  # questions shown in full
TOLD = (
    "all_nuggets", "faithfulness", "paper_recall", "citation_recall", "reference_f1", "abstention_f1", "risk",
    "nDCG@10", "R@100", "RR@10",
)  # fmt: skip
KINDS = (
    "all_nuggets", "paper_recall", "citation_recall", "abstention_recall", "false_refusal", "risk", "reference_f1",
)  # fmt: skip


def run_page(run: Run, summaries: Mapping[str, Summary]) -> Page:
    """Return the report of a run from the summaries of its series."""
    rows, header = run.rows(), run.header()
    asked = {row.question_id for row in rows}
    sections = [] if len(summaries) < 2 else [Section("Side by side", (_side_by_side(summaries),))]
    for name, summary in summaries.items():
        sections += _chapter(name, summary, [row for row in rows if row.series == name], len(summaries) > 1)
    sections.append(Section("Provenance", (provenance(header),)))
    about = f"{counted(len(asked), 'question')} · eval {header.command} · {day(header)}"
    return Page(run.name, about, _tiles(summaries), tuple(sections), () if run.finished else (unfinished(run.name),))


def unfinished(name: str) -> str:
    """Say that a run has not come to its end."""
    return f"The run {name} is unfinished: not all of its questions have been asked."


def day(header: Header) -> str:
    """Return when a run was begun, as it is read."""
    return header.created.replace("T", " ").removesuffix("+00:00") + " UTC"


def provenance(header: Header) -> Table:
    """Return what a run was made of, name by name."""
    pairs = [
        ("begun", day(header)),
        ("questions", header.questions),
        ("library", header.library),
        ("model", header.model or "none"),
        ("seed", str(header.seed)),
        *((name, "not set" if value is None else str(value)) for name, value in header.settings.items()),
        *header.versions.items(),
    ]
    return listed([(spoken(name), value) for name, value in pairs])


def _tiles(summaries: Mapping[str, Summary]) -> tuple[Tile, ...]:
    name, summary = list(summaries.items())[-1] if summaries else ("", None)
    if summary is None:
        return ()
    before = f"{name} " if len(summaries) > 1 else ""
    found = [(m, s.estimate) for m in TOLD if (s := summary.measures.get(m)) is not None and s.estimate is not None]
    tiles = [Tile(before + spoken(m), figure(e.mean), interval(e)) for m, e in found[:4]]
    if times := summary.percentiles.get("total_ms"):
        tiles.append(Tile("median latency", seconds(times["p50"]), f"95% within {seconds(times['p95'])}"))
    return tuple(tiles)


def seconds(milliseconds: float) -> str:
    """Return a time as it is read."""
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"


def _chapter(name: str, summary: Summary, rows: Sequence[Row], several: bool) -> list[Section]:
    of = f" · {name}" if several else ""
    marks = "Means with their 95% bootstrap intervals."
    sections = [Section(f"Measures{of}", (_measures(summary.measures),), marks)]
    if len(summary.by_kind) > 1:
        sections.append(Section(f"By kind{of}", _kinds(name, summary)))
    if curves := _curves(name, summary, rows):
        sections.append(Section(f"Confidence and time{of}", (Plots(curves), *_percentiles(summary))))
    if made := _made(rows):
        plots = Plots({f"{name}-made": composition(made)})
        sections.append(Section(f"Composition{of}", (plots, _made_table(made))))
    return [*sections, *_wrong(rows, summary, of)]


def _measures(measures: Mapping[str, Scored]) -> Table:
    lacking = any(scored.unscored for scored in measures.values())
    lines = [
        Line(
            (spoken(name), *_estimated(scored.estimate), *_counts(scored, lacking)),
            " · ".join(part for part in (named(name).what, named(name).over) if part and named(name).what),
            span=span(scored.estimate),
        )
        for name, scored in measures.items()
    ]
    return Table(("measure", "mean", "95% interval", "scored", *(("unscored",) if lacking else ())), tuple(lines))


def _counts(scored: Scored, lacking: bool) -> tuple[str, ...]:
    return (str(scored.scored), str(scored.unscored or "")) if lacking else (str(scored.scored),)


def _estimated(estimate: Estimate | None) -> tuple[str, str]:
    return ("–", "") if estimate is None else (figure(estimate.mean, estimate.high), interval(estimate))


def _side_by_side(summaries: Mapping[str, Summary]) -> Table:
    names = ordered({name for summary in summaries.values() for name in summary.measures})
    lines = [
        Line((spoken(name), *(_with_interval(s.measures.get(name)) for s in summaries.values()))) for name in names
    ]
    return Table(("measure", *summaries), tuple(lines))


def _with_interval(scored: Scored | None) -> str:
    if scored is None or scored.estimate is None:
        return "–"
    mean, bounds = _estimated(scored.estimate)
    return mean if scored.estimate.low == scored.estimate.high else f"{mean} ({bounds})"


def _kinds(series: str, summary: Summary) -> tuple[Block, ...]:
    plots: dict[str, Plot] = {}
    for name in (*KINDS, "nDCG@10"):
        kinds = {kind: found[name].estimate for kind, found in summary.by_kind.items() if name in found}
        estimates = {kind: estimate for kind, estimate in kinds.items() if estimate is not None}
        if len({round(estimate.mean, 2) for estimate in estimates.values()}) > 1:
            plots[f"{series}-kind-{len(plots)}"] = by_kind(spoken(name), estimates)
    names = ordered({name for found in summary.by_kind.values() for name in found})
    lines = [
        Line((spoken(name), *(_with_interval(found.get(name)) for found in summary.by_kind.values()))) for name in names
    ]
    return Plots(plots, small=True), Table(("measure", *summary.by_kind), tuple(lines), "All figures by kind")


def _curves(series: str, summary: Summary, rows: Sequence[Row]) -> dict[str, Plot]:
    plots = {}
    if summary.curve is not None:
        plots[f"{series}-curve"] = risk_against_coverage(summary.curve)
    words = {"total_ms": "whole answer", "first_sentence_ms": "first sentence"}
    times = {words[name]: [v for row in rows if (v := row.measures.get(name)) is not None] for name in LATENCIES}
    if known := {name: values for name, values in times.items() if values}:
        plots[f"{series}-latency"] = latencies(known)
    return plots


def _percentiles(summary: Summary) -> list[Table]:
    if not summary.percentiles:
        return []
    lines = [Line((spoken(n.removesuffix("_ms")), *map(seconds, p.values()))) for n, p in summary.percentiles.items()]
    return [Table(("time to", "half within", "95% within", "99% within"), tuple(lines))]


def _made(rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    """Return how many sentences of each sort stand in the answers to each kind of question, or were removed."""
    made: dict[str, dict[str, int]] = {}
    for row in rows:
        sentences = _objects(row.detail.get("sentences"))
        quoted = sum(sentence.get("support") == "verbatim" for sentence in sentences)
        recorded = row.detail.get("composed") is None
        counts = {
            "quoted": quoted,
            "from records" if recorded else "model's own": len(sentences) - quoted,
            "removed": len(_objects(row.detail.get("removed"))),
        }
        for sort, number in counts.items():
            kind = made.setdefault(row.kind, {"quoted": 0, "model's own": 0, "removed": 0})
            kind[sort] = kind.get(sort, 0) + number
    return made if any(any(counts.values()) for counts in made.values()) else {}


def _made_table(made: Mapping[str, Mapping[str, int]]) -> Table:
    sorts = list(dict.fromkeys(sort for counts in made.values() for sort in counts))
    lines = [Line((kind, *(str(counts.get(sort, 0)) for sort in sorts))) for kind, counts in made.items()]
    return Table(("sentences", *sorts), tuple(lines), "All figures of the composition")


def _wrong(rows: Sequence[Row], summary: Summary, of: str) -> list[Section]:
    sections = []
    if summary.faults:
        told = Text(tuple(f"{question_id} was not scored: {error}" for question_id, error in summary.faults))
        sections.append(Section(f"Faults{of}", (told,)))
    wrong = sorted((row for row in rows if failed(row) and "error" not in row.detail), key=lambda row: -total(row))
    lead = f"{len(wrong)} of {counted(len(rows), 'question')} fell short of something"
    lead += f"; the worst {WORST} of them." if len(wrong) > WORST else "."
    shown = tuple(asked(row) for row in wrong[:WORST])
    return [*sections, Section(f"Worst questions{of}", (Cases(shown),) if shown else (), lead)]


def asked(row: Row) -> Asked:
    """Return a row as its question is shown."""
    detail = row.detail
    return Asked(
        row.question_id,
        row.kind,
        str(detail.get("question") or row.question_id),
        answered(row),
        tuple((str(gone.get("text")), str(gone.get("why"))) for gone in _objects(detail.get("removed"))),
        _facts(detail),
        _papers(detail),
        tuple((spoken(name), figure(value)) for name, value in failed(row).items()),
        str(detail.get("reference") or ""),
        str(detail.get("error") or ""),
    )


def answered(row: Row) -> Words:
    """Return an answer sentence by sentence, each "quoted" or "own"; what says that there is none as one piece."""
    sentences = _objects(row.detail.get("sentences"))
    if not sentences:
        text = str(row.detail.get("answer") or "")
        return ((text, "left"),) if text else ()
    return tuple((_marked(each), "quoted" if each.get("support") == "verbatim" else "own") for each in sentences)


def _marked(sentence: Mapping[str, Json]) -> str:
    citations = sentence.get("citations")
    marks = [f"[{n}]" for n in citations] if isinstance(citations, list) else []
    return " ".join([str(sentence.get("text")), *marks])


def _facts(detail: Mapping[str, Json]) -> Words:
    nuggets = detail.get("nuggets")
    text = plain(" ".join(str(sentence.get("text")) for sentence in _objects(detail.get("sentences"))))
    facts = [fact for fact in nuggets if isinstance(fact, list)] if isinstance(nuggets, list) else []
    spelt = [[str(spelling) for spelling in fact] for fact in facts]
    return tuple((" / ".join(fact), "found" if any(holds(text, s) for s in fact) else "missing") for fact in spelt)


def _papers(detail: Mapping[str, Json]) -> Words:
    """Return the papers expected, cited or not, and those cited beside them."""
    gold = detail.get("gold")
    expected = [str(name) for name in gold] if isinstance(gold, list) else []
    listed_ = {str(p.get("paper_id")): p for p in _objects(detail.get("papers"))}
    cited = [name for name, paper in listed_.items() if paper.get("cited")]
    names = {name: str(paper.get("title") or paper.get("label") or name) for name, paper in listed_.items()}
    wanted = [(names.get(name, name), "found" if name in cited else "missing") for name in expected]
    return (*wanted, *((names[name], "cited") for name in cited if name not in expected))


def _objects(value: Json) -> list[Mapping[str, Json]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []
