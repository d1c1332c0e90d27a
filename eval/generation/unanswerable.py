"""Questions that no paper of the library answers: invented names, facts that no abstract states, foreign subjects.

Each comes with the patterns by which it is verified that the answer really is nowhere.
"""

# ruff: noqa: E501 (a pattern reads best on one line)

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from eval.generation.drafts import Draft
from eval.generation.references import Reference


@dataclass(frozen=True, slots=True)
class Missing:
    """A fact that papers state and abstracts rarely do. `stated` matches an abstract that may give it.

    `fits` matches the abstracts of papers that would have such a fact.
    """

    question: str
    stated: str
    fits: str = ""


_TRAINED = r"\b(?:train|learn|network|neural|fine-tun|pre-train)"
_TRIED = r"\b(?:experiment|evaluat|benchmark|empirical|results)"
_MISSING: Final = (
    Missing("Which learning rate was used to train {it}?", r"learning rate|step size", _TRAINED),
    Missing("Which batch size was used to train {it}?", r"batch(?:es)? (?:size|of)|batch size", _TRAINED),
    Missing("How many GPUs was {it} trained on?", r"\bGPUs?\b|\bTPUs?\b|A100|H100|V100|hardware", _TRAINED),
    Missing("How many hours did it take to train {it}?", r"\bhours?\b|\bdays?\b|\bminutes?\b|GPU-h", _TRAINED),
    Missing("How many epochs was {it} trained for?", r"\bepochs?\b|iterations", _TRAINED),
    Missing("Which optimizer was used to train {it}?", r"\boptimi[sz]er|\bAdam|\bSGD\b|\bgradient descent", _TRAINED),
    Missing("Which dropout rate do the authors of {it} use?", r"dropout", _TRAINED),
    Missing("How many layers does {it} have?", r"\blayers?\b|\bdepth\b|\bdeep(?:er|est)?\b", _TRAINED),
    Missing("How much electricity did training {it} consume?", r"energy|electricity|power|carbon|kWh", _TRAINED),
    Missing("What did it cost in dollars to train {it}?", r"\bcosts?\b|\bUSD\b|dollars?|\\?\$\d|price|cheap|expens", _TRAINED),
    Missing("Under which licence is the code of {it} released?", r"licen[cs]e|\bMIT\b|Apache|Creative Commons|\bGPL", r"\bcode\b|github|open-sourc"),
    Missing("Which programming language is {it} written in?", r"Python|C\+\+|\bJAX\b|PyTorch|TensorFlow|Julia|\bRust\b|Java|programming language|MATLAB", _TRIED),
    Missing("Who funded the work on {it}?", r"fund(?:ed|ing)|grants?\b|sponsor|support(?:ed)? by"),
    Missing("How many random seeds were used in the experiments with {it}?", r"\bseeds?\b|repeated runs|repetitions", _TRIED),
    Missing("Which statistical test do the authors of {it} use?", r"statistical|hypothesis test|t-test|p-value|significance", _TRIED),
    Missing("What is the inference time of {it} in milliseconds?", r"\bms\b|second|latency|speed|real-time|faster|time", _TRAINED),
    Missing("How many parameters does {it} have?", r"parameters|\d ?[BM]\b|\bsize\b", _TRAINED),
    Missing("Which weight decay was used to train {it}?", r"weight decay|regulari[sz]", _TRAINED),
    Missing("How many people took part in a user study of {it}?", r"participants?|user stud|human|people|volunteers|annotators|experts", r"\busers?\b|interfaces?\b|recommend|personali|assistan"),
    Missing("How many attention heads does {it} have?", r"\bheads?\b|multi-head", r"transformer|attention"),
    Missing("How much memory does {it} need, in gigabytes?", r"memory|\bGB\b|gigabyte", _TRAINED),
    Missing("Which cloud provider were the experiments with {it} run on?", r"\bcloud\b|AWS|Azure|Google", _TRIED),
    Missing("Which activation function is used in {it}?", r"activation function|\bReLU|\bGELU|sigmoid|activation", _TRAINED),
    Missing("What is the size in gigabytes of the weights of {it}?", r"gigabytes?|\bGB\b|memory|parameters", _TRAINED),
)  # fmt: skip

_BUILT = re.compile(
    r"written in|\btrain|inference|weights|parameters|layers|attention heads|activation function|dropout|gigabytes|electricity"
)
_MODELS = frozenset("model network architecture transformer encoder framework system agent solver".split())

_FOREIGN: Final = (
    "How long should sourdough bread ferment in the refrigerator?", "Which football club has won the most Champions League finals?",
    "How much does a monthly ticket for the tram in Lisbon cost?", "What is the best soil for growing blueberries on a balcony?",
    "Who painted the ceiling of the opera house in Paris?", "How are inheritance disputes settled under Roman law?",
    "What caused the fall of the Hanseatic League?", "Which wood is used for the back of a violin?",
    "How many calories does a slice of cheesecake have?", "When did the Cutty Sark leave London for the first time?",
    "Which vaccine does a puppy need before it travels to Norway?", "How is parmesan cheese aged?",
    "What did the Treaty of Tordesillas divide?", "How is a hammock knotted?", "Which stars appear on the flag of Brazil?",
    "How do beekeepers get a swarm into a hive?", "What is the recommended tyre pressure for a touring bicycle?",
    "Which king built the castle of Neuschwanstein?", "How is felt made from sheep's wool?",
    "Who coached the Dutch volleyball team in 1996?", "How much notice must a tenant in Vienna give?",
    "Which glaze gives celadon pottery its colour?", "What are the rules of offside in field hockey?",
    "How is olive oil pressed on Crete?", "What was the currency of Lithuania before the euro?",
)  # fmt: skip

_FIRST = """Spectra Lumi Vela Orbi Cryo Terra Nexo Helio Aqua Zephyr Cobalt Ember Quill Onyx Tundra Larch Basil Harbor
    Juniper Saffron Kestrel Mistral Poly Tessel Vortex Lattice Prism Delta Marlin Osprey""".split()
_LAST = "Net Former GAN Flow LM Prop Align Mix Seg Fold Cast Track Diff Graph Sense Loop".split()
_NAMED: Final = (
    "What is {name}?", "How does {name} work?", "Which datasets is {name} evaluated on?", "By how much does {name} beat its baselines?",
    "What are the main components of {name}?", "Which accuracy does {name} reach?", "What problem does {name} solve?",
    "Who proposed {name}, and why?", "How does {name} differ from {known}?", "What are the limitations of {name}?",
)  # fmt: skip


def invented(random: Random, known: Sequence[str]) -> Iterator[tuple[str, Draft]]:
    """Yield names that nobody uses, each with a question about it, without end. `known` are names of the library."""
    while True:
        first, last = random.choice(_FIRST), random.choice(_LAST)
        name = first + last if random.random() < 0.8 else f"{first}-{last}"
        text = random.choice(_NAMED if known else [form for form in _NAMED if "{known}" not in form])
        yield name, Draft("unanswerable", "invented name", text.format(name=name, known=random.choice(known or [""])))


def missing(abstract: str, reference: Reference, random: Random) -> Iterator[tuple[re.Pattern[str], Draft]]:
    """Yield questions for facts that a paper's abstract doesn't state, with what would state them elsewhere."""
    called = reference.name
    if called is None or reference.is_collection:
        return
    for fact in random.sample(_MISSING, len(_MISSING)):
        stated = re.compile(fact.stated, re.IGNORECASE)
        if stated.search(abstract) or not re.search(fact.fits, abstract, re.IGNORECASE):
            continue
        if _BUILT.search(fact.question) and reference.noun not in _MODELS:
            continue
        yield stated, Draft("unanswerable", "missing fact", fact.question.replace("{it}", called))


def foreign(random: Random) -> Iterator[Draft]:
    """Yield questions about things that research libraries are rarely about, in random order."""
    for question in random.sample(_FOREIGN, len(_FOREIGN)):
        yield Draft("unanswerable", "foreign subject", question)
