"""The entailment head as torch trains it; `assistant.entailment` reads its weights with numpy."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from assistant.encoder import Encoder, TokenVectors
from assistant.entailment import LAYERS
from assistant.polarity import marks

_WIDTH, _ALIGNED, _TOP = 96, 64, 64
_BATCH = 64
_ENCODED_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim, an evidence sentence, the label (SUPPORTED, CONTRADICTED, UNSAID) and how much it counts."""

    claim: str
    evidence: str
    label: int
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts padded to one length: vectors (n, tokens, layers * dimension), and what is known of each token."""

    vectors: Tensor
    kept: Tensor
    pieces: Tensor
    axes: Tensor
    cues: Tensor


class TokenStore:
    """The token vectors of many texts, in half precision."""

    def __init__(self, encoder: Encoder, texts: Sequence[str]) -> None:
        self._vocabulary: dict[str, int] = {}
        self._rows: dict[str, tuple[NDArray[np.float16], NDArray[np.int64], tuple[str, ...]]] = {}
        order = sorted(set(texts), key=lambda text: (-len(text), text))
        for start in range(0, len(order), _ENCODED_AT_ONCE):
            part = order[start : start + _ENCODED_AT_ONCE]
            for text, tokens in zip(part, encoder.token_vectors(part, LAYERS), strict=True):
                self._add(text, tokens)

    def _add(self, text: str, tokens: TokenVectors) -> None:
        ids = [self._vocabulary.setdefault(piece, len(self._vocabulary) + 1) for piece in tokens.pieces]
        self._rows[text] = tokens.vectors.astype(np.float16), np.array(ids, np.int64), tokens.pieces

    def length(self, text: str) -> int:
        """Return how many tokens a text has."""
        return len(self._rows[text][1])

    def batch(self, texts: Sequence[str]) -> Batch:
        """Return the texts' tokens, padded."""
        rows = [self._rows[text] for text in texts]
        said = [marks(pieces) for _, _, pieces in rows]
        longest = max(max(len(ids) for _, ids, _ in rows), 1)

        def padded(arrays: Sequence[NDArray[np.generic]]) -> Tensor:
            full = np.zeros((len(arrays), longest, *arrays[0].shape[1:]), arrays[0].dtype)
            for row, array in enumerate(arrays):
                full[row, : len(array)] = array
            return torch.from_numpy(full)

        pieces = padded([ids for _, ids, _ in rows])
        kept = pieces > 0
        kept[:, 0] = True
        vectors = padded([values for values, _, _ in rows]).float()
        return Batch(vectors, kept, pieces, padded([m.axes for m in said]), padded([m.cues for m in said]))


class Head(nn.Module):
    """Scores (claim, evidence) pairs: logits of SUPPORTED, CONTRADICTED, UNSAID, shape (pairs, 3)."""

    def __init__(self, dimension: int) -> None:
        super().__init__()
        size = dimension * len(LAYERS)
        self.dimension = dimension
        self.proj = nn.Linear(size, _WIDTH)
        self.att = nn.Linear(size, _ALIGNED, bias=False)
        self.gate = nn.Linear(size, 1)
        self.temp, self.exactw = nn.Parameter(torch.tensor(2.5)), nn.Parameter(torch.tensor(1.0))
        self.comp, self.comp2 = (
            nn.Sequential(nn.Linear(4 * _WIDTH + 9, _WIDTH), nn.ReLU(), nn.Dropout(0.2)) for _ in range(2)
        )
        self.out = nn.Sequential(nn.Linear(4 * _WIDTH + 15, _TOP), nn.ReLU(), nn.Dropout(0.2), nn.Linear(_TOP, 3))

    def forward(self, a: Batch, b: Batch) -> Tensor:
        """Return the logits."""
        xa, xb = self._thinned(a.vectors), self._thinned(b.vectors)
        pa, pb = torch.tanh(self.proj(xa)), torch.tanh(self.proj(xb))
        qa, qb = (functional.normalize(self.att(x), dim=-1) for x in (xa, xb))
        ta, tb = a.kept.unsqueeze(2), b.kept.unsqueeze(1)
        same = ((a.pieces.unsqueeze(2) == b.pieces.unsqueeze(1)) & (a.pieces > 0).unsqueeze(2)).float()
        energy = qa @ qb.transpose(1, 2) * self.temp.exp() + same * self.exactw
        forth = energy.masked_fill(~tb, -1e4).softmax(-1)
        back = energy.masked_fill(~ta, -1e4).transpose(1, 2).softmax(-1)
        la, lb = (functional.normalize(x.vectors[..., -self.dimension :], dim=-1) for x in (a, b))
        near = la @ lb.transpose(1, 2)
        agreement = a.axes @ b.axes.transpose(1, 2)
        shares = [self.gate(x.vectors).squeeze(-1).masked_fill(~x.kept, -1e4).softmax(-1) for x in (a, b)]
        nearest = [near.masked_fill(~tb, -1).amax(2), near.masked_fill(~ta, -1).amax(1)]
        left = self._compare(self.comp, pa, pb, forth, a, b, shares[0], nearest[0], same, agreement)
        right = self._compare(
            self.comp2, pb, pa, back, b, a, shares[1], nearest[1], same.transpose(1, 2), agreement.transpose(1, 2)
        )
        facts = [*left[1], *right[1], *_overlap(a, b, same, self.dimension), *_polarity(a, b, near, agreement)]
        logits: Tensor = self.out(torch.cat([left[0], right[0], torch.stack(facts, -1)], -1))
        return logits

    def _thinned(self, x: Tensor) -> Tensor:
        if not self.training:
            return x
        # One mask for all tokens of a text: a mask of its own for each token costs more than the rest of the step.
        return x * ((torch.rand(x.shape[0], 1, x.shape[2]) > 0.1).float() / 0.9)

    def _compare(
        self, layer: nn.Module, pa: Tensor, pb: Tensor, weights: Tensor, a: Batch, b: Batch, share: Tensor,
        nearest: Tensor, same: Tensor, agreement: Tensor,
    ) -> tuple[Tensor, list[Tensor]]:  # fmt: skip
        partner, hit = weights @ pb, same.amax(2)
        placed = [agreement.amax(2).clamp(0, 1), (-agreement).amax(2).clamp(0, 1)]
        placed.append((weights * agreement).sum(2).clamp(-1, 1))
        columns = [pa, partner, (pa - partner).abs(), pa * partner, torch.stack([nearest, hit, *placed], -1)]
        compared = layer(torch.cat([*columns, a.cues[..., :2], weights @ b.cues[..., :2]], -1))
        mean = (compared * share.unsqueeze(-1)).sum(1)
        most = compared.masked_fill(~a.kept.unsqueeze(-1), 0).amax(1)
        return torch.cat([mean, most], -1), [(nearest * share).sum(1), (hit * share).sum(1)]


def _overlap(a: Batch, b: Batch, same: Tensor, dimension: int) -> list[Tensor]:
    means = [functional.normalize((x.vectors[..., -dimension:] * x.kept.unsqueeze(-1)).sum(1), dim=-1) for x in (a, b)]
    content = (1 - a.cues[..., 2]) * a.kept
    covered = (same.amax(2) * content).sum(1) / content.sum(1).clamp(min=1)
    return [(means[0] * means[1]).sum(-1), covered, a.kept.sum(1) / b.kept.sum(1)]


def _polarity(a: Batch, b: Batch, near: Tensor, agreement: Tensor) -> list[Tensor]:
    denials = [x.cues[..., 0].sum(1).clamp(max=2) for x in (a, b)]
    agrees, opposes = (agreement * sign for sign in (1, -1))
    agrees, opposes = agrees.clamp(0, 1).amax(2), opposes.clamp(0, 1).amax(2)
    context = (2 * near).exp()
    balance = (agreement.clamp(-1, 1) * context).sum((1, 2))
    balance = balance / (agreement.abs().clamp(max=1) * context).sum((1, 2)).clamp(min=1e-3)
    counts = [agrees.sum(1).clamp(max=4), opposes.sum(1).clamp(max=4), balance]
    counts += [(opposes * (1 - agrees)).sum(1).clamp(max=4), (agrees * (1 - opposes)).sum(1).clamp(max=4)]
    return [*denials, ((denials[0] > 0) != (denials[1] > 0)).float(), *counts]


def fit(head: Head, store: TokenStore, pairs: Sequence[Pair], epochs: int, rate: float, seed: int) -> None:
    """Train the head in place with AdamW, a warm-up and a linear decay."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    optimiser = torch.optim.AdamW(head.parameters(), lr=rate, weight_decay=1e-4)
    total, step = epochs * -(-len(pairs) // _BATCH), 0
    head.train()
    for _ in range(epochs):
        for part in _batches(store, pairs, random):
            for group in optimiser.param_groups:
                group["lr"] = rate * min(1.0, (step + 1) / 50) * max(0.05, 1 - step / total)
            step += 1
            losses = functional.cross_entropy(
                head(store.batch([p.claim for p in part]), store.batch([p.evidence for p in part])),
                torch.tensor([p.label for p in part]),
                reduction="none",
            )
            weights = torch.tensor([p.weight for p in part])
            optimiser.zero_grad()
            torch.autograd.backward((losses * weights).sum() / weights.sum())
            nn.utils.clip_grad_norm_(head.parameters(), 1.0)
            optimiser.step()


def logits(head: Head, store: TokenStore, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
    """Return the logits of (claim, evidence) pairs, shape (pairs, 3)."""
    head.eval()
    found = np.zeros((len(pairs), 3), np.float32)
    order = sorted(range(len(pairs)), key=lambda i: store.length(pairs[i][1]))
    with torch.inference_mode():
        for start in range(0, len(order), _BATCH):
            part = order[start : start + _BATCH]
            claims, evidence = ([pairs[i][side] for i in part] for side in (0, 1))
            found[part] = head(store.batch(claims), store.batch(evidence)).numpy()
    return found


def _batches(store: TokenStore, pairs: Sequence[Pair], random: np.random.Generator) -> Iterator[list[Pair]]:
    """Yield batches of about equal length, in random order."""
    order = random.permutation(len(pairs))
    for start in range(0, len(order), 40 * _BATCH):
        block = sorted((pairs[i] for i in order[start : start + 40 * _BATCH]), key=lambda p: store.length(p.evidence))
        parts = [block[i : i + _BATCH] for i in range(0, len(block), _BATCH)]
        for i in random.permutation(len(parts)):
            yield parts[i]
