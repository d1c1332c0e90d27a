"""A test set made from the user's own library: drafts of each kind, checked by round trip, balanced, seeded.

    report = generate(library, 200, seed=7)
    for number, draft in enumerate(report.kept, 1): row(draft, number)

Without a model the questions come from patterns of what abstracts state. With one it words facts and paraphrases;
where it fails, the pattern's question stands.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from random import Random
from typing import Final

from assistant.chat_model import ChatModel
from assistant.library import Library
from assistant.retrieval import Retriever
from assistant.schema import Paper
from eval.generation.authoring import Author
from eval.generation.drafts import KINDS, Draft, Kind, Report, Tally
from eval.generation.facts import (
    Fact,
    acronyms,
    facts,
    followed_up,
    introduction,
    is_named,
    named,
    paraphrased,
    plain_line,
    spread,
)
from eval.generation.groups import comparisons, joined, shared
from eval.generation.inventory import inventory
from eval.generation.neighbours import Neighbourhood, shared_phrases
from eval.generation.references import Reference, references
from eval.generation.round_trip import RoundTrip
from eval.generation.unanswerable import foreign, invented, missing

SHARES: Final[Mapping[Kind, float]] = {
    "fact": 0.36, "paraphrase": 0.19, "multi": 0.05, "compare": 0.07, "followup": 0.10, "list": 0.04, "count": 0.04,
    "unanswerable": 0.15,
}  # fmt: skip
_ROUNDS: Final = 6  # questions of one kind about one paper, at most
_MOST: Final[Mapping[Kind, float]] = {"unanswerable": 0.25, "list": 0.15, "count": 0.15}  # shares at most
Progress = Callable[[int, int], None]


def generate(
    library: Library, count: int, seed: int = 0, model: ChatModel | None = None, on_progress: Progress | None = None
) -> Report:
    """Return up to `count` checked questions with gold papers and nuggets; the same library and seed give the same.

    A kind that the library has no more questions for leaves its share to the others.
    """
    maker = _Maker(library, Random(seed), None if model is None else Author(model))
    streams = {kind: maker.stream(kind) for kind in KINDS}
    kept: dict[Kind, list[Draft]] = {kind: [] for kind in KINDS}
    wanted = quotas(count)
    while streams and (left := count - sum(map(len, kept.values()))):
        for kind in list(streams):
            for draft in islice(streams[kind], wanted[kind]):
                kept[kind].append(draft)
                left -= 1
                if on_progress:
                    on_progress(count - left, count)
        most = {kind: math.ceil(_MOST.get(kind, 1.0) * count) - len(kept[kind]) for kind in KINDS}
        streams = {kind: stream for kind, stream in streams.items() if most[kind] > 0 and not maker.is_out(kind)}
        more = _divided(left, {kind: SHARES[kind] for kind in streams})
        wanted = {kind: min(more.get(kind, 0), most[kind]) for kind in KINDS}
    tallies = {kind: replace(maker.tallies[kind].frozen(), kept=len(kept[kind])) for kind in KINDS}
    drafts = tuple(draft for kind in KINDS for draft in kept[kind])
    return Report(drafts, tallies, maker.author.written if maker.author else 0)


def quotas(count: int) -> dict[Kind, int]:
    """Return how many questions of each kind a test set of `count` should have."""
    return {kind: _divided(count, SHARES).get(kind, 0) for kind in KINDS}


def _divided(count: int, shares: Mapping[Kind, float]) -> dict[Kind, int]:
    """Divide a count by shares, the largest remainders rounded up."""
    total = sum(shares.values()) or 1.0
    exact = {kind: count * share / total for kind, share in shares.items()}
    parts = {kind: int(value) for kind, value in exact.items()}
    for kind in sorted(exact, key=lambda k: parts[k] - exact[k])[: count - sum(parts.values())]:
        parts[kind] += 1
    return parts


@dataclass(slots=True)
class _Count:
    tried: int = 0
    passed: int = 0
    dropped: Counter[str] = field(default_factory=Counter)

    def frozen(self) -> Tally:
        return Tally(self.tried, self.passed, 0, dict(sorted(self.dropped.items())))


class _Maker:
    """Makes drafts from one library and lets through those that stand the round trip."""

    def __init__(self, library: Library, random: Random, author: Author | None) -> None:
        self.author, self.random, self._library = author, random, library
        self._check = RoundTrip(Retriever(library))
        self._near = Neighbourhood.of(library.catalogue)
        everything = list(library.catalogue)
        self._references = references(everything)
        self._acronyms = acronyms(everything)
        self._by_id = {paper.paper_id: paper for paper in everything}
        self._papers = [paper for paper in everything if paper.abstract]
        random.shuffle(self._papers)
        self._facts: dict[str, list[Fact]] = {}
        self._out: set[Kind] = set()
        self.tallies: dict[Kind, _Count] = {kind: _Count() for kind in KINDS}

    def stream(self, kind: Kind) -> Iterator[Draft]:
        """Yield sound questions of a kind until there are no more."""
        makers: Mapping[Kind, Callable[[], Iterator[Draft]]] = {
            "fact": partial(self._single, self._fact),
            "paraphrase": partial(self._single, self._paraphrase),
            "followup": partial(self._single, self._followup),
            "compare": self._compare,
            "multi": self._multi,
            "list": partial(self._inventory, "list"),
            "count": partial(self._inventory, "count"),
            "unanswerable": self._unanswerable,
        }
        yield from makers[kind]()
        self._out.add(kind)

    def is_out(self, kind: Kind) -> bool:
        """Tell whether a stream has come to its end."""
        return kind in self._out

    def _passes(self, draft: Draft, *, named: bool = False) -> bool:
        tally = self.tallies[draft.kind]
        tally.tried += 1
        if fault := self._check.fault(draft, named=named):
            tally.dropped[fault] += 1
            return False
        tally.passed += 1
        return True

    def _drop(self, kind: Kind, why: str) -> None:
        self.tallies[kind].tried += 1
        self.tallies[kind].dropped[why] += 1

    def facts_of(self, paper: Paper) -> list[Fact]:
        """Return the facts of a paper, none when another paper says the same."""
        if paper.paper_id not in self._facts:
            double = self._near.has_double(paper.paper_id)
            found = [] if double else facts(paper, self._references[paper.paper_id])
            self._facts[paper.paper_id] = [fact for fact in found if self._is_sole(fact)]
        return self._facts[paper.paper_id]

    def _is_sole(self, fact: Fact) -> bool:
        """Tell whether an abbreviation is introduced by this paper alone; other facts are checked by search."""
        return fact.asked.form != "acronym" or self._acronyms[fact.asked.question.split()[2]] == 1

    # Questions about one paper

    def _single(self, make: Callable[[Fact], Draft | None]) -> Iterator[Draft]:
        used: Counter[str] = Counter()
        asked: set[tuple[str, str]] = set()
        for turn in range(_ROUNDS):
            for paper in self._papers:
                for fact in spread(self.facts_of(paper), used, self.random, more=turn >= _ROUNDS // 2):
                    key = (paper.paper_id, fact.asked.question)
                    if key in asked:
                        continue
                    asked.add(key)
                    if draft := make(fact):
                        used[fact.asked.form] += 1
                        yield draft
                        break

    def _fact(self, fact: Fact) -> Draft | None:
        draft = named(fact)
        if draft is None or not self._called_rightly(fact, fact.reference.name, "fact"):
            return None
        if written := self._written(fact, draft, hide=False):
            return written
        return draft if self._passes(draft, named=is_named(fact)) else None

    def _paraphrase(self, fact: Fact) -> Draft | None:
        draft = paraphrased(fact, self.random)
        if draft is None or not self._called_rightly(fact, None, "paraphrase"):
            return None
        if written := self._written(fact, draft, hide=True):
            return written
        return draft if self._passes(draft) else None

    def _called_rightly(self, fact: Fact, name: str | None, kind: Kind) -> bool:
        """Tell whether what stands for the paper in the question finds it; a name of its own does."""
        called = fact.reference.description
        if "{it}" not in fact.asked.question or name or called is None:
            return True
        if self._check.means_alone(called, fact.paper.paper_id):
            return True
        self._drop(kind, "not the only one")
        return False

    def _written(self, fact: Fact, draft: Draft, *, hide: bool) -> Draft | None:
        """Return the model's question for a fact when it stands the same tests."""
        if self.author is None or self.author.gave_up:
            return None
        name = fact.reference.name
        text = self.author.question(plain_line(fact.sentence), draft.nuggets, name, hide=hide)
        if text is None:
            return None
        written = replace(draft, question=text, form="model")
        if self._passes(written, named=bool(name) and not hide):
            self.author.written += 1
            return written
        return None

    def _followup(self, fact: Fact) -> Draft | None:
        reference, paper = fact.reference, fact.paper
        said = introduction(paper, reference, plain_line(fact.sentence))
        if said is None or reference.name is None:
            return None
        other = self._companion(paper) if self.random.random() < 0.35 else None
        draft = followed_up(fact, (f"What is {reference.name}?", said), other, self.random)
        return draft if draft and self._passes(draft, named=True) else None

    def _companion(self, paper: Paper) -> tuple[str, str, str] | None:
        for other_id, _ in self._near.nearest(paper.paper_id, 5):
            other, theirs = self._by_id[other_id], self._references[other_id]
            said = introduction(other, theirs)
            if theirs.name and said:
                return other_id, theirs.name, said
        return None

    # Questions about several papers, about all, and about none

    def _compare(self) -> Iterator[Draft]:
        found = comparisons(self._papers, self._references, self._near, self.facts_of, self.random)
        yield from (draft for draft in found if self._passes(draft, named=True))

    def _multi(self) -> Iterator[Draft]:
        phrases = shared_phrases(self._papers)
        found = shared(phrases, self._by_id, self._references, self.facts_of, self.random)
        pairs = joined(self._papers, self._near, self._by_id, self.facts_of, self.random)
        streams: list[tuple[Iterator[Draft], bool]] = [(found, False), (pairs, True)]
        while streams:
            for stream, by_name in list(streams):
                draft = next((draft for draft in stream if self._passes(draft, named=by_name)), None)
                if draft is None:
                    streams.remove((stream, by_name))
                else:
                    yield draft

    def _inventory(self, kind: Kind) -> Iterator[Draft]:
        found = inventory(self._library, self.random)
        yield from (draft for draft in found if draft.kind == kind and self._passes(draft))

    def _unanswerable(self) -> Iterator[Draft]:
        names = sorted(reference.name for reference in self._references.values() if reference.name)
        coined, absent, strange = self._invented(names), self._missing(), self._foreign()
        streams = [coined, absent, absent, coined, absent, strange]
        while streams:
            for stream in streams:
                draft = next((draft for draft in stream if self._passes(draft, named=True)), None)
                if draft is None:
                    streams = [other for other in streams if other is not stream]
                    break
                yield draft

    def _invented(self, names: list[str]) -> Iterator[Draft]:
        for _, (name, draft) in zip(range(200), invented(self.random, names), strict=False):
            if self._check.is_coined(name):
                yield draft
            else:
                self._drop("unanswerable", "name exists")

    def _missing(self) -> Iterator[Draft]:
        for paper in self.random.sample(self._papers, len(self._papers)):
            reference: Reference = self._references[paper.paper_id]
            for stated, draft in missing(paper.abstract, reference, self.random):
                if not self._check.is_stated(draft.question, stated):
                    yield draft
                    break
                self._drop("unanswerable", "stated near by")

    def _foreign(self) -> Iterator[Draft]:
        for draft in foreign(self.random):
            if self._check.is_foreign(draft.question):
                yield draft
            else:
                self._drop("unanswerable", "subject is there")
