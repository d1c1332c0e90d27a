"""What a follow-up means on its own: its words, with what it refers back to put in their place. Rules; no model.

The rules are tried from the surest to the least sure; a question that none of them applies to stays as it is, since to
change a question that needs no history does more harm than to leave a vague one vague.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from assistant import anaphora
from assistant.anaphora import Anaphor, find, has_auxiliary, novelty
from assistant.referents import AUXILIARY, Exchange, Referent, conversation, exchange, subject
from assistant.routing import names
from assistant.schema import Turn
from assistant.text import content_stems, fold, words

_LONGEST_QUESTION = 300  # a standalone question made of others doesn't grow from turn to turn
_LONGEST_FOLLOWUP = 600  # what is longer has been pasted and says itself what it is about
_LONGEST_ANSWER = 8000
_NEW_TOPIC = re.compile(
    r"\b(?:something (?:else|different)|another (?:question|topic|subject)|(?:different|new|other) (?:question"
    r"|topic|subject)"
    r"|change of (?:topic|subject)|change the (?:topic|subject)|unrelated(?: question)?|forget (?:that|it|about it))\b"
)
_POLITE = re.compile(
    r"^(?:(?:thanks?(?: you)?|ok(?:ay)?|great|good|nice|interesting|i see|right|sure|yes|yeah|yep|no|hm+|cool"
    r"|please)\b[,.!;: ]+)+"
    r"(?=\S)",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"(?:yes|yeah|yep|sure|ok(?:ay)?|please|of course|do(?: it| so| that)?|go on|go ahead|continue|keep going"
    r"|carry on|more"
    r"|(?:tell|show|give) me(?: some)?(?: more)?(?: details?)?(?: about (?:it|that|this|them))?|(?:some )?more details?"
    r"|details?|elaborate|expand(?: on (?:it|that|this))?|say more|explain(?: (?:it|that|this))?|what else"
    r"|anything else"
    r"|go deeper|and(?: then)?|in more detail|can you (?:elaborate|explain|say more|tell me more|go on))"
    r"(?: (?:please|then|on that|about it|about that))?",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"(?:would you like(?: me)? to|do you want(?: me)? to|(?:shall|should|may|can|could) i|want me to|i can|i could)\s+"
    r"(?P<offered>[^?]+)\?\s*(?:\[\d+\]\s*)*$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:so|now|and|but|then|please|let(?:'|’)?s|let us|let me|can we|could we|i(?:'d| would) like to) )*"
    r"(?P<lead>(?:go(?:ing)?|come|coming|get(?:ting)?|return(?:ing)?|back)\b[^:;,.?!]*"
    r"|(?:(?:as for|regarding|concerning|about|for|with|in|on) )?the (?:first|second|third|fourth|fifth|last|former"
    r"|latter|other)"
    r"[^:;,.?!]*)(?:[:;,.?!]+|$)\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"(?:and |but |so )?(?:why|how come|how so)(?: (?:is|was|does|do) (?:that|this|it))?(?: so| the case| then)?", re.I
)
_PREPOSITION = (
    r"(?:in|on|for|with|at|from|against|by|into|to|under|over|without|after|during|between|across|among|using|since"
    r"|until)"
)
_FRAGMENT = re.compile(
    rf"(?:and |but |so )?(?:(?:{_PREPOSITION}|of) )?(?:how|what|which|when|where|who|whom|whose"
    rf"|since when)\b(?: [\w'%-]+){{0,6}}",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"(?:how (?:many|much|long|often|far|large|big|fast)|who|what|which)\b", re.IGNORECASE)
_ELLIPSIS = re.compile(
    r"^(?:(?:and|but|or|so|also|then|now) )*(?:(?:what|how) about|what of|(?<=and )about|(?<=and )|(?<=or )"
    r"|(?<=but ))\s*"
    r"(?P<new>\S.*)$",
    re.IGNORECASE,
)
_OPENS_CLAUSE = re.compile(
    r"(?:what|which|how|who|when|where|why|please|compare|summari[sz]e|list|tell|give|show|explain)\b", re.IGNORECASE
)
_BARE_NAME = re.compile(r"(?:the )?\S+(?: \S+){0,2}\?")
_ADDED = re.compile(r"^(?:and|but|so|also|then)[, ]+", re.IGNORECASE)
_CUE = re.compile(
    r"\b(?:the same|instead|otherwise|others?|another|else|also|too|besides|in contrast|in addition|in that|in this"
    r"|then|those"
    r"|these|this|such|he|she|one|here|it|they|them|its|their)\b",
    re.IGNORECASE,
)
_AMONG = re.compile(r"\bthe same\b(?! .*\bas\b)", re.IGNORECASE)
_ASKED_THING = re.compile(
    rf"^(?:(?:and|so|but) )?(?:what|which) (?P<thing>[a-z][\w-]*(?: [a-z][\w-]*){{0,3}}?) {AUXILIARY} ", re.IGNORECASE
)
_KINDS = frozenset(content_stems("kind sort type way"))
_DO = {"do": "does", "are": "is", "were": "was", "have": "has"}


@dataclass(frozen=True, slots=True)
class Standalone:
    """A question that needs no history, and the papers earlier answers cited that it refers back to.

    `depends`: it does need its history; `resolved`: the rules found what it refers to. `others` are other ways to ask
    it, to search by as well.
    """

    question: str
    papers: tuple[str, ...] = ()
    depends: bool = False
    resolved: bool = True
    others: tuple[str, ...] = ()


def _every_name(_: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class _Conversation:
    """The turns so far, and a test that tells whether a name is what a paper goes by."""

    turns: tuple[Exchange, ...]
    is_paper: Callable[[str], bool]

    @property
    def last(self) -> Exchange:
        return self.turns[-1]

    def about(self, *focus: Referent) -> "_Conversation":
        """Return the conversation as if its last turn had been about `focus`."""
        return replace(self, turns=(*self.turns[:-1], replace(self.last, focus=focus)))

    def one(self) -> Referent | None:
        """Return what the conversation is about now."""
        return next((turn.focus[0] for turn in reversed(self.turns) if turn.focus), None)

    def several(self) -> tuple[Referent, ...]:
        """Return the things that "they" or "both" stand for: the last answer's, else the last two spoken of."""
        if len(self.last.mentions) > 1:
            return self.last.mentions
        return tuple(conversation(self.turns)[-2:])

    def pick(self, anaphor: Anaphor, text: str) -> tuple[Referent, ...]:
        """Return what an anaphor in a text stands for, empty when nothing was said that it could mean."""
        if anaphor.reference == "several":
            return self.several()
        if anaphor.reference == "other":
            return self._other()
        if anaphor.reference == "ordinal":
            return self._at(anaphor.which, text)
        one = self.one()
        return (one,) if one else ()

    def _at(self, place: int, text: str) -> tuple[Referent, ...]:
        whole = re.search(r"\b(?:mentioned|cited|back|earlier|before|beginning|start)\b", fold(text))
        listed = () if whole or len(self.last.mentions) < 2 else self.last.mentions
        listed = listed or tuple(conversation(self.turns))
        return (listed[place],) if -len(listed) <= place < len(listed) else ()

    def _other(self) -> tuple[Referent, ...]:
        now = self.one()
        for turn in reversed(self.turns):
            if len(turn.mentions) > 1:
                rest = [m for m in turn.mentions if now is None or not _same(m, now)]
                return tuple(rest[:1])
        rest = [m for m in conversation(self.turns) if now is None or not _same(m, now)]
        return tuple(rest[-1:])


def standalone(
    question: str,
    history: Sequence[Turn],
    titles: Mapping[str, str] = MappingProxyType({}),
    is_paper: Callable[[str], bool] = _every_name,
) -> Standalone:
    """Return the question as it would be asked without its history.

    `titles` says what the papers of earlier answers are called, by id; `is_paper` tells whether a name is what a paper
    of the library goes by ("And GraphSAGE?") or not ("And CIFAR-100?"). Each earlier question is resolved in turn, so
    that "it" may stand for what an earlier "it" stood for.
    """
    turns: tuple[Exchange, ...] = ()
    for turn in history:
        turn = replace(turn, answer=turn.answer[:_LONGEST_ANSWER])
        asked = _resolved(turn.question, _Conversation(turns, is_paper)).question
        kept = asked if len(asked) <= _LONGEST_QUESTION else turn.question[:_LONGEST_QUESTION]
        turns = (*turns, exchange(kept, turn, titles))
    return _resolved(question, _Conversation(turns, is_paper))


def _resolved(question: str, said: _Conversation) -> Standalone:
    if not said.turns or len(question) > _LONGEST_FOLLOWUP:
        return Standalone(question)
    text = _POLITE.sub("", " ".join(question.split()))
    if not text or _NEW_TOPIC.search(fold(text)):
        return Standalone(question)
    for rule in (_more, _led, _fragment, _referring, _elliptic, _vague):
        if (found := rule(text, said)) is not None and found.question.strip():
            return found
    return Standalone(question)


def _more(text: str, said: _Conversation) -> Standalone | None:
    """Resolve "yes", "go on", "tell me more": what the answer offered, else more about what it was about."""
    if not _MORE.fullmatch(text.rstrip(" ?!.")):
        return None
    offer = _OFFER.search(said.last.answer)
    if offer and fold(text).startswith(("yes", "yeah", "yep", "sure", "ok", "please", "of course", "do", "go ahead")):
        offered = re.sub(r"^know\b", "tell me", offer["offered"].strip(), flags=re.IGNORECASE)
        offered = _sentence(re.sub(r"\byou\b", "me", offered)) + "."
        found = _referring(offered, said)
        return replace(found, question=found.question) if found else Standalone(offered, _papers(said.one()), True)
    one = said.one()
    if one is None:
        return Standalone(f"{text} ({said.last.asked.rstrip(' ?.!')})", (), True, False)
    return Standalone(f"Tell me more about {one.name}.", _papers(one), True)


def _led(text: str, said: _Conversation) -> Standalone | None:
    """Resolve "Go back to the first paper: how large is its index?": the beginning says what the rest is about."""
    match = _LEAD.match(text)
    if match is None:
        return None
    lead = match["lead"]
    anaphor = anaphora.ordinal(lead)
    if anaphor:
        meant = said.pick(anaphor, lead)[:1]
    else:
        meant = tuple(r for r in conversation(said.turns) if set(words(r.bare)) <= set(words(lead)))[:1]
    if not meant:
        return None
    rest = match["rest"].strip()
    if not rest and re.match(r"the\b", lead, re.IGNORECASE):
        return None
    if not rest:
        return Standalone(f"Tell me more about {meant[0].name}.", _papers(*meant), True)
    now = said.about(*meant)
    return _referring(rest, now) or Standalone(_attached(rest, meant), _papers(*meant), True)


def _fragment(text: str, said: _Conversation) -> Standalone | None:
    """Resolve "Why?", "By how much?", "On how many GPUs?": the last question, asked for that."""
    bare = text.rstrip(" ?!.")
    why = _WHY.fullmatch(bare)
    if not why and (not _FRAGMENT.fullmatch(bare) or has_auxiliary(bare) or _is_whole(bare)):
        return None
    piece = "why" if why else _ADDED.sub("", bare)
    one, asked = said.one(), said.last.asked.rstrip(" ?!.")
    meant = said.last.focus[:1] or ((one,) if one else ())
    if re.match(rf"{AUXILIARY}\b", asked, re.IGNORECASE) and not _AMOUNT.match(piece):
        return Standalone(f"{_sentence(piece)} {_lowered(asked)}?", _papers(*meant), True)
    if re.match(rf"(?:{AUXILIARY}|what|which|how|who|when|where|why|in|on|by|at|for)\b", asked, re.IGNORECASE):
        return Standalone(f"{_sentence(asked)}, and {_lowered(piece)}?", _papers(*meant), True)
    if meant:
        return Standalone(_attached(f"{_sentence(piece)}?", meant), _papers(*meant), True)
    return None


def _is_whole(text: str) -> bool:
    """Tell whether a fragment has a subject and a verb of its own, as "Which papers study graphs" has."""
    text = re.sub(r"^(?:and|but|so) ", "", text.lower())
    if re.match(r"how\b", text):
        return not re.match(r"how(?: (?:many|much|long|far|often|fast|old|large|big)(?: \w+){0,2})?$", text)
    return not re.match(rf"(?:{_PREPOSITION}|of|why|when|where)\b|(?:who|what|which)$", text)


def _referring(text: str, said: _Conversation) -> Standalone | None:
    """Resolve a question with a pronoun, an ordinal, "the method" or "both": put what is meant in its place."""
    anaphor = find(text) or (anaphora.which_one(text) if len(said.last.mentions) > 1 else None)
    if anaphor is None:
        return None
    meant = said.pick(anaphor, text)
    plural = text[anaphor.start : anaphor.end].lower() in ("they", "their", "them", "theirs")
    comparing = re.search(r"\b(?:differ\w*|compare[ds]?|contrast|common|between|each|which)\b", fold(text))
    if plural and (comparing or (len(said.last.mentions) > 1 and len(said.last.focus) != 1)):
        meant = said.several()
    if not meant:
        asked = said.last.asked.rstrip(" ?.!")
        return Standalone(_attached(text, (Referent(asked),)), (), True, False)
    replaced = _substituted(text, anaphor, meant, said)
    found = _elliptic(replaced, said)
    if found is not None:
        return replace(found, papers=_papers(*meant))
    return Standalone(_sentence(_ADDED.sub("", replaced)), _papers(*meant), True)


def _substituted(text: str, anaphor: Anaphor, meant: Sequence[Referent], said: _Conversation) -> str:
    """Put names in an anaphor's place, with the grammar that they need."""
    before, word, after = text[: anaphor.start], text[anaphor.start : anaphor.end], text[anaphor.end :]
    name = _joined(meant)
    if anaphor.reference == "aside" or _is_statement(name):
        return _attached(text, meant)
    if not word:  # "the code" without its "of …", "Which" without its "of …"
        return f"{before} of {name}{after}"
    lower = word.lower()
    if anaphor.reference == "asked":
        thing = _ASKED_THING.match(said.last.asked)
        if thing and not set(content_stems(thing["thing"])) <= set(content_stems(text)) | _KINDS:
            return f"{before}the {thing['thing']} of {name}{after}"
        if name.islower() or (re.match(r"(?:and )?how\b", fold(text)) and re.search(r"\b(?:is|was) $", before)):
            return _attached(text, meant)
    if lower in ("its", "their", "theirs", "his", "her"):
        return f"{before}{name}{chr(39) if name.endswith('s') and _is_plural(meant) else chr(39) + 's'}{after}"
    if not _is_plural(meant):
        after = re.sub(rf"^ ({'|'.join(_DO)})\b", lambda m: f" {_DO[m.group(1)]}", after)
    return f"{_agreeing(before, _is_plural(meant))}{name}{after}"


def _is_plural(meant: Sequence[Referent]) -> bool:
    name = meant[0].name
    return len(meant) > 1 or (name.endswith("s") and not name.endswith("ss") and name.rsplit(maxsplit=1)[-1].islower())


def _agreeing(before: str, plural: bool) -> str:
    """Return the beginning of a sentence with the auxiliary at its end in the number of the subject that follows."""
    forms = {one: many for many, one in _DO.items()} if plural else _DO
    match = re.search(rf"\b({'|'.join(forms)})(\s+)$", before, re.IGNORECASE)
    if match is None:
        return before
    return before[: match.start()] + _cased(forms[match.group(1).lower()], match.group(1)) + match.group(2)


def _is_statement(name: str) -> bool:
    return len(name.split()) > 5 and not name.startswith(("“", "the paper on")) and " and " not in name


def _elliptic(text: str, said: _Conversation) -> Standalone | None:
    """Resolve "What about Reformer?", "And on MNIST?": the last question with that in place of what it fits."""
    bare = text.rstrip(" ?!.")
    match = _ELLIPSIS.match(bare)
    if match is None and _BARE_NAME.fullmatch(text) and not _is_clause(bare) and names(bare):
        new = bare
    elif match is None or _is_clause(match["new"]):
        return None
    else:
        new = re.sub(r"^(?:what about|how about|about)\s+", "", match["new"], flags=re.IGNORECASE)
    asked, one = said.last.asked.rstrip(" ?!."), said.one()
    end = "." if said.last.asked.rstrip().endswith(".") else "?"
    if one and one.bare and one.bare in fold(new):
        if words(new) != words(one.bare):
            return Standalone(f"What about {new}?", _papers(one), True)
        return None
    if re.match(rf"{_PREPOSITION}\b", new, re.IGNORECASE):
        return Standalone(f"{_with_phrase(asked, new)}{end}", _papers(one), True)
    if re.match(r"(?:the|any|some) ", new) and not names(new) and one is not None:
        return Standalone(f"What about {new} of {one.name}?", _papers(one), True)
    return _with_name(asked, new, end, said)


def _is_clause(text: str) -> bool:
    if re.match(r"(?:what|how) about\b", text, re.IGNORECASE):
        return False
    return bool(_OPENS_CLAUSE.match(text)) or has_auxiliary(text) or len(words(text)) > 8


def _with_phrase(asked: str, phrase: str) -> str:
    """Return a question with a prepositional phrase in place of its own with the same preposition, else added."""
    preposition = phrase.split()[0]
    own = re.search(rf"\b{preposition} (?:the )?[^\s,]+(?: [A-Zv\d][^\s,]*)*(?=$|[,?]| {_PREPOSITION}\b)", asked)
    own = own or re.search(rf"\b{preposition} [^,]+$", asked)
    if own is None and re.search(r" [A-Z]", phrase):
        own = re.search(rf"\b{_PREPOSITION} [A-Z][^\s,]*(?: [A-Zv\d][^\s,]*)*$", asked)
    return f"{asked[: own.start()]}{phrase}{asked[own.end() :]}" if own else f"{asked} {phrase}"


def _with_name(asked: str, new: str, end: str, said: _Conversation) -> Standalone:
    """Return the last question with a new name in place of its subject, or of another name when `new` is no paper's."""
    old = subject(asked, said.last.answer)
    others = [name for name in names(asked) if name not in old]
    one = said.one()
    if others and not said.is_paper(new):
        place = asked.rindex(others[-1])
        tail = re.match(r" v?\d[\w.]*", asked[place + len(others[-1]) :])
        behind = asked[place + len(others[-1]) + (tail.end() if tail else 0) :]
        return Standalone(f"{asked[:place]}{new}{behind}{end}", _papers(one), True)
    if old and old in asked:
        bare = re.sub(r"^(?:the|an?) ", "", old, flags=re.IGNORECASE)
        placed = asked.replace(old if old[:1].isupper() or bare != old else bare, new, 1)
        return Standalone(f"{placed}{end}", (), True)
    return Standalone(f"Tell me about {new}.", (), True)


def _vague(text: str, said: _Conversation) -> Standalone | None:
    """Resolve a question that asks for an attribute of nothing, as "How many layers are there?"."""
    one = said.one()
    known = f"{said.last.asked} {said.last.answer}"
    same = _AMONG.search(text)
    own = [name for name in names(text) if name not in names(known)]
    new, of_papers = novelty(text, known), novelty(text)
    listing = re.search(r"\b(?:papers|articles|studies|works|abstracts)\b", fold(text))
    cued = same or _CUE.search(text)
    vague = (not content_stems(text) or of_papers == 0 or (same and of_papers <= 3) or (cued and new <= 1)) and not own
    if not vague or listing or re.search(r"\b(?:list|library)\b", fold(text)):
        return None
    if one is None:
        return Standalone(_attached(text, (Referent(said.last.asked.rstrip(" ?.!")),)), (), True, False)
    if one.bare in fold(text):
        return Standalone(text, _papers(one), True)
    return Standalone(_sentence(_ADDED.sub("", _attached(text, (one,)))), _papers(one), True)


def _attached(text: str, meant: Sequence[Referent]) -> str:
    if f"({_joined(meant)})" in text:
        return text
    bare, end = text.rstrip(" ?.!"), "?" if text.rstrip().endswith("?") else ""
    if re.search(r"\b(?:there|used)$", bare) and not _is_statement(_joined(meant)):
        return f"{bare} in {_joined(meant)}{end}"
    return f"{bare} ({_joined(meant)}){end}"


def _joined(meant: Sequence[Referent]) -> str:
    called = list(dict.fromkeys(referent.name for referent in meant))
    return called[0] if len(called) == 1 else f"{', '.join(called[:-1])} and {called[-1]}"


def _papers(*meant: Referent | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(r.paper for r in meant if r is not None and r.paper is not None))


def _same(a: Referent, b: Referent) -> bool:
    return a.bare == b.bare or (a.paper is not None and a.paper == b.paper)


def _sentence(text: str) -> str:
    """Return a text with a capital at its start, unless a name stands there."""
    first = text.split(maxsplit=1)[0] if text.split() else ""
    return text if names(first) or not first.islower() else text[0].upper() + text[1:]


def _lowered(text: str) -> str:
    first = text.split(maxsplit=1)[0] if text.split() else ""
    return text if names(first) else text[:1].lower() + text[1:]


def _cased(word: str, like: str) -> str:
    return word.capitalize() if like[:1].isupper() else word
