import http.client
import re
import time
from collections.abc import Generator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.ui.browser import chromium, serving, watched
from tests.ui.scripted import GAUGES, SALT, TIDE, Scripted

# what Gradio still asks of pandas
PANDAS = [
    pytest.mark.filterwarnings("ignore:'future.no_silent_downcasting' is deprecated"),
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]
pytestmark = [pytest.mark.browser, *PANDAS]

HOSTILE = [
    '<img src=x onerror="window.pwned=1">',
    "<script>window.pwned=1</script>",
    "</script><script>window.pwned=1</script>",
    "</style><svg onload=window.pwned=1>",
    "${(() => { window.pwned = 1; })()}",
    "{{#each this}}<b onclick=window.pwned=1>{{/each}} {{{constructor}}}",
    "`+(window.pwned=1)+`",
    "'\";window.pwned=1;//",
    "javascript:window.pwned=1",
    "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe>",
    "$\\href{javascript:window.pwned=1}{x}$ $<img src=x onerror=window.pwned=1>$",
    "<math><mtext><img src=x onerror=window.pwned=1></mtext></math>",
    '<a href="javascript:window.pwned=1">[1] [x](javascript:window.pwned=1)',
    "\u202e<details open ontoggle=window.pwned=1> & &lt;b&gt; <!-- -->",
]


@pytest.fixture(scope="module")
def scripted() -> Scripted:
    return Scripted()


@pytest.fixture(scope="module")
def where(scripted: Scripted) -> Generator[str]:
    with serving(lambda: scripted) as address:
        yield address


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Generator[BrowserContext]:
    with chromium(tmp_path_factory.mktemp("profile")) as context:
        yield context


@pytest.fixture
def complaints() -> list[str]:
    return []


@pytest.fixture
def page(browser: BrowserContext, where: str, complaints: list[str]) -> Generator[Page]:
    """A new chat, which at the end of the test has complained about nothing."""
    page = watched(browser.new_page(), complaints)
    page.goto(where)
    page.wait_for_selector(".ap-hello")
    yield page
    page.close()
    assert complaints == []


def ask(page: Page, question: str, until: str = ".ap-end") -> Locator:
    """Ask, wait until the new turn holds what `until` selects, and return the turn."""
    turn = page.locator(".ap-turn").nth(page.locator(".ap-turn").count())
    page.fill("#ap-ask textarea", question)
    page.keyboard.press("Enter")
    turn.locator(until).first.wait_for()
    return turn


def test_quotations_come_first_then_checked_prose_then_the_paragraph(page: Page) -> None:
    ask(page, "How good is TideNet?", until=".ap-quotes blockquote")
    expect(page.locator(".ap-quotes blockquote")).to_have_count(2)
    expect(page.locator(".ap-quotes")).to_contain_text("“SaltMarsh finds 94% of the marshes that surveyors find.”")
    expect(page.locator("#ap-evidence .ap-card h3").first).to_contain_text("TideNet: Forecasting")
    expect(page.locator(".ap-stage [aria-current]")).to_have_text("Writing")
    expect(page.locator(".ap-typing")).to_contain_text("TideNet cuts")
    expect(page.locator(".ap-draft .ap-ok").first).to_contain_text("TideNet cuts six-hour errors by 18%.")
    expect(page.locator(".ap-draft .ap-gone")).to_contain_text("1 sentence removed")
    expect(page.locator(".ap-answer p")).to_have_text(
        "TideNet cuts six-hour errors by 18%.1 “SaltMarsh finds 94% of the marshes that surveyors find.”2"
    )
    expect(page.locator(".ap-quotes, .ap-draft, .ap-stage")).to_have_count(0)
    expect(page.locator(".ap-prov")).to_have_text("1 of 2 sentences kept, 1 quoted2 sources of 3 paperstiny:1b, 7.1 s")
    expect(page.locator("#ap-live")).to_have_text("Answer complete: 2 sentences kept, 1 removed, 2 sources.")
    page.click(".ap-removed summary")
    expect(page.locator(".ap-removed .ap-body")).to_contain_text("No abstract mentions storms.")
    assert page.locator("#ap-ask textarea").input_value() == ""


def test_who_waits_in_line_sees_quotations_and_his_place(page: Page) -> None:
    ask(page, "queue up", until=".ap-quotes blockquote")
    expect(page.locator(".ap-stage [aria-current]")).to_have_text("Second in line for tiny:1b")
    expect(page.locator("#ap-live")).to_have_text("Second in line for tiny:1b.")
    expect(page.locator(".ap-stage [aria-current]")).to_have_text("Writing")


def test_a_marker_selects_its_source_and_the_sentence_that_supports_it(page: Page) -> None:
    page.set_viewport_size({"width": 1200, "height": 330})  # so low that the second card lies below
    ask(page, "quote TideNet")
    page.click(".ap-answer .ap-c >> nth=1")
    selected = page.locator("#ap-evidence .ap-card.ap-sel")
    expect(selected).to_have_attribute("data-n", "2")
    expect(selected.locator("mark.ap-on")).to_have_text("SaltMarsh finds 94% of the marshes that surveyors find.")
    expect(selected.locator("mark.ap-on")).to_be_in_viewport()
    expect(selected.locator(".ap-abs")).to_contain_text("Salt marshes store carbon.")
    expect(page.locator(".ap-answer .ap-s.ap-on")).to_contain_text("SaltMarsh finds")
    expect(page.locator(".ap-answer .ap-c[aria-current]")).to_have_text("2")
    page.click(".ap-answer .ap-c >> nth=0")
    lit = page.locator("#ap-evidence .ap-card.ap-sel mark.ap-on")
    expect(lit.first).to_contain_text("TideNet attends to gauges")
    assert "".join(lit.all_text_contents()) == GAUGES.text.replace("$O(n \\log n)$", "O(nlogn)")
    page.locator(".ap-answer .ap-s").first.hover()
    expect(page.locator("#ap-tip.ap-show")).to_have_text("Word for word from [1]")


def test_what_is_shown_of_an_abstract_is_the_abstract(page: Page) -> None:
    ask(page, "How good is TideNet?")
    page.click(".ap-answer .ap-c >> nth=0")
    drawn = page.locator("#ap-evidence .ap-card").first.evaluate(
        "card => [...card.querySelector('.ap-abs').childNodes].filter(n => !n.classList?.contains('ap-gap'))"
        ".map(n => n.textContent).join('')"
    )
    words = re.sub(r"\$O.*?\$", "O(nlogn)", TIDE.abstract).replace("$x<y$", "x<y").replace("$a>b$", "a>b")
    assert drawn == words
    math = page.locator("#ap-evidence .ap-card").first.locator(".ap-abs math")
    expect(math).to_have_count(3)
    assert math.first.evaluate("m => [m.namespaceURI, m.getBoundingClientRect().width > 20]") == [
        "http://www.w3.org/1998/Math/MathML",
        True,
    ]
    expect(page.locator("#ap-evidence .ap-card h3 math")).to_have_count(1)
    expect(page.locator("#ap-evidence .ap-card").first.locator(".ap-abs")).to_contain_text("between $5 and $10 an hour")


def test_cards_say_who_wrote_what_and_link_only_to_web_addresses(page: Page) -> None:
    ask(page, "quote TideNet")
    first, second = page.locator("#ap-evidence .ap-cards > .ap-card").all()
    expect(first.locator(".ap-who")).to_have_text("Ilka Brandvoll, Tomé Arrizaga, Wen HaoranHarbour 2025OpenReviewDOI")
    assert [a.get_attribute("href") for a in page.locator(".ap-card a").all()] == [
        "https://openreview.net/forum?id=tide",
        "https://doi.org/10.1234/tide",
    ]
    expect(second.locator(".ap-derived")).to_be_visible()
    expect(second.locator(".ap-who")).to_contain_text("and 3 more")
    page.click(".ap-rest summary")
    expect(page.locator(".ap-rest .ap-card h3")).to_have_text("ReefCast: Bleaching Alerts")


def test_stop_keeps_what_was_checked_and_closes_the_answer_at_once(page: Page, scripted: Scripted) -> None:
    ask(page, "slow please", until=".ap-typing")
    page.fill("#ap-ask textarea", "half a thought")
    before = time.monotonic()
    page.click("#ap-stop")
    expect(page.locator(".ap-prov")).to_have_text("Stopped after 1 sentence")
    deadline = before + 1
    while not scripted.closed and time.monotonic() < deadline:
        time.sleep(0.01)
    assert scripted.closed
    assert scripted.closed[-1] - before < 1
    expect(page.locator(".ap-answer p")).to_have_text("TideNet attends to gauges.1")
    expect(page.locator("#ap-go")).to_be_visible()
    assert page.locator("#ap-ask textarea").input_value() == "half a thought"
    ask(page, "quote again")
    assert scripted.asked[-1][1][0].answer == "TideNet attends to gauges."


def test_nothing_is_asked_by_an_empty_box_or_while_an_answer_runs(page: Page, scripted: Scripted) -> None:
    page.fill("#ap-ask textarea", "   ")
    page.keyboard.press("Enter")
    turn = ask(page, "slow please", until=".ap-typing")
    asked = len(scripted.asked)
    page.fill("#ap-ask textarea", "quote TideNet")
    page.keyboard.press("Enter")
    page.wait_for_timeout(400)
    expect(page.locator(".ap-turn")).to_have_count(1)
    assert len(scripted.asked) == asked
    assert page.locator("#ap-ask textarea").input_value() == "quote TideNet"
    expect(turn.locator(".ap-typing")).to_be_visible()
    page.click("#ap-stop")
    turn.locator(".ap-end").wait_for()


def test_escape_stops_too(page: Page) -> None:
    ask(page, "slow please", until=".ap-typing")
    page.keyboard.press("Escape")
    expect(page.locator(".ap-prov")).to_contain_text("Stopped")


def test_a_follow_up_knows_what_the_numbers_meant(page: Page, scripted: Scripted) -> None:
    ask(page, "quote TideNet")
    ask(page, "And its cost?")
    question, history, _ = scripted.asked[-1]
    assert question == "And its cost?"
    assert [(t.question, t.papers) for t in history] == [("quote TideNet", (TIDE.paper_id, SALT.paper_id, "p-reef"))]
    assert history[0].answer.startswith(GAUGES.text)
    expect(page.locator(".ap-as")).to_have_text("Searched as: And its cost? (of TideNet)")
    page.locator(".ap-turn").first.locator(".ap-answer .ap-c").first.click()
    expect(page.locator(".ap-ev-head p")).to_have_text("for “quote TideNet”")


def test_new_chat_clears_the_page_and_the_history_and_stops_the_answer(page: Page, scripted: Scripted) -> None:
    ask(page, "slow please", until=".ap-typing")
    closed = len(scripted.closed)
    page.click("#ap-new")
    page.wait_for_selector(".ap-hello")
    expect(page.locator(".ap-turn")).to_have_count(0)
    expect(page.locator("#ap-go")).to_be_visible()
    time.sleep(0.5)
    expect(page.locator(".ap-turn, .ap-card")).to_have_count(0)
    assert len(scripted.closed) == closed + 1
    ask(page, "quote TideNet")
    assert scripted.asked[-1][1] == ()


def test_abstentions_say_which_of_the_two_it_is(page: Page) -> None:
    ask(page, "absent who paid?")
    expect(page.locator(".ap-abst h3")).to_have_text("Not stated in these abstracts")
    expect(page.locator(".ap-abst p .ap-c.ap-un")).to_have_text("1")
    expect(page.locator(".ap-ev-head")).to_have_text("Nearest papersnone cited")
    page.click(".ap-abst .ap-c")
    expect(page.locator(".ap-card.ap-sel")).to_have_attribute("data-n", "1")
    ask(page, "foreign alloys?")
    expect(page.locator(".ap-abst h3").last).to_have_text("Nothing relevant in this library")
    expect(page.locator("#ap-live")).to_have_text("No answer: nothing relevant in this library.")


def test_failures_are_one_sentence_with_the_command(page: Page) -> None:
    ask(page, "fail now", until=".ap-fail")
    expect(page.locator(".ap-fail")).to_contain_text(
        "Nothing answers at http://127.0.0.1:11434; start it with ollama serve."
    )
    expect(page.locator(".ap-fail code")).to_have_text("ollama serve")
    ask(page, "notice this", until=".ap-fail")
    expect(page.locator(".ap-fail").last).to_contain_text("stopped in mid-answer")
    expect(page.locator(".ap-health.ap-off")).to_be_visible()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_bug_shows_a_sentence_and_the_next_question_works(page: Page) -> None:
    ask(page, "crash now", until=".ap-fail")
    expect(page.locator(".ap-fail")).to_contain_text("error in askpapers")
    expect(page.locator("body")).not_to_contain_text("ZeroDivisionError")
    ask(page, "hello", until=".ap-answer")
    expect(page.locator(".ap-answer").last).to_have_text("Hello. Ask about the papers in this library.")


def test_a_list_is_drawn_as_a_list(page: Page) -> None:
    ask(page, "list all")
    expect(page.locator(".ap-answer li")).to_have_count(3)
    expect(page.locator(".ap-answer p")).to_have_text("There are 3 papers:")
    expect(page.locator(".ap-prov")).to_contain_text("From the catalogue")


def test_many_markers_go_to_further_lines(page: Page) -> None:
    ask(page, "many papers")
    expect(page.locator(".ap-answer .ap-c")).to_have_count(80)
    answer = page.locator(".ap-answer").evaluate(
        "e => [e.getBoundingClientRect().right, e.scrollWidth - e.clientWidth]"
    )
    right = max(marker.evaluate("m => m.getBoundingClientRect().right") for marker in page.locator(".ap-c").all())
    assert right <= answer[0] + 1
    assert answer[1] == 0


def test_hostile_texts_are_shown_and_never_run(page: Page) -> None:
    for text in HOSTILE:
        ask(page, f"hostile {text}").locator(".ap-answer .ap-c").click()
    page.wait_for_timeout(200)
    assert page.evaluate("window.pwned") is None
    assert page.locator("#ap :is(script, iframe, img, object, embed, form:not([method=dialog]))").count() == 0
    assert page.locator("#ap a:not([href^='https://'])").count() == 0
    expect(page.locator(".ap-q").first).to_have_text(f"hostile {HOSTILE[0]}")
    expect(page.locator(".ap-answer .ap-v").first).to_contain_text(HOSTILE[0])


def test_keys_reach_the_box_the_markers_and_the_sources(page: Page) -> None:
    page.locator("#ap-new").focus()
    page.keyboard.press("/")
    expect(page.locator("#ap-ask textarea")).to_be_focused()
    page.keyboard.type("quote TideNet")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("please")
    expect(page.locator(".ap-turn")).to_have_count(0)
    page.keyboard.press("Enter")
    page.wait_for_selector(".ap-end")
    page.locator(".ap-answer .ap-c").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".ap-answer .ap-c").nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".ap-card.ap-sel")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".ap-card[data-n='1']").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".ap-answer .ap-c").nth(1)).to_be_focused()
    page.keyboard.press("Control+k")
    page.keyboard.press("ArrowUp")
    assert page.locator("#ap-ask textarea").input_value() == "quote TideNet\nplease"
    page.click("text=Keyboard")
    expect(page.locator("#ap-help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#ap-help")).to_be_hidden()


def test_a_suggestion_fills_the_box_and_does_not_send(page: Page, scripted: Scripted) -> None:
    asked = len(scripted.asked)
    page.click("text=What is SaltMarsh?")
    assert page.locator("#ap-ask textarea").input_value() == "What is SaltMarsh?"
    expect(page.locator("#ap-ask textarea")).to_be_focused()
    page.wait_for_timeout(300)
    assert len(scripted.asked) == asked
    page.keyboard.press("Enter")
    page.wait_for_selector(".ap-end")
    assert scripted.asked[-1][0] == "What is SaltMarsh?"


def test_filters_reach_the_question_and_show_in_the_box(page: Page, scripted: Scripted) -> None:
    page.select_option("select[aria-label='From year']", "2025")
    expect(page.locator(".ap-tok")).to_have_text("since 2025")
    page.select_option("select[aria-label='Venue']", "Harbour")
    expect(page.locator(".ap-tok")).to_have_text("since 2025, Harbour")
    ask(page, "quote TideNet")
    assert scripted.asked[-1][2].years == (2025, None)
    assert scripted.asked[-1][2].venues == ("Harbour",)
    expect(page.locator(".ap-prov")).to_contain_text("2 sources of 1 paperlimited to since 2025, Harbour")
    page.click(".ap-tok button")
    expect(page.locator(".ap-tok")).to_have_count(0)
    ask(page, "quote it again")
    assert not scripted.asked[-1][2]


def test_what_can_be_used_has_a_name(page: Page) -> None:
    ask(page, "quote TideNet")
    expect(page.get_by_label("Your question")).to_be_editable()
    expect(page.get_by_role("button", name="Source 1, word for word. TideNet: Forecasting")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("heading", name="quote TideNet", level=2)).to_be_visible()
    expect(page.get_by_role("complementary", name="Evidence")).to_be_visible()
    controls = page.locator("#ap :is(button, a, select)")
    assert controls.evaluate_all("all => all.filter(e => !e.textContent.trim() && !e.ariaLabel).length") == 0


def test_the_theme_is_toggled_and_remembered(page: Page, where: str) -> None:
    ground = "getComputedStyle(document.querySelector('.gradio-container')).backgroundColor"
    assert page.evaluate(ground) == "rgb(252, 251, 248)"
    page.click("#ap-theme")
    assert page.evaluate(ground) == "rgb(26, 26, 24)"
    expect(page.locator("#ap-theme")).to_have_text("Light theme")
    page.goto(where)
    page.wait_for_selector(".ap-hello")
    expect(page.locator("body")).to_have_class(re.compile("dark"))
    page.click("#ap-theme")
    assert page.evaluate(ground) == "rgb(252, 251, 248)"


def test_a_narrow_page_folds_the_evidence_under_its_answer(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 520})
    ask(page, "quote TideNet")
    expect(page.locator("#ap-evidence")).to_be_hidden()
    expect(page.locator(".ap-ev-inline > summary")).to_have_text("Evidence2 papers")
    page.locator(".ap-answer .ap-c").nth(1).click()
    expect(page.locator(".ap-ev-inline .ap-card.ap-sel mark.ap-on")).to_be_in_viewport()
    page.click("#ap-menu")
    expect(page.locator("#ap-close")).to_be_focused()
    expect(page.locator("#ap-new")).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.locator("#ap-menu")).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate("document.querySelector('#ap-thread').scrollWidth") <= 390
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(page.locator("#ap-evidence .ap-card.ap-sel")).to_be_visible()


def test_the_reader_who_scrolls_up_is_left_there(page: Page) -> None:
    page.set_viewport_size({"width": 1000, "height": 420})
    ask(page, "quote TideNet")
    ask(page, "slow please", until=".ap-typing")
    page.evaluate("document.querySelector('#ap-thread').scrollTop = 0")
    expect(page.locator("#ap-below")).to_be_visible()
    assert page.evaluate("document.querySelector('#ap-thread').scrollTop") == 0
    page.click("#ap-below")
    page.wait_for_timeout(400)
    assert page.evaluate("askpapers.nearEnd()")
    page.click("#ap-stop")
    page.wait_for_selector(".ap-end")


def test_pages_share_nothing(page: Page, browser: BrowserContext, where: str) -> None:
    ask(page, "quote TideNet")
    other = browser.new_page()
    other.goto(where)
    other.wait_for_selector(".ap-hello")
    expect(other.locator(".ap-turn, .ap-card")).to_have_count(0)
    other.close()


def test_closing_the_page_ends_its_answer(browser: BrowserContext, where: str, scripted: Scripted) -> None:
    page = browser.new_page()
    page.goto(where)
    page.wait_for_selector(".ap-hello")
    ask(page, "slow please", until=".ap-typing")
    closed = len(scripted.closed)
    page.close()
    deadline = time.monotonic() + 3
    while len(scripted.closed) == closed and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(scripted.closed) == closed + 1


@pytest.mark.parametrize("path", ["/", "/config", "/gradio_api/queue/join", "/gradio_api/run/answer"])
@pytest.mark.parametrize("headers", [{"Host": "evil.example"}, {"Origin": "http://evil.example"}])
def test_the_running_server_refuses_foreign_names(where: str, path: str, headers: dict[str, str]) -> None:
    host = urlsplit(where).netloc
    connection = http.client.HTTPConnection(host, timeout=5)
    connection.request("POST" if "api" in path else "GET", path, headers={"Host": host} | headers)
    assert connection.getresponse().status == 403
    connection.close()
