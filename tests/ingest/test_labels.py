import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.labels import FIRST_WORDS, label


@pytest.mark.parametrize(
    ("abstract", "expected"),
    [
        ("Planning is slow. We present PlanNest, a planner that nests goals.", "PlanNest"),
        ("We introduce TEA-BENCH (Tea Evaluation Archive), which asks agents to brew.", "TEA-BENCH"),
        ("Thus, we propose *KEG-XL*, a model trained on kegs.", "KEG-XL"),
        ("We address this by introducing **RiverMind**, an agent that listens.", "RiverMind"),
        ("We propose here a slow harmonic lake model (L$K^2$RAM), a second-order model.", "LK²RAM"),
        ("We show that data help. Our approach, PLoTIGO, achieves more.", "PLoTIGO"),
        ("In this paper, we propose SnoreNet, a framework for naps.", "SnoreNet"),
        ("We introduce Locally Online Moss Alignment (LOMA). LOMA is local.", "LOMA"),
        ("We propose a novel and efficient network, called TRNetV2, that achieves equivariance.", "TRNetV2"),
        ("We introduce an adaptive framework, i.e., DuHL, which builds features.", "DuHL"),
        (
            "We formulate fusion as a flow and propose the Adaptive Moss Network (AMN-Net), a model.",
            "AMN-Net",
        ),
        ("We introduce the Fatigue Meter (FM2), a diagnostic.", "FM2"),
        ("We introduce the Mossy Index (MI), a diagnostic.", "Mossy Index (MI)"),
        ("We present Walrus, a transformer for fluids.", "Walrus"),
        (
            "We propose two methods, Virtual Moss Perturbation and Gradient Walk, to distil.",
            "Virtual Moss Perturbation",
        ),
        ("We build a benchmark RainBench for floods. We introduce RainSight, a model of rain.", "RainSight"),
    ],
)
def test_the_name_that_an_abstract_introduces(abstract: str, expected: str) -> None:
    assert label(abstract) == expected


@pytest.mark.parametrize(
    "abstract",
    [
        "Large language models (LLMs) are often wrong in ways that surprise their users. We study why.",
        "We propose LLM-based agents that read the electroencephalography (EEG) of sleepers in a slow lab.",
        "We present SNNs, a family of networks known for long, and we train them on ImageNet.",
        "We develop a method for magnetic resonance imaging (MRI) that works on small phantoms in a week.",
        "We evaluate on ModelNet40 and on QM9, and we find that most of the models fail there.",
        "We describe a protocol for synthetic aperture radar (SAR) that is robust to noise and to rain.",
        "We propose a Bayesian method that needs fewer samples than any other method did before.",
    ],
)
def test_what_is_only_used_is_no_label(abstract: str) -> None:
    words = abstract.split()[:FIRST_WORDS]
    assert label(abstract).rstrip("…").split() == " ".join(words).rstrip(",.").split()


def test_a_short_text_is_its_own_label_and_mathematics_is_not_cut() -> None:
    assert label("Five words and no more.") == "Five words and no more"
    assert label("Short first sentence here. And another one follows it.") == "Short first sentence here…"
    assert label(r"In the Euclidean space of dimension two $\mathbb{R} \times 2$ nothing ever moves.").count("$") == 0


@given(st.text())
def test_any_text_gets_a_label_of_few_words(text: str) -> None:
    found = label(text)
    assert len(found.split()) <= FIRST_WORDS + 2
    assert not text.strip() or found


@pytest.mark.parametrize(
    "unit", ["(", "we propose ", "*a", "$a", "We call (AB) ", "(A", "a, A, ", "our method, ", "We propose A "]
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    text = (unit * 20_000)[:20_000]
    start = time.process_time()
    label(text)
    assert time.process_time() - start < 0.4
