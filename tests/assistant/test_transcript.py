"""The JSON form of an answer, whole."""

from assistant.schema import Answer, Paper, Quote, Removed, Sentence, Source, Tokens, Turn
from assistant.transcript import answer_row, as_turn, failure_row

TIDES = Paper("doi:10.1/tides", "Tides", None, "Tides rise.", ("A. Moon",), 2026, "ICML", "https://e.org", "10.1/tides")
ROCKS = Paper("sha:2", None, "Rocks fall", "Rocks fall.", source_ids=("r2",))
ANSWER = Answer(
    question="What rises?",
    standalone_question="What rises?",
    kind="content",
    mode="ollama:tiny",
    text="Tides rise. [1]",
    composed="quotations",
    sentences=(Sentence("Tides rise.", (1,), "verbatim", 0.98765, (Quote(1, "Tides rise.", 0, 11),)),),
    removed=(Removed("Fish rise.", (2,), "No abstract supports it."),),
    papers=(Source(1, TIDES, True, 0.81), Source(3, ROCKS, False, 0.4)),
    timings={"retrieve": 12.345, "total": 20.0},
    tokens=Tokens(10, 5),
)


def test_an_answer_as_json() -> None:
    assert answer_row(ANSWER, "q1") == {
        "id": "q1",
        "question": "What rises?",
        "standalone_question": "What rises?",
        "kind": "content",
        "mode": "ollama:tiny",
        "composed": "quotations",
        "answer": "Tides rise. [1]",
        "abstained": False,
        "reason": None,
        "confidence": None,
        "sentences": [
            {
                "text": "Tides rise.",
                "citations": [1],
                "support": "verbatim",
                "score": 0.9877,
                "evidence": [{"n": 1, "quote": "Tides rise.", "start": 0, "end": 11}],
            }
        ],
        "removed": [{"text": "Fish rise.", "citations": [2], "why": "No abstract supports it."}],
        "papers": [
            {
                "n": 1,
                "paper_id": "doi:10.1/tides",
                "source_ids": [],
                "title": "Tides",
                "label": None,
                "authors": ["A. Moon"],
                "year": 2026,
                "venue": "ICML",
                "url": "https://e.org",
                "doi": "10.1/tides",
                "abstract": "Tides rise.",
                "cited": True,
                "score": 0.81,
            },
            {
                "n": 3,
                "paper_id": "sha:2",
                "source_ids": ["r2"],
                "title": None,
                "label": "Rocks fall",
                "authors": [],
                "year": None,
                "venue": None,
                "url": None,
                "doi": None,
                "abstract": "Rocks fall.",
                "cited": False,
                "score": 0.4,
            },
        ],
        "timings_ms": {
            "retrieve": 12.3,
            "quotations": None,
            "first_token": None,
            "first_sentence": None,
            "total": 20.0,
        },
        "tokens": {"prompt": 10, "completion": 5},
    }


def test_an_answer_becomes_a_turn_whose_papers_stand_at_their_numbers() -> None:
    assert as_turn(ANSWER) == Turn("What rises?", "Tides rise. [1]", ("doi:10.1/tides", "", "sha:2"))


def test_a_failure_as_json() -> None:
    assert failure_row("q1", "Nothing listens there.") == {"id": "q1", "error": "Nothing listens there."}
