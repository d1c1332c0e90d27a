"""The papers of a topic: every paper of the library is scored, and a cut-off made for completeness decides.

A paper's score is its nearness, the cosine of its nearest sentence with the topic as a share of the nearest paper's,
and its share of the topic's words (BM25). The topic's vector is moved towards the papers found first (Rocchio 1971), so
that `satellite imagery` finds remote sensing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from assistant import selection
from assistant.library import Library
from assistant.retrieval import DENSE_WEIGHT
from assistant.routing import names as coined
from assistant.schema import Candidate, Paper
from assistant.selection import Vector
from assistant.text import content_stems, fold

RELEVANT: Final = 0.46
NEAR_BY_MEANING: Final = 0.47
SEEDS: Final = 5
SEEDS_SHARE: Final = 12  # one paper in so many may be a seed, lest a small library's topic drift


@dataclass(frozen=True, slots=True)
class Cut:
    """A paper belongs when nearness + `words` * (share of the words) is at least `at_least` of the best paper's.

    Chosen for a recall of 0.9 on 23 topics in libraries of 35, 38 and 6,629 papers, and checked on 23 others;
    `python -m eval.fitting.topics LIBRARY TOPICS.jsonl` shows what other cuts would do.
    """

    words: float = 0.6
    at_least: float = 0.63


CUT: Final = Cut()

_EACH = re.compile(
    r"[\s,;]*(?:\band\s+)?\b(?:what|how|where)\s+(?:do|does|did|is|are|was)\s+(?:each|they|every|it)\b.*$",
    re.IGNORECASE,
)
_NOUNS = re.compile(
    r"\b(?:research )?(?:papers?|articles?|publications?|preprints?|abstracts?)\b(?:'s)?", re.IGNORECASE
)
_CAME_OUT = re.compile(r"\b(?:came|come|comes|coming) out\b", re.IGNORECASE)
_LEAD = frozenset(
    """a about address addresses all an and any are can cite collection concern concerned concerning consider
    considers contain could count cover covers corpus deal deals dealing describe describes did discuss
    discusses discussing do does each enumerate every examine examines explore explores find focus focuses
    focusing for from give has have here how i in investigate investigates is its know list listed library many
    me mention mentioning mentions name number of on or our please present presents propose proposes regarding
    related relating relevant say see show some studied studies study studying tackle tackles talk talking talks
    tell that the their them there these they this those to total treat treats us use uses using want was we
    were what where which who with work works working write writes written wrote you did published publish
    authored author authors but not also what's there's appear appears appeared appearing came everything anything
    together need needs looking searching interested would like please""".split()
)
_TRAIL = _LEAD | frozenset(
    "available collected exist exists held indexed altogether overall far so currently now hold holds contained".split()
)
_GENERIC = frozenset(
    content_stems(
        " ".join(_TRAIL) + " research paper papers article articles come published appear appeared year years venue"
    )
)


def topic(rest: str) -> str:
    """Return what papers are asked to be about, from a question without its restrictions; "" when nothing is said."""
    text = _NOUNS.sub(" ", _CAME_OUT.sub(" ", _EACH.sub("", rest))).replace("-related", "")
    tokens = [token.strip(" ,;:?!") for token in text.split()]
    tokens = [token for token in tokens if token.strip(".…\"'“”-–—")]
    while tokens and fold(tokens[0]).strip(".'\"") in _LEAD:
        tokens.pop(0)
    while tokens and fold(tokens[-1]).strip(".'\"") in _TRAIL:
        tokens.pop()
    found = " ".join(tokens).rstrip(".").strip(" \"'“”")
    return found if set(content_stems(found)) - _GENERIC else ""


def asks_what_each_says(question: str) -> bool:
    """Tell whether a question for papers also asks what each of them says."""
    return _EACH.search(question) is not None


@dataclass(frozen=True, slots=True)
class Scores:
    """How much each paper belongs to a topic: its nearness and its share of the words, each 0..1; and its cosine."""

    paper_ids: list[str]
    nearness: Vector
    words: Vector
    cosines: Vector

    def under(self, cut: Cut) -> Vector:
        """Return what the cut compares, each paper's share of the best, (papers,)."""
        values: Vector = self.nearness + np.float32(cut.words) * self.words
        best: Vector = values / values.max(initial=np.float32(1e-9))
        return best


def scores(library: Library, about: str) -> Scores:
    """Score every paper of the library for a topic."""
    vector = library.encoder.encode_query(about)
    first = library.vectors.nearest(vector)
    shares = library.terms.shares(about)
    lexical = np.array([shares.get(paper_id, 0.0) for paper_id in first.paper_ids], dtype=np.float32)
    if not first.paper_ids:
        return Scores([], lexical, lexical, lexical)
    fused = DENSE_WEIGHT * first.cosines + (1 - DENSE_WEIGHT) * lexical / max(float(lexical.max()), 1e-9)
    seeds = np.argsort(-fused, kind="stable")[: min(SEEDS, max(1, len(fused) // SEEDS_SHARE))]
    moved = vector + first.vectors[seeds].mean(axis=0)
    near = library.vectors.nearest((moved / np.linalg.norm(moved)).astype(np.float32)).cosines
    return Scores(first.paper_ids, near / max(float(near.max()), 1e-9), lexical, first.cosines)


def papers_about(library: Library, about: str, cut: Cut = CUT) -> list[Candidate]:
    """Return all papers that belong to a topic, best first.

    The candidates' `score` is what the cut compares; `dense` is the cosine with the topic.
    """
    found = scores(library, about)
    values = found.under(cut)
    place = {found.paper_ids[i]: i for i in np.argsort(-values, kind="stable") if values[i] >= cut.at_least}
    return [
        Candidate(paper, float(values[i]), float(found.cosines[i]), float(found.words[i]))
        for paper in library.catalogue.papers(place)
        for i in (place[paper.paper_id],)
    ]


def is_relevant(library: Library, about: str, members: Sequence[Candidate]) -> bool:
    """Tell whether the papers that are nearest to a topic are about it at all.

    They are when they hold a coined name in it; without one, when they are near enough, and near by their meaning or
    by the topic's own phrase: `sign` and `language` each for itself make no paper about sign language.
    """
    names = [fold(name).removesuffix("s") for name in coined(about)]
    if names:
        held = fold(" ".join(f"{c.paper.name} {c.paper.abstract}" for c in members))
        return any(name in held for name in names)
    stems = content_stems(about)
    weights = library.terms.idf(stems)
    if not any(selection.relevance(found, weights) >= RELEVANT for found in members[:3]):
        return False
    return (
        len(stems) < 2
        or max(c.dense for c in members) >= NEAR_BY_MEANING
        or any(_holds(c.paper, stems) for c in members)
    )


def _holds(paper: Paper, phrase: Sequence[str]) -> bool:
    """Tell whether a paper's title or abstract holds these stems one after the other."""
    joined = " ".join(phrase)
    return any(f" {joined} " in f" {' '.join(content_stems(text))} " for text in (paper.title or "", paper.abstract))
