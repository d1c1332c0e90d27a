import json
import re
from collections.abc import Callable
from random import Random

import pytest

from assistant.chat_model import ChatModel, ChatModelSettings
from assistant.encoder import Encoder
from assistant.library import Library
from assistant.retrieval import Retriever
from assistant.text import fold
from eval.generation.drafts import KINDS, Draft, Report, row
from eval.generation.inventory import inventory
from eval.generation.questions import generate, quotas
from eval.generation.round_trip import RoundTrip
from eval.generation.unanswerable import foreign, invented
from ingest.pipeline import ingest
from ingest.readers import read
from ingest.sample import sample_path
from tests import models
from tests.ollama_server import Body, OllamaServer, Scripted


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory, encoder: Encoder) -> Library:
    """The library of the built-in corpus; for reading only."""
    library = Library.open(tmp_path_factory.mktemp("sample") / "library", create=True)
    library._encoder = encoder
    with sample_path() as corpus:
        ingest(library, read([str(corpus)]))
    return library


@pytest.fixture(scope="module")
def report(sample: Library) -> Report:
    return generate(sample, 60, seed=3)


def lines(report: Report) -> list[str]:
    return [json.dumps(row(draft, number)) for number, draft in enumerate(report.kept, 1)]


def of(report: Report, *kinds: str) -> list[Draft]:
    found = [draft for draft in report.kept if draft.kind in kinds]
    assert found
    return found


def test_the_same_seed_gives_the_same_questions_and_another_one_others(sample: Library, report: Report) -> None:
    assert lines(generate(sample, 60, seed=3)) == lines(report)
    assert lines(generate(sample, 60, seed=4)) != lines(report)


def test_sources_hold_the_facts_and_questions_do_not(sample: Library, report: Report) -> None:
    for draft in of(report, "fact", "paraphrase", "followup"):
        assert draft.source is not None
        [paper] = sample.catalogue.papers(draft.gold)
        assert paper.paper_id == draft.source.paper_id
        sentence = paper.abstract[draft.source.start : draft.source.end]
        assert " ".join(sentence.split()) == draft.reference
        for spellings in draft.nuggets:
            assert any(fold(spelling) in fold(sentence) for spelling in spellings)
            assert not any(fold(spelling) == fold(draft.question) for spelling in spellings)


def test_questions_find_their_papers(sample: Library, report: Report) -> None:
    retriever = Retriever(sample)
    for draft in of(report, "fact", "multi", "followup"):
        found = [hit.paper.paper_id for hit in retriever.search(draft.asked, 3 + len(draft.gold) - 1)]
        assert set(draft.gold) <= set(found)


def test_follow_ups_come_with_an_answer_to_refer_to(report: Report) -> None:
    for draft in of(report, "followup"):
        [turn] = draft.history
        assert draft.gold[0] in turn.papers
        assert re.search(r"\bits?\b|the (?:first|second) one", draft.question)


def test_counts_and_lists_are_the_catalogues(sample: Library, report: Report) -> None:
    for draft in of(report, "count"):
        assert str(len(draft.gold)) in draft.nuggets[0]
    everything = list(inventory(sample, Random(0)))
    [by_year] = [
        d for d in everything if d.question in ("Which papers are from 2014?", "List all papers published in 2014.")
    ]
    assert set(by_year.gold) == {paper.paper_id for paper in sample.catalogue if paper.year == 2014}


def test_what_is_unanswerable_is_gold_of_none(sample: Library, report: Report) -> None:
    check = RoundTrip(Retriever(sample))
    for draft in of(report, "unanswerable"):
        assert draft.gold == ()
        assert draft.nuggets == ()
    assert not check.is_coined("FlashAttention")
    assert not check.is_coined("Flash-Attention")
    assert check.is_coined(next(invented(Random(1), []))[0])
    assert check.is_stated("Which optimizer trains BERT?", re.compile("BERT"))
    assert not check.is_foreign("How does BERT learn language?")
    assert all(check.is_foreign(draft.question) for draft in foreign(Random(0)))


def test_tallies_add_up(report: Report) -> None:
    for kind in KINDS:
        tally = report.tallies[kind]
        assert tally.tried == tally.passed + sum(tally.dropped.values())
        assert tally.kept == sum(draft.kind == kind for draft in report.kept)
    assert len({draft.question for draft in report.kept if not draft.history}) == len(
        [draft for draft in report.kept if not draft.history]
    )


@pytest.mark.parametrize("count", [1, 7, 60, 201])
def test_shares_add_up(count: int) -> None:
    assert sum(quotas(count).values()) == count


@pytest.mark.parametrize(
    ("question", "nuggets", "why"),
    [
        ("What does it do in this case?", (), "points elsewhere"),
        ("Which BLEU has the Transformer on $n$?", (), "broken"),
        ("Does BERT mask words of unlabelled text?", (("unlabelled text",),), "holds its answer"),
        ("Which method performs well on several tasks?", (), "unspecific"),
        ("Where do sardines spawn in the Bay of Biscay?", (), "not found"),
    ],
)
def test_drafts_are_dropped_for_a_reason(
    sample: Library, question: str, nuggets: tuple[tuple[str, ...], ...], why: str
) -> None:
    gold = (next(iter(sample.catalogue)).paper_id,)
    assert RoundTrip(Retriever(sample)).fault(Draft("fact", "test", question, gold, nuggets)) == why


def test_a_question_passes_once(sample: Library) -> None:
    check = RoundTrip(Retriever(sample))
    [paper] = [paper for paper in sample.catalogue if (paper.title or "").startswith("FlashAttention")]
    draft = Draft("fact", "test", "Which speedup does FlashAttention bring for GPT-2?", (paper.paper_id,))
    assert check.fault(draft, named=True) is None
    assert check.fault(draft, named=True) == "repeated"


def answer_of(body: Body) -> Scripted:
    """Ask for what the sentence says with its first words, the answer left out."""
    prompt = models.prompt_of(body)
    sentence, task = prompt.split("\n\n", 1)
    answers = re.search(r'whose answer is "(.+?)"\.', task)
    about = re.search(r"question about (.+?) whose", task)
    rest = sentence
    for answer in answers.group(1).split(", ") if answers else ():
        rest = rest.replace(answer, "")
    subject = about.group(1) if about else "the work"
    return Scripted(f"Question: What does {subject} say of {' '.join(rest.split()[-7:-1])}?")


def asked(sample: Library, script: Callable[[Body], Scripted]) -> tuple[Report, int]:
    with OllamaServer(script=script) as server:
        report = generate(sample, 40, seed=3, model=ChatModel("ollama", "qwen3:4b", ChatModelSettings(server.url)))
        return report, len(server.chats)


def test_a_model_words_what_holds(sample: Library) -> None:
    report, chats = asked(sample, answer_of)
    written = [draft for draft in report.kept if draft.form == "model"]
    assert chats
    assert 0 < len(written) <= report.written_by_model
    assert all(" say of " in draft.question for draft in written)


@pytest.mark.parametrize(
    "script", [models.ignores_instructions, models.empty, models.copies_prompt, models.endless_think]
)
def test_a_model_that_babbles_leaves_it_to_the_patterns(sample: Library, script: Callable[[Body], Scripted]) -> None:
    report, chats = asked(sample, script)
    assert report.written_by_model == 0
    assert 0 < chats < 10
    assert lines(report) == lines(generate(sample, 40, seed=3))
