"""Which language a question is in, where it isn't English; the abstracts and their encoder are."""

import re
from functools import lru_cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

_LANGUAGES = {
    "ar": "Arabic", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
    "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi", "hu": "Hungarian",
    "id": "Indonesian", "it": "Italian", "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "no": "Norwegian",
    "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sv": "Swedish", "tr": "Turkish",
    "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
_ENGLISH = re.compile(
    r"\b(?:the|what|how|which|does|did|why|who|whose|where|when|are|and|with|from|their|its|this|these|than|about"
    r"|tell|you|show"
    r"|list|between|papers?|of the|is there|is it)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？؟;¿]")
_LETTERS = re.compile(r"[^\W\d_]")
_LONGEST = 1000
_LIKELY = 0.5
_SURE = 0.9  # for what isn't even a question: titles and topics are full of names


def foreign(text: str) -> str | None:
    """Return the English name of the language that a question is in, None for English or where it isn't clear.

    A text with a word that only English has is English, whatever names it holds.
    """
    text = text[:_LONGEST]
    if len(_LETTERS.findall(text)) < 3 or _ENGLISH.search(text):
        return None
    language, chance = _identifier().classify(text)
    sure = chance > (_LIKELY if _QUESTION.search(text) else _SURE)
    return _LANGUAGES[language] if language != "en" and sure else None


def likeliest(text: str) -> str:
    """Return the English name of the language that a text is in, however unclear that is."""
    return _LANGUAGES[_identifier().classify(text)[0]]


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    """Return the identifier, which takes half a second to read: most English questions never need it."""
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(_LANGUAGES))
    return identifier
