import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from assistant.chunking import contexts
from assistant.encoder import BUNDLED, Encoder, encoder_name, find_model
from assistant.errors import EncoderError
from assistant.schema import Paper
from tests.conftest import run_python

TEXTS = [
    "Bees dance.",
    "A glacier is a slow river of ice that remembers every winter it has seen.",
    "",
    "Storm surges " * 60,
    "Tides follow the moon.",
]


def test_vectors_are_unit_and_in_order(encoder: Encoder) -> None:
    told: list[tuple[int, int]] = []
    vectors = encoder.encode_documents(TEXTS, lambda done, total: told.append((done, total)))
    assert vectors.shape == (len(TEXTS), encoder.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-5)
    assert told[-1] == (len(TEXTS), len(TEXTS))
    for text, vector in zip(TEXTS, vectors, strict=True):
        assert float(encoder.encode_query(text) @ vector) > 0.999


def test_vectors_are_those_of_sentence_transformers(encoder: Encoder) -> None:
    from sentence_transformers import SentenceTransformer

    bare = SentenceTransformer(str(find_model(None)), device="cpu").encode(TEXTS)
    assert np.sum(bare * encoder.encode_documents(TEXTS), axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=5e-3)


def test_a_sentence_is_encoded_within_its_context(encoder: Encoder) -> None:
    paper = Paper("p", title="Bees", abstract="They dance at noon. A camera films it. Storms drown harbours.")
    (context,) = contexts(paper, encoder.token_counts, encoder.max_tokens)
    told: list[tuple[int, int]] = []
    found = encoder.encode_contexts([context], lambda done, total: told.append((done, total)))
    assert list(found) == [chunk.chunk_id for chunk in context.chunks]
    assert told == [(1, 1)]
    vectors = np.stack(list(found.values()))
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(3), abs=1e-5)
    assert np.argmax(vectors @ encoder.encode_query("floods in ports")) == 2
    # A sentence alone says nothing of bees; within its context it does.
    alone = encoder.encode_documents(["They dance at noon."])[0]
    query = encoder.encode_query("bees")
    assert float(vectors[0] @ query) > float(alone @ query) + 0.1


def test_contexts_are_encoded_alike_in_any_company(encoder: Encoder) -> None:
    papers = [Paper(str(i), title=f"Title {i}", abstract="Bees dance at noon. " * i) for i in range(1, 40)]
    cut = [x for p in papers for x in contexts(p, encoder.token_counts, encoder.max_tokens)]
    together = encoder.encode_contexts(cut)
    for context in (cut[0], cut[-1]):
        for chunk_id, vector in encoder.encode_contexts([context]).items():
            assert float(vector @ together[chunk_id]) > 0.999


def test_where_and_in_what_it_computes(encoder: Encoder) -> None:
    assert encoder.device in ("cpu", "cuda", "mps")
    assert encoder.dtype in ("float32", "bfloat16")


def test_nothing_to_encode(encoder: Encoder) -> None:
    assert encoder.encode_documents([]).shape == (0, encoder.dimension)
    assert encoder.encode_contexts([]) == {}
    assert encoder.token_counts([]) == []


def test_langchain_gets_lists(encoder: Encoder) -> None:
    assert encoder.embed_query("bees") == pytest.approx(encoder.embed_documents(["bees"])[0], abs=1e-2)
    assert isinstance(encoder.embed_query("bees")[0], float)


def test_tokens_are_counted_beyond_the_limit(encoder: Encoder) -> None:
    assert encoder.max_tokens == 256
    assert encoder.token_counts(["bees dance", "bees " * 1000]) == [4, 1002]


def test_threads_share_an_encoder(encoder: Encoder) -> None:
    with ThreadPoolExecutor(8) as pool:
        counted = pool.map(encoder.token_counts, [[text] for text in TEXTS] * 4)
        vectors = list(pool.map(encoder.encode_query, TEXTS * 4))
        assert len(list(counted)) == len(TEXTS) * 4
    assert np.stack(vectors[: len(TEXTS)]) == pytest.approx(np.stack(vectors[-len(TEXTS) :]), abs=1e-5)


def _variant(folder: Path, prompts: dict[str, str]) -> Path:
    """Copy the bundled model into a folder and give it other prompts."""
    shutil.copytree(find_model(None), folder)
    path = folder / "config_sentence_transformers.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**config, "prompts": prompts}), encoding="utf-8")
    return folder


def test_prompts_are_honoured_and_part_of_the_fingerprint(tmp_path: Path, encoder: Encoder) -> None:
    prompted = Encoder(str(_variant(tmp_path / "prompted", {"query": "seek: ", "document": "read this: "})))
    query, document = prompted.encode_query("bees"), prompted.encode_documents(["bees"])[0]
    assert query == pytest.approx(encoder.encode_query("seek: bees"), abs=1e-2)
    assert document == pytest.approx(encoder.encode_documents(["read this: bees"])[0], abs=1e-2)
    assert float(query @ document) < 0.999
    assert prompted.max_tokens < encoder.max_tokens
    assert prompted.name == "prompted"
    theirs, ours = prompted.fingerprint, encoder.fingerprint
    assert (theirs.files, theirs.dimension) == (ours.files, ours.dimension)
    assert theirs.digest() != ours.digest()


def test_an_unknown_model_is_one_sentence() -> None:
    with pytest.raises(EncoderError, match=r"nobody/no-such-model is not on this machine: .*`hf download"):
        Encoder("nobody/no-such-model").encode_query("bees")


def test_a_folder_without_a_model_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(EncoderError, match="cannot be loaded") as caught:
        Encoder(str(tmp_path)).encode_query("bees")
    assert "\n" not in str(caught.value)


def test_names(tmp_path: Path) -> None:
    assert encoder_name(None) == BUNDLED
    assert encoder_name("intfloat/e5-small") == "intfloat/e5-small"
    assert encoder_name(str(tmp_path)) == tmp_path.name
    assert find_model(BUNDLED) == find_model(None)


def test_importing_and_making_one_loads_nothing() -> None:
    code = "import sys; from assistant.encoder import Encoder; Encoder(); print('torch' in sys.modules)"
    assert run_python(code).strip() == "False"


def test_the_network_is_never_asked() -> None:
    code = """
import socket
def refuse(*arguments, **options):
    raise AssertionError(f"network: {arguments}")
socket.getaddrinfo = socket.socket.connect = refuse
from assistant.encoder import Encoder
print(Encoder().encode_query("bees").shape)
"""
    assert "(384,)" in run_python(code)


def test_token_vectors_hold_each_layers_view_of_each_piece() -> None:
    encoder = Encoder(device="cpu")
    short, long = encoder.token_vectors(["Upregulation helps.", "word " * 200], (2, 6))
    assert short.pieces[-2:] == ("helps", ".")
    assert short.vectors.shape == (len(short.pieces), 2 * encoder.dimension)
    assert len(long.pieces) == len(long.vectors) == 70
    alone = encoder.token_vectors(["Upregulation helps."], (6,))[0]
    assert np.allclose(alone.vectors, short.vectors[:, encoder.dimension :], atol=1e-4)
    assert np.allclose(short.mean, encoder.encode_query("Upregulation helps."), atol=1e-4)
    assert encoder.token_vectors([], (6,)) == []
