"""Leaving out what a model thinks aloud. Pure."""

import re


class Thinking:
    """Leaves out `<think>` blocks, also when a tag comes in pieces or the block is never closed."""

    _TAGS = ("<think>", "<thinking>", "</think>", "</thinking>")
    _OPENS = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
    _CLOSES = re.compile(r"</think(?:ing)?>", re.IGNORECASE)

    def __init__(self) -> None:
        self._held, self._inside, self._begun = "", False, False

    def feed(self, piece: str) -> str:
        """Take a piece and return what is certain to be no thinking."""
        self._held += piece
        text = ""
        while match := (self._CLOSES if self._inside else self._OPENS).search(self._held):
            text += "" if self._inside else self._held[: match.start()]
            self._held, self._inside = self._held[match.end() :], not self._inside
        settled = len(self._held) - self._tag_begun()
        text += "" if self._inside else self._held[:settled]
        self._held = self._held[settled:]
        return self._shown(text)

    def finish(self) -> str:
        """Return what was held back."""
        held, self._held = self._held, ""
        return "" if self._inside else self._shown(held)

    def _tag_begun(self) -> int:
        start = self._held.rfind("<")
        tail = self._held[start:].lower() if start >= 0 else ""
        return len(tail) if tail and any(tag.startswith(tail) for tag in self._TAGS) else 0

    def _shown(self, text: str) -> str:
        text = self._CLOSES.sub("", text)
        text = text if self._begun else text.lstrip()
        self._begun = self._begun or bool(text)
        return text
