"""What a question is about, what it names, and what a follow-up means on its own. Rules; no model."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.citations import split
from assistant.schema import Turn
from assistant.text import content_stems, fold, sentences, words

_IDENTIFIER = re.compile(
    r"\b(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/[^\s\"<>]+)"
    r"|\b(?:arxiv:\s*|arxiv\.org/(?:abs|pdf)/)(\d{4}\.\d{4,5}|[a-z-]+/\d{7})"
    r"|openreview\.net/(?:forum|pdf)\?id=([\w-]+)|\b(?:openreview|pubmed):([\w-]+)",
    re.IGNORECASE,
)
_ONE = re.compile(r"\b(?:the|this|that|its|a|one) (?:[\w'-]+ ){0,4}?(?:paper|article|abstract|study|work)\b(?! on\b)")
_SEVERAL = re.compile(r"\b(?:papers|articles|abstracts|works|studies|approaches|methods|both)\b")
_BETWEEN = re.compile(
    r"\b(?:compare[sd]?|contrast|differences? between|comparison (?:of|between))\s+(?:how |what |the |between )*"
    r"(?P<a>.+?)(?:\s+(?:and|with|to|against|versus|vs\.?)\s+)(?P<b>.+?)(?=[?.:;,]|\s+(?:in terms|with respect"
    r"|regarding|for|on|when|do|does|convert|handle|use|train|solve|work|approach|deal|differ)\b|$)"
    r"|\bhow (?:does|do|is|are)\s+(?P<c>.+?)\s+(?:differ|different)\s+from\s+(?P<d>.+?)(?=[?.:;,]|$)"
    r"|\bhow (?:do|does|are|is)\s+(?P<g>.+?)\s+and\s+(?P<h>.+?)\s+(?:differ|different|compare)\b"
    r"|^(?P<e>\S+(?: \S+){0,3}?)\s+(?:versus|vs\.?)\s+(?P<f>\S+(?: \S+){0,3}?)(?=[?.:;,]|$)",
    re.IGNORECASE,
)
_INSTRUCTIONS = re.compile(
    r"\b(?:please|summar\w+|sum up|write|give|tell|show|list|name|find|provide|compare|(?:me|us)\b"
    r"|(?:a |an |the )?(?:short|brief|cited|concise|quick|detailed)|overview|survey|what(?:'s| is| are) new"
    r"|(?:in|within) (?:\w+ )?(?:sentences?|words|lines)|for a (?:colleague|friend|student|layman|child)|briefly"
    r"|(?:which|what|how many)(?= (?:\S+ ){0,3}?(?:papers?|articles?|works?|studies)\b)|papers?|articles?|abstracts?"
    r"|works?|stud(?:y|ies)|are there|and what (?:do|does|did) (?:each|they).*|are about|deal with|found|about)\b",
    re.IGNORECASE,
)
_REFERS_BACK = re.compile(
    r"\b(?:it|its|itself|they|them|their|theirs|this|these|those|that|he|she|his|her|one|ones|same|latter|former"
    r"|second|first|third|other|others|there|both|such|also|else)\b"
)
_CONTINUES = re.compile(r"^(?:and|but|so|or|then|also|why|how so|yes|no|ok|what about|how about|more|go on)\b")
_NEW_TOPIC = re.compile(
    r"\b(?:something else|another (?:question|topic)|different (?:question|topic)|change of topic)\b"
)
_ORDINALS = {
    "first": 0,
    "former": 0,
    "second": 1,
    "latter": 1,
    "third": 2,
    "fourth": 3,
    "fifth": 4,
    "last": -1,
}
_ORDINAL = re.compile(r"\b(first|second|third|fourth|fifth|last|former|latter)\b(?: one| paper| method| model|\W|$)")
_NAME = re.compile(r"\b(?=\w*[a-z0-9$^*]*[A-Z])(?=\S*(?:[A-Z]\S*[A-Z]|[a-z]\S*[A-Z]|\d))[\w$^*{}-]+\w\b")
_CAPITALISED = re.compile(r"(?<=[\w,] )[A-Z]\w{2,}(?: [A-Z]\w+)*")


@dataclass(frozen=True, slots=True)
class Standalone:
    """A question that needs no history, and the papers earlier answers cited that it refers back to."""

    question: str
    papers: tuple[str, ...] = ()


def has_identifier(question: str) -> bool:
    """Tell whether a question names a paper by a DOI, an arXiv number, or an OpenReview or PubMed id."""
    return _IDENTIFIER.search(question) is not None


def identifiers(question: str) -> list[str]:
    """Return the paper ids (`doi:…`, `arxiv:…`, `openreview:…`, `pubmed:…`) that a question names."""
    found = []
    for match in _IDENTIFIER.finditer(question):
        doi, arxiv, forum, _ = match.groups()
        if doi:
            found.append(f"doi:{doi.rstrip('.,;)?').casefold()}")
        elif arxiv:
            found.append(f"arxiv:{arxiv.casefold()}")
        else:
            found.append(f"openreview:{forum}" if forum else match.group().replace(" ", ""))
    return found


def entities(question: str) -> tuple[str, ...]:
    """Return the two things that a comparison compares; empty when they can't be told."""
    match = _BETWEEN.search(question)
    if match is None:
        return ()
    return tuple(part.strip(" '\"“”") for part in match.groupdict().values() if part)


def topic(question: str) -> str:
    """Return what a summary or a list is about: the question without its instructions."""
    rest = " ".join(_INSTRUCTIONS.sub(" ", question).split())
    return rest if any(len(word) > 2 for word in words(rest)) else question


def is_about_one(question: str) -> bool:
    """Tell whether a question speaks of one paper rather than of several."""
    text = fold(question)
    return bool(_ONE.search(text)) and not _SEVERAL.search(text)


def standalone(question: str, history: Sequence[Turn]) -> Standalone:
    """Return the question as it would be asked without its history.

    A follow-up that refers back gets the name of what it refers to: the sentence of the last answer that an ordinal
    points at, the name in the last question or answer, else the last question's own words.
    """
    text = fold(question)
    if not history or _NEW_TOPIC.search(text) or not _depends(text):
        return Standalone(question)
    reference, cited = _referent(text, history)
    if not reference or fold(reference) in text:
        return Standalone(question, cited)
    bare = question.rstrip(" ?.!")
    return Standalone(f"{bare} ({reference})?" if question.rstrip().endswith("?") else f"{bare} ({reference})", cited)


def _depends(text: str) -> bool:
    return bool(_REFERS_BACK.search(text) or _CONTINUES.search(text)) or len(content_stems(text)) <= 2


def _referent(text: str, history: Sequence[Turn]) -> tuple[str, tuple[str, ...]]:
    """Return the words and the papers that a folded follow-up refers to."""
    ordinal = _ORDINAL.search(text)
    if ordinal:
        mentions = _mentions(history[-1:])
        if len(mentions) < 2:
            mentions = _mentions(history)
        index = _ORDINALS[ordinal.group(1)]
        if mentions and -len(mentions) <= index < len(mentions):
            sentence, papers = mentions[index]
            return _name_in(sentence) or sentence, papers
    last = history[-1]
    papers = tuple(dict.fromkeys(p for _, cited in _mentions([last]) for p in cited)) or last.papers[:1]
    return _name_in(last.question) or _name_in(last.answer) or _INSTRUCTIONS.sub("", last.question).strip(" ?."), papers


def _mentions(history: Sequence[Turn]) -> list[tuple[str, tuple[str, ...]]]:
    """Return each newly cited paper of earlier answers, in order, with the sentence that cites it."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for turn in history:
        seen: set[int] = set()
        for start, end in _sentence_bounds(turn.answer):
            text, cited = split(turn.answer[start:end], range(1, 100))
            for n in cited:
                if n not in seen:
                    seen.add(n)
                    found.append((text, turn.papers[n - 1 : n]))
    return found


def _sentence_bounds(text: str) -> list[tuple[int, int]]:
    """Return the bounds of sentences, each up to the next one's start, so that markers behind a stop belong to it."""
    starts = [s.start for s in sentences(text)]
    starts = [s for i, s in enumerate(starts) if i == 0 or not text[s:].lstrip().startswith("[")]
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def names(text: str) -> list[str]:
    """Return the coined names in a text, as UniDrag, FIRE-BENCH or GPT-4: three letters at least, oddly written."""
    found = [name for name in _NAME.findall(text) if sum(c.isalpha() for c in name) >= 3]
    return list(dict.fromkeys(found))


def _name_in(text: str) -> str:
    return " ".join(dict.fromkeys(names(text) or _CAPITALISED.findall(text)))
