"""The conversation as the page draws it: plain dictionaries of words, never markup. Pure functions."""

import re

from assistant.schema import Answer, Json, Removed, Sentence
from ui.web.conversation import Conversation, Exchange
from ui.web.holdings import Holdings
from ui.web.segments import runs
from ui.web.sidebar import scope, writer
from ui.web.words import counted, listed

_MARKER = re.compile(r"[ \t]*\[(\d{1,3})\]")
_MARKER_OR_COMMAND = re.compile(r"[ \t]*\[(\d{1,3})\]|`([^`\n]+)`")
_COMMAND = re.compile(r"`([^`\n]+)`")
_SUPPORT = {"verbatim": "word for word", "supported": "supported", None: "cited"}
_RESTS_ON = {"verbatim": "Word for word from", "supported": "Supported by", None: "Cites"}
_ABSTAINED = {
    "not_stated": "Not stated in these abstracts",
    "nothing_relevant": "Nothing relevant in this library",
    None: "No answer",
}


def thread(conversation: Conversation, holdings: Holdings) -> dict[str, Json]:
    """Return the page's questions and answers, and the sentence that its screen-reader status says."""
    exchanges = conversation.exchanges
    return {
        "title": exchanges[0].question if exchanges else "New chat",
        "prompt": "Ask a follow-up" if exchanges and holdings.papers else holdings.greeting.get("prompt"),
        "welcome": None if exchanges else holdings.greeting,
        "open": holdings.papers > 0,
        "busy": conversation.busy,
        "status": status(exchanges[-1]) if exchanges else "",
        "turns": [_turn(exchange, holdings) for exchange in exchanges],
    }


def _turn(exchange: Exchange, holdings: Holdings) -> dict[str, Json]:
    standalone = exchange.standalone
    rewritten = standalone is not None and standalone.strip() != exchange.question.strip()
    turn: dict[str, Json] = {
        "id": exchange.number,
        "question": runs(exchange.question),
        "standalone": runs(standalone) if standalone and rewritten else None,
        "over": exchange.over,
    }
    return turn | (_finished(exchange) if exchange.over else _unfinished(exchange, holdings))


# ---- while the answer is being made


def _unfinished(exchange: Exchange, holdings: Holdings) -> dict[str, Json]:
    shown = {key: _sentence(exchange, key, sentence) for key, sentence in exchange.keyed()}
    draft: list[Json] = [
        {"key": key, "removed": True} if isinstance(item, Removed) else shown[key]
        for i, item in enumerate(exchange.checked)
        for key in [f"{exchange.number}d{i}"]
    ]
    return {
        "stage": _stage(exchange, holdings),
        "quotes": [sentence for key, sentence in shown.items() if "q" in key],
        "draft": draft,
        "typing": _MARKER.sub("", exchange.typing).strip(),
    }


def _stage(exchange: Exchange, holdings: Holdings) -> list[Json]:
    """Return the steps of an answer in order, each `[done|now|later, words]`."""
    found = exchange.standalone is not None
    writing = bool(exchange.typing or exchange.checked)
    read = bool(exchange.quotes) or writing
    waiting = (exchange.waiting or "").rstrip(".")
    steps: list[Json] = [
        ["done", f"Searched {counted(exchange.scope, 'paper')}"] if found else ["now", waiting or "Searching"],
        ["done", f"Read {len(exchange.sources)}"] if read else ["now" if found else "later", "Reading"],
    ]
    if read and holdings.mode != "extractive":
        steps.append(["now", waiting or "Writing"])
    if exchange.checked:
        steps.append(["later", f"Checked {len(exchange.checked)}"])
    return steps


# ---- once nothing more will come


def _finished(exchange: Exchange) -> dict[str, Json]:
    answer = exchange.answer
    return {
        "paragraphs": _paragraphs(exchange),
        "words": _words(answer.text) if answer and not answer.sentences and not answer.abstained else None,
        "abstained": _abstention(answer) if answer and answer.abstained else None,
        "removed": [{"text": runs(r.text), "why": r.why} for r in exchange.removed],
        "failure": _failure(exchange),
        "closing": _closing(exchange),
    }


def _paragraphs(exchange: Exchange) -> list[Json]:
    """Group the sentences that stand into running text and list items, as the answer's own text has them."""
    text = "\n" + (exchange.answer.text if exchange.answer else "")
    groups: list[dict[str, Json]] = []
    for key, sentence in exchange.keyed():
        item = f"\n- {sentence.text}" in text or f"\n* {sentence.text}" in text
        if not groups or groups[-1]["list"] != item:
            groups.append({"list": item, "sentences": []})
        members = groups[-1]["sentences"]
        assert isinstance(members, list)
        members.append(_sentence(exchange, key, sentence))
    return list[Json](groups)


def _abstention(answer: Answer) -> dict[str, Json]:
    return {"title": _ABSTAINED[answer.reason], "words": _words(answer.text)}


def _words(text: str) -> list[Json]:
    """Cut a text that is no sentence of an answer into runs, commands, and the papers that it names by marker."""
    pieces: list[Json] = []
    at = 0
    for found in _MARKER_OR_COMMAND.finditer(text):
        pieces += runs(text[at : found.start()])
        pieces.append({"n": int(found[1])} if found[1] else {"t": found[2], "m": None})
        at = found.end()
    return pieces + runs(text[at:])


def _failure(exchange: Exchange) -> dict[str, Json] | None:
    sentence = exchange.failure or (exchange.answer.notice if exchange.answer else None)
    if not sentence:
        return None
    command = _COMMAND.search(sentence)
    return {
        "title": "The question was not answered" if exchange.failure else "Something went wrong",
        "text": sentence.replace("`", ""),
        "command": command[1] if command else None,
    }


def _closing(exchange: Exchange) -> list[Json]:
    """Return the parts of the line that ends an exchange: what stands, what it rests on, who wrote it."""
    answer, kept = exchange.answer, exchange.kept
    if exchange.stopped:
        return [f"Stopped after {counted(len(kept), 'sentence')}" if kept else "Stopped"]
    if not answer or (answer.kind == "smalltalk" and not kept):
        return []
    cited = {n for sentence in kept for n in sentence.citations}
    limits = scope(exchange.filters)
    parts: list[str] = [
        _standing(answer),
        f"{counted(len(cited), 'source')} of {counted(exchange.scope, 'paper')}" if cited else "",
        f"limited to {limits}" if limits else "",
        f"{writer(answer.mode)}, {answer.timings['total'] / 1000:.1f} s" if "total" in answer.timings else "",
    ]
    return [part for part in parts if part]


def _standing(answer: Answer) -> str:
    kept, removed = len(answer.sentences), len(answer.removed)
    if answer.abstained or not kept:
        return "No answer"
    if answer.composed is None:
        return "From the catalogue"
    if answer.composed == "quotations":
        return f"{counted(kept, 'sentence')}, word for word"
    mixed = answer.composed == "mixed"
    quoted = sum(s.support == "verbatim" for s in answer.sentences) if mixed else 0
    standing = f"{kept - quoted} of {counted(kept - quoted + removed, 'sentence')} kept"
    return f"{standing}, {quoted} quoted" if quoted else standing


# ---- sentences


def _sentence(exchange: Exchange, key: str, sentence: Sentence) -> dict[str, Json]:
    """Return a sentence with its markers: `{key, verbatim, runs, markers: [{n, label}], tip}`."""
    names = {source.n: source.paper.name for source in exchange.sources}
    word = _SUPPORT[sentence.support]
    return {
        "key": key,
        "verbatim": sentence.support == "verbatim",
        "runs": runs(sentence.text),
        "markers": [{"n": n, "label": f"Source {n}, {word}. {names.get(n, '')}"} for n in sentence.citations],
        "tip": f"{_RESTS_ON[sentence.support]} {listed(f'[{n}]' for n in sentence.citations)}",
    }


def status(exchange: Exchange) -> str:
    """Say in one sentence how far an exchange is, for a reader who hears the page."""
    answer = exchange.answer
    if exchange.failure:
        return "No answer."
    if exchange.stopped:
        return f"Stopped after {counted(len(exchange.kept), 'sentence')}."
    if answer is None:
        if not exchange.quotes and not exchange.checked and not exchange.typing:
            return "Reading." if exchange.standalone is not None else exchange.waiting or "Searching."
        return exchange.waiting or "Writing."
    if answer.abstained:
        return f"No answer: {_ABSTAINED[answer.reason].lower()}."
    if not answer.sentences:
        return answer.text
    cited = {n for sentence in answer.sentences for n in sentence.citations}
    kept, removed = counted(len(answer.sentences), "sentence"), len(answer.removed) or "none"
    return f"Answer complete: {kept} kept, {removed} removed, {counted(len(cited), 'source')}."
