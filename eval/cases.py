"""Questions with what is known of their answers: which papers give it, which facts it must hold."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from assistant.errors import PaperMissing, QuestionError
from assistant.library import Library
from assistant.questions import Question, read_questions
from assistant.schema import Json
from assistant.text import fold, sound

_THIN_SPACE = re.compile(r"(?<=\d)\\[,;:!](?=\d)|(\\[,;:!])")
_THOUSANDS = re.compile(r"(?<![\w.,])[1-9]\d{0,2}(?:,\d{3})+(?![\d,]*\d)")
_TIMES = re.compile(r"(?<=\d)\s*(?:[×x]\s*(?=\d)|×|x(?!\w))")
_PERCENT = re.compile(r"(?<=\d)\s+(?=%)")

Gold = tuple[frozenset[str], ...]
"""The papers that answer, each by the ids it has in the library: a key can stand for two versions of one paper."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question to be evaluated. `fault` says why it can't be.

    `gold` is () when no paper answers it, so that the assistant has to abstain, and None when the file does not say.
    `nuggets` are the facts that an answer must hold, each in any of several spellings.
    """

    question: Question
    kind: str
    gold: Gold | None = None
    nuggets: tuple[tuple[str, ...], ...] = ()
    reference: str | None = None
    fault: str | None = None

    @property
    def answerable(self) -> bool | None:
        """Whether it has an answer; None when nothing is known of it."""
        if self.gold is not None:
            return bool(self.gold)
        return True if self.nuggets or self.reference else None


@dataclass(frozen=True, slots=True)
class Dataset:
    """The cases of a file, their ids distinct, and the digest of what was read."""

    cases: tuple[Case, ...]
    digest: str


class PaperKeys:
    """Finds the papers that a questions file names: by id, by source id, or by a key for texts that they contain."""

    def __init__(self, library: Library, texts: Mapping[str, Sequence[str]]) -> None:
        self._catalogue = library.catalogue
        self._by_key = self._containing(texts)

    def papers(self, name: str) -> frozenset[str]:
        """Return the ids of the paper that a name means, more than one when versions of it are kept.

        Raises:
            QuestionError: nothing in the library is meant by it.
        """
        if name in self._by_key:
            if found := self._by_key[name]:
                return found
            raise QuestionError(f"no paper of this library contains a text of the key {name!r}.")
        try:
            return frozenset((self._catalogue.paper(name).paper_id,))
        except PaperMissing as error:
            raise QuestionError(f"this library has no paper {name!r}; name a file of keys with --papers.") from error

    def _containing(self, texts: Mapping[str, Sequence[str]]) -> dict[str, frozenset[str]]:
        wanted = [(key, plain(text)) for key, some in texts.items() for text in some]
        found: dict[str, set[str]] = {key: set() for key in texts}
        for paper in self._catalogue if wanted else ():
            abstract = plain(paper.abstract)
            for key, text in wanted:
                if text in abstract:
                    found[key].add(paper.paper_id)
        return {key: frozenset(ids) for key, ids in found.items()}


def read_keys(text: str) -> dict[str, list[str]]:
    """Read a file of `[{"key", "contains": [text]}]`. Raises QuestionError when it is something else."""
    found: dict[str, list[str]] = {}
    try:
        for entry in json.loads(text.lstrip("\ufeff")):
            found.setdefault(str(entry["key"]), []).extend(_texts(entry["contains"]))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise QuestionError('The file of --papers must hold [{"key": …, "contains": [text, …]}, …].') from error
    return found


def _texts(value: object) -> list[str]:
    """Return the texts of a list. Raises ValueError where a paper could hold one of them without being meant."""
    if not isinstance(value, list) or not all(isinstance(text, str) and plain(text) for text in value):
        raise ValueError
    return value


def read_dataset(lines: Iterable[str], keys: PaperKeys) -> Dataset:
    """Read a file of questions with `gold`, `nuggets`, `reference` and `type`; a bad line is a case with its fault.

    Raises QuestionError when there is no question at all, or an id stands twice.
    """
    everything = [sound(line.lstrip("\ufeff")) for line in lines]
    kept = [line for line in everything if line.strip()]
    cases = []
    for line, question in zip(kept, read_questions(everything), strict=True):
        row = _row(line)
        try:
            cases.append(_case(question, row, keys))
        except QuestionError as error:
            cases.append(Case(question, _kind(row), fault=f"{question.question_id}: {error}"))
    if not cases:
        raise QuestionError("The file holds no question; write one with `askpapers eval generate`.")
    seen: set[str] = set()
    for case in cases:
        if (name := case_id(case)) in seen:
            raise QuestionError(f"The id {name!r} stands twice in the file of questions; give each its own.")
        seen.add(name)
    return Dataset(tuple(cases), sha256("\n".join(line.strip() for line in kept).encode()).hexdigest()[:16])


def case_id(case: Case) -> str:
    """Return the id of a case, as text."""
    return sound(str(case.question.question_id))


def plain(text: str) -> str:
    """Return a text as facts are compared: folded, without the dress of LaTeX and figures' thousands separators.

    >>> plain("1,860 runs"), plain("3.64 x"), plain("93 %")
    ('1860 runs', '3.64×', '93%')
    """
    text = fold(_THIN_SPACE.sub(lambda space: " " if space[1] else "", text).replace(r"\times", "×"))
    text = _THOUSANDS.sub(lambda figure: figure.group().replace(",", ""), text)
    return _PERCENT.sub("", _TIMES.sub("×", text))


def _row(line: str) -> Mapping[str, Json]:
    """Return a line's object, empty where it holds none; its question has the fault then."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}


def _kind(row: Mapping[str, Json]) -> str:
    return sound(str(row.get("type") or row.get("kind") or "question"))


def _case(question: Question, row: Mapping[str, Json], keys: PaperKeys) -> Case:
    gold = row.get("gold")
    reference = row.get("reference")
    if gold is not None and not isinstance(gold, list):
        raise QuestionError('"gold" must be a list of papers, empty when no paper answers.')
    if reference is not None and not isinstance(reference, str):
        raise QuestionError('"reference" must be a text.')
    return Case(
        question,
        _kind(row),
        None if gold is None else tuple(dict.fromkeys(keys.papers(sound(str(name))) for name in gold)),
        tuple(_alternatives(nugget) for nugget in _list(row.get("nuggets"))),
        reference,
        question.fault,
    )


def _list(value: Json) -> list[Json]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise QuestionError('"nuggets" must be a list, each a text or a list of spellings.')
    return value


def _alternatives(nugget: Json) -> tuple[str, ...]:
    spellings = nugget if isinstance(nugget, list) else [nugget]
    if not spellings or not all(isinstance(s, str) and s.strip() for s in spellings):
        raise QuestionError('"nuggets" must be a list, each a text or a list of spellings.')
    return tuple(str(s) for s in spellings)
