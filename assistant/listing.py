"""Answers made from the catalogue, in sentences: counts, lists, facets and the fields of a record."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from assistant.conditions import Condition, described
from assistant.facets import Form
from assistant.schema import Kind, Paper, Sentence, Source
from assistant.text import fold

MOST = 200


def holds(total: int, conditions: Sequence[Condition], about: str = "") -> str:
    """Say how many papers the library holds of those that meet conditions and are about a topic, without a stop."""
    noun = "paper" if total == 1 else "papers"
    words = [described(conditions), f"about {about}" if about else ""]
    text = ", ".join(word for word in words if word)
    return f"This library holds {f'{total:,}' if total else 'no'} {noun if total else 'paper'} {text}".rstrip()


def papers_sentences(
    kind: Kind,
    total: int,
    papers: Sequence[Paper],
    conditions: Sequence[Condition] = (),
    about: str = "",
    question: str = "",
) -> tuple[Sentence, ...]:
    """Return the count, or for a list a sentence a paper; beyond `papers` the count and the command that lists all."""
    numbers = tuple(range(1, len(papers) + 1))
    if kind == "list" and total == len(papers):
        return tuple(_sentence(f"{entry(paper)}.", n) for n, paper in zip(numbers, papers, strict=True))
    hint = f"; {_command(question, conditions, about)}" if total > len(papers) else ""
    return (_sentence(f"{holds(total, conditions, about)}{hint}.", *numbers),)


def chosen(form: Form, groups: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """Return the values of a facet that an answer names, with their papers' ids: for `most` the first and its equals.

    Years come in order, other values with most papers first.
    """
    if form in ("most", "fewest"):
        wanted = (max if form == "most" else min)(map(len, groups.values()))
        groups = {value: ids for value, ids in groups.items() if len(ids) == wanted}
    if all(value.isdecimal() for value in groups):
        groups = dict(sorted(groups.items()))
    return dict(list(groups.items())[:MOST])


def spread(groups: Mapping[str, Sequence[str]], most: int) -> list[str]:
    """Return at most `most` of the groups' paper ids: the first of each group, then the second of each, and so on."""
    rounds = zip_longest(*groups.values())
    return list(dict.fromkeys(paper_id for some in rounds for paper_id in some if paper_id is not None))[:most]


def facet_sentences(
    facet: str,
    form: Form,
    groups: Mapping[str, Sequence[str]],
    shown: Mapping[str, Sequence[str]],
    number: Mapping[str, int],
) -> tuple[Sentence, ...]:
    """Return how many values of a facet there are, or a sentence a value that is shown.

    `groups` are the papers' ids by value, `number` the numbers of those papers that can be cited.
    """
    cited = {value: sorted(number[i] for i in ids if i in number) for value, ids in shown.items()}
    every = sorted(set(number.values()))
    noun = facet if len(groups) == 1 else f"{facet}s"
    count = _sentence(f"The papers have {len(groups):,} {noun}.", *every)
    if form == "count":
        return (count,)
    listed = tuple(
        _sentence(f"{value}: {len(ids):,} {'paper' if len(ids) == 1 else 'papers'}.", *cited[value])
        for value, ids in shown.items()
        if cited[value]
    )
    return listed if len(listed) == len(groups) or form in ("most", "fewest") else (count, *listed)


def text_of(answer: Sequence[Sentence]) -> str:
    """Return the sentences with their markers, as items of a list when there are several."""
    lines = [" ".join([sentence.text, *(f"[{n}]" for n in sentence.citations)]) for sentence in answer]
    return lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)


def sources(papers: Sequence[Paper], *, cited: bool = True) -> tuple[Source, ...]:
    """Return papers as sources, numbered in their order."""
    return tuple(Source(n, paper, cited, 1.0) for n, paper in enumerate(papers, start=1))


def entry(paper: Paper) -> str:
    """Return what a list calls a paper, as `Attention Is All You Need (NeurIPS 2017)`."""
    where = " ".join(str(part) for part in (paper.venue, paper.year) if part)
    return f"{paper.name}{f' ({where})' if where else ''}"


def _sentence(text: str, *numbers: int) -> Sentence:
    return Sentence(text, numbers, "supported", 1.0)


def _command(question: str, conditions: Sequence[Condition], about: str) -> str:
    """Return the command that lists all the papers of a count: by options where they can say it, else in words."""
    options = None if about else _options(conditions)
    said = f' "{question.replace(chr(34), chr(39))}"' if options is None else options
    return f"`askpapers papers list{said}` lists them all"


def _options(conditions: Sequence[Condition]) -> str | None:
    """Return the options that admit what conditions admit; None when there are none."""
    options: dict[str, str] = {}
    for condition in conditions:
        if condition.negated or condition.field in options or not condition.values:
            return None
        names = [value for value in condition.values if isinstance(value, str)]
        ranges = [value for value in condition.values if not isinstance(value, str)]
        if condition.field == "year" and len(ranges) == 1:
            low, high = ranges[0]
            options["year"] = f" --year {low}" if low == high else f" --year {low or ''}-{high or ''}"
        elif condition.field == "venue":
            options["venue"] = "".join(f" --venue {fold(name) if ' ' not in name else repr(name)}" for name in names)
        elif condition.field == "author" and len(names) == 1:
            options["author"] = f" --author {names[0]!r}"
        else:
            return None
    return "".join(options[name] for name in ("year", "venue", "author") if name in options)
