"""What kind of question this is. Rules; no model."""

import re

from assistant.routing import has_identifier, survey_topic
from assistant.schema import Kind
from assistant.text import fold

_SMALLTALK_PHRASES = (
    "hi|hello|hey|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day|night)"
    "|thanks?(?: you)?|many thanks|thx|ty|cheers|bye|goodbye|see you|ok|okay|great|cool|nice"
    "|perfect|awesome|wow|got it|well done|good job"
    "|what can (?:you|this|it) (?:do|answer)|what can i ask|what do you do|who are you|what are you|how does this work"
    "|how do i use (?:this|you|it)|help(?: me)?|how are you(?: doing)?|how is it going|what s up|what's up"
    "|nice to meet you|are you (?:there|a (?:bot|robot|human|machine)|human|an ai)"
    "|hola|buen[oa]s (?:dias|tardes|noches)|(?:muchas )?gracias|adios|que puedes hacer"
    "|bonjour|bonsoir|salut|merci(?: beaucoup)?|au revoir|que peux tu faire"
    "|hallo|guten (?:tag|morgen|abend)|danke(?: schon)?|vielen dank|tschuss|was kannst du"
    "|ciao|buongiorno|grazie(?: mille)?|ola|bom dia|obrigad[oa]|hej|tack|hoi|dank je(?: wel)?|merhaba|czesc|dziekuje"
    "|namaste|नमस्ते|привет|здравствуйте|спасибо|你好|您好|谢谢|こんにちは|ありがとうございます|ありがとう"
    "|안녕하세요|감사합니다|مرحبا|شكرا"
)
_PHRASE = "|".join(fold(part) if part.isalpha() else part for part in _SMALLTALK_PHRASES.split("|"))
_SMALLTALK = re.compile(
    rf"(?:(?:{_PHRASE})(?:\s+(?:there|askpapers|all|everyone|again|today|friend|so much|very much|a lot|a bunch|later"
    r"|then|you|for (?:me|your help|that|the help)))*\s*)+"
)
_NOT_SPOKEN = re.compile(r"[^\w\s']|_")
_SUMMARY = re.compile(
    r"\b(?:summar\w+|sum(?:s|med)? up|overview|survey of|what(?:'s| is| are) new|state of the art|tldr|tl;dr"
    r"|tell me about|give me the gist|gist of|in a nutshell)\b"
)
_COMPARE_FIRST = re.compile(r"^(?:please |can you |could you )*(?:compare|contrast)\b")
_COMPARE = re.compile(
    r"\b(?:versus|vs\.?|differences? between|comparison (?:of|between))\s"
    r"|\b(?:how|in (?:what|which) (?:ways?|respects?)) (?:does|do|is|are) .+ (?:differ|different)\b"
    r"|^(?:and |so |but )?how (?:do|does|would|can|are) (?:\S+ ){1,6}and (?:\S+ ){1,6}(?:compared?|relate|related)\b"
    r"(?! (?:to|with|against)\b)"
    r"|^(?:and |so |but )?what do (?:\S+ ){1,6}and (?:\S+ ){1,6}have in common\b"
    r"|^(?:and |so |but )?what (?:distinguishes|separates|sets) (?:\S+ ){1,6}(?:apart )?from\b"
    r"|^(?:what are |what is |name |list |explain )?(?:the )?(?:main |key )?(?:similarities"
    r"|distinction) (?:between|of)\b"
    r"|^how (?:does|do) (?:\S+ ){1,4}compare (?:to|with|against) (?:(?!(?:and|in|on|for|at|under|by)\b)\S+ ?){1,4}$"
)
_PAPERS = r"(?:papers|articles|abstracts|publications|preprints)"
_LIBRARY = r"(?:library|collection|corpus|database|index|keyword|tag|word|phrase|most\b)"
# What a paper did with papers, as a survey that reviews them, is content.
_DONE_BY_ONE = (
    rf"(?!\s+(?:does|do|did|has|have|had|is|are|was|were|can|could)\s+(?:(?:the|this|that|its|their|his"
    rf"|her)\s+(?!{_LIBRARY}|ha(?:ve|s)\b|lack)"
    r"|(?:it|they|he|she|each)\b(?! (?:have|hold|contain|find|say|about))))"
    r"(?!\s+(?:(?:are|were|was|is)\s+)?(?:(?:manually|systematically)\s+)?(?:reviewed|annotated|analy[sz]ed"
    r"|screened|used|crawled|sampled|labell?ed"
    r"|collected|included|retrieved|cited|evaluated)\s+(?:in|by|for|to|per)\b)"
)
_WHOSE = r"(?:by|from|since|before|after|published|written|that (?:was|were|has|have))\b"
_COUNT = re.compile(
    rf"\bhow many (?:(?!case\b)[\w'.-]+ ){{0,4}}?(?:{_PAPERS}|(?<!case )studies|works(?! of art))\b{_DONE_BY_ONE}"
    rf"|^(?:please )?(?:what is |what's |give me |tell me )?(?:the )?(?:total )?(?:number|count) of (?:[\w'-]+ "
    rf"){{0,3}}?{_PAPERS}\b"
    rf"|^(?:please )?count (?:all |the )*(?:[\w'-]+ ){{0,3}}?{_PAPERS}\b"
    r"|^(?:and |so |but )?how many (?:of (?:them|these|those)\b|(?:are|were) (?:there )?(?:not )?(?:from|by|about"
    r"|published|written|in (?:19|20)\d\d)\b"
    r"|(?:have|has) (?:no|an?|more than|at least|fewer than) (?:[\w-]+ )?(?:abstracts?|authors?|doi|dois|venues?"
    r"|years?|titles?|keywords?|sessions?)\b)"
)
_LIST_FIRST = re.compile(
    rf"^(?:please |can you |could you )*(?:list|name|show(?: me)?|enumerate|find(?: me)?|which|what|display|give "
    rf"me|get(?: me)?)"
    rf"(?: (?!summar|overview|gist|survey)[\w'\".,()/&+-]+){{0,6}}? {_PAPERS}\b{_DONE_BY_ONE}"
)
_LIST = re.compile(
    rf"^(?:please |can you |could you )*(?:list|name|show(?: me)?|enumerate|find(?: me)?)\b.*\b(?:{_PAPERS}|works"
    rf"|studies)\b"
    rf"|\b(?:which|what) (?:(?!is\b|are\b|was\b|were\b|does\b|do\b|did\b)\S+ ){{0,4}}?{_PAPERS}\b{_DONE_BY_ONE}"
    r"|\b(?:which|what) (?:of the |other |recent |prior |related |existing )*(?:works|studies)\b(?! (?:best|better"
    r"|well|worse|for|as)\b)" + _DONE_BY_ONE + rf"|\b{_PAPERS} (?:are there|do you have|are about)\b"
    rf"|^(?!(?:how|why|when|where|who|does|do|did|is|are|can|could|should|explain|describe|tell|write|summar\w+"
    rf"|compare|what|which)\b)"
    rf"(?:[\w'.-]+ ){{0,4}}?{_PAPERS}(?: (?:by|from|of|about|on|in|at|with|without|since|before|after|not|that"
    rf"|which|written|published|between"
    r"|except|excluding)\b.*)?[\s.?!]*$"
    r"|^(?:so |and )?what (?:did|has|have) (?!(?:the|this|it|they|he|she|we|you|that|these)\b)(?:[\w.'-]+ "
    r"){1,5}?(?:write|written|publish(?:ed)?|author(?:ed)?)\b"
    r"|\b(?:latest|newest|most recent(?:ly published)?|oldest|earliest) (?:\w+ ){0,2}?(?:papers?|articles?"
    r"|publications?)\b(?! (?:by|from) the)"
    rf"|^(?:is there|are there|do you have|have you got|got)\b(?: any| some)?(?:thing|\s+(?:[\w-]+ "
    rf"){{0,3}}?{_PAPERS})? (?:on|about|by|from|that)\b"
    rf"|^(?:anything|everything) {_WHOSE}"
    rf"|^(?:please |can you |could you )*(?:list|show(?: me)?|give me|find(?: me)?|get(?: me)?) (?:me )?"
    rf"(?:everything|anything|all) {_WHOSE}"
    rf"|^what(?:'s| is) (?:there|here|in (?:here|(?:the|this|my) {_LIBRARY})) {_WHOSE}"
    rf"|^what (?:do (?:you|we) have|have (?:you|we) got) (?:here |in (?:here|(?:the|this|my) {_LIBRARY}) )?{_WHOSE}"
    rf"|^i(?:'m| am)? (?:need|want|would like|looking for|searching for|interested in) (?:\S+ ){{0,5}}?{_PAPERS}\b"
)


def kind_of(question: str) -> Kind:
    """Return what kind of question this is."""
    text = fold(question)
    if _SMALLTALK.fullmatch(" ".join(_NOT_SPOKEN.sub(" ", text).split())):
        return "smalltalk"
    if _COMPARE_FIRST.search(text):
        return "compare"
    if has_identifier(question):
        return "compare" if _COMPARE.search(text) else "lookup"
    if survey_topic(question):
        return "summary"
    if _COUNT.search(text):
        return "count"
    if _LIST_FIRST.search(text):
        return "list"
    if _COMPARE.search(text):
        return "compare"
    if _SUMMARY.search(text):
        return "summary"
    return "list" if _LIST.search(text) else "content"
