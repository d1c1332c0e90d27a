import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.library import Library
from assistant.text import fold
from eval.fitting.evidence import ABSTRACTS, SENTENCES, Prompt, budgets, cases, main, says, table

KNOWN = {
    "bees": ["WaggleNet finds 93% of the"],
    "tides": ["TIDE-BENCH holds forty years"],
}
ROWS = [
    {
        "question": "How many flower patches does WaggleNet find, and on what does it run?",
        "gold": ["bees"],
        "nuggets": [["93%"], ["tiny camera", "small camera"]],
    },
    {"question": "How many flower patches does WaggleNet find?", "gold": ["tides"], "nuggets": [["93%"]]},
    {"question": "How many papers are there?", "gold": ["bees"], "nuggets": [["4"]]},
    {"question": "Who painted the Mona Lisa?", "gold": [], "nuggets": [["Leonardo"]]},
]
LINES = [json.dumps(row) for row in ROWS]


def test_facts_are_counted_in_what_the_prompt_would_hold(library: Library) -> None:
    found = list(cases(library, LINES, KNOWN))
    assert [case.task.question for case in found] == [ROWS[0]["question"], ROWS[1]["question"]]
    rows = budgets(library, found)
    assert len(rows) == len(SENTENCES) + len(ABSTRACTS)
    held = [rows[f"{n} sentences"][0].held for n in SENTENCES]
    assert held[0] < 1.0
    assert held == sorted(held)
    assert held[-1] == rows["1 abstracts"][0].held == 1.0
    assert rows["1 sentences"][0].tokens < rows["4 sentences"][0].tokens < rows["3 abstracts"][0].tokens


def test_a_fact_in_another_paper_does_not_count(library: Library) -> None:
    _, wrong = cases(library, LINES, KNOWN)
    assert wrong.prompt([(n, c.paper.abstract) for n, c in enumerate(wrong.task.candidates, 1)]).held == 0.0


@pytest.mark.parametrize(
    ("text", "nugget", "held"),
    [
        ("It holds 93% of them.", "93%", True),
        ("It costs 1,860 francs.", "860", False),
        ("It costs 86 francs.", "8", False),
        ("It has 3.5 legs.", "3", False),
        ("Nine camels.", "Camel", True),
        ("Nine camels.", "amel", False),
        ("A soufflé", "souffle", True),
    ],
)
def test_a_nugget_begins_a_word_and_a_figure_is_whole(text: str, nugget: str, held: bool) -> None:
    assert says(fold(text), nugget) is held


@given(st.text(alphabet="abc 12.", max_size=20), st.text(alphabet="abc12", min_size=1, max_size=4))
def test_what_stands_alone_is_found(text: str, nugget: str) -> None:
    assert says(fold(f"{text} | {nugget} | {text}"), nugget)


def test_a_table_says_what_a_budget_costs_and_lacks() -> None:
    rows = {"1 sentences": [Prompt(80, 0.0), Prompt(80, 1.0)], "2 sentences": [Prompt(120, 1.0), Prompt(160, 1.0)]}
    lines = list(table(rows, "2 sentences"))
    assert lines[2].startswith("| 1 sentences | 80 | 2.0 | 0.500 [0.000, 1.000] | 0.500 [")
    assert lines[3] == "| 2 sentences | 140 | 3.5 | 1.000 [1.000, 1.000] | 0.000 [0.000, 0.000] |"


def test_it_runs_on_files(library: Library, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text("\n".join(LINES), encoding="utf-8")
    papers = [{"key": key, "contains": texts} for key, texts in KNOWN.items()]
    (tmp_path / "p.json").write_text(json.dumps(papers), encoding="utf-8")
    written: list[str] = []
    main([str(library.folder), str(tmp_path / "q.jsonl"), str(tmp_path / "p.json")], written.append)
    (text,) = written
    assert text.startswith("2 questions, about a fact\n\n| in the prompt |")
    assert text.count("\n|") == 2 + len(SENTENCES) + len(ABSTRACTS)
