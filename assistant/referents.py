"""What a conversation has spoken of so far: the names in its questions and the papers its answers cite. Pure."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from assistant.citations import split
from assistant.routing import names
from assistant.schema import Turn
from assistant.text import STOPWORDS, fold, sentences, words

AUXILIARY = r"(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should|may|might|must)"
_WORD = r"[^\s?!.,;:()]+(?:[.,](?=\w)[^\s?!.,;:()]+)*"
_PROPER = r"(?=[^\s?!,;:()]*[A-Z\u0391-\u03a9])" + _WORD
_PROPER_RUN = re.compile(rf"(?:the |an? )?{_PROPER}(?: (?:{_PROPER}|v?\d[\w.]*))*", re.ASCII)
_SUBJECT = re.compile(rf"\b{AUXILIARY} (?=(?:the |an? )?{_PROPER})", re.IGNORECASE)
_OF_PAPER = re.compile(rf"\b(?:according to|in|by|of) (?P<name>(?:the )?{_PROPER})(?= paper\b| article\b|[?,]|$)")
_ABOUT = re.compile(
    r"^(?:(?:please|and|so|now|then) )*(?:(?:what|who) (?:is|are|was|were)|what(?:'s|’s)"
    r"|(?:tell me|what do you know|anything) (?:more )?about|(?:what|how) about|and(?: about)?"
    r"|explain|describe|define|introduce|summari[sz]e|which \w+ (?:are|is) (?:there )?(?:about|on)) (?P<topic>.+)$",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r" (?:in|for|on|with|by|from|at|according to|that|which|used|as|when|good|better) .*$", re.IGNORECASE
)
_PLAIN_SUBJECT = re.compile(rf"\b{AUXILIARY} (?P<rest>\S.*)$", re.IGNORECASE)
_ENDS_PHRASE = re.compile(
    r"^(?:be|been|prevent|reduce|improve|work|learn|handle|use|train|scale|help|make|need|get|reach|solve|do|have"
    r"|achieve|perform"
    r"|translate|represent|explain|compute|choose|predict|differ|compare|avoid|encode|generate|trained|used|learned"
    r"|\w+ed|in|on|for|with|by|from|at|to|that|which|when|if|and|good|better|faster|so)$"
)
_OPEN = re.compile(r"^(?:which|who)\b|^what \w+s? (?:keep|combin|bring|introduc|use|propose|stud)\w*\b", re.IGNORECASE)
_ITEM = re.compile(r"^\s*(?:\d{1,2}[.)]|[-*•])\s+(?P<lead>[^:\n–—]{2,60}?)(?=\s*(?::|–|—|\s-\s))", re.MULTILINE)
_MARKER_FIRST = re.compile(r"^\s*(?:(?:\d{1,2}[.)]|[-*•])\s*)?\[\d", re.MULTILINE)
_MARKERS = re.compile(r"(?:\[\d+\]\s*)+")
_MARKER = re.compile(r"(?=\[\d+\])")
_BESIDE = r"(?:on|at|from|against|than|with|over|to|by|into|using)"
_POSSESSIVE = re.compile(r"['’]s\b")
_PAPER_ON = re.compile(
    r"^(?:another|one|a|the|this) (?:\w+ )?(?:paper|work|study|article|one) (?:studies|is about|is on|describes"
    r"|proposes"
    r"|presents|introduces|shows|investigates|examines|deals with|treats|looks at|considers"
    r"|analy[sz]es) (?P<topic>.+)$",
    re.IGNORECASE,
)
_LONGEST_NAME = 90


@dataclass(frozen=True, slots=True)
class Referent:
    """Something a turn spoke of: what to call it in a sentence, and the cited paper it stands for, where known."""

    name: str
    paper: str | None = None

    @property
    def bare(self) -> str:
        """The name folded and without its article, to compare by."""
        return re.sub(r"^(?:the|an?) ", "", fold(self.name))


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier turn, understood: its standalone question, what that was about, and what the answer cites."""

    asked: str
    answer: str
    focus: tuple[Referent, ...]
    mentions: tuple[Referent, ...]


def exchange(asked: str, turn: Turn, titles: Mapping[str, str]) -> Exchange:
    """Return a turn whose standalone question is `asked`.

    `titles` says what cited papers are called, by id: a name, or a “title” in quotation marks.
    """
    mentions = mentioned(turn, titles)
    focus = _focus(asked, turn, mentions)
    if len(mentions) == 1 and len(focus) == 1:
        mentions = (Referent(focus[0].name, mentions[0].paper),)
    return Exchange(asked, turn.answer, focus, mentions)


def mentioned(turn: Turn, titles: Mapping[str, str]) -> tuple[Referent, ...]:
    """Return what an answer mentions, in order: the papers that it cites, else the names that open its sentences."""
    found: list[Referent] = []
    seen: set[int] = set()
    for piece in _pieces(turn.answer):
        text, cited = split(piece, range(1, 100))
        for n in cited:
            if n not in seen:
                seen.add(n)
                paper = next(iter(turn.papers[n - 1 : n]), None)
                found.append(Referent(_called(text, len(cited), titles.get(paper or "")), paper))
    if found:
        return tuple(found)
    leads = [m["lead"] for m in _ITEM.finditer(turn.answer)]
    leads = leads or [name for piece in _pieces(turn.answer) for name in names(piece)[:1]]
    return tuple(Referent(lead) for lead in dict.fromkeys(leads))


def subject(question: str, answer: str = "") -> str:
    """Return the words of a question that name what it is about, "" when they can't be told.

    A proper name in the place of the subject wins, then other coined names, then the plain words of "What is …?"; a
    plain subject as in "How does dropout work?" ends where the answer or a verb says so.
    """
    text = question.strip().rstrip("?!. ")
    if (paper := _OF_PAPER.search(text)) and names(paper["name"]):
        return paper["name"]
    if placed := _SUBJECT.search(text):
        run = _PROPER_RUN.match(text, placed.end())
        if run and run.group().lower() not in ("i", "the"):
            return _POSSESSIVE.split(run.group())[0]
    coined = names(text) or [m.group() for m in _PROPER_RUN.finditer(text, 1) if m.group() not in ("I", "A")]
    if topic := _topic(text):
        return next((name for name in coined if name in topic), re.sub(r"^an? ", "the ", _TAIL.sub("", topic).strip()))
    plain = plain_subject(text, answer)
    if coined and not (plain and re.search(rf"\b{_BESIDE} {re.escape(coined[0])}", text)):
        return coined[0]
    return plain


def _topic(text: str) -> str:
    about = None if _OPEN.match(text) else _ABOUT.match(text)
    return about["topic"] if about else ""


def conversation(exchanges: Iterable[Exchange]) -> list[Referent]:
    """Return everything that was spoken of, in the order of its first mention."""
    found: dict[str, Referent] = {}
    papers: set[str] = set()
    for past in exchanges:
        for referent in past.mentions or past.focus:
            if referent.paper is None or referent.paper not in papers:
                found.setdefault(referent.bare, referent)
                papers |= {referent.paper} - {None} if referent.paper else set()
    return list(found.values())


def _focus(asked: str, turn: Turn, mentions: tuple[Referent, ...]) -> tuple[Referent, ...]:
    """Return what a turn was about: its question's subject, or for "Which …?" what the answer mentions."""
    name = subject(asked, turn.answer)
    same = [m for m in mentions if name and (m.bare in fold(name) or Referent(name).bare in m.bare)]
    paper = same[0].paper if same else None
    if paper is None and len({m.paper for m in mentions}) <= 1:
        paper = mentions[0].paper if mentions else next(iter(turn.papers), None)
    asks_which = bool(_OPEN.match(asked)) and not re.search(rf"\b{AUXILIARY}\b", asked, re.IGNORECASE)
    if asks_which and mentions:
        return mentions
    vague = not _topic(asked) and name.islower() and name == plain_subject(asked.rstrip("?!. "), turn.answer)
    if vague and len(mentions) == 1 and (mentions[0].name.startswith("“") or len(mentions[0].name.split()) <= 3):
        return mentions
    return (Referent(name, paper),) if name else mentions


def plain_subject(text: str, answer: str) -> str:
    """Return the subject of "How does dropout work?" where it bears no name; "" where there is none."""
    match = _PLAIN_SUBJECT.search(text)
    if match is None or fold(match["rest"]).split()[0] in STOPWORDS - {"the", "a", "an"}:
        return ""
    taken: list[str] = []
    said = f" {' '.join(words(answer))} "
    for word in match["rest"].split():
        longer = " ".join(words(" ".join([*taken, word])))
        if taken and taken[-1].lower() not in ("the", "a", "an") and f" {longer} " not in said:
            answered = f" {' '.join(words(' '.join(taken)))} " in said and not word.endswith("s")
            if _ENDS_PHRASE.match(word.lower()) or len(taken) >= 4 or answered:
                break
        taken.append(word)
    return " ".join(taken)


def _called(text: str, cited: int, title: str | None) -> str:
    """Return what to call a paper that a sentence cites among `cited`: its own short name, a name in it, its title."""
    coined = [name for name in names(text) if cited == 1 and (title is None or _stands_for(name, text, title))]
    if title and not title.startswith("“"):
        return title
    if coined or title:
        return coined[0] if coined else str(title)
    bare = text.strip().rstrip(".")
    about = _PAPER_ON.match(bare)
    return f"the paper on {about['topic']}" if about else bare[:_LONGEST_NAME]


def _stands_for(name: str, text: str, title: str) -> bool:
    """Tell whether a name in a sentence is what the titled paper brings: it opens the sentence or abbreviates."""
    initials = "".join(word[0] for word in words(title))
    abbreviates = fold(name) in fold(title) or fold(name).removesuffix("s") in initials
    return abbreviates or text.startswith((name, f"The {name}"))


def _pieces(answer: str) -> list[str]:
    """Return the stretches of an answer that carry markers: sentences, or what follows each marker in a list."""
    if _MARKER_FIRST.match(answer):
        return [piece for piece in _MARKER.split(answer) if piece.strip()]
    starts = [s.start + _markers_at(answer, s.start) * (i > 0) for i, s in enumerate(sentences(answer))]
    starts = [s for s in starts if s < len(answer)]
    return [answer[start:end] for start, end in pairwise([*starts, len(answer)])]


def _markers_at(answer: str, start: int) -> int:
    """Return the length of the markers that stand at a place: they belong to the sentence before it."""
    markers = _MARKERS.match(answer, start)
    return len(markers.group()) if markers else 0
