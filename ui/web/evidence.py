"""The papers behind each answer as the page draws them: cards of words, never markup. Pure functions."""

from collections.abc import Sequence
from urllib.parse import quote, urlsplit

from assistant.schema import Json, Paper, Sentence, Source, Span
from ui.web.conversation import Conversation, Exchange
from ui.web.segments import Highlight, runs
from ui.web.words import counted

_NAMED = 6
_HOSTS = {
    "openreview.net": "OpenReview",
    "arxiv.org": "arXiv",
    "aclanthology.org": "ACL Anthology",
    "doi.org": "DOI",
    "pubmed.ncbi.nlm.nih.gov": "PubMed",
    "proceedings.mlr.press": "PMLR",
}


def evidence(conversation: Conversation) -> dict[str, Json]:
    """Return, for every question of a page, the cards of its papers: the cited ones, and the others found."""
    return {"turns": [_turn(exchange) for exchange in conversation.exchanges]}


def _turn(exchange: Exchange) -> dict[str, Json]:
    keyed = exchange.keyed()
    cited = {n for _, sentence in keyed for n in sentence.citations}
    cards = [card(source, keyed, cited=source.n in cited) for source in exchange.sources]
    first = [c for c in cards if c["cited"]]
    none_cited = exchange.over and not first
    return {
        "id": exchange.number,
        "question": exchange.question,
        "title": "Nearest papers" if none_cited and cards else "Evidence",
        "note": _note(exchange, len(first), len(cards)),
        "cards": list[Json](first or cards),
        "rest": [c for c in cards if not c["cited"]] if first else [],
    }


def _note(exchange: Exchange, cited: int, found: int) -> str:
    if cited:
        return counted(cited, "paper")
    if not found:
        return "" if not exchange.over else "none"
    return "none cited" if exchange.over else f"{counted(found, 'paper')} found"


def card(source: Source, keyed: Sequence[tuple[str, Sentence]], *, cited: bool) -> dict[str, Json]:
    """Return a paper as `{n, title, derived, authors, more, at, links, abstract, cited}`.

    `title` and `abstract` are runs; the abstract's carry the keys of the sentences that rest on them.
    """
    paper = source.paper
    return {
        "n": source.n,
        "cited": cited,
        "title": runs(paper.name),
        "derived": paper.title is None,
        "authors": list(paper.authors[:_NAMED]),
        "more": max(0, len(paper.authors) - _NAMED),
        "at": " ".join(str(part) for part in (paper.venue, paper.year) if part),
        "links": links(paper),
        "abstract": runs(paper.abstract, _highlights(source.n, keyed)),
    }


def _highlights(n: int, keyed: Sequence[tuple[str, Sentence]]) -> list[Highlight]:
    return [
        Highlight(Span(part.start, part.end), key)
        for key, sentence in keyed
        for part in sentence.evidence
        if part.n == n
    ]


def links(paper: Paper) -> list[Json]:
    """Return the paper's links as `{href, text}`; only http and https, at most one for each address."""
    addresses = [paper.url or ""]
    if paper.doi:
        addresses.append(f"https://doi.org/{quote(paper.doi, safe='/.:;()')}")
    found: dict[str, Json] = {}
    for address in addresses:
        if (text := _site(address.strip())) and text not in found:
            found[text] = {"href": address.strip(), "text": text}
    return list(found.values())


def _site(address: str) -> str | None:
    """Name the site of an http or https address; None for anything else."""
    if any(c.isspace() or not c.isprintable() for c in address):
        return None
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return None
    if parts.scheme.lower() not in ("http", "https") or not host:
        return None
    return "PDF" if parts.path.lower().endswith(".pdf") else _HOSTS.get(host, host)
