"""Figures of reports, drawn by Plotly in the page that shows them, in the colours of its light and its dark look."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from assistant.schema import Json
from eval.statistics import Estimate
from eval.summary import Curve

_CLEAR = "rgba(0,0,0,0)"
_POINTS = 400  # of a distribution's line: more can't be told apart
_SANS = (
    '-apple-system, BlinkMacSystemFont, "Segoe UI", Inter, Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif'
)
_LIGHT = {
    "ink": "#504d46", "line": "#e3dfd5", "raised": "#ffffff", "edge": "#8b867a",
    "accent": "#0b5566", "second": "#b9772a", "third": "#a5392b", "muted": "#8b867a",
}  # fmt: skip
_DARK = {
    "ink": "#b9b4a8", "line": "#2f2e2a", "raised": "#22221f", "edge": "#77736a",
    "accent": "#83c5d2", "second": "#dba968", "third": "#eb9a8b", "muted": "#8f8a7f",
}  # fmt: skip
_QUIET = {"displayModeBar": False, "responsive": True, "doubleClick": False, "showTips": False}


@dataclass(frozen=True, slots=True)
class Plot:
    """A figure as JSON, with the words around it and its height in pixels."""

    title: str
    caption: str
    height: int
    spec: Mapping[str, Json]
    mark: str = ""


def script() -> str:
    """Return Plotly's own script, to stand in the page."""
    return str(get_plotlyjs())


def embedded(plots: Mapping[str, Plot]) -> str:
    """Return figures by the id of their element, with colours, as JSON that can stand in a script element."""
    held = {
        "figures": {name: plot.spec for name, plot in plots.items()},
        "looks": {"light": _look(_LIGHT), "dark": _look(_DARK)},
        "config": _QUIET,
    }
    text = json.dumps(held, sort_keys=True)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def risk_against_coverage(curve: Curve) -> Plot:
    """Draw how the share of wrong answers grows as less sure answers are counted in."""
    line = go.Scatter(
        x=list(curve.coverage),
        y=list(curve.risk),
        mode="lines" if len(curve.coverage) > 1 else "markers",
        line={"width": 2, "shape": "hv"},
        meta="accent",
        hovertemplate="the surest %{x:.0%}: %{y:.1%} wrong<extra></extra>",
    )
    figure = go.Figure(line, _layout(260, bottom=44, left=52))
    figure.update_xaxes(title="answered, the surest first", range=[0, 1.02], tickformat=".0%")
    figure.update_yaxes(title="wrong", range=[0, max(0.1, 1.15 * max(curve.risk))], tickformat=".0%")
    return _plot("Risk against coverage", f"Area under the curve {curve.area:.3f}; lower is better.", 260, figure)


def latencies(times: Mapping[str, Sequence[float]]) -> Plot:
    """Draw the share of answers that were there within a time, a line for each kind of time, milliseconds."""
    figure = go.Figure(layout=_layout(260, bottom=44, left=52, legend=len(times) > 1))
    for (name, values), role in zip(times.items(), ("accent", "second", "third"), strict=False):
        shares = np.linspace(0, 1, min(_POINTS, len(values) + 1))[1:]
        seconds = np.maximum(np.quantile(values, shares, method="inverted_cdf"), 0.1) / 1000
        figure.add_scatter(
            x=seconds.tolist(),
            y=shares.tolist(),
            name=_text(name),
            mode="lines" if len(values) > 1 else "markers",
            line={"width": 2, "shape": "hv"},
            meta=role,
            hovertemplate="%{y:.0%} within %{x:.3g} s<extra></extra>",
        )
    figure.update_xaxes(title="seconds", type="log", dtick=1, range=_decades(times))
    figure.update_yaxes(title="answers", range=[0, 1.03], tickformat=".0%")
    return _plot("Latency", "The share of questions answered within a time.", 260, figure)


def _decades(times: Mapping[str, Sequence[float]]) -> list[float]:
    """Return the powers of ten, of seconds, between which all times but a hundredth lie."""
    values = np.maximum(np.concatenate([np.asarray(some, dtype=float) for some in times.values()]), 0.1) / 1000
    return [float(np.log10(np.quantile(values, 0.01))) - 0.1, float(np.log10(values.max())) + 0.05]


def by_kind(name: str, estimates: Mapping[str, Estimate]) -> Plot:
    """Draw a measure's mean with its interval for each kind of question."""
    kinds = [_text(kind) for kind in estimates]
    found = list(estimates.values())
    bar = go.Bar(
        y=kinds,
        x=[e.mean for e in found],
        orientation="h",
        meta="accent",
        error_x=_error(found),
        hovertemplate="%{y}: %{x:.3f}<extra></extra>",
        opacity=0.85,
    )
    height = 34 + 24 * len(kinds)
    figure = go.Figure(bar, _layout(height, bottom=26, left=_room(kinds)))
    figure.update_layout(bargap=0.45)
    figure.update_xaxes(range=[0, max([1.04, *(1.04 * e.high for e in found)])], nticks=5)
    figure.update_yaxes(type="category", autorange="reversed", showgrid=False, ticks="outside", tickcolor=_CLEAR)
    return _plot(name, "", height, figure)


def composition(parts: Mapping[str, Mapping[str, int]]) -> Plot:
    """Draw of what the answers to each kind of question are made: sentences of each sort, by kind."""
    kinds = [_text(kind) for kind in parts]
    sorts = list(dict.fromkeys(sort for counts in parts.values() for sort in counts))
    height = 70 + 26 * len(kinds)
    figure = go.Figure(layout=_layout(height, bottom=26, left=_room(kinds), legend=True))
    for sort, role in zip(sorts, ("accent", "second", "third", "muted"), strict=False):
        counts = [parts[kind].get(sort, 0) for kind in parts]
        hover = f"%{{y}}: %{{x}} {_text(sort)}<extra></extra>"
        figure.add_bar(y=kinds, x=counts, name=_text(sort), orientation="h", meta=role, hovertemplate=hover)
    figure.update_layout(barmode="stack", bargap=0.4)
    figure.update_yaxes(type="category", autorange="reversed", showgrid=False, ticks="outside", tickcolor=_CLEAR)
    return _plot("What answers are made of", "Sentences by kind of question.", height, figure)


def slope(name: str, caption: str, sides: tuple[Estimate, Estimate], labels: tuple[str, str], mark: str) -> Plot:
    """Draw how a measure's mean went from one run to the other, with both intervals, labelled with its values."""
    role = {"better": "accent", "worse": "third", "differs": "second"}.get(mark, "muted")
    means, span = [side.mean for side in sides], [bound for side in sides for bound in (side.low, side.high)]
    line = go.Scatter(
        x=["before", "after"],
        y=means,
        mode="lines+markers+text",
        text=list(labels),
        textposition=["middle left", "middle right"],
        error_y=_error(sides),
        line={"width": 2},
        marker={"size": 7},
        meta=role,
        hovertemplate="%{x}: %{y:.4g}<extra></extra>",
    )
    figure = go.Figure(line, _layout(132, bottom=20, left=4))
    figure.update_xaxes(range=[-0.75, 1.75], type="category", showgrid=False, fixedrange=True)
    room = max(max(span) - min(span), 0.1 * abs(max(means)), 0.02)
    middle = (max(span) + min(span)) / 2
    figure.update_yaxes(visible=False, range=[middle - 0.62 * room, middle + 0.62 * room])
    return _plot(name, caption, 132, figure, mark)


def _error(estimates: Sequence[Estimate]) -> dict[str, Json]:
    return {
        "type": "data",
        "symmetric": False,
        "array": [max(0.0, e.high - e.mean) for e in estimates],
        "arrayminus": [max(0.0, e.mean - e.low) for e in estimates],
        "thickness": 1.2,
        "width": 3,
    }


def _layout(height: int, bottom: int, left: int, legend: bool = False) -> dict[str, Json]:
    return {
        "height": height,
        "margin": {"l": left, "r": 12, "t": 28 if legend else 8, "b": bottom},
        "showlegend": legend,
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 1,
            "yanchor": "bottom",
            "itemclick": False,
            "itemdoubleclick": False,
            "traceorder": "normal",
        },
        "dragmode": False,
        "hovermode": "closest",
    }


def _look(colours: Mapping[str, str]) -> dict[str, Json]:
    """Return a look: what holds for every figure, and the colours that traces have by the role they name."""
    axis: dict[str, Json] = {
        "gridcolor": colours["line"],
        "linecolor": colours["line"],
        "zerolinecolor": colours["line"],
        "tickfont": {"size": 12},
        "title": {"font": {"size": 12}, "standoff": 6},
        "fixedrange": True,
    }
    layout: dict[str, Json] = {
        "paper_bgcolor": _CLEAR,
        "plot_bgcolor": _CLEAR,
        "font": {"family": _SANS, "size": 13, "color": colours["ink"]},
        "hoverlabel": {
            "bgcolor": colours["raised"],
            "bordercolor": colours["edge"],
            "font": {"family": _SANS, "color": colours["ink"]},
        },
        "xaxis": axis,
        "yaxis": axis,
    }
    roles: dict[str, Json] = {name: colours[name] for name in ("accent", "second", "third", "muted")}
    return {"template": {"layout": layout}, "roles": roles, "ink": colours["edge"]}


def _plot(title: str, caption: str, height: int, figure: go.Figure, mark: str = "") -> Plot:
    spec = figure.to_plotly_json()
    spec["layout"].pop("template", None)
    return Plot(title, caption, height, spec, mark)


def _room(labels: Sequence[str]) -> int:
    """Return the pixels that labels need beside an axis."""
    return 14 + 7 * max(map(len, labels))


def _text(text: str) -> str:
    """Return a text as Plotly shows it to the letter, which reads tags in what it shows."""
    return escape(" ".join(text.split())[:24], quote=False)
