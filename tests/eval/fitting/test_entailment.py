import json
import math
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.encoder import Encoder
from assistant.entailment import CONTRADICTED, LAYERS, SUPPORTED, UNSAID, Entailment
from assistant.errors import QuestionError
from eval.fitting.entailment import (
    Claims,
    auroc,
    estimate,
    folds,
    gathered,
    joined,
    read_abstracts,
    read_claims,
    run,
)
from eval.fitting.examples import Case, from_abstract, from_case
from eval.fitting.head import Head, Pair, TokenStore, fit, logits

ABSTRACT = (
    "We show that fine silt inhibits the hatching of eggs in shallow streams, which lowers the number of young fish.",
    "Coarse gravel significantly increases the flow of oxygen in 14 rivers of the northern plain.",
    "Shade is not associated with survival in any of the streams that we visited during 2019.",
)


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(device="cpu")


def case(claim: str, abstract: str, label: int, rationale: tuple[int, ...] = ()) -> Case:
    return Case(claim, abstract, ABSTRACT, label, rationale)


@given(st.integers(0, 1000))
@settings(max_examples=30)
def test_each_changed_claim_meets_both_evidences(seed: int) -> None:
    pairs = from_abstract(ABSTRACT, Random(seed))
    assert any(p.label == SUPPORTED for p in pairs)
    both = {(p.claim, p.label) for p in pairs}
    turned = [p for p in pairs if p.label == SUPPORTED and p.evidence not in ABSTRACT]
    assert all((p.claim, CONTRADICTED) in both for p in turned)
    assert all(p.evidence in ABSTRACT for p in pairs if p.label == UNSAID)


def test_labelled_claims_are_turned_round() -> None:
    claim = "Fine silt reduces hatching."
    pairs = from_case(case(claim, "1", SUPPORTED, (0,)), [0, 1, 2], Random(1))
    labels = {p.claim: p.label for p in pairs if p.evidence == ABSTRACT[0]}
    assert labels.pop(claim) == SUPPORTED
    assert {SUPPORTED, CONTRADICTED} == set(labels.values())
    unsaid = from_case(case(claim, "1", UNSAID), [1, 0, 2], Random(1))
    assert {p.label for p in unsaid} == {UNSAID}
    assert unsaid[0] == Pair(claim, ABSTRACT[1], UNSAID, 1.0)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=30))
def test_folds_keep_shared_claims_and_abstracts_together(links: list[tuple[int, int]]) -> None:
    cases = [case(f"claim {c}", f"abstract {a}", UNSAID) for c, a in links]
    fold = folds(cases)
    for i, one in enumerate(cases):
        for j, other in enumerate(cases):
            if one.claim == other.claim or one.abstract == other.abstract:
                assert fold[i] == fold[j]


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=30))
def test_auroc_is_the_share_of_ordered_pairs(rows: list[tuple[int, bool]]) -> None:
    values, positive = np.array([r[0] for r in rows], float), np.array([r[1] for r in rows], bool)
    wins = [(a > b) + (a == b) / 2 for a in values[positive] for b in values[~positive]]
    expected = sum(wins) / len(wins) if wins else math.nan
    assert auroc(values, positive) == pytest.approx(expected, nan_ok=True)


def test_a_feature_that_tells_labels_apart_is_learned() -> None:
    random = np.random.default_rng(0)
    cases = [case(f"claim {i}", str(i), (SUPPORTED, UNSAID)[i % 2]) for i in range(200)]
    signal = np.array([c.label == SUPPORTED for c in cases]) + 0.3 * random.normal(size=200)
    found = estimate(
        joined(np.column_stack([random.normal(size=200), signal]), cases, folds(cases), (UNSAID,)), cases, UNSAID
    )
    assert 0.95 < found.low <= found.mean <= found.high <= 1


def test_a_case_gets_its_best_sentences_support() -> None:
    scores = np.array([[0, 0, 9], [5, 0, 0], [0, 5, 0]], np.float32)
    support, related, polarity = gathered([case("claim", "1", SUPPORTED)], scores)[0]
    assert support == pytest.approx(5 - math.log(2))
    assert related == pytest.approx(math.log(math.exp(5) + 1))
    assert polarity == pytest.approx(0, abs=0.01)


def test_numpy_reads_what_torch_trained(encoder: Encoder) -> None:
    torch.manual_seed(3)
    head, claims = Head(encoder.dimension), ["Silt does not increase hatching.", "Gravel increases oxygen."]
    pairs = [(claim, sentence) for claim in claims for sentence in ABSTRACT]
    store = TokenStore(encoder, [text for pair in pairs for text in pair])
    expected = torch.softmax(torch.from_numpy(logits(head, store, pairs)), -1).numpy()
    read = Entailment({name: value.numpy() for name, value in head.state_dict().items()})
    sides = [read.read(tokens) for tokens in encoder.token_vectors([*claims, *ABSTRACT], LAYERS)]
    found = [read.probabilities(claim, sides[2:]) for claim in sides[:2]]
    assert np.abs(np.concatenate(found) - expected).max() < 1e-3


def test_the_head_learns_its_pairs(encoder: Encoder) -> None:
    torch.manual_seed(0)
    pairs = [Pair("Silt helps eggs.", ABSTRACT[0], CONTRADICTED), Pair("Silt harms eggs.", ABSTRACT[0], SUPPORTED)] * 8
    store = TokenStore(encoder, [text for p in pairs for text in (p.claim, p.evidence)])
    head = Head(encoder.dimension)
    fit(head, store, pairs, epochs=60, rate=3e-3, seed=0)
    assert logits(head, store, [(p.claim, p.evidence) for p in pairs[:2]]).argmax(axis=1).tolist() == [
        CONTRADICTED,
        SUPPORTED,
    ]


def claims_folder(folder: Path) -> Path:
    corpus = [{"doc_id": i, "title": "", "abstract": list(ABSTRACT)} for i in range(12)]
    labels = ("SUPPORT", "CONTRADICT", None)
    rows = []
    for i in range(11):
        label = labels[i % 3]
        evidence = {str(i): [{"sentences": [i % 2], "label": label}]} if label else {}
        rows.append(
            {"id": i, "claim": f"Silt increases losses in {i} rivers.", "evidence": evidence, "cited_doc_ids": [i]}
        )
    for name, records in (("corpus.jsonl", corpus), ("claims_train.jsonl", rows)):
        (folder / name).write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return folder


def test_claims_are_read(tmp_path: Path) -> None:
    claims = read_claims(claims_folder(tmp_path))
    assert isinstance(claims, Claims)
    assert [c.label for c in claims.cases[:3]] == [SUPPORTED, CONTRADICTED, UNSAID]
    assert claims.cases[0].rationale == (0,)
    assert claims.uncited == (ABSTRACT,)


def test_a_folder_without_claims_is_named(tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match="corpus"):
        read_claims(tmp_path)
    (tmp_path / "corpus.jsonl").write_text('{"x": 1}', encoding="utf-8")
    with pytest.raises(QuestionError, match="layout"):
        read_claims(tmp_path)


def test_papers_that_are_left_out_are_not_read(tmp_path: Path) -> None:
    first, second = (tmp_path / name for name in ("papers.txt", "seeds.txt"))
    other = "The museum opened a second hall for its collection of early printed maps. It is open to all."
    first.write_text(" ".join(ABSTRACT) + "\n\n" + other, encoding="utf-8")
    second.write_text(" ".join(ABSTRACT), encoding="utf-8")
    assert len(read_abstracts([str(first)], [])) == 2
    assert read_abstracts([str(first)], [str(second)]) == [
        ("The museum opened a second hall for its collection of early printed maps.", "It is open to all.")
    ]


def test_a_run_writes_weights_that_load(tmp_path: Path) -> None:
    out = tmp_path / "head.npz"
    run(read_claims(claims_folder(tmp_path)), [ABSTRACT], out, seed=0)
    assert Entailment.load(Encoder(), out) is not None
