import pytest

from assistant.facets import facet_in


@pytest.mark.parametrize(
    ("question", "facet", "form"),
    [
        ("Which venues are in this library?", "venue", "list"),
        ("What years are covered?", "year", "list"),
        ("How many different authors are there?", "author", "count"),
        ("List all sessions", "session", "list"),
        ("What are the keywords?", "keyword", "list"),
        ("Who has the most papers?", "author", "most"),
        ("Who published the most?", "author", "most"),
        ("Which venue has the fewest papers?", "venue", "fewest"),
        ("Which author wrote the most papers about bees?", "author", "most"),
        ("the most prolific authors", "author", "most"),
        ("How many papers per year?", "year", "per"),
        ("How many papers are there for each venue?", "venue", "per"),
    ],
)
def test_what_papers_have(question: str, facet: str, form: str) -> None:
    found = facet_in(question)
    assert found is not None
    assert (found.facet, found.form) == (facet, form)


@pytest.mark.parametrize(
    "question",
    [
        "Which papers are about bees?",
        "How many layers does it have?",
        "Who are the authors of the WaggleNet paper?",
        "Which authors of the paper work on bees?",
        "Who proposed the most accurate method?",
        "Which model has the most parameters?",
        "How many papers are by Li Wei?",
    ],
)
def test_other_questions(question: str) -> None:
    assert facet_in(question) is None


def test_the_rest_keeps_what_it_is_asked_of() -> None:
    found = facet_in("Which author from ICML wrote the most papers about bees since 2020?")
    assert found is not None
    assert all(part in found.rest for part in ("from ICML", "about bees since 2020"))
