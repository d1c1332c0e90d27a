import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from assistant.errors import RunError
from assistant.schema import Json
from eval.comparison import Gate, compared, judged
from eval.reporting.markdown import escaped
from eval.reporting.reports import write_comparison, write_reports
from eval.runs import Row
from eval.summary import summarised
from tests.eval.scored import header, row, stored_run

HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)> | `x` [y](javascript:alert(3)) \u2028 {{ 7*7 }}"
)
VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(HTMLParser):
    """What a page is made of; complains of elements that are left open and of attributes that stand twice."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.scripts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), (tag, attrs)
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, self.getpos()

    def handle_data(self, data: str) -> None:
        (self.scripts if self.open and self.open[-1] in ("script", "style") else self.words).append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def rows(worse: bool = False) -> list[Row]:
    kinds = ("fact", "multi")
    made = []
    for i in range(12):
        hit = float(i % 3 > 0 and not (worse and i < 8))
        values = {
            "coverage": 1.0,
            "all_nuggets": hit,
            "risk": 1 - hit,
            "paper_recall": 1.0,
            "total_ms": 100.0 * (i + 1),
        }
        made.append(replace(row(f"q{i}", values, kinds[i % 2], confidence=1 - i / 20), position=i))
    return made


def hostile() -> list[Row]:
    sentences: Json = [{"text": HOSTILE, "citations": [1], "support": "supported"}]
    papers: Json = [{"n": 1, "paper_id": "x", "title": HOSTILE, "label": HOSTILE, "cited": True}]
    told: dict[str, Json] = {
        "question": HOSTILE, "answer": HOSTILE, "sentences": sentences, "papers": papers, "composed": "mixed",
        "removed": [{"text": HOSTILE, "citations": [], "why": HOSTILE}], "nuggets": [[HOSTILE]], "gold": [HOSTILE],
        "reference": HOSTILE,
    }  # fmt: skip
    values = {"coverage": 1.0, "all_nuggets": 0.0, "risk": 1.0, "total_ms": 5.0}
    failed: dict[str, float | None] = {"coverage": None, "all_nuggets": None}
    kinds = [HOSTILE, "<b>bold</b>", "fact"]
    made = [row(f"{HOSTILE}{i}", values | {"all_nuggets": i / 2}, kinds[i], **told) for i in range(3)]
    return [*made, row("broken", failed, error=HOSTILE)]


@pytest.fixture
def page(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    with stored_run(tmp_path / "run", rows(), header(words=80)) as run:
        path = write_reports(run, summarised(run.rows()))
        yield path, path.read_text(encoding="utf-8")


def test_a_report_tells_what_was_measured_and_of_what(page: tuple[Path, str]) -> None:
    path, text = page
    shown = Page(text).text
    assert path.name == "report.html"
    assert "12 questions · eval answers · 2026-01-02 03:04:05 UTC" in shown
    assert "all nuggets 1 when the answer holds every fact · with nuggets 0.667" in shown
    assert "4 of 12 questions fell short of something." in shown
    assert "What does q0 say?" in shown
    assert "kelp / seaweed moss" in shown
    assert shown.index("Worst questions") < shown.index("Provenance")
    assert shown.endswith("words 80 python 3.12.1")


def test_a_report_in_markdown_has_the_same_figures(page: tuple[Path, str]) -> None:
    text = (page[0].parent / "report.md").read_text(encoding="utf-8")
    assert re.search(r"^\| all nuggets \| 0\.667 \| 0\.\d+–\d\.\d+ \| 12 \|$", text, re.M)
    assert re.search(r"^\| fact \| 6 \| 0 \| 0 \|$", text, re.M)
    assert "- Facts: kelp / seaweed – found; moss – missing" in text
    assert "| python | 3.12.1 |" in text


def test_figures_are_those_of_the_rows(page: tuple[Path, str]) -> None:
    held = figures(page[1])
    assert held["answers-curve"]["data"][0]["y"][0] == 1.0
    assert held["answers-latency"]["data"][0]["x"][-1] == pytest.approx(1.2)
    made = {trace["name"]: trace["x"] for trace in held["answers-made"]["data"]}
    assert made == {"quoted": [6, 6], "model's own": [0, 0], "removed": [0, 0]}
    assert "template" not in held["answers-curve"]["layout"]


def figures(text: str) -> dict[str, Any]:
    [data] = re.findall(r'<script type="application/json" id="figures">(.*?)</script>', text, re.S)
    found: dict[str, Any] = json.loads(data)["figures"]
    return found


def test_a_page_loads_nothing(page: tuple[Path, str]) -> None:
    elements = Page(page[1]).elements
    loads = [value for _, attributes in elements for name, value in attributes.items() if name in ("src", "href")]
    assert loads == ["data:,"]
    [policy] = [str(a["content"]) for _, a in elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "http" not in policy.replace("http-equiv", "")


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    with stored_run(tmp_path / "a", hostile()) as run, stored_run(tmp_path / "b", rows()) as other:
        pages = [write_reports(run), write_comparison(tmp_path / "c.html", compared(run, run)), write_reports(other)]
    built, _, harmless = (Page(path.read_text(encoding="utf-8")) for path in pages)
    assert {tag for tag, _ in built.elements} <= {tag for tag, _ in harmless.elements} | {"s"}
    assert len(built.scripts) == 4
    assert not any(name.startswith("on") for _, attributes in built.elements for name in attributes)
    assert "alert(1)" not in built.scripts[2] + built.scripts[3]
    assert built.text.count("<script>alert(1)</script><img src=x onerror=alert(2)>") > 9
    assert "{{ 7*7 }}" in built.text


def test_hostile_kinds_are_shown_to_the_letter_by_plotly(tmp_path: Path) -> None:
    with stored_run(tmp_path, hostile()) as run:
        held = figures(write_reports(run).read_text(encoding="utf-8"))
    labels = held["answers-made"]["data"][0]["y"]
    assert "&lt;b&gt;bold&lt;/b&gt;" in labels
    assert not any("<" in str(label) for label in labels)


def test_hostile_text_in_markdown_is_no_markup(tmp_path: Path) -> None:
    with stored_run(tmp_path, hostile()) as run:
        write_reports(run)
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    bare = re.sub(r"\\.", "", text)
    assert not re.search(r"[<>`\[\]]", bare)
    assert all(len(re.findall(r"(?<!\\)\|", line)) in (3, 5, 6, 7) for line in text.splitlines() if line[:1] == "|")


def test_each_series_of_a_run_has_its_part(tmp_path: Path) -> None:
    ranked = [
        Row(
            f"q{i}",
            "query",
            {"nDCG@10": i / 9 if name == "fused" else 0.0, "R@100": 1.0},
            name,
            i,
            None,
            {"question": "?"},
        )
        for name in ("dense", "fused")
        for i in range(10)
    ]
    with stored_run(tmp_path, ranked) as run:
        shown = Page(write_reports(run, summarised(run.rows())).read_text(encoding="utf-8")).text
        text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert re.search(r"Side by side measure dense fused R@100 1\.000 1\.000 nDCG@10 0\.000 0\.500 \(\d", shown)
    assert "Measures · dense" in shown
    assert "10 questions" in shown
    assert re.search(r"^\| nDCG@10 \| 0\.000 \| 0\.500 \\\(.*\) \|$", text, re.M)


def test_an_unfinished_run_and_one_without_rows_are_told(tmp_path: Path) -> None:
    with stored_run(tmp_path / "empty", [], finished=False) as run:
        shown = Page(write_reports(run).read_text(encoding="utf-8")).text
    assert "The run empty is unfinished" in shown
    assert "0 questions" in shown


def test_a_comparison_shows_both_answers_and_what_fell(tmp_path: Path) -> None:
    after = rows(worse=True)
    sentence: Json = {"text": "Kelp grows, says nobody.", "citations": [1], "support": "supported"}
    after[1] = replace(after[1], detail={**after[1].detail, "sentences": [sentence]})
    with stored_run(tmp_path / "a", rows()) as first, stored_run(tmp_path / "b", after) as second:
        both = compared(first, second)
        findings = judged([Gate("all_nuggets", 0.1)], both)
        text = write_comparison(tmp_path / "c.html", both, findings).read_text(encoding="utf-8")
        told = write_comparison(tmp_path / "c.md", both, findings).read_text(encoding="utf-8")
    shown = Page(text).text
    assert "What the runs differ in The two runs were made of the same." in shown
    assert "seed 0 0" in shown
    assert "all_nuggets fell: 0.6667, then 0.25, more than the 0.1 allowed" in shown
    assert "5 of 12 questions changed: 5 lost, 0 gained, 0 read otherwise." in shown
    assert '<span class="only">nobody.</span>' in text
    assert "before Kelp grows, says q1. [1] after Kelp grows, says nobody. [1]" in shown
    assert "| Kelp grows, says q1. \\[1\\] | Kelp grows, says nobody. \\[1\\] |" in told
    assert "all nuggets 1.000 → 0.000" in told
    assert any(name.startswith("answers-slope-") for name in figures(text))


def test_a_report_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with stored_run(tmp_path, rows()) as run:
        (tmp_path / "report.md").mkdir()
        with pytest.raises(RunError, match=r"report\.md cannot be written"):
            write_reports(run)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b\nc", r"a\|b c"),
        ("- x", r"\- x"),
        ("1. x", r"1\. x"),
        ("0.923", "0.923"),
        ("−0.1", "−0.1"),
        ("---", r"\---"),
    ],
)
def test_signs_of_markdown_are_escaped(text: str, shown: str) -> None:
    assert escaped(text) == shown
