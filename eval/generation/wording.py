"""A question in other words: a small table of expressions that mean the same in any field. Pure functions."""

# ruff: noqa: E501 (a pattern reads best on one line)

import re
from random import Random
from typing import Final

from assistant.polarity import inflected

_PHRASES: Final = (
    (r"By how much does", ("To what extent does",)),
    (r"How many (?=[\w -]+ do the authors)", ("What number of ",)),
    (r"What do the authors of (.+?) (?:propose|introduce) to", (r"What do the researchers behind \1 put forward to",)),
    (r"do the authors of", ("do the researchers behind",)),
    (r"^On which (datasets|benchmarks) is (.+) evaluated\?", (r"Which \1 were used to test \2?",)),
    (r"^On which (dataset|benchmark) is (.+) evaluated\?", (r"Which \1 was used to test \2?",)),
    (r"^(On|In) what kind of (\w+) is (.+) evaluated\?", (r"What sort of \2 is \3 tested on?",)),
    (r"^On how many (.+) is (.+) evaluated\?", (r"How many \1 were used to test \2?",)),
    (r"^What does (.+) stand for\?", (r"What is \1 short for?",)),
    (r"^Where can the code of (.+) be found\?", (r"Where is the implementation of \1 available?", r"Which repository holds the implementation of \1?")),
    (r"^How large is the (.+) reported for", (r"What \1 is claimed for",)),
    (r"\bstate-of-the-art\b", ("leading",)),
    (r"\bexisting\b", ("earlier", "current")),
    (r"\bsuffer from\b", ("have trouble with",)),
    (r"\brely on\b", ("depend on",)),
    (r"\btypically\b", ("usually",)),
    (r"\bsignificantly\b", ("considerably",)),
    (r"\bconsist of\b", ("have as its parts",)),
    (r"\bstand in the way\b", ("hinder",)),
    (r"^What are the (.+) (?:of|in) ", (r"Which \1 make up ",)),
    (r"^What is (.+) bottlenecked by\?", (r"What holds back \1?",)),
    (r"^What (is|are) (.+) limited by\?", (r"What restricts \2?",)),
)  # fmt: skip
_VERBS: Final = {
    "reduce": ("lower",), "improve": ("enhance",), "enable": ("allow",), "prevent": ("avoid",),
    "achieve": ("reach", "attain"), "accelerate": ("speed up",), "eliminate": ("remove",), "address": ("tackle",),
    "construct": ("build",), "suppress": ("dampen",), "outperform": ("beat",), "surpass": ("beat",),
    "mitigate": ("lessen",), "enhance": ("improve",), "facilitate": ("make easier",), "induce": ("cause",),
    "require": ("need",), "combine": ("bring together",), "integrate": ("combine",), "adapt": ("adjust",),
    "preserve": ("keep",), "disentangle": ("separate",), "predict": ("forecast",), "capture": ("represent",),
    "emulate": ("imitate",), "overlook": ("miss",), "evaluate": ("assess",), "conduct": ("carry out",),
    "generate": ("produce",), "employ": ("make use of",), "curate": ("put together",),
    "increase": ("raise",),
}  # fmt: skip


def reworded(question: str, kept: str, random: Random) -> str | None:
    """Return the question in other words, `kept` (a name or description) untouched; None when none are known.

    The words put in the place of others are drawn by `random`.
    """
    mark = "\x00"
    text = before = question.replace(kept, mark) if kept else question
    for verb, others in _VERBS.items():
        other, *rest = random.choice(others).split(" ", 1)
        base, third, *_ = inflected(verb)
        ours, theirs, *_ = inflected(other)
        text = re.sub(
            rf"(?:(?<=\bto )|(?<=\bcan )|(?<=\bmay )|(?<={mark} )){base}\b", " ".join((ours, *rest)), text, count=1
        )
        text = re.sub(rf"^((?:What|Which [\w-]+) ){third}\b", rf"\1{' '.join((theirs, *rest))}", text)
        if text != before:
            break  # one is enough, and the next could change it back
    for pattern, choices in _PHRASES:
        text = re.sub(pattern, random.choice(choices), text, count=1)
    return text.replace(mark, kept) if text != before else None
