"""Which sentences of which papers answer a question. Pure: texts and numbers in, sentences out."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
import numpy.typing as npt

from assistant.citations import split
from assistant.schema import Candidate, Paper, Quote, Sentence, Span
from assistant.sought import Sought, defines, sought
from assistant.text import content_stems, fold, sentences, trimmed

Vector = npt.NDArray[np.float32]
Scores = npt.NDArray[np.float64]

COSINE_WEIGHT = 0.4
FIGURE_BONUS = 0.3
SPELLED_BONUS = 0.2
CUE_BONUS = 0.05
DEFINES_BONUS = 0.25
DECIDES_BONUS = 0.6
NEIGHBOUR_WEIGHT = 0.2
NOVELTY_WEIGHT = 0.3
NEAR_MISS = 0.7
GIST_ABOUT = 0.4

_FIGURE = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|million|billion|double|half"
    r"|twice|once)\b"
)
_ASKS_FIGURE = re.compile(
    r"\b(?:how (?:many|much|long|large|deep|big|far|often|fast|old)|by how|up to (?:what|which|how)|when"
    r"|(?:what|which) (?:\w+ )?(?:accuracy|percentage|fraction|share|number|speedup|improvement|size|score|error|rate"
    r"|length|context|year|ratio|factor|cost|value|budget))\b"
)
_CUES = (
    (
        re.compile(r"^why|\b(?:reasons?|causes?|what makes)\b"),
        re.compile(
            r"\b(?:because|due to|caus\w+|since|owing|stems?|leads?|fails?|suffers?|results? in|arises?|limit\w*"
            r"|attribut\w+|identif\w+)\b"
        ),
    ),
    (
        re.compile(r"^how (?:do|does|did|is|are|was|were|can)\b"),
        re.compile(r"\b(?:by|via|using|through|based on)\b"),
    ),
    (
        re.compile(r"^(?:what|which) (?:is|are)\b"),
        re.compile(r"\b(?:is an?|are|refers?|defined|called|introduces?|presents?|proposes?|namely)\b"),
    ),
    (
        re.compile(r"\b(?:which|what) (?:\w+ ){0,3}(?:models?|llms?|backbones?|networks?)\b"),
        re.compile(r"\b[a-z]+-?\d[\w.]*\b|\b\d+(?:\.\d+)?[bm]\b"),
    ),
    (
        re.compile(r"\b(?:test(?:ed|s)?|evaluat\w+|validated|tried|experiments?|benchmarks?|datasets?)\b"),
        re.compile(r"\b(?:across|evaluat\w+|experiment\w*|benchmarks?|datasets?|test(?:ed|s)?|validat\w+)\b"),
    ),
)
_INTRODUCES = re.compile(
    r"\b(?:we|this (?:paper|work|article)|here,? we)\s+(?:\w+ly )?(?:then |also |therefore |thus |first )?"
    r"(?:present|introduce|propose|develop|describe|design|build|construct|provide|formulate|establish|give|offer)s?\b"
    r"|\b(?:our (?:\w+ )?(?:approach|method|model|framework|algorithm|system))\b"
)
_KEYWORDS = re.compile(r"(?:key ?words|index terms)\s*[:—-]", re.IGNORECASE)
_ORDERS = re.compile(
    r"(?i:\b(?:ignore|disregard|forget)(?: all| any| the| your| every\w*| of)*"
    r" (?:above|previous|prior|preceding|earlier|rules|instructions?|notes|evidence)\b"
    r"|\bcite \[\d+\]|\byou are (?:now )?(?:an? |the )(?:ai|assistant|language model|chatbot)\b|\bsystem prompt\b)"
    r"|\b(?i:say|print|output|reply|respond)(?i: only)?(?i: with)? [\"“'‘]?[A-Z]{4,}\b"
)
_PART_ENDS = re.compile(r"[.!?]+(?=\s)|<[^<>]*>|\[/?[A-Z]+\]")
_REPORTS = re.compile(
    r"\b(?:we (?:\w+ly )?(?:show|find|demonstrate|prove|observe|establish)|results?|experiments?|outperform\w*"
    r"|achiev\w+|improv\w+|reduc\w+|state-of-the-art|surpass\w*|evaluat\w+|empirically)\b"
)


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence of the abstract of the paper that bears number `n`; `length` counts words."""

    n: int
    text: str
    span: Span
    stems: frozenset[str]
    length: int


def passages(n: int, paper: Paper) -> list[Passage]:
    """Return the sentences of a paper's abstract, in order.

    A list of keywords at its end is none, nor is what gives orders to whoever reads it: neither is evidence.
    """
    abstract = paper.abstract
    spans = [part for span in sentences(abstract) for part in _without_orders(abstract, span)]
    texts = [(span, abstract[span.start : span.end]) for span in spans]
    return [
        Passage(n, text, span, frozenset(content_stems(text)), len(text.split()))
        for span, text in texts
        if not _KEYWORDS.match(text)
    ]


def _without_orders(abstract: str, span: Span) -> list[Span]:
    """Return a sentence; of one that gives orders, the parts between stops and tags that give none."""
    if not _ORDERS.search(abstract, span.start, span.end):
        return [span]
    starts, ends = [span.start], []
    for match in _PART_ENDS.finditer(abstract, span.start, span.end):
        ends.append(match.end() if match.group()[0] in ".!?" else match.start())
        starts.append(match.end())
    parts = [trimmed(abstract, start, end) for start, end in zip(starts, [*ends, span.end], strict=True)]
    return [part for part in parts if part.end > part.start and not _ORDERS.search(abstract, part.start, part.end)]


def quotation(passage: Passage) -> Sentence:
    """Return a passage as a sentence of an answer, word for word but for what would read as a marker."""
    quote = Quote(passage.n, passage.text, passage.span.start, passage.span.end)
    return Sentence(split(passage.text, ())[0], (passage.n,), "verbatim", 1.0, (quote,))


def coverage(weights: Mapping[str, float], stems: frozenset[str]) -> float:
    """Return the share of the terms' weight that a text holds, in 0..1; a stem nearly met counts in part."""
    total = sum(weights.values())
    return sum(weight * met(term, stems) for term, weight in weights.items()) / total if total else 0.0


def met(term: str, stems: frozenset[str]) -> float:
    """Return how far a term is among stems: 1, in part for a near one (another form of the word), or 0."""
    if term in stems:
        return 1.0
    if len(term) < 5:
        return 0.0
    beginning = term[: max(5, len(term) - 3)]
    near = any(
        len(stem) >= 5
        and abs(len(stem) - len(term)) <= 4
        and (stem.startswith(beginning) or term.startswith(stem[: max(5, len(stem) - 3)]))
        for stem in stems
    )
    return NEAR_MISS if near else 0.0


def relevance(candidate: Candidate, weights: Mapping[str, float]) -> float:
    """Return how much a whole paper is about the terms, in about 0..1."""
    paper = candidate.paper
    stems = frozenset(content_stems(f"{paper.title or ''} {paper.label or ''} {paper.abstract}"))
    return 0.7 * candidate.dense + 0.3 * coverage(weights, stems)


def score(question: str, weights: Mapping[str, float], texts: Sequence[Passage], cosines: Vector) -> Scores:
    """Return how well each of one paper's sentences answers the question, (n,).

    `cosines` are those of the sentences with the question, (n,). A term that most of the sentences hold tells little
    about which of them answers.
    """
    asked, form = fold(question), sought(question)
    telling = {term: weight * _telling(term, texts) for term, weight in damped(weights).items()}
    scores: Scores = np.array(
        [
            COSINE_WEIGHT * float(cosine) + (1 - COSINE_WEIGHT) * coverage(telling, p.stems) + _bonus(asked, form, p)
            for p, cosine in zip(texts, cosines, strict=True)
        ]
    )
    around = np.zeros_like(scores)
    around[1:] += scores[:-1]
    around[:-1] += 0.5 * scores[1:]
    return scores + NEIGHBOUR_WEIGHT * around


def damped(weights: Mapping[str, float]) -> dict[str, float]:
    """Return weights that let rare terms outweigh the others less: they have chosen the paper already."""
    return {term: sqrt(weight) for term, weight in weights.items()}


def _telling(term: str, texts: Sequence[Passage]) -> float:
    """Return a factor in 0..1: lower the more of the sentences hold the term (idf within the paper)."""
    n, holding = len(texts), sum(term in p.stems for p in texts)
    rarest = log(1 + (n + 0.5) / 0.5) + 0.5
    return (log(1 + (n - holding + 0.5) / (holding + 0.5)) + 0.5) / rarest if holding else 1.0


def asks_figure(question: str) -> bool:
    """Tell whether a question asks for a number."""
    return bool(_ASKS_FIGURE.search(fold(question)))


def holds_figure(text: str) -> bool:
    """Tell whether a text holds a number, in figures or words."""
    return bool(_FIGURE.search(fold(text)))


def _bonus(asked: str, form: Sought | None, passage: Passage) -> float:
    text = fold(passage.text)
    bonus = 0.0
    if _ASKS_FIGURE.search(asked) and _FIGURE.search(text):
        bonus = FIGURE_BONUS if any(c.isdigit() for c in text) else SPELLED_BONUS
    if form is not None and form.in_text(passage.text):
        bonus += DECIDES_BONUS if form.decides else DEFINES_BONUS
    return bonus + sum(CUE_BONUS for asks, tells in _CUES if asks.search(asked) and tells.search(text))


def fewest(texts: Sequence[Passage], scores: Scores, weights: Mapping[str, float], max_words: int) -> list[Passage]:
    """Return the best sentences up to `max_words` words (one at least), in reading order.

    Each next one is chosen by its score and by what it says of the question that those before it don't: maximal
    marginal relevance (Carbonell and Goldstein 1998) over terms.
    """
    chosen: list[int] = []
    left = damped(weights)
    total = sum(left.values()) or 1.0
    while True:
        room = max_words - sum(texts[i].length for i in chosen)
        open_ = [i for i in range(len(texts)) if i not in chosen and (not chosen or texts[i].length <= room)]
        if not open_:
            return [texts[i] for i in sorted(chosen)]
        news = {i: sum(w * met(t, texts[i].stems) for t, w in left.items()) / total for i in open_}
        best = max(open_, key=lambda i: scores[i] + NOVELTY_WEIGHT * news[i])
        chosen.append(best)
        left = {term: weight * (1 - met(term, texts[best].stems)) for term, weight in left.items()}


def gist(
    paper: Paper,
    texts: Sequence[Passage],
    weights: Mapping[str, float],
    count: int,
    max_words: int,
    called: Sequence[str] = (),
) -> list[Passage]:
    """Return `count` sentences that say what a paper does: what it introduces, what it finds, then its problem.

    `called` are names that may be those of what it introduces. They come in reading order and hold `max_words` words at
    most, but one sentence at least.
    """
    if not texts:
        return []
    name = frozenset(content_stems((paper.title or "").partition(":")[0] if paper.title else _own_name(paper)))
    about = {p: coverage(weights, p.stems) for p in texts}
    first_named = next((p for p in texts if name & p.stems), None)
    introduces = {
        p: bool(_INTRODUCES.search(fold(p.text)))
        + 0.5 * bool(name & p.stems)
        + 0.3 * (p is first_named)
        + any(defines(own, p.text) for own in called)
        for p in texts
    }
    reports = {p: bool(_REPORTS.search(fold(p.text))) + 0.5 * bool(_FIGURE.search(fold(p.text))) for p in texts}
    chosen: list[Passage] = []
    for worth in (introduces, reports, None)[:count] + (reports,) * (count - 3):
        room = max_words - sum(p.length for p in chosen)
        rest = [p for p in texts if p not in chosen and (p.length <= room or not chosen)]
        if not rest:
            break
        if worth is None:
            chosen.append(rest[0])
        else:
            values = worth
            chosen.append(max(rest, key=lambda p: values[p] + GIST_ABOUT * about[p] - 0.005 * p.length))
    return sorted(chosen, key=lambda p: p.span.start)


def _own_name(paper: Paper) -> str:
    """Return the label of an untitled paper when it names what the paper introduces, else nothing."""
    return "" if paper.label is None or paper.label.endswith("…") else paper.label


def belonging(relevances: Sequence[float], at_least: float, most: int) -> list[int]:
    """Return the places of the papers that belong to a topic, most relevant first.

    They are those within a share `at_least` of the most relevant one.
    """
    order = sorted(range(len(relevances)), key=lambda i: -relevances[i])
    return [i for i in order[:most] if relevances[i] >= at_least * relevances[order[0]]]
