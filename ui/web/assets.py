"""The style sheets and scripts of the page, as the elements that stand in its head."""

from importlib.resources import files

_STYLES = ("tokens.css", "page.css", "thread.css", "evidence.css", "widths.css", "host.css")
_SCRIPTS = ("dom.js", "thread.js", "evidence.js", "sidebar.js", "page.js")


def head() -> str:
    """Return the style and script elements, in the order in which they build on each other."""
    styles = "".join(f"<style>\n{_read(name)}</style>" for name in _STYLES)
    return styles + "".join(f"<script>\n{_read(name)}</script>" for name in _SCRIPTS)


def _read(name: str) -> str:
    return (files("ui.web") / "static" / name).read_text(encoding="utf-8")
