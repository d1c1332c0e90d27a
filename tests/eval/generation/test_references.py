from assistant.schema import Paper
from eval.generation.references import references


def paper(key: str, abstract: str, title: str | None = None, label: str | None = None) -> Paper:
    return Paper(key, title=title, label=label, abstract=abstract)


def test_a_paper_is_called_by_the_name_it_coins_or_by_what_it_introduces() -> None:
    found = references([
        paper("a", "We propose SiltNet, a novel sediment model for alpine lakes. It is small.", "SiltNet: Mud"),
        paper("b", "We present a simple tracking method for migrating eels that needs no tags.", "Of Eels"),
        paper("c", "This position paper argues for more mud.", "Position: More Mud"),
        paper("d", "Gravel beds of alpine rivers are warming. We measure them.", None, "Gravel beds are warming…"),
    ])  # fmt: skip
    assert (found["a"].name, found["a"].description) == ("SiltNet", "the sediment model for alpine lakes")
    assert (found["b"].name, found["b"].best) == (None, "the tracking method for migrating eels")
    assert (found["c"].name, found["c"].best) == (None, "the paper “Position: More Mud”")
    assert found["d"].best == "the work on gravel beds of alpine rivers"
    assert found["a"].noun == "model"


def test_a_name_that_two_papers_have_names_neither() -> None:
    found = references([
        paper("a", "We propose SiltNet here.", "SiltNet: Mud"), paper("b", "We extend SiltNet.", "SiltNet: More"),
    ])  # fmt: skip
    assert found["a"].name is found["b"].name is None


def test_an_abbreviation_of_the_title_names_its_paper() -> None:
    told = "The alpine lake survey (ALS) counts redds from the air."
    assert references([paper("a", told, "An Alpine Lake Survey from the Air")])["a"].name == "ALS"
    other = "It outdoes the alpine pond survey (APS)."
    assert references([paper("a", other, "An Alpine Lake Survey from the Air")])["a"].name is None
