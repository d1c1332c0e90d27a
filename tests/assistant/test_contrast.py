import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.contrast import (
    cause,
    contradictions,
    direction,
    foreign_names,
    names,
    negated,
    negation,
    order,
    read,
    scope,
)

ABSTRACT = "WaggleNet reads the dances of bees from video and finds 93% of 1,200 flower patches near Zürich."
PLAIN = "silt trout eggs increases reduces outperform because the of than not without never faster by a 12% and".split()
TURNED = "it says it the other way round"
SENTENCES = st.lists(st.sampled_from(PLAIN), max_size=14).map(" ".join)
TEXTS = st.one_of(st.text(), SENTENCES, st.lists(st.sampled_from([*PLAIN, "un", "$x$", "U-Net", "GPT-4"])).map("".join))


@pytest.mark.parametrize(
    ("text", "evidence", "why"),
    [
        ("WaggleNet finds 39% of the patches.", ABSTRACT, "the figure 39 is not in it"),
        ("BuzzNet reads the dances.", ABSTRACT, "it does not name BuzzNet"),
        ("Bees dance near the Alps.", ABSTRACT, "it does not name Alps"),
        ("Silt decreases survival.", "Silt increases survival.", "it says the opposite of “decreases”"),
        ("Silt is not harmful to eggs.", "Silt is harmful to eggs.", "one of the two denies it"),
        ("Silt is harmful to eggs.", "Silt is not harmful to eggs.", "one of the two denies it"),
        ("Salmon outperform trout.", "Trout outperform salmon.", "it says it the other way round"),
        ("Salmon outperform trout on cold, deep ponds.", "Trout outperform salmon on cold, deep ponds.", TURNED),
        ("Eggs hatch in May.", "Eggs hatch in June.", "it does not name May"),
        ("Trout are outperformed by salmon.", "Trout outperform salmon.", "it says it the other way round"),
        ("Eggs die because of silt.", "Eggs die in silt.", "it gives no such reason"),
        ("All papers find that silt harms eggs.", "Silt harms eggs.", "it is one paper and not several"),
    ],
)
def test_what_is_said_otherwise_is_named(text: str, evidence: str, why: str) -> None:
    assert contradictions(text, [evidence], evidence) == [why]


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("WaggleNet finds 93 percent of 1200 patches.", ABSTRACT),
        ("Near Zurich, WaggleNet's camera reads the dances.", ABSTRACT),
        ("Silt reduces survival.", "Silt lowers survival."),
        ("Salmon are outperformed by trout.", "Trout outperform salmon."),
        ("Trout outperform salmon on cold, deep ponds.", "In ponds, trout outperform salmon on cold water."),
        ("Eggs die because of silt.", "Silt causes eggs to die."),
        ("The lens avoids glare.", "The lens has no glare."),
        ("A CNN reads the dance.", "A convolutional neural network reads the dance."),
        ("The two ponds froze.", "The ponds froze."),
    ],
)
def test_other_words_for_the_same_are_not_held_against_it(text: str, evidence: str) -> None:
    assert contradictions(text, [evidence], evidence) == []


def test_a_figure_or_name_may_stand_anywhere_in_the_source() -> None:
    assert contradictions("WaggleNet reads dances.", ["The network reads dances."], ABSTRACT) == []
    assert contradictions("WaggleNet reads dances.", ["The network reads dances."], "A network.") != []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Frogs met the Danube in June.", ["Danube", "June"]),
        ("In May frogs may croak.", ["May"]),
        ("The UniFrog and FROG-7 models croak.", ["UniFrog", "FROG-7"]),
        ("UniFrog croaks. Nobody hears UniFrog.", ["UniFrog"]),
        ("Croaking at $X_Y$ is loud.", []),
        ("Nothing is named here.", []),
    ],
)
def test_names_are_told_by_their_capitals(text: str, found: list[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize("source", ["uni-frog", "uni frog", "UniFrogs", "Uni–Frog's pond"])
def test_a_name_may_be_written_otherwise(source: str) -> None:
    assert foreign_names("We hear the UniFrog.", source) == []
    assert foreign_names("We hear the UniToad.", source) == ["UniToad"]


def test_a_negation_reaches_to_the_end_of_its_clause() -> None:
    assert negated(read("The lens can't see red flowers, but it hears bees.")) == {"see", "red", "flower"}
    assert negated(read("It avoids glare.")) == set()
    assert negated(read("It avoids glare."), also_avoided=True) == {"glare"}


def test_a_direction_that_the_claim_shares_with_its_evidence_is_no_opposite() -> None:
    evidence = [read("Noise rises while yield falls.")]
    assert direction(read("Noise increases."), evidence) == []
    assert direction(read("Noise shrinks."), [read("Noise rises.")]) == ["shrinks"]


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("Both papers agree.", True),
        ("These studies use video.", True),
        ("Several recent works count frogs.", True),
        ("This paper counts several frogs.", False),
        ("It studies many ponds.", False),
    ],
)
def test_scope(text: str, several: bool) -> None:
    assert scope(text) is several


@given(TEXTS, st.lists(TEXTS, max_size=3))
def test_any_texts_can_be_compared(text: str, evidence: list[str]) -> None:
    held = [read(sentence) for sentence in evidence]
    assert all(contradictions(text, evidence, " ".join(evidence)))
    assert 0 <= negation(read(text), held) <= 1
    assert 0 <= order(read(text), held) <= 1


@given(TEXTS)
def test_a_reading_has_a_stem_for_each_word(text: str) -> None:
    reading = read(text)
    assert len(reading.words) == len(reading.stems)
    assert reading.content <= set(reading.stems)


@given(TEXTS)
def test_no_text_turns_itself_round(text: str) -> None:
    reading = read(text)
    assert direction(reading, [reading]) == []
    assert order(reading, [reading]) == 0
    assert not cause(text, [text])


@given(SENTENCES)
def test_nothing_speaks_against_a_text_that_says_the_same(text: str) -> None:
    assert contradictions(text, [text], text) == []
