"""What a question is about, and what it names. Rules; no model."""

import re

from assistant.length import without_length
from assistant.text import content_stems, fold, words

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
    r"|\b(?:how|in (?:what|which) (?:ways?|respects?)) (?:does|do|is|are)\s+(?P<c>.+?)"
    r"\s+(?:(?:differ|different)\s+from|compare (?:to|with|against))\s+(?P<d>.+?)(?=[?.:;,]|$)"
    r"|\bhow (?:do|does|are|is|would|can)\s+(?P<g>.+?)\s+and\s+(?P<h>.+?)\s+(?:differ|different|compared?|relate[d]?)\b"
    r"|\bwhat do (?P<i>.+?) and (?P<j>.+?) (?:have in common|share)\b"
    r"|\b(?:what|how) (?:distinguishes|separates|can one tell|sets) (?P<k>.+?) (?:apart )?from (?P<l>.+?)(?=[?.:;,]|$)"
    r"|\b(?:similarities|similarity|distinction|relation(?:ship)?|trade-?offs?) (?:between"
    r"|of) (?P<m>.+?) and (?P<n>.+?)"
    r"(?=[?.:;,]|$)"
    r"|^(?P<e>\S+(?: \S+){0,3}?)\s+(?:versus|vs\.?)\s+(?P<f>\S+(?: \S+){0,3}?)(?=[?.:;,]|$)",
    re.IGNORECASE,
)
_PLURAL = r"(?:papers|articles|works|studies|approaches|methods|techniques|solutions|authors|researchers)"
_TELL = (
    r"(?:propose|contribute|introduce|present|say|show|find|report|conclude|suggest|argue|describe|do|offer|teach us"
    r"|tell us|have in common)"
)
_SURVEY = re.compile(
    r"^(?:please |can you |could you |and |so |but )*(?:"
    r"what (?:has|have) (?:(?:researchers|people|others|authors|we|they|recent work"
    r"|previous work) )?(?:already |recently |so far )?"
    r"(?:been )?(?:already |recently |so far )?(?:done|written|published|studied|said|learned|learnt"
    r"|found|discovered|reported"
    r"|tried|achieved|explored|researched)(?: here| so far| recently)? (?:on|about|in|for|around|regarding|concerning) "
    r"|what (?:is|do we|do you) (?:already |currently )?(?:known|know) (?:so far )?(?:about|of|on) "
    r"|what (?:does|do) (?:the |this |these )?(?:literature|library|research|field) (?:say|tell us|know"
    r"|report) (?:about|on) "
    rf"|(?:summari[sz]e |explain |describe |tell me )?what (?:do |does )?(?:the |all |these )?{_PLURAL} (?:here )?"
    rf"(?:on|about|in|for|that (?:study|treat|address|deal with)) (?=.+ {_TELL}\s*[?.!]*$)"
    r"|(?:what|which) (?:work|works|research|progress|efforts?) (?:is|are|has been|have been)"
    r" (?:there|done|made|published) (?:on|about|in|for|towards?) "
    rf"|(?:what|which) (?:recent |existing |other |different )?{_PLURAL} (?:here )?(?:deal with|address|tackle|treat"
    r"|are there (?:for|on|to)|exist (?:for|on|to)|(?:have been|are|were) (?:proposed|used|developed"
    r"|suggested) (?:for|to|in)) "
    r"(?=.+(?:,| and) how )"
    r")(?P<topic>.+)$",
    re.IGNORECASE,
)
_SURVEY_END = re.compile(
    rf"(?:,? and (?:how|what) (?:do|does|did|is|are) .*| {_TELL})?(?: (?:so far|recently|here"
    rf"|in this library))?\s*[?.!]*$",
    re.IGNORECASE,
)
_COMPARING = frozenset(
    content_stems(
        "compare comparison contrast difference differ different similarity similar relate common share apart main key "
        "explain describe tell show paper approach method work model distinguish list each other"
    )
)
_CLAUSE = re.compile(
    r"(?:\s*[,;]\s*(?:and\s+)?|\s+and\s+)(?=(?:(?:on|in|by|at|for|with|of|from|under)\s+)?"
    r"(?:what|which|how|where|why|who|when|whose|does|do|did|is|are|was|were|can)\b)",
    re.IGNORECASE,
)
_INSTRUCTIONS = re.compile(
    r"\b(?:please|summar\w+|sum up|write|give|tell|show|list|name|find|provide|compare|(?:me|us)\b"
    r"|(?:a |an |the )?(?:short|brief|cited|concise|quick|detailed)|overview|survey|what(?:'s| is| are) new"
    r"(?: (?:in|on|with)\b)?|what we know"
    r"|(?:in|within) (?:\w+ )?(?:sentences?|words|lines)|for a (?:colleague|friend|student|layman|child)|briefly"
    r"|(?:which|what|how many)(?= (?:\S+ ){0,3}?(?:papers?|articles?|works?|studies)\b)|papers?|articles?|abstracts?"
    r"|works?|stud(?:y|ies)|are there|and what (?:do|does|did) (?:each|they).*|are about|deal with|found|about)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"\b(?=\w*[a-z0-9$^*]*[A-Z])(?=\S*(?:[A-Z]\S*[A-Z]|[a-z]\S*[A-Z]|\d))[\w$^*{}-]+\w\b")


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


def aspect(question: str) -> str:
    """Return in which respect a comparison compares, as `how large they are`; "" when in any."""
    match = _BETWEEN.search(question)
    if match is None:
        return question
    both = [match.span(name) for name, part in match.groupdict().items() if part]
    rest = question[: match.start()] + question[max(end for _, end in both) :]
    return rest if set(content_stems(rest)) - _COMPARING else ""


def survey_topic(question: str) -> str:
    """Return what a question such as "What has been done on …?" wants all that is known of; "" when it is none."""
    match = _SURVEY.match(" ".join(question.split()))
    return _SURVEY_END.sub("", match["topic"]).strip(" \"'“”") if match else ""


def clauses(question: str) -> list[str]:
    """Return the questions that a question consists of, as `What is A, and how fast is B?` does of two."""
    return [part for part in _CLAUSE.split(question.strip()) if part.strip()]


def topic(question: str) -> str:
    """Return what a summary or a list is about: the question without its instructions."""
    if about := survey_topic(question):
        return about
    rest = " ".join(_INSTRUCTIONS.sub(" ", without_length(question)).split())
    return rest if any(len(word) > 2 for word in words(rest)) else question


def is_about_one(question: str) -> bool:
    """Tell whether a question speaks of one paper rather than of several."""
    text = fold(question)
    return bool(_ONE.search(text)) and not _SEVERAL.search(text)


def names(text: str) -> list[str]:
    """Return the coined names in a text, as UniDrag, FIRE-BENCH or GPT-4: three letters at least, oddly written."""
    found = [name for name in _NAME.findall(text) if sum(c.isalpha() for c in name) >= 3]
    return list(dict.fromkeys(found))
