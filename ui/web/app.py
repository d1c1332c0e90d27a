"""The chat page in Gradio: its components, and what happens when somebody asks."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing
from typing import Any

import fastapi
import gradio as gr

from assistant.schema import Token, Waiting
from ui.web import assets
from ui.web.answerer import Desk
from ui.web.conversation import Conversation
from ui.web.evidence import evidence
from ui.web.holdings import Holdings, holdings
from ui.web.sidebar import LIMITS, filters_of, sidebar
from ui.web.stream import paced
from ui.web.thread import thread
from ui.web.welcome import opening
from ui.web.wire import wired

_LONGEST_QUESTION = 4000
_PATIENCE = 2.0  # seconds that a new chat waits for the answer before it to end
_BROKE_OFF = "The answer broke off because of an error in askpapers; its details are in the terminal."
_DRAW = """askpapers.{name}({{
    element, props, watch,
    fresh: () => trigger("fresh"),
    limit: (filters) => trigger("limit", filters),
}});"""


def build(desk: Desk) -> gr.Blocks:
    """Lay out the page and connect it to the assistant of `desk`."""
    act = _Acts(desk)
    page: gr.Blocks = gr.Blocks(title="askpapers", fill_height=True, fill_width=True, analytics_enabled=False)
    with page:
        conversation = gr.State(Conversation())
        with gr.Row(elem_id="ap"):
            with gr.Column(elem_id="ap-side", elem_classes="ap-side", min_width=0):
                side = _drawn("sidebar")
            with gr.Column(elem_id="ap-chat", elem_classes="ap-chat", min_width=0):
                _drawn("bar")
                talk = _drawn("thread")
                box, ask, stop = _composer()
            with gr.Column(elem_id="ap-evidence", elem_classes="ap-evidence", min_width=0):
                cards = _drawn("evidence", "ap-papers")
        quiet: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
        drawn = [talk, cards, side]
        for opened in (page.load, side.fresh):
            opened(act.open, [conversation], drawn, concurrency_limit=None, **quiet)
        side.limit(act.limit, [conversation], [side], queue=False, **quiet)
        stop.click(act.stop, [conversation], None, queue=False, **quiet)
        asked = [box.submit, ask.click]
        gr.on(
            asked,
            act.answer,
            [box, conversation],
            [box, *drawn],
            concurrency_limit=None,
            trigger_mode="multiple",
            **quiet,
        )
    return page


def asgi(page: gr.Blocks, auth: tuple[str, str] | None = None) -> fastapi.FastAPI:
    """Return the page as an ASGI app that asks for `auth`, a user and a password, when given."""
    ground = {"body_background_fill": "#fcfbf8", "body_background_fill_dark": "#1a1a18"}
    ink = {"body_text_color": "#1d1c19", "body_text_color_dark": "#e7e4dc"}
    theme = gr.themes.Base(font=["-apple-system", "Segoe UI", "sans-serif"], font_mono=["monospace"])
    app = fastapi.FastAPI(openapi_url=None)
    gr.mount_gradio_app(
        app,
        page,
        path="/",
        auth=auth,
        head=assets.head(),
        theme=theme.set(**ground, **ink),
        footer_links=[],
        run_history=False,
        show_error=False,
        ssr_mode=False,
        mcp_server=False,
        pwa=False,
        enable_monitoring=False,
    )
    return app


def _drawn(name: str, elem_id: str | None = None) -> gr.HTML:
    """Return a part of the page that a script draws from a dictionary; its own template stays empty."""
    return gr.HTML(
        elem_id=elem_id or f"ap-{name}",
        html_template=f'<div class="ap-root" data-part="{name}"></div>',
        js_on_load=_DRAW.format(name=name),
        apply_default_css=False,
    )


def _composer() -> tuple[gr.Textbox, gr.Button, gr.Button]:
    with gr.Column(elem_id="ap-composer-wrap", min_width=0), gr.Column(elem_id="ap-composer", min_width=0):
        box = gr.Textbox(
            elem_id="ap-ask",
            lines=1,
            max_lines=8,
            max_length=_LONGEST_QUESTION,
            label="Your question",
            show_label=False,
            container=False,
            html_attributes=gr.InputHTMLAttributes(enterkeyhint="send", autocomplete="off"),
        )
        with gr.Row(elem_id="ap-controls"):
            _drawn("line")
            ask = gr.Button("Ask", elem_id="ap-go", elem_classes="ap-btn ap-pri", min_width=0)
            stop = gr.Button("Stop", elem_id="ap-stop", elem_classes="ap-btn", min_width=0)
    return box, ask, stop


class _Acts:
    """What the page's controls do. Holds nothing of any page: that is in the page's Conversation."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def open(self, conversation: Conversation) -> Generator[tuple[Any, ...]]:
        """Draw a page without questions; a running answer ends."""
        conversation.clear()
        if not self._desk.ready:
            yield _drawing(conversation, Holdings(None, 0, opening()))
        yield _drawing(conversation, holdings(self._desk))
        self._desk.load()
        if conversation.busy:
            # The answer that ends draws the page too; whichever drawing arrives last must show that it has ended.
            conversation.wait_until_idle(_PATIENCE)
            yield _drawing(conversation, holdings(self._desk))

    def stop(self, conversation: Conversation) -> None:
        """Ask the running answer to end."""
        conversation.stopping = conversation.busy

    def limit(self, conversation: Conversation, event: gr.EventData) -> dict[str, str]:
        """Set the filters that the next questions are asked with."""
        held = holdings(self._desk)
        conversation.filters = filters_of({name: getattr(event, name, None) for name in LIMITS}, held)
        return wired(sidebar(conversation, held))

    async def answer(self, question: str, conversation: Conversation) -> AsyncGenerator[tuple[Any, ...]]:
        """Ask, and redraw the page as the answer comes."""
        held = await asyncio.to_thread(holdings, self._desk)
        assistant = self._desk.assistant() if held.papers else None
        if not isinstance(question, str) or conversation.busy or not question.strip():
            yield (gr.skip(),) * 4
            return
        if assistant is None:
            yield gr.skip(), *_drawing(conversation, held)
            return
        history = conversation.history()
        scope = await asyncio.to_thread(assistant.library.catalogue.count, conversation.filters)
        conversation.begin(question.strip(), scope)
        failure = None
        try:
            yield "", *_drawing(conversation, held)
            events = assistant.stream(question.strip(), history=history, filters=conversation.filters)
            async with aclosing(paced(events, stopped=lambda: conversation.stopping)) as batches:
                async for batch in batches:
                    before = conversation.exchanges[-1:]
                    if conversation.progress(batch):
                        break
                    if conversation.exchanges[-1:] == before:
                        continue
                    only_tokens = all(isinstance(item, Token | Waiting) for item in batch)
                    yield gr.skip(), *_drawing(conversation, held, cards=not only_tokens)
            failure = _BROKE_OFF
        finally:
            conversation.finish(failure)
        yield gr.skip(), *_drawing(conversation, held)


def _drawing(conversation: Conversation, held: Holdings, *, cards: bool = True) -> tuple[Any, Any, Any]:
    """Return the values of the thread, the evidence (when its `cards` have changed) and the side bar."""
    papers = wired(evidence(conversation)) if cards else gr.skip()
    return wired(thread(conversation, held)), papers, wired(sidebar(conversation, held))
