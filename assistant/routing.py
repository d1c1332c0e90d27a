"""What kind of question this is, what it is about, and what a follow-up means on its own. Rules; no model."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.citations import split
from assistant.schema import Kind, Turn
from assistant.text import content_stems, fold, sentences, words

_SMALLTALK_PHRASES = """hi|hello|hey|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day|night)|thanks?(?: you)?
|many thanks|thx|ty|cheers|bye|goodbye|see you|ok|okay|great|cool|nice|perfect|awesome|wow|got it|well done|good job
|what can (?:you|this|it) (?:do|answer)|what can i ask|what do you do|who are you|what are you|how does this work
|how do i use (?:this|you|it)|help(?: me)?|how are you(?: doing)?|how is it going|what s up|what's up
|nice to meet you|are you (?:there|a (?:bot|robot|human|machine)|human|an ai)
|hola|buen[oa]s (?:dias|tardes|noches)|(?:muchas )?gracias|adios|que puedes hacer|bonjour|bonsoir|salut|merci(?: beaucoup)?
|au revoir|que peux tu faire|hallo|guten (?:tag|morgen|abend)|danke(?: schon)?|vielen dank|tschuss|was kannst du|ciao
|buongiorno|grazie(?: mille)?|ola|bom dia|obrigad[oa]|hej|tack|hoi|dank je(?: wel)?|namaste|merhaba|czesc|dziekuje
|привет|здравствуйте|спасибо|你好|您好|谢谢|こんにちは|ありがとうございます|ありがとう|안녕하세요|감사합니다|مرحبا|شكرا|नमस्ते"""
_SMALLTALK = re.compile(
    rf"(?:(?:{'|'.join(fold(part) if part.isalpha() else part for part in _SMALLTALK_PHRASES.replace(chr(10), '').split('|'))})"
    r"(?:\s+(?:there|askpapers|all|everyone|again|today|friend|so much|very much|a lot|a bunch|for (?:me|your help|that|the help)|later"
    r"|then|you))*\s*)+"
)
_NOT_SPOKEN = re.compile(r"[^\w\s']|_")
_SUMMARY = re.compile(
    r"\b(?:summar\w+|sum(?:s|med)? up|overview|survey of|what(?:'s| is| are) new|state of the art|tldr|tl;dr"
    r"|tell me about|give me the gist|gist of|in a nutshell)\b"
)
_COMPARE_FIRST = re.compile(r"^(?:please |can you |could you )*(?:compare|contrast)\b")
_COMPARE = re.compile(
    r"\b(?:versus|vs\.?|differences? between|comparison (?:of|between))\s"
    r"|\bhow (?:does|do|is|are) .+ (?:differ|different)\b"
)
_PAPERS = r"(?:papers|articles|abstracts|publications|preprints)"
_LIBRARY = r"(?:library|collection|corpus|database|index|keyword|tag|word|phrase|most\b)"
# What a paper did with papers, as a survey that reviews them, is content.
_DONE_BY_ONE = (
    rf"(?!\s+(?:does|do|did|has|have|had|is|are|was|were|can|could)\s+(?:(?:the|this|that|its|their|his|her)\s+(?!{_LIBRARY}|ha(?:ve|s)\b|lack)"
    r"|(?:it|they|he|she|each)\b(?! (?:have|hold|contain|find|say|about))))"
    r"(?!\s+(?:(?:are|were|was|is)\s+)?(?:(?:manually|systematically)\s+)?(?:reviewed|annotated|analy[sz]ed|screened|used|crawled|sampled|labell?ed"
    r"|collected|included|retrieved|cited|evaluated)\s+(?:in|by|for|to|per)\b)"
)
_COUNT = re.compile(
    rf"\bhow many (?:(?!case\b)[\w'.-]+ ){{0,4}}?(?:{_PAPERS}|(?<!case )studies|works(?! of art))\b{_DONE_BY_ONE}"
    rf"|^(?:please )?(?:what is |what's |give me |tell me )?(?:the )?(?:total )?(?:number|count) of (?:[\w'-]+ ){{0,3}}?{_PAPERS}\b"
    rf"|^(?:please )?count (?:all |the )*(?:[\w'-]+ ){{0,3}}?{_PAPERS}\b"
    r"|^(?:and |so |but )?how many (?:of (?:them|these|those)\b|(?:are|were) (?:there )?(?:not )?(?:from|by|about|published|written|in (?:19|20)\d\d)\b"
    r"|(?:have|has) (?:no|an?|more than|at least|fewer than) (?:[\w-]+ )?(?:abstracts?|authors?|doi|dois|venues?|years?|titles?|keywords?|sessions?)\b)"
)
_LIST_FIRST = re.compile(
    rf"^(?:please |can you |could you )*(?:list|name|show(?: me)?|enumerate|find(?: me)?|which|what|display|give me|get(?: me)?)"
    rf"(?: (?!summar|overview|gist|survey)[\w'\".,()/&+-]+){{0,6}}? {_PAPERS}\b{_DONE_BY_ONE}"
)
_LIST = re.compile(
    rf"^(?:please |can you |could you )*(?:list|name|show(?: me)?|enumerate|find(?: me)?)\b.*\b(?:{_PAPERS}|works|studies)\b"
    rf"|\b(?:which|what) (?:(?!is\b|are\b|was\b|were\b|does\b|do\b|did\b)\S+ ){{0,4}}?{_PAPERS}\b{_DONE_BY_ONE}"
    r"|\b(?:which|what) (?:of the |other |recent |prior |related |existing )*(?:works|studies)\b(?! (?:best|better|well|worse|for|as)\b)"
    + _DONE_BY_ONE
    + rf"|\b{_PAPERS} (?:are there|do you have|are about)\b"
    rf"|^(?!(?:how|why|when|where|who|does|do|did|is|are|can|could|should|explain|describe|tell|write|summar\w+|compare|what|which)\b)"
    rf"(?:[\w'.-]+ ){{0,4}}?{_PAPERS}(?: (?:by|from|of|about|on|in|at|with|without|since|before|after|not|that|which|written|published|between"
    r"|except|excluding)\b.*)?[\s.?!]*$"
    r"|^(?:so |and )?what (?:did|has|have) (?!(?:the|this|it|they|he|she|we|you|that|these)\b)(?:[\w.'-]+ ){1,5}?(?:write|written|publish(?:ed)?|author(?:ed)?)\b"
    r"|\b(?:latest|newest|most recent(?:ly published)?|oldest|earliest) (?:\w+ ){0,2}?(?:papers?|articles?|publications?)\b(?! (?:by|from) the)"
    rf"|^(?:is there|are there|do you have|have you got|got)\b(?: any| some)?(?:thing|\s+(?:[\w-]+ ){{0,3}}?{_PAPERS})? (?:on|about|by|from|that)\b"
)
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


def kind_of(question: str) -> Kind:
    """Return what kind of question this is."""
    text = fold(question)
    if _SMALLTALK.fullmatch(" ".join(_NOT_SPOKEN.sub(" ", text).split())):
        return "smalltalk"
    if _COMPARE_FIRST.search(text):
        return "compare"
    if _IDENTIFIER.search(question):
        return "compare" if _COMPARE.search(text) else "lookup"
    if _COUNT.search(text):
        return "count"
    if _LIST_FIRST.search(text):
        return "list"
    if _COMPARE.search(text):
        return "compare"
    if _SUMMARY.search(text):
        return "summary"
    return "list" if _LIST.search(text) else "content"


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
