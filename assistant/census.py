"""Questions about the library's papers as a whole: how many, which, whose, of what. Answered over all of them."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from assistant import listing, restrictions, selection, topics
from assistant.conditions import Condition, Vocabulary, missing
from assistant.facets import FacetQuestion, facet_in
from assistant.library import Library
from assistant.schema import Answer, Candidate, Filters, Kind, Paper, Sentence, Source
from assistant.text import content_stems

NEAREST: Final = 5
QUOTED: Final = 6
QUOTED_WORDS: Final = 45

_EXTREME = re.compile(
    r"\b(?:the )?(?:(?P<new>latest|newest|most recent(?:ly published)?)|oldest|earliest)\b", re.IGNORECASE
)
OF_THEM = re.compile(r"\b(?:(?:of|among|from) (?:them|these|those)|(?:are|were) (?:they|these|those))\b", re.IGNORECASE)
_OF_FACETS = frozenset(content_stems("represent cover include appear hold most many database publish write work occur"))
_RESEARCHES = re.compile(r"\b(?:papers|(?:work|write|publish|research)\w*)\s+(?:on|about|in)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question read: which papers it is about, and what of them it asks for."""

    kind: Kind
    conditions: tuple[Condition, ...]
    about: str
    facet: FacetQuestion | None = None
    each: bool = False


class Census:
    """Answers questions about all papers of a library; safe from any thread, knows nothing of chat models."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._vocabulary: tuple[int, Vocabulary] = (-1, Vocabulary())

    def answer(self, question: str, blank: Answer, filters: Filters, cited: Collection[str] = ()) -> Answer | None:
        """Return `blank` as the answer; None for a question that isn't about the papers as a whole.

        `cited` are the papers that the last answer cited, which `how many of them` is about.
        """
        vocabulary = self.vocabulary()
        asked = self._read(question, blank.kind, vocabulary, filters)
        if asked is None:
            return None
        blank = replace(blank, kind=asked.kind)
        if unknown := [c for c in asked.conditions if not (c.values or c.negated)]:
            return _unknown(unknown, blank, vocabulary)
        ids, members = self._selected(asked, filters, cited if OF_THEM.search(question) else ())
        if not ids:
            return self._none(asked, blank, members)
        return self._of_facet(asked.facet, ids, blank) if asked.facet else self._of_papers(asked, ids, blank)

    def select(self, which: str, filters: Filters) -> list[str]:
        """Return the ids of the papers that words describe, as `in Poster Session 3` or a question for papers."""
        asked = self._read(which, "list", self.vocabulary(), filters)
        return list(self._selected(asked, filters)[0]) if asked else []

    def _selected(
        self, asked: _Asked, filters: Filters, among: Collection[str] = ()
    ) -> tuple[list[str], list[Candidate]]:
        """Return the ids of the papers asked for, and all those of the topic, if any."""
        ids = self._library.catalogue.meeting(asked.conditions, filters)
        if among:
            ids = [paper_id for paper_id in ids if paper_id in among]
        if not asked.about:
            return ids, []
        members, admitted = topics.papers_about(self._library, asked.about), set(ids)
        if not topics.is_relevant(self._library, asked.about, members):
            return [], members
        return [c.paper.paper_id for c in members if c.paper.paper_id in admitted], members

    def vocabulary(self) -> Vocabulary:
        """Return what the library's papers say in the fields that can be asked for, as of now."""
        generation = self._library.generation
        if self._vocabulary[0] != generation:
            self._vocabulary = (generation, self._library.catalogue.vocabulary())
        return self._vocabulary[1]

    def _read(self, question: str, kind: Kind, vocabulary: Vocabulary, filters: Filters) -> _Asked | None:
        facet = facet_in(question)
        if facet is None and kind not in ("count", "list"):
            return None
        conditions, rest = restrictions.read(facet.rest if facet else question, vocabulary, date.today().year)
        extreme = _EXTREME.search(rest)
        about = topics.topic(OF_THEM.sub(" ", _EXTREME.sub(" ", rest)))
        if facet is not None:
            about = about if set(content_stems(about)) - _OF_FACETS else ""
            if about and not _RESEARCHES.search(rest):
                return None
            kind = "count" if facet.form == "count" else "list"
        if extreme:
            conditions = (*conditions, *self._of_extreme_year(conditions, filters, newest=bool(extreme["new"])))
        return _Asked(kind, conditions, about, facet, topics.asks_what_each_says(question))

    def _of_extreme_year(self, conditions: Sequence[Condition], filters: Filters, *, newest: bool) -> list[Condition]:
        """Return the condition that papers are of the last, or the first, year that any of them is of."""
        catalogue = self._library.catalogue
        years = [int(year) for year in catalogue.grouped("year", catalogue.meeting(conditions, filters))]
        year = (max if newest else min)(years, default=None)
        return [] if year is None else [Condition("year", ((year, year),))]

    # Answers

    def _of_papers(self, asked: _Asked, ids: Sequence[str], blank: Answer) -> Answer:
        papers = self._library.catalogue.papers(ids[: listing.MOST])
        if asked.each and asked.kind == "list" and len(ids) <= QUOTED:
            sentences = self._quoted(papers, asked.about)
        else:
            sentences = listing.papers_sentences(
                asked.kind, len(ids), papers, asked.conditions, asked.about, blank.question
            )
        lacking = tuple(
            Sentence(f"This library holds no paper {name}.", (1,), "supported", 1.0)
            for name in missing(asked.conditions)
        )
        return _answered(blank, (*sentences, *lacking), listing.sources(papers))

    def _quoted(self, papers: Sequence[Paper], about: str) -> tuple[Sentence, ...]:
        """Return a sentence or two of each paper, or the paper's name when it has no abstract."""
        weights = self._library.terms.idf(content_stems(about))
        found: list[Sentence] = []
        for n, paper in enumerate(papers, start=1):
            gist = selection.gist(paper, selection.passages(n, paper), weights, 2, 2 * QUOTED_WORDS)
            found += [selection.quotation(passage) for passage in gist] or listing.papers_sentences("list", 1, [paper])
        return tuple(found)

    def _of_facet(self, facet: FacetQuestion, ids: Sequence[str], blank: Answer) -> Answer:
        groups = self._library.catalogue.grouped(facet.facet, ids)
        if not groups:
            text = f"The records of these papers name no {facet.facet}."
            return replace(blank, text=text, abstained=True, reason="not_stated")
        shown = listing.chosen(facet.form, groups)
        papers = self._library.catalogue.papers(listing.spread(shown, listing.MOST))
        number = {paper.paper_id: n for n, paper in enumerate(papers, start=1)}
        sentences = listing.facet_sentences(facet.facet, facet.form, groups, shown, number)
        return _answered(blank, sentences, listing.sources(papers))

    def _none(self, asked: _Asked, blank: Answer, members: Sequence[Candidate]) -> Answer:
        """Say that no paper meets the question; list those of the topic that don't meet its other conditions."""
        near = listing.sources([c.paper for c in members[:NEAREST]], cited=False)
        text = f"{listing.holds(0, asked.conditions, asked.about)}."
        return replace(blank, text=text, abstained=True, reason="nothing_relevant", papers=near)


def _unknown(unknown: Sequence[Condition], blank: Answer, vocabulary: Vocabulary) -> Answer:
    """Say what the library doesn't know of what a question names, and what it knows that is spelled alike."""
    near = [name for condition in unknown for name in restrictions.nearest(condition, vocabulary)]
    hint = f" The nearest that it knows: {', '.join(near)}." if near else ""
    text = f"{listing.holds(0, unknown)}.{hint}"
    return replace(blank, text=text, abstained=True, reason="nothing_relevant")


def _answered(blank: Answer, sentences: tuple[Sentence, ...], papers: tuple[Source, ...]) -> Answer:
    return replace(blank, text=listing.text_of(sentences), sentences=sentences, papers=papers)
