"""A readable label for an untitled paper: the name of what its abstract introduces, or its first words."""

import re
from collections.abc import Iterator
from typing import Final

from assistant.text import sentences

FIRST_WORDS: Final = 8
_REACH = 300
_MOST_VERBS = 20

# Acronyms, tools and data sets that abstracts use without introducing them.
_KNOWN = frozenset(
    str.split(
        """1d 2d 3d 4d ad ai ann api asr auc auroc bci bert bleu bm25 bptt cell cfd cifar clip cnn coco cot
        covid cpu cryo-em ct cuda cv dft dl dna dnn dpo ecg eeg ehr emg erm eu fda fid fl fmri gan gnn gp
        gpt gpu grpo gru gsm8k gui hiv html ica icu iid imagenet iot jax json kg kl l1 l2 latex llm lm
        lora lp lstm lvlm mae md mdp medline meg ml mllm mlp mmlu mnist moe mri mse mt ner nih nlp ode ood
        ot pca pd pde peft pet plm pomdp ppo psnr pubmed python pytorch qa qm9 rag relu rl rlhf rlvr rmse
        rna rna-seq rnn rouge sars sde se sft sgd slm snn snr so sota sql ssm svd svm tf-idf tom tpu tts
        uk uq us usa vae vit vla vlm vqa who wikipedia xai"""
    )
)
_SUPERSCRIPTS = str.maketrans("0123456789+-n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ")
_SUBSCRIPTS = str.maketrans("0123456789+-", "₀₁₂₃₄₅₆₇₈₉₊₋")

_SIMPLE_MATHS = re.compile(r"\$([^$\s]{1,40})\$")
_POWER = re.compile(r"\^\{?([0-9+n-]{1,3})\}?")
_INDEX = re.compile(r"_\{?([0-9+-]{1,3})\}?")
_STYLE = re.compile(r"\\(?:mathrm|mathbf|mathcal|mathit|mathsf|text[a-z]{0,6}|boldsymbol|operatorname)\b")
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,2})(?=\S)([^*_\n]{1,120})(?<=\S)\1(?!\w)")

_NAME = r"(?P<name>[^\W_][\w+./*-]{0,40})"
_DETERMINER = r"(?:(?:the|a|an|our|two|three|novel|new|simple|first|so-called)\s+){0,4}"
_INTRODUCES = re.compile(
    r"(?:\b(?:[Ww]e|paper|work|article|study|us)\s+"
    r"(?:(?:\w+ly|first|then|also|thus|here|therefore|further|instead|next)\s+)?"
    r"(?:(?P<strong>propose|introduce|present|formulate|release|devise)"
    r"|describe|develop|design|create|construct|build|provide|call)s?"
    r"|\bby\s+(?:proposing|introducing|presenting|developing)"
    r"|\band\s+(?:propose|introduce|present|develop|design))\b(?:\s+(?:here|also|first))?[,:]?\s+"
)
_DIRECT = re.compile(
    rf"{_DETERMINER}[“\"]?{_NAME}[”\"]?(?=\s*(?:[,(:;—–]|\.?$)|\s+(?:a|an|the|which|that|to|for|as|and|framework"
    r"|model|method|algorithm|architecture|network|system|approach|benchmark|dataset)\b)"
)
_PROPER = re.compile(r"\s*(?:[(:—]|, (?:a|an|the|our|which)\b)")
_CALLED = re.compile(
    r"\b(?:called|named|dubbed|termed|coined|namely|denoted(?: as| by)?|abbreviated(?: as)?"
    r"|i\.e\.,?|referred to as)"
    rf"\s+(?:the\s+)?[“\"]?{_NAME}(?![\w-]|\s+[A-Z])"
)
_PARENTHESISED = re.compile(rf"\({_NAME}(?=[,;:)]|\s)")
_APPOSED = re.compile(rf",\s+{_NAME},\s+(?:that|which|a|an|the|for|to|in)\b")
_OURS = re.compile(
    r"\b(?:[Oo]ur|[Tt]he|[Tt]his)\s+(?:[\w-]+\s+){0,3}?"
    rf"(?:approach|method|model|framework|system|algorithm|architecture|network),\s+{_NAME},"
)
_DATA = re.compile(r"\b(?:benchmarks?|data ?sets?|corpus|corpora|suite)\b", re.IGNORECASE)
_PREPOSITION = re.compile(r"\b(?:for|in|on|to|with|using|by|from|that|which|where)\b")
_PLURAL = re.compile(r"[A-Z]+s")
_TITLE_CASE = re.compile(r"[A-Z][\w-]+(?:\s+[A-Z][\w-]+)+$")
_PHRASE = re.compile(
    rf"{_DETERMINER}(?:(?:[\w-]+\s+){{0,3}}\w+,\s+)?"
    r"(?P<name>[A-Z][\w-]+(?:\s+(?:(?:of|for|with|in|on|the)\s+)?[A-Z][\w-]+){1,5})"
)


def label(abstract: str) -> str:
    """Return the name of the system, method or benchmark an abstract introduces, else its first words."""
    text = _readable(abstract)
    parts = [text[span.start : span.end] for span in sentences(text)]
    verbs = [match for part in parts for match in _INTRODUCES.finditer(part)][:_MOST_VERBS]
    tails = [verb.string[verb.end() : verb.end() + _REACH] for verb in verbs]
    names = [name for verb, tail in zip(verbs, tails, strict=True) for name in _names(tail, bool(verb["strong"]))]
    names.sort(key=lambda name: bool(_DATA.search(name[1])))
    if names:
        return names[0][0]
    ours = (name for part in parts for match in _OURS.finditer(part) if (name := _name(match["name"])))
    phrases = (match["name"] for tail in tails if (match := _PHRASE.match(tail)))
    return next(ours, None) or next(phrases, None) or _first_words(parts)


def _readable(text: str) -> str:
    """Take away what stands in a name's way: Markdown emphasis, and simple mathematics as in S$H^2$RFSSM."""
    return _SIMPLE_MATHS.sub(_unicode, _EMPHASIS.sub(r"\2", text))


def _unicode(match: re.Match[str]) -> str:
    inner = _STYLE.sub("", match[1])
    inner = _POWER.sub(lambda power: power[1].translate(_SUPERSCRIPTS), inner)
    inner = _INDEX.sub(lambda index: index[1].translate(_SUBSCRIPTS), inner)
    return match.group() if "\\" in inner else inner.translate({ord("{"): None, ord("}"): None})


def _names(tail: str, strong: bool) -> Iterator[tuple[str, str]]:
    """Yield what may be the name introduced, nearest to the verb first, each with the words up to it."""
    found: list[tuple[int, str]] = []
    if match := _DIRECT.match(tail):
        proper = match["name"][0].isupper() and bool(_PROPER.match(tail, match.end()))
        found.append((match.start("name"), _name(match["name"], proper=proper)))
    if match := _CALLED.search(tail):
        found.append((match.start("name"), _name(match["name"], proper=True)))
    if match := _APPOSED.search(tail):
        found.append((match.start("name"), _name(match["name"])))
    for match in _PARENTHESISED.finditer(tail):
        words = tail[: match.start()].rstrip()
        found.append((match.start("name"), _acronym(match["name"], words, strong=strong)))
    yield from ((name, tail[: at + len(name) + 20]) for at, name in sorted(found) if name)


def _name(candidate: str, *, proper: bool = False) -> str:
    """Return the candidate, without what trails it, if it looks like a name of its own, else ""."""
    name = candidate.rstrip("*./-")
    parts = name.split("-")
    capitals = sum(c.isupper() for c in name)
    if len(name) < 2 or not capitals or (len(parts) > 1 and parts[-1].islower()):
        return ""
    if all(_is_known(part) for part in parts) or name.casefold() in _KNOWN:
        return ""
    return name if capitals > 1 or proper or any(c.isdigit() for c in name) else ""


def _is_known(part: str) -> bool:
    lower = part.casefold()
    return lower.isdigit() or lower in _KNOWN or lower.removesuffix("s") in _KNOWN


def _acronym(candidate: str, words: str, *, strong: bool) -> str:
    """Return what stands in a parenthesis if the words before spell it, with them if it says little."""
    name = _name(candidate)
    near = words.split()[-len(name) - 2 :]
    if not name or not any(word[0].casefold() == name[0].casefold() for word in near):
        return ""
    capitalised = sum(word[0].isupper() for word in near) > 1
    if not capitalised and (not strong or _PREPOSITION.search(words) or _PLURAL.fullmatch(name)):
        return ""
    phrase = _TITLE_CASE.search(" ".join(near[-len(name) :])) if len(name) < 3 else None
    return f"{phrase.group()} ({name})" if phrase else name


def _first_words(parts: list[str]) -> str:
    first = parts[0].split() if parts else []
    words = " ".join(first[:FIRST_WORDS]).rstrip(".,;:—–-")
    if words.count("$") % 2:
        words = words[: words.rfind("$")].rstrip()
    whole = bool(words) and len(first) <= FIRST_WORDS and len(parts) == 1
    return words if whole else f"{words}…"
