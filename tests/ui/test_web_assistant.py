"""The page on a real assistant that quotes from a real library."""

from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from playwright.sync_api import expect

from assistant.chain import Assistant
from assistant.encoder import Encoder
from assistant.errors import LibraryMissing
from assistant.library import Library
from tests.conftest import PAPERS, change_of
from tests.ui.browser import chromium, serving, watched
from tests.ui.test_web_page import PANDAS, ask
from ui.web.answerer import Answerer

pytestmark = [pytest.mark.browser, *PANDAS]


def test_a_library_is_found_filled_and_asked(
    open_library: Callable[[], Library], encoder: Encoder, tmp_path: Path
) -> None:
    libraries: list[Library] = []
    assistants: list[Assistant] = []
    slowly = Event()

    def opener() -> Answerer:
        if not libraries:
            raise LibraryMissing("There is no library.")
        assert slowly.wait(60)
        assistants.append(Assistant(libraries[0]))
        return assistants[-1]

    complaints: list[str] = []
    with serving(opener) as where, chromium(tmp_path / "profile") as browser:
        page = watched(browser.new_page(), complaints)
        page.goto(where)
        expect(page.locator(".ap-hello h2")).to_have_text("Add papers to start")
        expect(page.locator(".ap-cmd code")).to_have_text("askpapers ingest my-papers/")
        expect(page.locator("#ap-ask textarea")).to_be_disabled()
        libraries.append(open_library())
        page.goto(where)
        expect(page.locator(".ap-hello h2")).to_have_text("Opening the library")
        slowly.set()
        page.get_by_role("heading", name="Add papers to start").wait_for(timeout=60_000)
        expect(page.locator(".ap-hello")).to_contain_text("It is empty so far.")
        with libraries[0].writing():
            libraries[0].commit(change_of(PAPERS, encoder))
        page.goto(where)
        expect(page.locator(".ap-hello h2")).to_have_text("Ask 4 papers a question")
        expect(page.locator(".ap-writer")).to_have_text("Quotations, no model")
        page.get_by_role("button", name="What is WaggleNet?").click()
        turn = ask(page, page.locator("#ap-ask textarea").input_value())
        expect(turn.locator(".ap-answer")).to_contain_text("WaggleNet finds 93% of the flower patches.")
        for marker in turn.locator(".ap-answer .ap-c").all():
            marker.click()
            lit = page.locator("#ap-evidence .ap-card.ap-sel mark.ap-on")
            said = turn.locator(".ap-s.ap-on .ap-v").evaluate(
                "s => [...s.cloneNode(true).childNodes].map(n => n.textContent).join('')"
            )
            assert lit.first.text_content() in said
        follow_up = ask(page, "How many flower patches does it find?")
        expect(follow_up.locator(".ap-answer")).to_contain_text("93%")
        assert len(assistants) == 1
    assert complaints == []
