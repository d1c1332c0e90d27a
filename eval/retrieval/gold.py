"""A file of questions as a test collection: what each question's gold names is relevant to it."""

from collections.abc import Mapping

from assistant.errors import QuestionError
from eval.cases import Case, Dataset, Gold, case_id
from eval.retrieval.collection import Collection, Query, oddities


def judged(dataset: Dataset, name: str) -> Collection:
    """Return the answerable questions with their gold papers as a collection; counts say what was left out.

    Questions with a history are left out, for search would need the question that stands on its own. Raises
    QuestionError when no question is left.
    """
    faulty = [case for case in dataset.cases if case.fault]
    sound = [case for case in dataset.cases if not case.fault]
    followups = [case for case in sound if case.question.history]
    first = [case for case in sound if not case.question.history]
    queries = tuple(_query(case, case.gold) for case in first if case.gold)
    if not queries:
        raise QuestionError(f'{name} holds no question with "gold" papers of this library; name them there.')
    counts = {
        **oddities(queries),
        "follow_ups": len(followups),
        "unanswerable": sum(case.gold == () for case in first),
        "without_gold": sum(case.gold is None for case in first),
    }
    faults = tuple((case_id(case), str(case.fault)) for case in faulty)
    return Collection(name, queries, None, counts, faults)


def _query(case: Case, gold: Gold) -> Query:
    versions = _versions(gold)
    return Query(case_id(case), case.question.text, dict.fromkeys(versions.values(), 1), case.kind, versions)


def _versions(gold: Gold) -> Mapping[str, str]:
    """Map each paper to the one that stands for it; papers that share a version are one."""
    found: dict[str, str] = {}
    for papers in gold:
        stands = min({*papers, *(found[paper] for paper in papers if paper in found)})
        joined = {found[paper] for paper in papers if paper in found}
        found |= {paper: stands for paper, other in found.items() if other in joined}
        found |= dict.fromkeys(papers, stands)
    return found
