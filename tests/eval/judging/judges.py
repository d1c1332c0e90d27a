"""Models as a test of judging needs them: each a function of the request's body, to be an `OllamaServer`'s script."""

import re

from tests.models import prompt_of
from tests.ollama_server import Body, Scripted


def shown(body: Body, name: str) -> str:
    """Return what a prompt shows under a name, in lower case."""
    return " ".join(re.findall(rf"^{name}: (.*)$", prompt_of(body), re.MULTILINE)).lower()


def good(body: Body) -> Scripted:
    """Grade 5 what holds the reference, yes what the evidence holds, 4 what shares a word with the question."""
    if reference := shown(body, "Reference"):
        return Scripted("5" if reference.strip(". ") in shown(body, "Answer") else "1")
    if claim := shown(body, "Claim").partition(" to repeat: ")[0]:
        return Scripted("Yes." if claim.strip(". ") in shown(body, "Evidence") else "No.")
    if first := shown(body, "Answer A"):
        asked = set(shown(body, "Question").split())
        better = len(asked & set(first.split())) > len(asked & set(shown(body, "Answer B").split()))
        return Scripted("A" if better else "B")
    return Scripted("4" if set(shown(body, "Question").split()) & set(shown(body, "Answer").split()) else "1")


def garbage(body: Body) -> Scripted:
    """Say nothing of use."""
    return Scripted("As a language model I enjoyed 17 papers, thank you! What else can I do?")


def changes_its_mind(body: Body) -> Scripted:
    """Give one verdict and then the other."""
    if shown(body, "Claim"):
        return Scripted("No, I see nothing of it. Hm, the last sentence states it, so: yes.")
    return Scripted("Grade: 2, for it lacks a figure. Wait, 91% is there. I'd say 3 … no, 4.")


def thinks(body: Body) -> Scripted:
    """Think aloud at length, with grades in the thoughts, so that a short reply is cut before the verdict."""
    thoughts = "<think>" + "Is it 1? Or 5? " * 40 + "</think>"
    room = int(body["options"]["num_predict"])
    return Scripted(thoughts[:400], end="length") if room < 200 else Scripted(f"{thoughts}\n2")


def always_five(body: Body) -> Scripted:
    """Give 5, yes or A."""
    return Scripted("Yes" if shown(body, "Claim") else "A" if shown(body, "Answer A") else "**5**")


def likes_length(body: Body) -> Scripted:
    """Give a grade a length, and prefer the longer answer."""
    if first := shown(body, "Answer A"):
        return Scripted("A" if len(first) > len(shown(body, "Answer B")) else "B")
    return Scripted(f"Grade: {min(5, 1 + len(shown(body, 'Answer').split()) // 4)}/5")
