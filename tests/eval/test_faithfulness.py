from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from assistant.calibration import Adjustment
from assistant.chain import Assistant
from assistant.chat_model import ChatModel, ChatModelSettings, choose
from assistant.library import Library
from assistant.schema import Paper
from eval.cases import Case
from eval.evaluation import Plan, evaluate
from eval.faithfulness import alterations, faithfulness, probe, sampled, still_said
from eval.measures import Values
from eval.runs import Row, Run
from eval.variants import variant
from tests.conftest import PAPERS
from tests.eval.answers import ECHO, FOUND, HELD, WINTER, answer, case, said
from tests.eval.test_runs import HEADER
from tests.models import faithful
from tests.ollama_server import Body, OllamaServer, Scripted

SHARE = case([["openreview:bees0001"]], text="What share of the flower patches does WaggleNet find?")
TEMPERATURE = case([["title:echo"]], text="What does the diffusion model reconstruct?")


READS = "We train a network to read the dance from video."
TWIN = Paper("twin", title="Video of Bees", abstract="WaggleNet is read to farmers from video.")


def always_the_same(body: Body) -> Scripted:
    """Say what was once read, whatever the notes say."""
    return Scripted(READS)


@pytest.fixture(scope="module")
def lenient(tmp_path_factory: pytest.TempPathFactory, held: Library) -> Iterator[Library]:
    """A library on which sentences need so little support that what a model makes up stands."""
    with variant(held, HELD) as library:
        library.calibrate(Adjustment(0.001, -40.0, "q"))
        yield library


def probed(library: Library, known: Case, model: ChatModel | None = None, papers: Sequence[Paper] = HELD) -> Values:
    return faithfulness(known, papers, Assistant(library, model), Plan())


def test_quotations_go_with_their_source_and_follow_it(held: Library) -> None:
    assert probed(held, SHARE) == {"claims_gone": 1.0, "figures_followed": 1.0}


def test_the_only_paper_can_be_taken_away(held: Library) -> None:
    assert probed(held, TEMPERATURE, papers=PAPERS[2:3]) == {"claims_gone": 1.0}


def test_an_answer_without_figures_has_none_to_follow(held: Library) -> None:
    known = case(text="What tells WaggleNet where flowers are?")
    assert probed(held, known, papers=[_without_figure()]) == {"claims_gone": 1.0}


def _without_figure() -> Paper:
    text = "Honey bees dance to tell where flowers are. We train WaggleNet to read the dance from video."
    return Paper("b", title="WaggleNet: Decoding the Dances of Bees", abstract=text)


def test_a_claim_of_two_papers_stays_when_one_goes(held: Library) -> None:
    both = [paper for paper in HELD if WINTER in paper.abstract]
    assert len(both) == 2
    assert probed(held, TEMPERATURE, papers=both)["claims_gone"] == 0.5  # what only the first says goes
    assert probed(held, TEMPERATURE, papers=[*both[:1], PAPERS[1]])["claims_gone"] == 1.0


def test_nothing_said_at_first_cannot_be_told(held: Library) -> None:
    assert probed(held, case(text="Who won the chess olympiad?")) == {"claims_gone": None}
    assert probed(held, case(text="How many papers are there?")) == {"claims_gone": None}


def test_a_model_that_tells_its_notes_is_faithful(held: Library) -> None:
    with OllamaServer(script=faithful) as server:
        model = choose("auto", ChatModelSettings(server.url))
        assert probed(held, SHARE, model) == {"claims_gone": 1.0, "figures_followed": 1.0}
        assert len(server.chats) >= 3


def test_a_model_that_says_what_it_once_read_is_seen_through(held: Library, lenient: Library) -> None:
    """Where verification lets it pass; else it is never part of an answer."""
    known = case(text="What is the network trained to read from video?")
    with OllamaServer(script=always_the_same) as server:
        model = choose("auto", ChatModelSettings(server.url))
        assert probed(lenient, known, model, [*HELD, TWIN])["claims_gone"] == 0.0
        assert probed(held, known, model, [*HELD, TWIN])["claims_gone"] == 1.0


def test_a_claim_is_still_said_in_other_words_with_its_figures() -> None:
    def stays(text: str, *sentences: str) -> bool:
        return still_said(text, answer(*(said(sentence, 1) for sentence in sentences)))

    assert stays(FOUND, "Bees dance.", "Of flower patches, WaggleNet finds 93%.")
    assert stays(FOUND, "WaggleNet finds 93% of all the known flower patches.")
    assert not stays(FOUND, "WaggleNet finds 94% of the flower patches.")
    assert not stays(FOUND, "WaggleNet finds flower patches.")
    assert not stays(FOUND, "WaggleNet finds 93%.", "Flower patches.")
    assert not stays(FOUND)


@pytest.mark.parametrize(
    ("abstract", "claim", "question", "was"),
    [
        ("It finds 93% of them in 7 days.", "It finds 93% of them.", "How many?", ["93"]),
        ("It finds 93% of them in 7 days.", "In 7 days it finds 93%.", "How many?", ["7", "93"]),
        ("It finds 93% of them in 7 days.", "In 7 days it finds 93%.", "How many in 7 days?", ["93"]),
        ("It ran in 2024.", "It ran in 2024.", "When?", []),
        ("It finds eight.", "It finds eight.", "How many?", []),
        ("It finds 93.5% and 1,860.", "It finds 1,860 and 93.5%.", "How many?", ["1,860", "93.5"]),
        ("It finds none.", "It finds 93%.", "How many?", []),
        ("It finds 193.", "It finds 93.", "How many?", []),
        ("", "It finds 93.", "How many?", []),
    ],
)
def test_figures_are_changed_wherever_they_stand(abstract: str, claim: str, question: str, was: list[str]) -> None:
    for seed in range(5):
        found = list(alterations(Paper("p", abstract=abstract), [said(claim, 1)], question, Random(seed)))
        assert [altered.was for altered in found] == was
        for altered in found:
            assert altered.now != altered.was
            assert len(altered.now) == len(altered.was)
            assert altered.now not in abstract
            assert altered.paper.abstract == abstract.replace(altered.was, altered.now)


def row(name: str, position: int, **measures: float | None) -> Row:
    return Row(name, "fact", measures, position=position)


def test_the_sample_is_of_answers_from_abstracts_and_the_same_for_a_seed() -> None:
    rows = [row(str(i), i, citation_recall=1.0) for i in range(20)] + [row("x", 20), row("y", 21, citation_recall=None)]
    drawn = sampled(rows, 5, 0)
    assert drawn == sampled(rows, 5, 0)
    assert drawn != sampled(rows, 5, 1)
    assert len(drawn) == 5
    assert sorted(drawn, key=lambda each: each.position) == drawn
    assert len(sampled(rows, 99, 0)) == 20
    assert sampled(rows, 0, 0) == []


def test_rows_keep_what_they_had_and_are_probed_once(held: Library, tmp_path: Path) -> None:
    cases = [SHARE, case(name="2", text="Who won the chess olympiad?")]
    steps: list[tuple[int, int]] = []
    with Run.begin(tmp_path / "run", HEADER) as run:
        evaluate(Assistant(held), cases, run, lambda *_: None)
        before = run.rows()
        for _ in range(2):
            probe(run, cases, Assistant(held), Plan(), 9, lambda done, total: steps.append((done, total)))
        after = run.rows()
    assert dict(after[0].measures) == {**before[0].measures, "claims_gone": 1.0, "figures_followed": 1.0}
    assert after[1] == before[1]
    assert steps == [(1, 1), (1, 1)]


def test_a_variant_is_asked_as_its_library_is(lenient: Library) -> None:
    with variant(lenient, PAPERS[:2]) as small:
        folder = small.folder
        assert small.calibration == lenient.calibration
        assert {paper.paper_id for paper in small.catalogue} == {paper.paper_id for paper in PAPERS[:2]}
        assert small.verify() == []
    assert not folder.exists()
    with variant(lenient, []) as small:
        assert Assistant(small).ask("What do bees do?").abstained
    assert ECHO in HELD
