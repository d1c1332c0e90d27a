"""Whether a question leads back to where it came from: specific enough, found by search, answered nowhere else."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from assistant.retrieval import Retriever
from assistant.schema import Candidate
from assistant.terms import names
from assistant.text import content_stems, fold
from eval.generation.clauses import weight
from eval.generation.drafts import Draft
from eval.generation.references import NOUNS
from eval.generation.statements import holds

_AMONG: Final = 3
_MARGIN: Final = 0.01
_LIKE: Final = 0.93  # cosine of two questions that ask the same
_RELEVANT: Final = 0.38  # cosine of an abstract's sentence that may speak of a foreign subject
_DANGLING = re.compile(
    r"^(?:it|they|this|these|he|she)\b|\b(?:this|these|those) \w+|\bthe (?:above|following|former|latter)\b", re.I
)
_KIND = re.compile(
    rf"^the (?:work on|study of)\b|\b(?:{NOUNS})s?\b"
    r"|\b(?:scalable|unified|general|robust|lightweight|efficient|neural|deep)\b",
    re.IGNORECASE,
)
_BROKEN = re.compile(r"\\[a-z]+|[{}]|\$|\x00|\s\?|\?\?|\b(?:the|an?|and|or) ?\?$|\b(\w+) \1\b", re.I)


@dataclass(slots=True)
class RoundTrip:
    """Checks drafts against a library; remembers the questions it let through, so that none comes twice.

    `rivals` are papers by the id of one that tells the same, as another version of it does.
    """

    retriever: Retriever
    _stems: set[frozenset[str]] = field(default_factory=set)
    _vectors: list[NDArray[np.float32]] = field(default_factory=list)
    _searches: dict[str, list[Candidate]] = field(default_factory=dict)

    def search(self, text: str) -> list[Candidate]:
        """Return the papers nearest to a text, best first; the same text is searched for once."""
        if text not in self._searches:
            self._searches[text] = self.retriever.search(text, 10)
        return self._searches[text]

    def fault(self, draft: Draft, *, named: bool = False) -> str | None:
        """Return why a draft is dropped, None when it is sound; `named` says that it names its paper.

        List and count questions are the catalogue's and aren't searched for.
        """
        if found := self._form(draft):
            return found
        if draft.kind not in ("list", "count", "unanswerable") and (found := self._found(draft, named=named)):
            return found
        return self._repeated(draft)

    def _form(self, draft: Draft) -> str | None:
        text = draft.question
        if _BROKEN.search(text) or (not 3 <= len(text.split()) <= 32 and not draft.history):
            return "broken"
        if not draft.history and _DANGLING.search(text):
            return "points elsewhere"
        if any(holds(text, spelling) for nugget in draft.nuggets for spelling in nugget):
            return "holds its answer"
        asked = set(content_stems(text))
        if any(all(_told(set(content_stems(spelling)), asked) for spelling in nugget) for nugget in draft.nuggets):
            return "holds its answer"
        return None

    def _found(self, draft: Draft, *, named: bool) -> str | None:
        if not named and weight(draft.asked) < 3:
            return "unspecific"
        hits = self.search(draft.asked)
        wanted = set(draft.gold)
        ranked = [hit.paper.paper_id for hit in hits]
        if not wanted <= set(ranked[: _AMONG + len(wanted) - 1]):
            return "not found"
        if not named and (set(ranked[: len(wanted)]) != wanted or self._close(hits, len(wanted))):
            return "not the only one"
        if not named and draft.nuggets and self._elsewhere(draft, hits):
            return "not the only one"
        return None

    def _close(self, hits: list[Candidate], count: int) -> bool:
        return len(hits) > count and hits[count - 1].score - hits[count].score < _MARGIN

    def _elsewhere(self, draft: Draft, hits: Iterable[Candidate]) -> bool:
        """Tell whether another paper near by holds the facts as well, in a like context."""
        asked = set(content_stems(draft.asked))
        for hit in hits:
            abstract = hit.paper.abstract
            if hit.paper.paper_id in draft.gold or not all(any(holds(abstract, s) for s in n) for n in draft.nuggets):
                continue
            if len(asked & set(content_stems(abstract))) >= 0.6 * len(asked):
                return True
        return False

    def _repeated(self, draft: Draft) -> str | None:
        history = "".join(turn.question for turn in draft.history)
        stems = frozenset([*content_stems(draft.question), history])
        vector = self.retriever.library.encoder.encode_query(draft.asked)
        array = np.asarray(vector, np.float32)
        catalogue = draft.kind in ("list", "count")
        if stems in self._stems and not catalogue:
            return "repeated"
        alike = draft.kind not in ("unanswerable", "followup") and not catalogue
        if alike and self._vectors and float(np.max(np.stack(self._vectors) @ array)) > _LIKE:
            return "repeated"
        self._stems.add(stems)
        if alike:
            self._vectors.append(array)
        return None

    def means_alone(self, description: str, paper_id: str) -> bool:
        """Tell whether a description finds one paper first and its words stand together in no other near by."""
        hits = self.search(description)
        said = set(content_stems(_KIND.sub("", description)))
        if len(said) < 2:
            return False
        others = (hit.paper for hit in hits[1:])
        return (
            bool(hits)
            and hits[0].paper.paper_id == paper_id
            and not any(said <= set(content_stems(f"{other.title or ''} {other.abstract}")) for other in others)
        )

    def is_coined(self, name: str) -> bool:
        """Tell whether no paper holds a name, whole or in any spelling of it."""
        folded = fold(name)
        bare = re.sub(r"\W", "", folded)
        for paper_id, _ in self.retriever.library.terms.search(f"{name} {bare}", 20):
            for paper in self.retriever.library.catalogue.papers([paper_id]):
                text = f"{paper.title or ''} {paper.label or ''} {paper.abstract}"
                if bare in re.sub(r"\W", "", fold(text)) or {folded, bare} & set(names(text, also_words=True)):
                    return False
        return True

    def is_stated(self, question: str, stated: re.Pattern[str], most: int = 3) -> bool:
        """Tell whether one of the papers nearest to a question may give the fact that it asks for."""
        return any(stated.search(hit.paper.abstract) for hit in self.search(question)[:most])

    def is_foreign(self, question: str) -> bool:
        """Tell whether nothing in the library is near to a question."""
        hits = self.search(question)
        asked = Counter(content_stems(question))
        shared = max((len(asked.keys() & set(content_stems(hit.paper.abstract))) for hit in hits), default=0)
        return max((hit.dense for hit in hits), default=0.0) < _RELEVANT and shared <= len(asked) / 2


def _told(answer: set[str], asked: set[str]) -> bool:
    """Tell whether a question gives most of an answer's words away."""
    return len(answer & asked) >= 0.5 * len(answer)
