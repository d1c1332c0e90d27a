import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.sought import Sought, defines, expands, sought


@pytest.mark.parametrize(
    ("question", "form", "name"),
    [
        ("What does NPU stand for?", "expansion", "NPU"),
        ("what does the acronym GAM mean", "expansion", "GAM"),
        ("What is TiFo short for?", "expansion", "TiFo"),
        ("Expand the abbreviation SWN.", "expansion", "SWN"),
        ("What is the full name of SWN?", "expansion", "SWN"),
        ("What is WaggleNet?", "definition", "WaggleNet"),
        ("What are spiking owls?", "definition", "spiking owls"),
        ("Where can the code of WaggleNet be found?", "link", ""),
        ("Where can I download the dataset of TIDE-BENCH?", "link", ""),
        ("link to the code of WaggleNet", "link", ""),
        ("What is the GitHub repository of WaggleNet?", "link", ""),
        ("Where is the source code?", "link", ""),
        ("Is the code available?", "release", ""),
        ("Did the authors release the weights?", "release", ""),
        ("Have they open-sourced their dataset?", "release", ""),
    ],
)
def test_forms_that_questions_seek(question: str, form: str, name: str) -> None:
    found = sought(question)
    assert found is not None
    assert (found.form, found.name) == (form, name)


@pytest.mark.parametrize(
    "question",
    [
        "What is the accuracy of WaggleNet?",
        "What is the camera based on?",
        "How was the dataset obtained from the harbours?",
        "Is data shared between the clients?",
        "Where is WaggleNet evaluated?",
        "How large is the dataset?",
        "Does the method stand up to noise?",
        "Is the benchmark open-ended?",
        "How is code generated?",
    ],
)
def test_other_questions_seek_none(question: str) -> None:
    assert sought(question) is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("NPU", "The Northern Port Unit (NPU) keeps the lamps."),
        ("NPU", "Northern port units (NPUs) keep the lamps."),
        ("NPU", "NPU (Northern Port Unit) keeps the lamps."),
        ("HIAL", "We show HIAL ( H armonic I ndex of A ll L amps)."),
        ("ARC", "It is **ARC** (**A**utumn **R**adar **C**ount)."),
        ("UVLoc", "We propose Ultra-Violet Localization (UVLoc)."),
        ("NPU", "NPU stands for the port's northern unit."),
    ],
)
def test_a_short_name_said_in_full(name: str, text: str) -> None:
    assert expands(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("NPU", "NPU keeps the lamps."),
        ("NPU", "The lamps (NPU) are kept."),
        ("NPU", "The Northern Port Unit (NPX) keeps the lamps."),
        ("STAND", "STAND (see the appendix) teaches robots."),
    ],
)
def test_a_short_name_that_is_not_said_in_full(name: str, text: str) -> None:
    assert not expands(name, text)


@pytest.mark.parametrize(
    "text",
    [
        "We propose WaggleNet, a network that reads dances.",
        "In this paper we present a small and fast network, called WaggleNet.",
        "WaggleNet is a network for bees.",
        "Our network WaggleNet reads dances.",
    ],
)
def test_sentences_that_define(text: str) -> None:
    assert defines("WaggleNet", text)


@pytest.mark.parametrize("text", ["We beat WaggleNet by 3%.", "On video, WaggleNet finds 93%.", "Bees dance."])
def test_sentences_that_do_not_define(text: str) -> None:
    assert not defines("WaggleNet", text)


@pytest.mark.parametrize(
    ("form", "text", "told"),
    [
        (Sought("link"), "Code: https://example.org/waggle.", True),
        (Sought("link"), "Code is at github.com/waggle/net.", True),
        (Sought("link"), "We release the code.", False),
        (Sought("release"), "We release the code.", True),
        (Sought("release"), "The code has 300 lines.", False),
    ],
)
def test_where_a_link_or_a_release_is_told(form: Sought, text: str, told: bool) -> None:
    assert form.in_text(text) is told


@given(st.text(max_size=60), st.text(max_size=120))
def test_any_text_can_be_read(question: str, text: str) -> None:
    found = sought(question) or Sought("expansion", question)
    assert found.in_text(text) in (True, False)
