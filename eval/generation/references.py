"""What a question may call a paper: the name it gives its contribution, or what it says that this is."""

# ruff: noqa: E501 (a pattern reads best on one line)

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assistant.naming import own_name
from assistant.schema import Paper
from assistant.text import fold, sentences, stem, words
from eval.generation.clauses import BASE, THIRD, is_noun_phrase, is_sayable, lowered, main_clause, phrase, plain, weight

_INTRODUCES = (
    r"(?:[Ww]e|[Tt]his (?:paper|work|study|article)|[Tt]he authors|[Pp]aper|[Ww]ork) (?:[\w-]+ly |also |here |first |then )?"
    r"(?:proposes?|introduces?|presents?|develops?|designs?|describes?|constructs?|builds?|formulates?|derives?|releases?"
    r"|devises?|construct|curates?) (?:here )?"
)
NOUNS = (
    "framework|method|model|approach|algorithm|architecture|system|network|benchmark|dataset|data set|pipeline|estimator"
    "|mechanism|strategy|technique|paradigm|toolkit|library|procedure|scheme|encoder|representation|diagnostic|procedure"
    "|corpus|suite|generalization|theory|objective|operator|solver|metric|optimizer|agent|transformer|layer|module"
    "|platform|survey|loss|measure|index|test|taxonomy|environment"
)
_STUDIES = re.compile(
    r"\b[Ww]e (?:[\w-]+ly )?(?:study|investigate|explore|examine|consider) (?!whether|how|what|why|if|the (?:task|problem))"
    r"(?P<about>[^,;:.$\\]+?)(?= from | through | by | where | when | which | that | to | under the | using | and (?:prove|show|derive|propose|introduce|demonstrate|find|identify)\b|[,;:.]|$)"
)
_DESCRIPTION_ENDS = re.compile(
    r"[,;:$\\—\[]|\.(?:\s|$)| [–-] | (?:that|which|where|whose|while|to|by|via|using|when|in which|through|called|named|termed|dubbed|based"
    r"|designed|and (?:show|demonstrate|prove|use|apply|then|an?)|combined|called|with the|as|it|it's|capable|able)\b"
)
_PRAISE = re.compile(r"\b(?:novel|new|simple|principled|effective|powerful|first)(?!-)\b(?:,| and(?= \w+))? ?")
_NOUN = re.compile(rf"\b({NOUNS})s?\b", re.IGNORECASE)
_SUBJECT = re.compile(
    r"(?:(?:While|Though|Although|Recent advances in|Recently,?|The|Modern|Understanding|A|An) )?(?P<subject>[^,;.]+?) "
    r"(?:\w+ly )?(?:is|are|was|were|has|have|can|could|emulate|seeks?|remains?|offers?|face|suffer|requires?|often|frequently"
    r"|adapts?|explores?|plays?)\b"
)
_COUNTED = re.compile(r"(?<![\w-])(?:\d[\w.,]*|two|three|four|five|six|seven|eight|nine|ten)\b")
_NAME_LIKE = re.compile(r"\d|\w[A-Z]")
_ABBREVIATED = re.compile(r"(?P<long>(?:[A-Za-z][\w-]*[ -]){2,6})\((?P<short>[A-Z][A-Z-]*[A-Z])s?\)")
_PART = re.compile(
    r"(?:Second|Third|Finally|Furthermore|Moreover|Additionally|In addition|Specifically|To evaluate|Also)\b"
)
_STUDY = "the study of "
_KNOWN = frozenset("position towards toward introduction learning survey beyond attention".split())


@dataclass(frozen=True, slots=True)
class Reference:
    """How questions may call a paper. `noun` is the kind of thing that it introduces, "method" when it doesn't say.

    `name` is None when it coins none or another paper has the same; `description` begins with "the" and holds no
    name; `title` is its title.
    """

    name: str | None = None
    description: str | None = None
    noun: str = "method"
    title: str | None = None

    @property
    def is_collection(self) -> bool:
        """Tell whether it is something to evaluate with, not to be evaluated."""
        named = re.search(r"bench|arena|eval|dataset", fold(self.name or "")) is not None
        return named or self.noun in ("benchmark", "dataset", "data set", "corpus", "suite", "survey", "taxonomy")

    @property
    def best(self) -> str | None:
        """The shortest of them that means this paper alone."""
        quoted = f"the paper “{self.title}”" if self.title else None
        return self.name or self.description or quoted


def references(papers: Iterable[Paper]) -> dict[str, Reference]:
    """Return how each paper may be called, by its id."""
    papers = list(papers)
    names = {paper.paper_id: coined(paper) for paper in papers}
    count = Counter(fold(name) for name in names.values() if name)
    used = Counter(short for paper in papers for short in set(re.findall(r"\b[A-Z]{2,}\b", paper.abstract)))
    names = {key: None if name and name.isupper() and used[name] > 2 else name for key, name in names.items()}
    unique = {key: name for key, name in names.items() if name and count[fold(name)] == 1}
    return {paper.paper_id: _reference(paper, unique.get(paper.paper_id)) for paper in papers}


def coined(paper: Paper) -> str | None:
    """Return the name that a paper gives its contribution, as its abstract writes it; None for everyday words."""
    name = re.sub(r" ?\([^()]*\)", "", own_name(paper)).strip(" .,:*") or _abbreviated(paper)
    if not 2 <= len(name) <= 40 or fold(name) in _KNOWN or not re.fullmatch(r"[\w./+ -]+", name):
        return None
    place = re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", paper.abstract)
    odd = " " not in name and _NAME_LIKE.search(name)
    headed = bool(paper.title) and " " not in name and not name.endswith("ing")
    inside = place is not None and place.start() > 0 and _inside(paper.abstract, place.start())
    if " " in name and name.endswith("s") and not name.endswith("ss"):
        return None  # several, "Judgment Operators"
    if place is None or not (odd or (name[0].isupper() and (inside or headed))):
        return None
    return f"the {name}" if " " in name and re.search(rf"\bthe {re.escape(name)}\b", paper.abstract, re.I) else name


def _abbreviated(paper: Paper) -> str:
    """Return the abbreviation of what a title is about: "DPR" where its abstract says "dense passage retriever (DPR)"."""
    titled = {stem(word) for word in words(paper.title or "")}
    for match in _ABBREVIATED.finditer(paper.abstract):
        initials = re.sub(r"[^A-Z]", "", match["short"]).lower()
        spelled = re.findall(r"[A-Za-z]+", match["long"])[-len(initials) :]
        meant = [word[0].lower() for word in spelled] == list(initials)
        if meant and len(spelled) > 1 and {stem(word.lower()) for word in spelled} <= titled:
            return match["short"]
    return ""


def _inside(text: str, place: int) -> bool:
    return not re.search(r"[.!?]\s*$", text[:place])


def _reference(paper: Paper, name: str | None) -> Reference:
    texts = [plain(paper.abstract[span.start : span.end]) for span in sentences(paper.abstract)]
    found = _description(texts, coined(paper))
    title = paper.title if paper.title and not re.search(r"[$\\?“”\"]", paper.title) else None
    noun = _noun_of(found) if found else None
    telling = found is not None and (found.startswith(_STUDY) or weight(_about(found)) >= 3)
    return Reference(name, found if telling else _topic(texts), noun or "method", title)


def _description(texts: Iterable[str], name: str | None) -> str | None:
    bare = re.escape((name or "").removeprefix("the "))
    named = rf"(?:(?:the |an? )?\*?{bare}\*?(?:, | — |—|: | is | ))?" if name else ""
    pattern = re.compile(rf"\b{_INTRODUCES}{named}(?:an?|the|the first) (?P<what>.+)")
    apposed = re.compile(rf"\b{bare}(?:, | — |—| is )(?:an?|the) (?P<what>.+)") if name else None
    for text in texts:
        if _PART.match(text) or (name and not re.search(bare, text)):
            continue  # what it introduces besides, or a part of it
        for match in (pattern.search(text), apposed.search(text) if apposed else None, _STUDIES.search(text)):
            if match is None:
                continue
            found = _described(match, bare)
            if found:
                return found
    return None


def _topic(texts: Sequence[str]) -> str | None:
    """Return "the work on" what the first sentence is about, where that is plain."""
    opened = _SUBJECT.match(main_clause(texts[0])) if texts else None
    if opened is None or not is_noun_phrase(opened["subject"]) or not weight(opened["subject"]) >= 3:
        return None
    return f"the work on {lowered(opened['subject'])}"


def _described(match: re.Match[str], name: str) -> str | None:
    if "about" in match.groupdict():
        piece, article = match["about"], _STUDY
    else:
        end = _DESCRIPTION_ENDS.search(match["what"])

        piece, article = (match["what"][: end.start()] if end else match["what"]), "the "
        if re.search(rf"\b(?:{NOUNS})\b", piece, re.IGNORECASE) is None:
            return None
        if weight(_about(piece)) < 3 and end:
            piece += _that(match["what"][end.start() :])
    piece = " ".join(_PRAISE.sub("", piece).split()).removeprefix("and ").strip(" .,")
    about = _about(piece)
    if not 2 <= len(piece.split()) <= 14 or not is_sayable(piece) or weight(about) < 2:
        return None
    if name and re.search(rf"\b{name}", piece):
        return None
    if len(re.findall(r"\b[A-Z][a-z]{2,}", piece)) >= 3 or _COUNTED.search(piece):  # a name spelled out, a figure
        return None
    if re.search(
        r"\b(?:of|for|in|on|the|an?|with|and|or|from|\w+ed)$|\b[A-Z]{2,}[a-z]{3}|\b[a-z][A-Z]|\band \w+(?:ize|ate|ify)$",
        piece,
    ):
        return None
    if re.search(rf" and (?:{'|'.join(BASE)})\b", piece):
        return None
    return article + lowered(piece)


def _about(piece: str) -> str:
    """Return what a description says besides the kind of thing."""
    return re.sub(rf"\b(?:{NOUNS})s?\b", "", piece, flags=re.IGNORECASE)


def _that(rest: str) -> str:
    """Return the clause by which a short description goes on, "that resolves conflicts"; "" when it has none."""
    match = re.match(
        rf" (?:that|which) (?P<does>(?:\w+ly )?(?!treats|reformulates|transforms|converts|represents|consider)(?:{'|'.join(THIRD)}) .+)",
        rest,
    )
    piece = phrase(match["does"], most=8) if match else None
    return f" that {piece}" if piece and is_sayable(piece) else ""


def _noun_of(description: str) -> str | None:
    if description.startswith(("the study of", "the work on")):
        return None
    first = re.split(r"\b(?:for|of|to|with|that|in|on|from|bridging)\b", description)[0]
    found = _NOUN.findall(first) or _NOUN.findall(description)
    return found[-1].lower() if found else None
