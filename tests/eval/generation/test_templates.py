# ruff: noqa: E501
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.text import fold
from eval.generation.references import Reference
from eval.generation.statements import holds
from eval.generation.templates import questions

SILT = Reference("SiltNet", "the sediment model for alpine lakes", "model", None)

CASES = [
    ("SiltNet reduces turbidity error by 12.4% on glacial lakes.", "By how much does {it} reduce turbidity error on glacial lakes?", "12.4%"),
    ("On LakeBase, SiltNet improves recall of redds by 3 points.", "By how much does {it} improve recall of redds on LakeBase?", "3 points"),
    ("We survey the shore and evaluate SiltNet across 17 mountain lakes.", "On how many mountain lakes is {it} evaluated?", "17"),
    ("We curate a benchmark of 2,400 gravel photographs.", "How many gravel photographs are in the benchmark of {it}?", "2,400"),
    ("SiltNet predicts gravel size and water depth.", "What does {it} predict?", "gravel size"),
    ("SiltNet removes glare by averaging polarised frames.", "How does {it} remove glare?", "polarised frames"),
    ("To prevent clogging of the sensor, we introduce a rotating brush.", "What do the authors of {it} introduce to prevent clogging of the sensor?", "rotating brush"),
    ("We introduce a rotating brush to prevent clogging of the sensor.", "What do the authors of {it} introduce to prevent clogging of the sensor?", "rotating brush"),
    ("SiltNet consists of a lake encoder and a sediment decoder.", "What does {it} consist of?", "sediment decoder"),
    ("Coastal sediment maps are limited by the cost of diving.", "What are coastal sediment maps limited by?", "the cost of diving"),
    ("Current sonar surveys of lakes rely on towed arrays.", "What do current sonar surveys of lakes rely on?", "towed arrays"),
    ("SiltNet outperforms towed arrays.", "What does {it} outperform?", "towed arrays"),
    ("Fine glacial silt can induce hypoxia in shallow spawning gravel.", "What can induce hypoxia in shallow spawning gravel?", "Fine glacial silt"),
    ("SiltNet estimates depth from the colour of shallow alpine water.", "Which model estimates depth from the colour of shallow alpine water?", "SiltNet"),
    ("SiltNet achieves an accuracy of 93% on LakeBase.", "What accuracy does {it} achieve on LakeBase?", "93%"),
    ("It predicts floods (AUROC = 0.91) in spring.", "Which AUROC is reported for predicts floods with {it}?", "0.91"),
    ("We evaluate SiltNet on the LakeBase and FjordSet datasets.", "On which datasets is {it} evaluated?", "FjordSet"),
    ("We propose SiltNet, a sediment model for alpine lakes.", "What is {it}?", "sediment model"),
    ("We propose SiltNet, a sediment model that predicts summer floods in alpine lakes.", "What does {it} predict?", "summer floods in alpine lakes"),
    ("We propose SiltNet, a sediment model for alpine lakes.", "What is {it} designed for?", "alpine lakes"),
    ("We propose SiltNet, a probabilistic sediment model for alpine lakes.", "What is the probabilistic sediment model for alpine lakes called?", "SiltNet"),
    ("We propose SiltNet, a tracking framework for alpine lakes.", "What is {it}?", "alpine lakes"),
    ("Our code is available at https://example.org/silt.", "Where can the code of {it} be found?", "example.org/silt"),
    ("We identify melting dead ice as the main cause of floods.", "What do the authors of {it} identify as the main cause of floods?", "melting dead ice"),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "question", "nugget"), CASES)
def test_a_pattern_asks_for_what_the_sentence_states(sentence: str, question: str, nugget: str) -> None:
    found = {asked.question: asked.nuggets for asked in questions(sentence, SILT)}
    assert question in found
    assert nugget in {spelling for spellings in found[question] for spelling in spellings}


def test_the_parts_of_a_list_are_facts_each() -> None:
    [asked] = [
        a
        for a in questions("The survey rests on three pillars: core drilling, drone flights, and diving.", SILT)
        if a.form == "parts"
    ]
    assert asked.question == "What are the three pillars of {it}?"
    assert asked.nuggets == (("core drilling",), ("drone flights",), ("diving",))


@pytest.mark.parametrize(
    "sentence",
    [
        "This reduces it by 5%.",
        "These methods suffer from drift.",
        "SiltNet attains $R^2$ of 0.93.",
        "They are limited by cost.",
        "In 2019 we saw 2019 lakes.",
        "",
    ],
)
def test_nothing_is_asked_that_points_elsewhere_or_holds_a_formula(sentence: str) -> None:
    assert [asked for asked in questions(sentence, SILT) if asked.form not in ("definition", "count")] == []


@pytest.mark.parametrize(
    "sentence",
    [
        "We propose Shallow Layer Transport (SiltNet) for lakes.",
        "We propose SiltNet, a general framework.",
        "SiltNet outperforms existing baselines on all lakes.",
        "SiltNet outperforms towed arrays by 20.6% in recall.",
        "SiltNet removes glare by avoiding polarised frames.",
        "We model open water as a continuous energy field and propose SiltNet.",
        "SiltNet achieves state-of-the-art performance on deep alpine mountain lakes.",
        "We evaluate SiltNet on representative benchmarks.",
    ],
)
def test_nothing_is_asked_that_is_vague_cut_off_or_gives_its_answer(sentence: str) -> None:
    kept = [asked.question for asked in questions(sentence, SILT) if asked.question != "What does {it} outperform?"]
    assert [question for question in kept if "stand for" not in question] == []


def test_an_abbreviation_is_asked_for_where_its_letters_are_spelled_out() -> None:
    [asked] = questions("We use an integrated lake survey (ILS) here.", SILT)
    assert (asked.question, asked.nuggets) == ("What does ILS stand for?", (("integrated lake survey",),))
    assert questions("We use sediment cores (XYZ) here.", SILT) == []


def test_what_the_authors_report_of_others_is_not_asked_of_the_paper() -> None:
    sentence = "We find that doubling the number of divers reduces error by 40%."
    assert [asked for asked in questions(sentence, SILT) if asked.form == "by how much"] == []


WORDS = "SiltNet we our model reduces improves lakes by 12% on of and the is limited rely sonar , . ( ) : $x$ 7 three".split()


@given(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
def test_whatever_the_sentence_answers_stand_in_it_and_not_in_the_question(sentence: str) -> None:
    for asked in questions(sentence, SILT):
        assert asked.question.endswith("?")
        assert not re.search(r"[$\\]", asked.question)
        for spellings in asked.nuggets:
            assert any(fold(spelling) in fold(sentence) for spelling in spellings)
            assert not any(holds(asked.question, spelling) for spelling in spellings)


@given(st.text(max_size=120))
def test_any_text_can_be_read(text: str) -> None:
    assert all(asked.nuggets for asked in questions(text, SILT))
