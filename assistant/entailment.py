"""Does a sentence of an abstract say this? A small learned head on the encoder's token vectors.

Decomposable attention (Parikh et al. 2016): each token of the claim is aligned softly with the evidence's tokens and
compared with what it is aligned to, and the other way round; words of opposite meaning and negations (`polarity`) stand
beside the vectors. `Entailment.load` gives None for an encoder that the weights were not trained on: the caller then
falls back to its rules. `eval.fitting.entailment` trains the weights. Pure numpy.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.encoder import Encoder, TokenVectors
from assistant.polarity import Marks, marks

LAYERS = (2, 4, 6)
"""The encoder layers whose outputs are read, side by side."""
WEIGHTS = Path(__file__).with_name("entailment.npz")
SUPPORTED, CONTRADICTED, UNSAID = range(3)

Array = NDArray[np.float32]


@dataclass(frozen=True)
class Entailment:
    """The trained head. `weights` are its arrays by name."""

    weights: Mapping[str, Array]

    @classmethod
    def load(cls, encoder: Encoder, path: Path = WEIGHTS) -> "Entailment | None":
        """Return the packaged head, or None when it was not trained on this encoder's vectors."""
        if not path.is_file():
            return None
        with np.load(path, allow_pickle=False) as held:
            if str(held["encoder"]) != encoder.fingerprint.files:
                return None
            return cls({name: held[name].astype(np.float32) for name in held.files if name != "encoder"})

    def score(self, claim: "Side", evidence: Sequence["Side"]) -> Array:
        """Return the probability that each evidence sentence supports the claim, shape (evidence,).

        Both are what `read` makes of token vectors; evidence is read once and kept.
        """
        return self.probabilities(claim, evidence)[:, SUPPORTED]

    def probabilities(self, claim: "Side", evidence: Sequence["Side"]) -> Array:
        """Return the probabilities of SUPPORTED, CONTRADICTED and UNSAID, shape (evidence, 3)."""
        found = np.zeros((len(evidence), 3), np.float32)
        found[:, UNSAID] = 1  # what holds no word says nothing
        spoken = [i for i, sentence in enumerate(evidence) if len(claim.pieces) and len(sentence.pieces)]
        for i in spoken:
            found[i] = _softmax(self._logits(claim, evidence[i]))
        return found

    def read(self, tokens: TokenVectors) -> "Side":
        """Project one text's token vectors, shape (tokens, layers * dimension)."""
        w, x = self.weights, tokens.vectors.astype(np.float32)
        last = x[:, -x.shape[1] // len(LAYERS) :]
        return Side(
            compared=np.tanh(x @ w["proj.weight"].T + w["proj.bias"]),
            aligned=_unit(x @ w["att.weight"].T),
            share=_softmax((x @ w["gate.weight"].T + w["gate.bias"])[:, 0]) if len(x) else np.zeros(0, np.float32),
            last=_unit(last),
            mean=_unit(last.sum(axis=0)),
            pieces=np.array(tokens.pieces),
            marks=marks(tokens.pieces),
        )

    @cached_property
    def _scale(self) -> float:
        return float(np.exp(self.weights["temp"]))

    def _logits(self, a: "Side", b: "Side") -> Array:
        same = (a.pieces[:, None] == b.pieces[None, :]).astype(np.float32)
        energy = (a.aligned @ b.aligned.T) * self._scale + same * self.weights["exactw"]
        near = a.last @ b.last.T
        agreement = a.marks.axes @ b.marks.axes.T
        forth = self._compare("comp", a, b, _softmax(energy), near, same, agreement)
        back = self._compare("comp2", b, a, _softmax(energy.T), near.T, same.T, agreement.T)
        stated = np.concatenate([_overlap(a, b, same, forth[1], back[1]), _polarity(a, b, near, agreement)])
        hidden = self._layer("out.0", np.concatenate([forth[0], back[0], stated]))
        top: Array = np.maximum(hidden, 0) @ self.weights["out.3.weight"].T + self.weights["out.3.bias"]
        return top

    def _layer(self, name: str, x: Array) -> Array:
        product: Array = x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return product

    def _compare(
        self, name: str, a: "Side", b: "Side", weights: Array, near: Array, same: Array, agreement: Array
    ) -> tuple[Array, Array]:
        """Return the token comparisons of `a` with `b` as mean and maximum, and two shares of `a` that `b` holds."""
        partner, nearest, hit = weights @ b.compared, near.max(axis=1), same.max(axis=1)
        columns = [
            np.clip(agreement.max(axis=1), 0, 1),
            np.clip((-agreement).max(axis=1), 0, 1),
            np.clip((weights * agreement).sum(axis=1), -1, 1),
        ]
        vectors = [a.compared, partner, np.abs(a.compared - partner), a.compared * partner]
        facts = [np.stack([nearest, hit, *columns], axis=1), a.marks.cues[:, :2], weights @ b.marks.cues[:, :2]]
        x = np.concatenate([*vectors, *facts], axis=1)
        compared = np.maximum(self._layer(f"{name}.0", x), 0)
        pooled = np.concatenate([a.share @ compared, compared.max(axis=0)])
        return pooled, np.array([nearest @ a.share, hit @ a.share], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One text as the head reads it. All rows are tokens; `mean` is one vector."""

    compared: Array
    aligned: Array
    share: Array
    last: Array
    mean: Array
    pieces: NDArray[np.str_]
    marks: Marks


def _overlap(a: Side, b: Side, same: Array, forth: Array, back: Array) -> Array:
    content = 1 - a.marks.cues[:, 2]
    covered = (same.max(axis=1) * content).sum() / max(content.sum(), 1.0)
    return np.array([*forth, *back, a.mean @ b.mean, covered, len(a.pieces) / len(b.pieces)], np.float32)


def _polarity(a: Side, b: Side, near: Array, agreement: Array) -> Array:
    """Return the counts of negations, agreeing and opposite words, and how the opposite ones are placed."""
    denials = [min(float(side.marks.cues[:, 0].sum()), 2.0) for side in (a, b)]
    agrees, opposes = (np.clip(sign * agreement, 0, 1).max(axis=1) for sign in (1, -1))
    context = np.exp(2 * near)
    weight = float((np.minimum(np.abs(agreement), 1) * context).sum())
    balance = float((np.clip(agreement, -1, 1) * context).sum()) / max(weight, 1e-3)
    counts = [agrees.sum(), opposes.sum(), balance, (opposes * (1 - agrees)).sum(), (agrees * (1 - opposes)).sum()]
    values = [*denials, float((denials[0] > 0) != (denials[1] > 0)), *np.minimum(counts, 4)]
    return np.array(values, np.float32)


def _softmax(x: Array) -> Array:
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    shares: Array = powers / powers.sum(axis=-1, keepdims=True)
    return shares


def _unit(x: Array) -> Array:
    unit: Array = x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-12)
    return unit
