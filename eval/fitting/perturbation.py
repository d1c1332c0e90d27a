"""Makes sentences that a true sentence supports, and ones that it does not. Pure functions, seeded.

Each maker takes a sentence and a `Random` and returns another sentence, or None where it finds nothing to change.
"""

import re
from collections.abc import Callable, Sequence
from random import Random

from assistant.polarity import inflected, others, sides

Maker = Callable[[str, Random], str | None]

_WORD = re.compile(r"[A-Za-z]+(?:-of-distribution)?(?:-distribution)?")
_AUXILIARY = r"(?:is|are|was|were|can|could|may|might|will|would|should|must)"
_INSERTS = (
    (re.compile(rf"\b({_AUXILIARY}) (?!not\b|no\b|also not\b|never\b)(?=[a-z])", re.I), (r"\1 not ", r"\1 not ", r"\1 never ")),
    (re.compile(r"\b(has|have|had) (an?|the)(?= (?:\w+ )?(?:effect|impact|influence|role|association|benefit|advantage))", re.I), (r"\1 no",)),
    (re.compile(r"\b(has|have) (?=been\b)", re.I), (r"\1 not ",)),
    (re.compile(r"\b(there (?:is|are|was|were)) (?!no\b)(?:an? |the )?", re.I), (r"\1 no ",)),
)  # fmt: skip
_REMOVES = (
    (re.compile(rf"\b({_AUXILIARY}) not (?!only\b)", re.I), r"\1 "),
    (re.compile(r"\b(?:can not|cannot) ", re.I), "can "),
    (re.compile(r"\b(?:do|did) not ", re.I), ""),
    (re.compile(r"\b(has|have|had) no ", re.I), r"\1 an "),
    (re.compile(r"\b(there (?:is|are|was|were)) no ", re.I), r"\1 "),
    (re.compile(r"\bnever ", re.I), ""),
)
_COMMON_VERBS = """
achieve affect allow alter apply associate capture cause change combine confer contribute correlate demonstrate depend
derive describe detect determine develop differ display encode establish estimate evaluate exhibit explain express
generalize generate handle identify improve indicate influence interact involve lead learn leverage limit link mediate
mitigate model modulate need occur offer participate play predict produce provide reach react recognize regulate rely
remain require result retain reveal scale select serve show signal solve stem suffer suggest support target transfer
translate treat use yield outperform exceed underlie
""".split()
_NOUNS = frozenset(
    """results gains models limits drops signals targets scales changes causes uses benefits yields increases links
    decreases reports displays blocks drives falls rises cuts inserts trails losses wins cases tests studies""".split()
)
_PRONOUNS = frozenset(["us", "it", "them", "that", "whether"])
_BEFORE_NOUNS = frozenset("the a an of our these in and with substantial significant experimental".split())
_COMPARISONS = """outperform outperforms outperformed surpass surpasses surpassed exceed exceeds exceeded beat beats
    underperform underperforms underperformed""".split()
_RELATIONS = """cause causes caused induce induces induced predict predicts predicted require requires required inhibit
    inhibits inhibited activate activates activated promote promotes promoted precede precedes follow follows produce
    produces regulate regulates regulated encode encodes replace replaces generate generates contain contains include
    includes drive drives trigger triggers suppress suppresses phosphorylate phosphorylates upregulate upregulates
    downregulate downregulates determine determines govern governs influence influences affect affects enable enables
    improves reduces increases decreases mediates mediate limits explains guides supports""".split()
_LINKS = (
    "is better than", "are better than", "is more accurate than", "is worse than", "is faster than", "is larger than",
    "is higher than", "is lower than", "are higher than", "are lower than", "leads to", "lead to", "led to",
    "results in", "result in", "resulted in", "gives rise to", "depends on", "depend on", "relies on", "rely on",
    "stems from", "arises from", "is caused by", "are caused by", "is induced by", "is reduced by", "is predicted by",
    "is inhibited by", "is activated by", "is required for", "are required for", "is regulated by", "is driven by",
    "is a type of", "is part of", "contributes to", "contribute to",
)  # fmt: skip
_PHRASE = r"(?:[\w\-/$\\(){}^+%'’]+ ){0,6}?[\w\-/$\\(){}^+%'’]+"
_ROLES = re.compile(
    rf"^({_PHRASE}) ((?:also |significantly |directly |strongly |consistently |substantially )?"
    rf"(?:{'|'.join(map(re.escape, (*_LINKS, *_COMPARISONS, *_RELATIONS)))})) ({_PHRASE})"
    r"(?=[.,;]|$| (?:by|in|on|at|for|across|under|and|with|when|while|as|through|via|during|from|to|using)\b)"
)
_HOLLOW = re.compile(r"^(?:Our|This|These|We|It|They|That|There|Which|What)\b|\b(?:that|which|we)\b")
_ADJUNCTS = (
    re.compile(r"^(?:In particular|Furthermore|Moreover|Additionally|However|In addition|Specifically|Notably|Finally"
               r"|Here|Also|Thus|Therefore|Overall|Consequently|As a result|In contrast|Importantly|Then|First|Second"
               r"|To this end|To address this|In this paper|In this work|In this study|Empirically|Theoretically"
               r"|CONCLUSIONS?|RESULTS?|METHODS?|BACKGROUND|FINDINGS|INTERPRETATION|OBJECTIVE)[,:]? +", re.I),
    re.compile(r"^(?:These|Our|The|This) (?:results?|findings?|data|study|work|analys[ei]s|experiments?|observations?)"
               r"(?: \w+)? (?:suggests?|shows?|showed|demonstrates?|demonstrated|indicates?|indicated|reveals?|revealed"
               r"|confirms?|confirmed|establish|imply|implies) that ", re.I),
    re.compile(r"^(?:[\w ,]{0,30}\b)?[Ww]e (?:also |further |then |thus |therefore |first |empirically |theoretically )?"
               r"(?:show|showed|find|found|demonstrate|demonstrated|prove|observe|observed|report|reveal|argue"
               r"|conclude|establish|identify|hypothesized) that ", re.I),
    re.compile(r" \([^()]{2,60}\)"),
    re.compile(r", (?:which|where|while|whereas|thereby|leading|resulting|suggesting|indicating|demonstrating|making"
               r"|enabling|allowing|achieving|with|without|even|especially|particularly|including|such as|as well as|by"
               r"|but|yet|and) [^.]+(?=\.?$)"),
    re.compile(r"^(?:[A-Z][^,]{3,60}), (?=(?:the|a|an|we|it|this|our|these|[a-z]+s) )"),
    re.compile(r" (?:across|under|during|via|through|without|because|due to|when|while|using|among|compared) [^,.;]+(?=\.?$)"),
    re.compile(r" (?:and|as well as) [^,.;]{4,80}(?=\.?$)"),
    re.compile(r" (?:in|on|for|by|with|at|to) [^,.;]{4,60}(?=\.?$)"),
    re.compile(r"\b(?:significantly|substantially|consistently|notably|extensively|markedly|strongly|often|also|novel"
               r"|simple|new|effectively|directly|critically|highly|recently|further|principled) "),
)  # fmt: skip
_TAILS = (
    re.compile(
        r",? (?:which|where|while|whereas|thereby|leading|resulting|enabling|allowing|achieving|including|such as)"
        r" [^.]+(?=\.?$)"
    ),
    re.compile(
        r" (?:across|under|during|via|through|without|because|due to|when|using|by|for|with|in|to|and) "
        r"(?!by|and|which)[^,.;]{12,}(?=\.?$)"
    ),
)
# ruff: noqa: E501
_REWORDINGS = tuple(
    (re.compile(rf"\b(?:{left})\b"), right.split("|"))
    for left, right in (
        ("[Ww]e (?:propose|introduce|present|develop)", "The paper proposes|The authors introduce|This work presents|We present|We propose"),
        ("[Ww]e (?:show|demonstrate|find|observe)", "The authors show|It is shown|The paper finds|The results show|We find"),
        ("[Oo]ur (?:method|approach|framework|model|algorithm)", "The method|The proposed approach|It|The approach|Their method"),
        ("[Oo]ur", "the|their|the authors'"), ("patients", "subjects|people|individuals|cases"), ("method", "approach|technique"),
        ("methods", "approaches|techniques"), ("approach", "method|technique"), ("large language models|LLMs", "LLMs|large language models|language models"),
        ("uses?|utiliz(?:e|es)|employs?|leverages?", "uses|relies on|makes use of|employs"), ("outperforms", "is better than|beats|surpasses|performs better than"),
        ("shows? that|suggests? that|indicates? that", "indicates that|implies that|shows that"), ("in order to", "to"),
        ("is associated with|are associated with", "is linked to|correlates with|is related to|is connected with"), ("associated with", "linked to|related to|tied to"),
        ("leads to|results in|causes", "leads to|results in|brings about|causes|produces"), ("role in", "part in|function in"),
        ("essential|crucial|critical|key|required|necessary", "important|essential|necessary|crucial|needed"), ("individuals|people", "persons|people|subjects"),
        ("tumou?rs?|cancers?", "cancer|tumors|malignancies"), ("mice|mouse", "mice|murine|mouse"), ("mortality|death", "mortality|death|deaths"),
        ("children", "kids|pediatric patients|children"), ("treatment|therapy", "therapy|treatment"), ("risk of", "likelihood of|chance of|odds of"),
        ("study|trial", "study|trial|investigation"), ("performance", "results|performance|accuracy"), ("accuracy", "correctness|precision|accuracy"),
        ("however", "but|yet"), ("existing|current|prior|previous", "existing|earlier|previous|current|past"), ("novel|new", "new|novel"),
        ("enables?|allows?", "makes possible|allows|enables"), ("requires?|needs?", "requires|needs|calls for"), ("via|through|by means of", "through|via|by"),
        ("training", "learning|training"), ("dataset|data set|benchmark", "dataset|benchmark"), ("datasets|benchmarks", "datasets|benchmarks|test sets"),
        ("many|several|multiple|numerous", "several|multiple|many|various"), ("state-of-the-art|SOTA", "leading|best known|state-of-the-art"),
        ("plays? an? \\w+ role in", "is important for|contributes to|is involved in"), ("involved in", "part of|implicated in|participates in"),
        ("is required for|is essential for|is necessary for", "is needed for|is essential for|is indispensable for"), ("regulates?", "controls|modulates|regulates"),
        ("develops?", "develops|arises|forms"), ("detects?|identif(?:y|ies)", "detects|identifies|finds"), ("predicts?", "forecasts|predicts|anticipates"),
    )
)  # fmt: skip
_FIGURE = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*")
_NAME = re.compile(r"(?<![\w-])(?:[A-Za-z]*[A-Z][A-Za-z]*[A-Z0-9][\w-]*|[A-Z]+[a-z]*-?\d[\w-]*)(?![\w-])")
_CAUSE = re.compile(r" (?:because|due to|owing to|caused by|by|via|through|since|using) ([^,.;]{12,})(?=\.?$)")
_LONG_FORM = re.compile(r"((?:[A-Za-z][\w-]* ){1,6}?[A-Za-z][\w-]*) \(([A-Z][A-Za-z0-9-]{1,9})s?\)")


def negated(sentence: str, random: Random) -> str | None:
    """Insert a negation, or remove the one that is there."""
    for pattern, replacement in _REMOVES:
        if pattern.search(sentence):
            return _tidy(pattern.sub(replacement, sentence, count=1))
    auxiliary = re.search(r"\bdoes not ([a-z]+)", sentence)
    if auxiliary:
        third = inflected(auxiliary.group(1))[1]
        return sentence[: auxiliary.start()] + third + sentence[auxiliary.end() :]
    found = [_inserted(sentence, pattern, random.choice(texts)) for pattern, texts in _INSERTS]
    found.append(_denied_verb(sentence, random))
    choices = [text for text in found if text is not None]
    return random.choice(choices) if choices else None


def reversed_direction(sentence: str, random: Random) -> str | None:
    """Replace one word by its antonym, in the same form."""
    return _replaced(sentence, random, opposite=True)


def same_direction(sentence: str, random: Random) -> str | None:
    """Replace one word by another of the same meaning on its axis, in the same form."""
    return _replaced(sentence, random, opposite=False)


def swapped_roles(sentence: str, random: Random) -> str | None:
    """Swap what stands on the two sides of a comparing or causal verb ("A outperforms B": "B outperforms A")."""
    del random
    parts = _ROLES.search(sentence)
    if not parts or parts.group(1).lower() == parts.group(3).lower() or parts.group(1).lower() in ("we", "it", "that"):
        return None
    left, verb, right = parts.groups()
    if _HOLLOW.search(left) or right in _PRONOUNS or right.endswith((" not", " is", " are")):
        return None
    return f"{_capital(right)} {verb} {_lower(left)}{sentence[parts.end() :]}"


def in_passive(sentence: str, random: Random) -> str | None:
    """Say "A inhibits B" as "B is inhibited by A"."""
    del random
    parts = _ROLES.search(sentence)
    verb = parts.group(2).split()[-1] if parts else ""
    past = next((inflected(base)[2] for base in (verb[:-1], verb[:-2]) if verb in inflected(base)[1:2]), None)
    if not parts or past is None or verb not in (*_COMPARISONS, *_RELATIONS) or _HOLLOW.search(parts.group(1)):
        return None
    return f"{_capital(parts.group(3))} is {past} by {_lower(parts.group(1))}{sentence[parts.end() :]}"


def other_figure(sentence: str, random: Random) -> str | None:
    """Change one figure."""
    places = list(_FIGURE.finditer(sentence))
    if not places:
        return None
    place = random.choice(places)
    old = place.group()
    digit = random.choice([i for i, c in enumerate(old) if c.isdigit()])
    new = random.choice([c for c in ("123456789" if digit == 0 else "0123456789") if c != old[digit]])
    return sentence[: place.start() + digit] + new + sentence[place.start() + digit + 1 :]


def other_name(sentence: str, names: Sequence[str], random: Random) -> str | None:
    """Put another of the names in the place of one."""
    places = list(_NAME.finditer(sentence))
    if not places:
        return None
    place = random.choice(places)
    choices = [name for name in names if name not in sentence and not sentence.count(name.rstrip("s"))]
    if not choices:
        return None
    return sentence[: place.start()] + random.choice(choices) + sentence[place.end() :]


def other_cause(sentence: str, source: str, random: Random) -> str | None:
    """Replace the stated cause or means by that of another sentence."""
    del random
    own, foreign = _CAUSE.search(sentence), _CAUSE.search(source)
    if own is None or foreign is None or own.group(1) == foreign.group(1):
        return None
    return sentence[: own.start(1)] + foreign.group(1) + sentence[own.end(1) :]


def with_foreign_clause(sentence: str, source: str, random: Random) -> str | None:
    """Let the sentence say something more: a side clause or an adjunct of another sentence."""
    found = [match.group() for pattern in _TAILS for match in [pattern.search(source)] if match]
    found = [tail for tail in found if 3 <= len(tail.split()) <= 25 and tail.strip(" ,.") not in sentence]
    return f"{sentence.rstrip('. ')}{random.choice(found).rstrip('. ')}." if found else None


def shortened(sentence: str, random: Random) -> str | None:
    """Drop an adjunct, a frame ("We show that"), a side clause or a bracket."""
    found = [(pattern, match) for pattern in _ADJUNCTS if (match := pattern.search(sentence))]
    random.shuffle(found)
    for _, match in found:
        rest = _tidy(sentence[: match.start()] + (" " if match.start() else "") + sentence[match.end() :])
        if len(rest.split()) >= 5:
            return _capital(rest)
    return None


def reworded(sentence: str, random: Random) -> str | None:
    """Replace up to three phrases by others of the same meaning."""
    found = [(pattern, choices) for pattern, choices in _REWORDINGS if pattern.search(sentence)]
    text = sentence
    for pattern, choices in random.sample(found, min(len(found), 3)):
        match = pattern.search(text)
        options = [choice for choice in choices if match and choice != match.group()]
        if match and options:
            text = text[: match.start()] + random.choice(options) + text[match.end() :]
    return _capital(text) if text != sentence else None


def abbreviated(sentence: str, random: Random) -> str | None:
    """Keep one of a long form and its abbreviation, where a sentence gives both."""
    match = _LONG_FORM.search(sentence)
    if not match:
        return None
    initials = match.group(2)
    words = match.group(1).split()[-len(re.sub("[^A-Z]", "", initials)) :]
    if not words or words[0][0].lower() != initials[0].lower():
        return None
    start = match.end(1) - len(" ".join(words))
    kept = initials if random.random() < 0.5 else " ".join(words)
    return _capital(sentence[:start] + kept + sentence[match.end() :])


def names(text: str) -> list[str]:
    """Return the names that a text holds (models, genes, data sets), in order, once each."""
    return list(dict.fromkeys(match.group() for match in _NAME.finditer(text)))


def _inserted(sentence: str, pattern: re.Pattern[str], replacement: str) -> str | None:
    changed = pattern.sub(replacement, sentence, count=1)
    return changed if changed != sentence else None


def _denied_verb(sentence: str, random: Random) -> str | None:
    thirds = _third_persons()
    places = [m for m in _WORD.finditer(sentence) if m.group() in thirds and m.start() > 0 and _is_verb(sentence, m)]
    if not places:
        return None
    place = places[0]
    form = random.choice(("does not {}", "does not {}", "fails to {}"))
    return sentence[: place.start()] + form.format(thirds[place.group()]) + sentence[place.end() :]


def _is_verb(sentence: str, place: re.Match[str]) -> bool:
    before = sentence[: place.start()].split()[-1].lower()
    after = sentence[place.end() :].lstrip()
    if before in _BEFORE_NOUNS:
        return False
    if place.group() in _NOUNS:
        return bool(re.match(r"(?:the|an?|its|their|in)\b", after))
    return bool(re.match(r"[\w$(]", after)) and not re.match(r"(?:of|show|demonstrate|suggest|and)\b", after)


def _third_persons() -> dict[str, str]:
    verbs = [word for word, places in sides().items() if any(form == "base" for _, _, form in places)]
    return {inflected(verb)[1]: verb for verb in (*_COMMON_VERBS, *verbs)}


def _replaced(sentence: str, random: Random, *, opposite: bool) -> str | None:
    places = [m for m in _WORD.finditer(sentence) if others(m.group().lower(), opposite=opposite)]
    if not places:
        return None
    place = random.choice(places)
    new = random.choice(others(place.group().lower(), opposite=opposite))
    if place.group()[0].isupper():
        new = _capital(new)
    return sentence[: place.start()] + new + sentence[place.end() :]


def _tidy(text: str) -> str:
    return re.sub(r" +([.,;])", r"\1", " ".join(text.split()))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower(text: str) -> str:
    first = text.split(" ", 1)[0]
    return text[:1].lower() + text[1:] if first[1:].islower() or (len(first) == 1 and first in ("A", "I")) else text
