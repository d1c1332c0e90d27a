"""Reading a sentence of an abstract without a parser: its opening, its verbs, the phrases around them. Pure functions.

What can't be told is refused: a question that was not made costs less than one that nobody would ask.
"""

# ruff: noqa: E501 (a pattern reads best on one line)

import re
from typing import Final

from assistant.polarity import inflected
from assistant.text import STOPWORDS, content_stems, words

_VERBS = """accelerate achieve adapt address aggregate align alleviate amplify apply approximate assign attain avoid bridge
    capture combine compress compute connect consider construct convert decompose decouple define deliver derive
    detect determine discover disentangle distill elicit eliminate embed employ enable encode enforce enhance
    ensure establish evaluate exhibit exploit explore expose facilitate fuse generate govern guarantee handle
    hinder identify impair improve emulate favor incorporate increase induce infer inhibit inject integrate introduce investigate
    jeopardize learn leverage maintain maximize minimize mitigate obtain outperform overlook parameterize partition
    perform predict preserve prevent produce promote propose provide quantify reach recover reduce reformulate remove
    replace represent require resolve retain reveal separate simplify simulate solve stabilize suppress
    surpass synthesize tackle transform treat unify utilize validate yield
    postpone encourage reconstruct forecast""".split()
_NOUNS_TOO = """model map scale project process measure control update sample transfer target match estimate use cause
    support limit optimize train test read find count spend lower cut
    drive store steer select cover decrease raise exceed boost beat benefit""".split()  # verbs only where the subject is known

THIRD: Final = {inflected(verb)[1]: verb for verb in (*_VERBS, *_NOUNS_TOO)}
BASE: Final = {verb: inflected(verb)[1] for verb in _VERBS}
GERUND: Final = {inflected(verb)[3]: verb for verb in _VERBS}

_OPENING = re.compile(
    r"(?:However|Moreover|Furthermore|Further|Additionally|In addition|Specifically|In particular|Crucially|Notably"
    r"|Interestingly|Empirically|Theoretically|Finally|Overall|Thus|Therefore|Hence|Consequently|As a result|Conversely"
    r"|In contrast|Meanwhile|In parallel|Together|Here|In this (?:work|paper|study|article)|To this end|Unfortunately"
    r"|Importantly|Remarkably|Surprisingly|In practice|More importantly|Recently|Nevertheless|Also|Instead|Then|First"
    r"|Second|Third|On the other hand|In summary|In this regard|Based on this [\w ]{3,30}"
    r"|To (?:bridge|close|fill|address|tackle|overcome|solve|resolve) (?:this|these|the) [\w ]{3,30}?),? (?=\S)",
)
_REPORTING = re.compile(
    r"(?:[Ww]e|[Oo]ur (?:[\w-]+ ){1,3}|[Tt]h(?:is|e|ese) (?:[\w-]+ ){0,2}(?:paper|work|study|results?|findings?|analys[ei]s"
    r"|experiments?) |(?:[Ee]xtensive |[Ee]mpirical |[Nn]umerical |[Tt]heoretical |[Cc]omprehensive )*"
    r"(?:[Ee]xperiments?|[Rr]esults?|[Aa]nalys[ei]s|[Ee]valuations?)(?: (?:on|across|in|over) [^,]{3,70}?)? )"
    r" ?(?:(?:\w+ly|also|further|first|then) )?(?:show|find|demonstrate|observe|prove|reveal|indicate|suggest|confirm"
    r"|establish|verify|validate|conclude|argue|report)(?:s|ed)?(?: empirically| theoretically)? that ",
)
_EMPHASIS = re.compile(r"(?<![\w*])\*{1,3}(?=\S)([^*\n]{1,80}?)(?<=\S)\*{1,3}(?![\w*])")
_BRACKET = re.compile(r" \([^()]*\)")
_ENDS_CLAUSE = re.compile(
    r"[;:.](?:\s|$)|[()$\\\[\]{}<>—]| – | (?:while|whereas|but|yet|which|where|thereby|thus|so that|because|since|although"
    r"|though|if|unless|who|whose|as|and (?:must|has|have|cannot|do|does|fails?|lacks?|requires?|the|that|then|we|it|they|can|is|are|also|thus|further|therefore|significantly"
    r"|substantially|consistently|outperforms?|achieves?|reduces?|improves?|enables?|provides?|demonstrates?))\b"
    r"|, (?:and )?(?:thereby|leading|resulting|making|enabling|allowing|achieving|reducing|improving|with|without|while"
    r"|which|where|then|we|even|especially|particularly|yielding|providing|offering|eliminating|capturing|showing|often"
    r"|producing|demonstrating|highlighting|suggesting|revealing|outperforming|e\.g|i\.e|such|including|so|but|yet"
    r"|not|rather|independent|compared|making|from|by|under|validating|opening|laying|positioning|establishing)\b"
)
_FORMULA = frozenset("$\\{}[]<>")
_LIST = re.compile(r"(?:[^,]{2,60}, )+(?:and|or) [^,]{2,60}")
_DEICTIC = re.compile(
    r"\b(?:this|these|those|such|it|its|itself|they|their|them|themselves|our|ours|we|us|former|latter|above|following"
    r"|herein|respectively|both|i\.e|e\.g|cf|proposed|he|his|she|her|there|here|one|ones|other|others|another|same|first"
    r"|second|third|similar|resulting|corresponding|aforementioned|said|latest|recent|resultant)\b",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|do|does|did|can|could|may|might|must|will|would|should|remains?|that|which|who"
    r"|whose|where|when|while|whether|if|because|although|how|what|why|than|so|as|but|yet|not|allows?|shows?|makes?|leads?)\b"
)
_UNSAYABLE = re.compile(r"[$\\{}^_|<>~=\[\]“”\"*@#]|https?:|\.\.\.|\d\)|\(|\)|[—–]|\?|!|;|:")
_PREPOSITION = (
    "for|to|with|without|by|via|using|from|in|on|across|under|over|through|between|among|into|at|within|against|during|than"
    "|based|towards?|after|before|beyond|around|per|per|that|which|when|while"
)
_HEAD_ENDS = re.compile(
    rf"[,;:()$—]| – |\.(?:\s|$)|(?<![\w-])(?:{_PREPOSITION}|inherent|required|needed|relative|compared|tailored|designed|named|called|induced|curated|due|rather|including|often|also|even|specifically)(?![\w-])"
)
_LEADING = re.compile(
    r"(?:(?:an?|the|some|any|all|each|its|their|our|both|more|most|much|very|highly|novel|new|simple|efficient|lightweight|powerful"
    r"|principled|effective|several|various|many|multiple|different|diverse|general|fully|\w+ly|two|three|four|five|used|and)[, ]\s*)+",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:aims?|seeks?|tends?)\b|\b(?:to|of|often|also|then|still|typically|\w+ly|and|or|for|in|on|with)$"
)
_ADJECTIVES = frozenset(
    "Existing Current Recent Prior Previous Traditional Most Many Modern Standard Conventional".split()
)
_GENERIC = frozenset(
    content_stems(
        """model method methods framework approaches paper work author authors propose introduce present
        perform performance result achieve data dataset benchmark experiment use uses using based existing baselines
        baseline state art several various different new novel setting settings task tasks system systems technique
        study evaluate compare many number large small high low well way ways problem problems question questions
        challenge challenges significant substantially issue issues key important main good better best prior previous
        current research researchers kind name called do does make makes made improve improves show shows provide"""
    )
)


def plain(sentence: str) -> str:
    """Return a sentence without emphasis and bracketed remarks, on one line."""
    text = _EMPHASIS.sub(r"\1", " ".join(sentence.split()))
    return _BRACKET.sub("", text)


def main_clause(text: str) -> str:
    """Return a sentence from its main clause on: without linking words and "we show that", however many."""
    while opening := _OPENING.match(text) or _REPORTING.match(text):
        text = text[opening.end() :]
    return text


def phrase(text: str, most: int = 14) -> str | None:
    """Return the phrase that a text begins with, up to where its clause ends, None when that can't be told.

    A list of items joined by commas and a last "and" is one phrase.
    """
    end = _ENDS_CLAUSE.search(f"{text} ")
    if end and end.group() in _FORMULA:
        return None
    piece = (text[: end.start()] if end else text).strip().rstrip(".,")
    if "," in piece and not _LIST.fullmatch(piece):
        return None
    return piece if 1 <= len(piece.split()) <= most else None


def head(piece: str) -> str:
    """Return the first words of a phrase, up to a preposition, without articles and praise in front."""
    bare = piece[match.end() :] if (match := _LEADING.match(piece)) else piece
    cut = _HEAD_ENDS.search(bare, 1)
    return (bare[: cut.start()] if cut else bare).strip(" ,.;:'")


def items(piece: str) -> list[str]:
    """Return the items of a list in prose, "A, B, and C" or "A and B"; one when it is none."""
    parts = re.split(r",\s+(?:and|or|as well as)\s+|,\s+|\s+(?:and|as well as)\s+", piece)
    return [part.strip(" .,;") for part in parts if part.strip(" .,;")]


def is_sayable(piece: str) -> bool:
    """Tell whether a phrase can stand in a question: no formula, no bracket, nothing that points elsewhere."""
    return not _UNSAYABLE.search(piece) and not _DEICTIC.search(piece) and piece.count("'") <= 1


def is_noun_phrase(piece: str, most: int = 9) -> bool:
    """Tell whether a phrase can be the subject of a question by itself: short, no verb and no pronoun in it."""
    return (
        is_sayable(piece)
        and 0 < len(piece.split()) <= most
        and not _FINITE.search(piece)
        and "," not in piece
        and not _OPEN.search(piece)
    )


def is_plural(piece: str) -> bool | None:
    """Tell whether a noun phrase is plural by the word before its first preposition; None when in doubt."""
    if " and " in piece:
        return None
    core = re.split(rf"\b(?:of|{_PREPOSITION})\b", piece, maxsplit=1)[0].split()
    last = core[-1].lower() if core else ""
    if not last or last in STOPWORDS:
        return None
    if last in ("data", "people", "children", "mice", "bacteria", "criteria", "phenomena"):
        return True
    return last.endswith("s") and not last.endswith(("ss", "us", "is", "ics"))


def weight(text: str) -> int:
    """Count the different words of a text that say what it is about."""
    return len(set(content_stems(text)) - _GENERIC)


def lowered(piece: str) -> str:
    """Return a phrase as it stands within a sentence: a capital only where the word is written so anyway."""
    first = piece.split(" ", 1)[0]
    plain_word = first[1:].islower() and first.isascii() and (len(first) > 3 or words(first)[0] in STOPWORDS)
    if first in _ADJECTIVES:
        return piece[:1].lower() + piece[1:]
    titled = re.match(r"\S+ [A-Z]", piece) is not None
    return piece[:1].lower() + piece[1:] if (plain_word and not titled) or first in ("A", "An", "The") else piece


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]
