"""Trains and measures the entailment head: `python -m eval.fitting.entailment --claims DIR --papers FILE… --out FILE`.

`--claims` is a folder in SciFact's layout: claims*.jsonl (claims with labelled evidence sentences) and
corpus*.jsonl (abstracts cut into sentences), each plain or gzipped. `--papers` are any files that `askpapers ingest`
reads; papers that are nearly the same as one of `--without` are left out. Figures are from five folds in which claims
that share an abstract stay together; the written weights are trained on all of them.
"""

import argparse
import gzip
import json
import logging
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.encoder import Encoder
from assistant.entailment import CONTRADICTED, SUPPORTED, UNSAID
from assistant.errors import QuestionError
from assistant.text import content_stems, sentences
from eval.fitting.examples import Case, from_abstract, from_case
from eval.fitting.head import Head, Pair, TokenStore, fit, logits
from eval.statistics import Estimate
from ingest.fields import parse
from ingest.readers import read
from ingest.records import ParsedRecord, RawRecord

FOLDS = 5
_LABELS = {"SUPPORT": SUPPORTED, "CONTRADICT": CONTRADICTED}
_MOST_PAPERS = 2000
_MIXED = 3000
_RESAMPLES = 1000
_SAME_PAPER = 0.45
_log = logging.getLogger(__name__)

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Claims:
    """Labelled cases, and the abstracts that no case cites."""

    cases: tuple[Case, ...]
    uncited: tuple[tuple[str, ...], ...]


def read_claims(folder: Path) -> Claims:
    """Read a folder in SciFact's layout; raises QuestionError when a file is missing or has another layout."""
    try:
        corpus = {str(row["doc_id"]): tuple(row["abstract"]) for row in _rows(folder, "corpus")}
        cases = [case for row in _rows(folder, "claims") for case in _cases(row, corpus)]
    except (KeyError, TypeError, ValueError, OSError) as error:
        raise QuestionError(f"{folder} is no folder in SciFact's layout ({error!r}).") from error
    cited = {case.abstract for case in cases}
    return Claims(tuple(cases), tuple(corpus[key] for key in sorted(set(corpus) - cited)))


def _cases(row: Mapping[str, Any], corpus: Mapping[str, tuple[str, ...]]) -> Iterator[Case]:
    evidence = row["evidence"]
    for cited in dict.fromkeys(map(str, row["cited_doc_ids"])):
        sets = evidence.get(cited, [])
        label = _LABELS[sets[0]["label"]] if sets else UNSAID
        rationale = tuple(sorted({int(i) for one in sets for i in one["sentences"]}))
        yield Case(str(row["claim"]), cited, corpus[cited], label, rationale)


def _rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    path = next(iter(sorted(p for p in folder.glob(f"{name}*") if p.name.endswith((".jsonl", ".jsonl.gz")))), None)
    if path is None:
        raise QuestionError(f"{folder} has no {name}*.jsonl; give a folder in SciFact's layout.")
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def read_abstracts(paths: Sequence[str], without: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the sentences of the papers' abstracts, those that are nearly one of `without` left out."""
    excluded = [set(content_stems(text)) for text in _abstracts(without)]
    found = []
    for text in _abstracts(paths):
        stems = set(content_stems(text))
        if not any(len(stems & other) > _SAME_PAPER * len(stems | other) for other in excluded):
            found.append(tuple(text[span.start : span.end] for span in sentences(text)))
    return found


def _abstracts(paths: Sequence[str]) -> Iterator[str]:
    records = (parse(item) for item in read(paths) if isinstance(item, RawRecord)) if paths else iter(())
    yield from (record.paper.abstract for record in records if isinstance(record, ParsedRecord))


def folds(cases: Sequence[Case], seed: int = 0) -> NDArray[np.int64]:
    """Return each case's fold; cases that share a claim or an abstract, or are linked by others, share it."""
    parent: dict[str, str] = {}

    def root(key: str) -> str:
        while parent.setdefault(key, key) != key:
            key = parent[key]
        return key

    for case in cases:
        parent[root(f"claim {case.claim}")] = root(f"abstract {case.abstract}")
    groups: dict[str, list[int]] = {}
    for i, case in enumerate(cases):
        groups.setdefault(root(f"claim {case.claim}"), []).append(i)
    members = list(groups.values())
    Random(seed).shuffle(members)
    found, sizes = np.zeros(len(cases), np.int64), [0] * FOLDS
    for group in sorted(members, key=len, reverse=True):
        smallest = sizes.index(min(sizes))
        found[group] = smallest
        sizes[smallest] += len(group)
    return found


def auroc(values: Scores, positive: NDArray[np.bool_]) -> float:
    """Return the probability that a positive's value is above a negative's; ties count half."""
    ranks = np.empty(len(values))
    order = np.argsort(values, kind="stable")
    edges = np.flatnonzero(np.r_[True, np.diff(values[order]) > 0, True])
    for start, end in pairwise(edges):
        ranks[order[start:end]] = (start + end + 1) / 2
    n, m = int(positive.sum()), int((~positive).sum())
    return float((ranks[positive].sum() - n * (n + 1) / 2) / (n * m)) if n and m else math.nan


def estimate(values: Scores, cases: Sequence[Case], against: int, seed: int = 0) -> Estimate:
    """Return the AUROC of SUPPORTED against a label with its interval, claims drawn with replacement."""
    kept = [i for i, case in enumerate(cases) if case.label in (SUPPORTED, against)]
    positive = np.array([cases[i].label == SUPPORTED for i in kept])
    held = values[kept]
    groups: dict[str, list[int]] = {}
    for place, i in enumerate(kept):
        groups.setdefault(cases[i].claim, []).append(place)
    members, random, drawn = [np.array(g) for g in groups.values()], np.random.default_rng(seed), []
    for _ in range(_RESAMPLES):
        places = np.concatenate([members[g] for g in random.integers(0, len(members), len(members))])
        drawn.append(auroc(held[places], positive[places]))
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    return Estimate(auroc(held, positive), float(low), float(high))


class Measures:
    """What rules say of each case: cosine and idf-weighted coverage, best sentence and whole abstract."""

    def __init__(self, encoder: Encoder, claims: Claims) -> None:
        cases = claims.cases
        every = {case.abstract: case.sentences for case in cases}
        texts = sorted({s for abstract in every.values() for s in abstract} | {case.claim for case in cases})
        vectors = dict(zip(texts, encoder.encode_documents(texts), strict=True))
        held = Counter(stem for a in (*every.values(), *claims.uncited) for stem in set(content_stems(" ".join(a))))
        total = len(every) + len(claims.uncited)
        self._idf = {stem: math.log(1 + (total - n + 0.5) / (n + 0.5)) for stem, n in held.items()}
        self._rarest = math.log(1 + (total + 0.5) / 0.5)
        self.cosines = [np.array([vectors[s] @ vectors[c.claim] for s in c.sentences], float) for c in cases]
        self.covered = [np.array([self._coverage(c.claim, s) for s in c.sentences]) for c in cases]
        self.whole = np.array([self._coverage(c.claim, " ".join(c.sentences)) for c in cases])

    def _coverage(self, claim: str, text: str) -> float:
        weights = {stem: self._idf.get(stem, self._rarest) for stem in set(content_stems(claim))}
        held = set(content_stems(text))
        return sum(w for stem, w in weights.items() if stem in held) / max(sum(weights.values()), 1e-9)

    def table(self) -> Scores:
        """Return one row a case: best cosine, best coverage, best of their sum, the whole abstract's coverage."""
        best = [(c.max(), v.max(), (c + v).max()) for c, v in zip(self.cosines, self.covered, strict=True)]
        return np.column_stack([np.array(best), self.whole])


def gathered(cases: Sequence[Case], scores: NDArray[np.float32]) -> Scores:
    """Return a case's features of its sentences' logits: best support, best relatedness, and polarity where related."""
    rows, start = [], 0
    for case in cases:
        part = scores[start : start + len(case.sentences)].astype(float)
        start += len(case.sentences)
        support = part[:, SUPPORTED] - np.logaddexp(part[:, CONTRADICTED], part[:, UNSAID])
        related = np.logaddexp(part[:, SUPPORTED], part[:, CONTRADICTED]) - part[:, UNSAID]
        weights = np.exp(related - related.max())
        polarity = ((part[:, SUPPORTED] - part[:, CONTRADICTED]) * weights).sum() / weights.sum()
        rows.append((support.max(), related.max(), polarity))
    return np.array(rows)


def logistic(x: Scores, y: NDArray[np.bool_], penalty: float = 3.0) -> Scores:
    """Return the weights of a ridge logistic regression on standardised columns, the intercept last (Newton)."""
    design = np.column_stack([x, np.ones(len(x))])
    ridge = penalty * np.eye(design.shape[1])
    ridge[-1, -1] = 0
    weights = np.zeros(design.shape[1])
    for _ in range(25):
        p = 1 / (1 + np.exp(-design @ weights))
        gradient = design.T @ (p - y) + ridge @ weights
        weights -= np.linalg.solve((design * (p * (1 - p))[:, None]).T @ design + ridge, gradient)
    return weights


def joined(features: Scores, cases: Sequence[Case], fold: NDArray[np.int64], against: Sequence[int]) -> Scores:
    """Return each case's log odds of SUPPORTED against labels from a logistic regression fitted on the other folds."""
    labels = np.array([case.label for case in cases])
    z = (features - features.mean(axis=0)) / features.std(axis=0)
    found = np.zeros(len(cases))
    for k in range(FOLDS):
        fitted = (fold != k) & np.isin(labels, [SUPPORTED, *against])
        found[fold == k] = np.column_stack([z[fold == k], np.ones((fold == k).sum())]) @ logistic(
            z[fitted], labels[fitted] == SUPPORTED
        )
    return found


def _questions(cases: Sequence[Case]) -> list[tuple[str, str]]:
    return [(case.claim, sentence) for case in cases for sentence in case.sentences]


def _trained(
    base: Mapping[str, object], dimension: int, store: TokenStore, own: Sequence[Pair], made: Sequence[Pair], seed: int
) -> Head:
    head = Head(dimension)
    head.load_state_dict(dict(base))
    mixed = Random(seed).sample(list(made), min(_MIXED, len(made)))
    fit(head, store, [*own, *(Pair(p.claim, p.evidence, p.label, 0.5) for p in mixed)], 1, 4e-4, seed)
    return head


def run(claims: Claims, abstracts: Sequence[tuple[str, ...]], out: Path, seed: int) -> None:
    """Train on generated pairs, then with the cases by fold and on all of them; log the figures, write the weights."""
    encoder, random = Encoder(), Random(seed)
    pool = [*random.sample(list(abstracts), min(_MOST_PAPERS, len(abstracts)))]
    pool += random.sample(list(claims.uncited), min(_MOST_PAPERS * 3 // 5, len(claims.uncited)))
    made = [pair for abstract in pool for pair in from_abstract(abstract, random)]
    measures = Measures(encoder, claims)
    nearest = [np.argsort(-(c + v)).tolist() for c, v in zip(measures.cosines, measures.covered, strict=True)]
    own = [from_case(case, near, random) for case, near in zip(claims.cases, nearest, strict=True)]
    pairs = [*made, *(pair for part in own for pair in part)]
    asked = _questions(claims.cases)
    texts = [text for p in pairs for text in (p.claim, p.evidence)] + [text for pair in asked for text in pair]
    _log.info("%d generated pairs, %d of labelled claims, %d texts", len(made), len(pairs) - len(made), len(set(texts)))
    store = TokenStore(encoder, texts)
    base = Head(encoder.dimension)
    fit(base, store, made, 1, 1e-3, seed)
    fold = folds(claims.cases, seed)
    _report("generated pairs alone", claims.cases, fold, measures, logits(base, store, asked))
    start, scores = base.state_dict(), np.zeros((len(asked), 3), np.float32)
    owner = np.repeat(fold, [len(case.sentences) for case in claims.cases])
    for k in range(FOLDS):
        part = [pair for case, pairs_ in zip(fold, own, strict=True) if case != k for pair in pairs_]
        head = _trained(start, encoder.dimension, store, part, made, seed + k)
        held = np.flatnonzero(owner == k)
        scores[held] = logits(head, store, [asked[i] for i in held])
    _report("with labelled claims, by fold", claims.cases, fold, measures, scores)
    final = _trained(start, encoder.dimension, store, [p for part in own for p in part], made, seed)
    write(final, encoder, out)


def _report(
    name: str, cases: Sequence[Case], fold: NDArray[np.int64], measures: Measures, scores: NDArray[np.float32]
) -> None:
    rules, learned = measures.table(), gathered(cases, scores)
    both = np.column_stack([rules, learned])
    found = {
        "rules": joined(rules, cases, fold, (UNSAID,)),
        "head: support": learned[:, 0],
        "head: polarity": learned[:, 2],
        "rules and head, against unsaid": joined(both, cases, fold, (UNSAID,)),
        "rules and head, against both": joined(both, cases, fold, (UNSAID, CONTRADICTED)),
    }
    for kind, values in found.items():
        for against, label in ((UNSAID, "unsaid"), (CONTRADICTED, "contradicted")):
            e = estimate(values, cases, against)
            _log.info("%s; %s; support against %s: %.3f [%.3f, %.3f]", name, kind, label, e.mean, e.low, e.high)


def write(head: Head, encoder: Encoder, out: Path) -> None:
    """Write the weights in half precision with the hash of the encoder's files."""
    arrays = {name: value.numpy().astype(np.float16) for name, value in head.state_dict().items()}
    np.savez_compressed(out, encoder=np.array(encoder.fingerprint.files), **arrays)


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m eval.fitting.entailment", description=__doc__)
    parser.add_argument("--claims", type=Path, required=True, help="a folder in SciFact's layout")
    parser.add_argument("--papers", nargs="+", default=[], help="files that ingest reads")
    parser.add_argument("--without", nargs="+", default=[], help="papers to leave out of training")
    parser.add_argument("--out", type=Path, required=True, help="where the weights go, .npz")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    logging.getLogger().setLevel(logging.WARNING)
    _log.setLevel(logging.INFO)
    run(read_claims(given.claims), read_abstracts(given.papers, given.without), given.out, given.seed)


if __name__ == "__main__":
    main()
