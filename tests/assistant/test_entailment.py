from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from assistant.encoder import Encoder
from assistant.entailment import LAYERS, UNSAID, WEIGHTS, Entailment, Side

TRUE_AND_FALSE = [
    ("Fine silt reduces the survival of eggs.", "Fine silt increases the survival of eggs."),
    ("Fine silt is harmful to eggs.", "Fine silt is not harmful to eggs."),
    ("Survival of eggs is lower with fine silt.", "Survival of eggs is higher with fine silt."),
]
EVIDENCE = "We found that fine silt is harmful to eggs and strongly reduces their survival in shallow streams."
ELSEWHERE = "The museum opened a second hall for its collection of early printed maps."


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(device="cpu")


@pytest.fixture(scope="module")
def head(encoder: Encoder) -> Entailment:
    found = Entailment.load(encoder)
    assert found is not None
    return found


def tokens(encoder: Encoder, head: Entailment, texts: Sequence[str]) -> list[Side]:
    return [head.read(tokens) for tokens in encoder.token_vectors(texts, LAYERS)]


@pytest.mark.parametrize(("true", "false"), TRUE_AND_FALSE)
def test_what_is_turned_round_scores_lower(encoder: Encoder, head: Entailment, true: str, false: str) -> None:
    evidence, *claims = tokens(encoder, head, [EVIDENCE, true, false])
    supported, contradicted = (float(head.score(claim, [evidence])[0]) for claim in claims)
    assert supported > contradicted


def test_another_subject_is_unsaid(encoder: Encoder, head: Entailment) -> None:
    claim, near, far = tokens(encoder, head, [TRUE_AND_FALSE[0][0], EVIDENCE, ELSEWHERE])
    probabilities = head.probabilities(claim, [near, far])
    assert probabilities[1].argmax() == UNSAID
    assert head.score(claim, [near, far]).argmax() == 0


def test_probabilities_add_up(encoder: Encoder, head: Entailment) -> None:
    claim, *evidence = tokens(encoder, head, [EVIDENCE, ELSEWHERE, EVIDENCE])
    assert np.allclose(head.probabilities(claim, evidence).sum(axis=1), 1, atol=1e-5)
    assert head.probabilities(claim, []).shape == (0, 3)


def test_texts_without_a_word_are_scored(encoder: Encoder, head: Entailment) -> None:
    empty, full = tokens(encoder, head, ["", EVIDENCE])
    assert head.score(empty, [full, empty]).tolist() == [0, 0]
    assert head.score(full, [empty]).tolist() == [0]


def test_another_encoder_gets_no_head(encoder: Encoder, tmp_path: Path) -> None:
    with np.load(WEIGHTS) as held:
        arrays = {name: held[name] for name in held.files}
    np.savez(tmp_path / "other.npz", **(arrays | {"encoder": np.array("of other weights")}))
    assert Entailment.load(encoder, tmp_path / "other.npz") is None
    assert Entailment.load(encoder, tmp_path / "missing.npz") is None


def test_the_weights_are_small() -> None:
    assert WEIGHTS.stat().st_size < 2_000_000
