"""Do the abstracts state what is asked? Signals from the question and the best paper. Pure but for the encoder."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assistant.contrast import foreign_names
from assistant.encoder import Encoder
from assistant.figures import figures
from assistant.ordinary import FRAME, ORDINARY
from assistant.schema import Candidate, Sentence
from assistant.selection import asks_figure, coverage, relevance
from assistant.text import content_stems, fold, stem, words

_WORD = re.compile(r"\w[\w'-]*")
_CLOSED = re.compile(r"(?:and |so |but )?(?:does|do|did|is|are|was|were|can|could|has|have|had|will|would)\b")
_DETAILS = tuple(
    (re.compile(rf"\b(?:{asked})\b"), re.compile(rf"\b(?:{told})"))
    for asked, told in (
        (
            r"who (?:are|is|were) (?:the )?(?:authors?|writers?)|(?:names?|list) of (?:the )?authors"
            r"|who (?:wrote|published)|affiliations?|universit(?:y|ies)|institutions?|e-?mail",
            r"university of",
        ),
        (r"learning rates?", r"learning rate"),
        (r"batch sizes?", r"batch(?:es)? (?:size )?of|batch size"),
        (r"optimi[sz]er", r"adamw?\b|sgd|optimi[sz]er"),
        (r"p-? ?values?|significance level", r"p ?[<=-]|p-value|significan"),
        (r"gpus?|gpu hours|tpus?|hardware|machines?", r"\d[\d,]*x? (?:\w+ ){0,2}(?:gpu|tpu|[ahv]100)|gpus?\b|tpus?\b"),
        (r"epochs?", r"epoch"),
        (r"random seeds?|how many (?:seeds|runs)", r"seeds?|runs"),
        (r"licen[cs]es?", r"licen[cs]e"),
        (r"dollars?|euros?|how (?:much|expensive) .*\bcosts?|price", r"\$|usd|dollar|euro"),
        (r"latency|milliseconds?|inference time|wall-?clock|seconds?", r"latency|\d ?m?s\b|\w*second|real-time"),
        (r"participants?|subjects?|volunteers?|annotators?", r"\w+ (?:\w+ )?(?:participants|subjects|volunteer|annot)"),
        (r"how many parameters|number of parameters|model size", r"\d ?[mb]\b|million|billion|param"),
        (r"hyper-?parameters?", r"hyper-?parameter"),
        (r"funded|funding|grants?|sponsor\w*", r"fund|grant"),
        (r"github|repositor(?:y|ies)|code (?:available|released)|link", r"github|http|code|available"),
        (r"published|submitted|released? (?:date|year)|which year|what year", r"(?:19|20)\d\d"),
        (r"train(?:ing)? (?:time|hours|days)|how long .* train\w*", r"hours?|days?|minutes?|weeks?"),
        (r"carbon|co2|emissions?|electricity", r"carbon|co2|emission|electricity|energy"),
        (r"ablations?", r"ablat"),
        (r"layers? (?:does|do|did)|how many layers", r"layer"),
    )
)


@dataclass(frozen=True, slots=True)
class Signals:
    """What speaks for an abstract stating what a question asks.

    `relevance`: of the best paper, about 0..1. `covered`: weight of the question's terms that it holds, 0..1.
    `nearest`: for the term of the question that the paper is farthest from, its likeness to the nearest word, a cosine.
    `unknown`: names in the question that the paper lacks. `terms`: how many there are, in tens. `no_figure`: 1 when a
    figure is asked for and the best sentences hold none. `detail`: 1 when the question asks for what abstracts seldom
    tell, as a learning rate, and this one has no such words. `closed`: 1 for a question to be answered by yes or no.
    """

    relevance: float
    covered: float
    nearest: float
    unknown: float
    terms: float
    no_figure: float
    detail: float
    closed: float


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a question: the word as written, and its likeness to the nearest word of a paper, a cosine."""

    word: str
    likeness: float


def signals(
    question: str,
    weights: Mapping[str, float],
    candidates: Sequence[Candidate],
    quoted: Sequence[Sentence],
    terms: Sequence[Term],
) -> Signals:
    """Return the signals for the first candidate, whose best sentences are `quoted` and terms `terms`."""
    best = candidates[0].paper
    own = content_stems(best.name)
    core = {s: w for s, w in weights.items() if s not in FRAME} or weights
    source = f"{best.name} {best.year or ''} {best.venue or ''} {best.abstract}"
    telling = [t for t in terms if stem(words(t.word)[0]) not in ORDINARY] or terms
    asked, told = fold(question), fold(best.abstract)
    stated = " ".join(s.text for s in quoted)
    return Signals(
        relevance=relevance(candidates[0], weights),
        covered=coverage(core, frozenset([*own, *content_stems(best.abstract)])),
        nearest=min((t.likeness for t in telling), default=0.6),
        unknown=float(len(foreign_names(question, source))),
        terms=len(terms) / 10,
        no_figure=float(asks_figure(question) and not figures(stated)),
        detail=float(any(asks.search(asked) and not tells.search(told) for asks, tells in _DETAILS)),
        closed=float(bool(_CLOSED.match(asked))),
    )


def terms_of(
    question: str, names: Sequence[str], weights: Mapping[str, float], paper: str, encoder: Encoder
) -> list[Term]:
    """Return the terms of a question that are no `names`, compared with the text of a paper by the encoder's tokens."""
    asked, held = encoder.token_vectors([question, paper], layers=(-1,), longest=encoder.max_tokens)
    known = held.directions
    named = set(content_stems(" ".join(names)))
    found = []
    for match in _WORD.finditer(question):
        root = stem(words(match.group())[0]) if words(match.group()) else ""
        vector = asked.over(match.start(), match.end())
        if vector is not None and root in weights and root not in FRAME and root not in named:
            likeness = float((known @ vector).max()) if len(known) else 0.0
            found.append(Term(match.group(), likeness))
    return found
