"""The lexical index: BM25 over titles, abstracts, authors and names, by tantivy.

Texts are analysed here, not by tantivy: `content_stems` on both sides, so that what readers see as the same text
matches, any text is a valid query, and document frequencies are those of the stems that the rest of askpapers uses.
"""

import math
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Final

import tantivy

from assistant.catalogue import Catalogue
from assistant.errors import LibraryDamaged, StorageError
from assistant.ordinary import is_ordinary
from assistant.schema import Filters, Paper
from assistant.text import STOPWORDS, content_stems, fold, words

_BOOSTS: Final = {"body": 1.0, "names": 0.5, "authors": 0.5}
_SATURATION: Final = 1.2  # BM25's k1 in tantivy
_HEAP: Final = 50_000_000
_LONGEST_QUERY: Final = 500
_LONGEST_TERM: Final = 200
_NO_FILTERS = Filters()
_EDGES = "\"'()[]<>|.,;:!?*#@&/\\-+="
_JOINTS = re.compile(r"[-./+_:']")
_NAME_LIKE = re.compile(r"\d|\w[A-Z]")


class TermIndex:
    """The lexical index of a library, under `folder`; one document per paper."""

    def __init__(self, folder: Path, catalogue: Catalogue) -> None:
        self._folder, self._catalogue = folder, catalogue
        self._lock = Lock()
        self._name: str | None = None
        self._index: tantivy.Index | None = None
        self._generation = -1

    def search(self, text: str, n: int, filters: Filters = _NO_FILTERS) -> list[tuple[str, float]]:
        """Return up to `n` (paper id, BM25 score), best first, of the papers that the filters admit.

        Any text is a valid query; one without a word finds nothing. Safe from any thread.

        Raises:
            LibraryDamaged: the index cannot be read.
        """
        searcher = self._searcher()
        clauses = [(tantivy.Occur.Should, query) for query in _queries(text)]
        if searcher is None or not clauses or n < 1:
            return []
        query = tantivy.Query.boolean_query(clauses)
        if filters:
            ids = self._catalogue.matching(filters)
            if not ids:
                return []
            admitted = tantivy.Query.term_set_query(_SCHEMA, "paper_id", ids)
            query = tantivy.Query.boolean_query(
                [
                    (tantivy.Occur.Must, query),
                    (tantivy.Occur.Must, tantivy.Query.const_score_query(admitted, 0.0)),
                ]
            )
        with _reading(self._folder):
            found = searcher.search(query, n).hits
            hits = [(str(searcher.doc(address)["paper_id"][0]), float(score)) for score, address in found]
        existing = self._catalogue.existing(paper_id for paper_id, _ in hits)
        return [hit for hit in hits if hit[0] in existing]

    def shares(self, text: str) -> dict[str, float]:
        """Return, for each paper whose title, abstract or keywords hold a stem of a text, how much of it they hold.

        That is BM25 as a share of the most that the stems can reach, in 0..1.

        Raises:
            LibraryDamaged: the index cannot be read.
        """
        searcher = self._searcher()
        weights = {s: w for s, w in self.idf(content_stems(text)[:_LONGEST_QUERY]).items() if len(s) <= _LONGEST_TERM}
        if searcher is None or not searcher.num_docs or not weights:
            return {}
        terms = [tantivy.Query.term_query(_SCHEMA, "body", _storable(stem), "freq") for stem in weights]
        query = tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in terms])
        most = (1 + _SATURATION) * sum(weights.values())
        with _reading(self._folder):
            hits = searcher.search(query, searcher.num_docs).hits
            return {str(searcher.doc(address)["paper_id"][0]): float(score) / most for score, address in hits}

    def idf(self, stems: Iterable[str]) -> dict[str, float]:
        """Return BM25's inverse document frequency of stems as `content_stems` gives them; rarer is higher."""
        searcher = self._searcher()
        total = searcher.num_docs if searcher else 0
        result = {}
        for stem in dict.fromkeys(stems):
            usable = searcher and stem and len(stem) <= _LONGEST_TERM
            frequency = searcher.doc_freq("body", _storable(stem)) if searcher and usable else 0
            result[stem] = math.log(1 + (max(total - frequency, 0) + 0.5) / (frequency + 0.5))
        return result

    def ids(self) -> set[str]:
        """Return the ids of the papers that the index holds.

        Raises:
            LibraryDamaged: it cannot be read.
        """
        searcher = self._searcher()
        if searcher is None or not searcher.num_docs:
            return set()
        with _reading(self._folder):
            hits = searcher.search(tantivy.Query.all_query(), searcher.num_docs).hits
            return {str(searcher.doc(address)["paper_id"][0]) for _, address in hits}

    def _searcher(self) -> tantivy.Searcher | None:
        state = self._catalogue.state()
        name = state.folders.get("terms")
        if name is None:
            return None
        with self._lock, _reading(self._folder):
            if self._index is None or self._name != name:
                self._index, self._name = tantivy.Index.open(str(self._folder / name)), name
                self._index.config_reader("manual")
                self._index.reload()
            elif self._generation != state.generation:
                self._index.reload()
            self._generation = state.generation
            return self._index.searcher()

    # Writing, under the library's lock

    def update(self, paper_ids: Iterable[str]) -> None:
        """Bring these papers up to date in the index: those that the catalogue has, and those that it has no more.

        Raises:
            StorageError: the folder cannot be written; the catalogue still knows what is to do.
        """
        name = self._catalogue.state().folders.get("terms")
        if name is None or not (self._folder / name).is_dir():
            self.rebuild()
        else:
            ids = list(paper_ids)
            with _writing(self._folder):
                _write(self._folder / name, ids, self._catalogue.papers(ids))
            self._catalogue.settle("terms", ids)

    def rebuild(self) -> None:
        """Index all papers afresh in a new folder and let readers use it from now on.

        Raises:
            StorageError: the folder cannot be written.
        """
        pending = self._catalogue.pending("terms")
        current = self._catalogue.state().folders.get("terms")
        with _writing(self._folder):
            self._folder.mkdir(exist_ok=True)
            numbers = [int(path.name) for path in self._folder.iterdir() if path.name.isdecimal()]
            target = self._folder / str(max([*numbers, int(current or 0)]) + 1)
            target.mkdir()
            _write(target, [], self._catalogue)
        self._catalogue.settle("terms", pending, target.name)
        for path in self._folder.iterdir():
            if path.name != target.name and path.is_dir():
                shutil.rmtree(path, ignore_errors=True)

    def close(self) -> None:
        """Let go of the index's files."""
        with self._lock:
            self._index = self._name = None


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("paper_id", stored=True, tokenizer_name="raw", index_option="basic")
    for name in _BOOSTS:
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    return builder.build()


_SCHEMA: Final = _schema()


def _write(folder: Path, replaced: Iterable[str], papers: Iterable[Paper]) -> None:
    writer = tantivy.Index(_SCHEMA, str(folder)).writer(_HEAP, 1)
    for paper_id in replaced:
        writer.delete_documents_by_query(tantivy.Query.term_query(_SCHEMA, "paper_id", paper_id, "basic"))
    for paper in papers:
        writer.add_document(_document(paper))
    writer.commit()
    writer.wait_merging_threads()


def _document(paper: Paper) -> tantivy.Document:
    title = paper.title or paper.label or ""
    # Written twice, a title counts double; in a field of its own it would outweigh the abstract.
    body = "\n".join((paper.title or "", paper.title or "", paper.abstract, *paper.keywords))
    terms = {
        "body": content_stems(body),
        "names": [*names(paper.abstract), *names(title, also_words=True)],
        "authors": [word for author in paper.authors for word in words(author)],
    }
    fields = {name: " ".join(t for t in found if len(t) <= _LONGEST_TERM) for name, found in terms.items()}
    return tantivy.Document(paper_id=paper.paper_id, **{name: _storable(text) for name, text in fields.items()})


def _queries(text: str) -> Iterator[tantivy.Query]:
    text = text[: 40 * _LONGEST_QUERY]
    stems = list(dict.fromkeys(content_stems(text)))[:_LONGEST_QUERY]
    plain = [word for word in dict.fromkeys(words(text)) if word not in STOPWORDS][:_LONGEST_QUERY]
    whole = list(dict.fromkeys(_whole_names(text)))[:_LONGEST_QUERY]
    for field, terms in (("body", stems), ("authors", plain), ("names", whole)):
        for term in terms:
            if len(term) <= _LONGEST_TERM:
                query = tantivy.Query.term_query(_SCHEMA, field, _storable(term), "freq")
                yield tantivy.Query.boost_query(query, _BOOSTS[field])


def names(text: str, *, also_words: bool = False) -> list[str]:
    """Return what a text calls things by: folded tokens that words would break apart, as `fire-bench`, `sh2rfssm`.

    `also_words` adds those written like names, as `MindZero` or `BERT`. Compounds come with their joints and without.
    """
    found = []
    for token in text.split():
        bare = token.strip(_EDGES)
        if bare.isalpha() and not (also_words and _NAME_LIKE.search(bare)):
            continue
        whole = _variants(bare)
        if whole and (words(bare) != [whole[0]] or (also_words and _NAME_LIKE.search(bare))):
            found += whole
    return found


def _whole_names(text: str) -> list[str]:
    """Return the words of a text that may be names: no ordinary one that isn't written like one."""
    tokens = (token for token in text.split() if _NAME_LIKE.search(token) or not is_ordinary(fold(token).strip(_EDGES)))
    return [name for token in tokens for name in _variants(token) if name not in STOPWORDS]


def _variants(token: str) -> list[str]:
    folded = fold(token).strip(_EDGES)
    if len(folded) < 2 or " " in folded:
        return []
    joined = _JOINTS.sub("", folded)
    return [folded, joined] if joined != folded and len(joined) > 2 else [folded]


def _storable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


@contextmanager
def _reading(folder: Path) -> Iterator[None]:
    try:
        yield
    except (ValueError, OSError) as error:
        raise LibraryDamaged(f"The index {folder} cannot be read: run `askpapers library rebuild`.") from error


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except (ValueError, OSError) as error:
        raise StorageError(
            f"The papers are safe, but their index in {folder} cannot be written: check the disk's space and "
            "permissions, then run `askpapers library rebuild`."
        ) from error
