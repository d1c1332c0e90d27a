from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.text import words
from eval.fitting.perturbation import (
    abbreviated,
    in_passive,
    names,
    negated,
    other_cause,
    other_figure,
    other_name,
    reversed_direction,
    reworded,
    same_direction,
    shortened,
    swapped_roles,
    with_foreign_clause,
)

SENTENCES = [
    "We show that the Larkspur encoder (LE) significantly improves recall on 14 river surveys, which lowers costs.",
    "Gravel size does not predict the number of eggs in cold streams.",
    "Fine silt inhibits hatching in shallow water because it blocks the flow of oxygen through the gravel.",
    "Boats with sonar are more accurate than divers in turbid lakes.",
    "There is no association between canopy cover and water temperature in 2019.",
]
MAKERS = (negated, reversed_direction, same_direction, swapped_roles, in_passive, other_figure, shortened, reworded,
          abbreviated)  # fmt: skip
seeds = st.integers(0, 10_000)


@given(st.sampled_from(SENTENCES), st.sampled_from(MAKERS), seeds)
def test_a_maker_changes_the_sentence_or_finds_nothing(sentence: str, maker: object, seed: int) -> None:
    made = maker(sentence, Random(seed))  # type: ignore[operator]
    assert made is None or (made != sentence and made.strip())
    assert made == maker(sentence, Random(seed))  # type: ignore[operator]


@given(st.text(max_size=80), st.sampled_from(MAKERS), seeds)
def test_makers_take_any_text(text: str, maker: object, seed: int) -> None:
    made = maker(text, Random(seed))  # type: ignore[operator]
    assert made is None or isinstance(made, str)


@pytest.mark.parametrize(
    ("sentence", "negation"),
    [
        ("Silt is harmful to eggs.", "Silt is not harmful to eggs."),
        ("Silt is not harmful to eggs.", "Silt is harmful to eggs."),
        ("Silt does not inhibit hatching.", "Silt inhibits hatching."),
        ("There is no link between the two.", "There is link between the two."),
    ],
)
def test_negations_are_removed_and_inserted(sentence: str, negation: str) -> None:
    assert negation in {negated(sentence, Random(seed)) for seed in range(30)}


def test_verbs_are_negated() -> None:
    made = {negated("Fine silt inhibits the hatching of eggs.", Random(seed)) for seed in range(30)}
    assert "Fine silt does not inhibit the hatching of eggs." in made


@given(seeds)
def test_one_word_turns_round(seed: int) -> None:
    sentence = "Fine silt reduces survival in shallow streams."
    made = reversed_direction(sentence, Random(seed))
    assert made is not None
    changed = [pair for pair in zip(words(sentence), words(made), strict=True) if pair[0] != pair[1]]
    assert len(changed) == 1


def test_roles_are_swapped_once() -> None:
    assert swapped_roles("Sonar outperforms divers in turbid lakes.", Random(0)) == (
        "Divers outperforms sonar in turbid lakes."
    )
    assert swapped_roles("We improve it.", Random(0)) is None


def test_the_passive_keeps_the_roles() -> None:
    assert in_passive("Silt inhibits hatching in streams.", Random(0)) == "Hatching is inhibited by silt in streams."


@given(seeds)
def test_one_digit_of_a_figure_changes(seed: int) -> None:
    sentence = "The survey of 2019 counted 1,204 redds."
    made = other_figure(sentence, Random(seed))
    assert made is not None
    assert sum(a != b for a, b in zip(sentence, made, strict=True)) == 1


def test_names_are_found_and_exchanged() -> None:
    assert names("GravelNet and GravelNet-2 beat BERT on the RIVER set.") == [
        "GravelNet",
        "GravelNet-2",
        "BERT",
        "RIVER",
    ]
    assert other_name("GravelNet is best.", ["GravelNet", "BERT"], Random(0)) == "BERT is best."
    assert other_name("GravelNet is best.", ["GravelNet"], Random(0)) is None


def test_causes_and_clauses_come_from_the_other_sentence() -> None:
    cause = other_cause(
        "Eggs die because the water is too warm.", "Fish leave because the lake has no shade.", Random(0)
    )
    assert cause == "Eggs die because the lake has no shade."
    longer = with_foreign_clause(
        "Eggs die in summer.", "The lake is warm, which pleases many bathers there.", Random(0)
    )
    assert longer == "Eggs die in summer, which pleases many bathers there."


@given(st.sampled_from(SENTENCES), seeds)
def test_what_is_shortened_says_nothing_new(sentence: str, seed: int) -> None:
    made = shortened(sentence, Random(seed))
    assert made is None or set(words(made)) <= set(words(sentence))


def test_an_abbreviation_stands_alone() -> None:
    sentence = "The river monitoring network (RMN) is open."
    assert {abbreviated(sentence, Random(seed)) for seed in range(20)} == {
        "The RMN is open.",
        "The river monitoring network is open.",
    }
