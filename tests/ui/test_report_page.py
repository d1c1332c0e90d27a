"""Reports as a browser shows them: from a file, without a network, in either look."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from eval.comparison import compared
from eval.reporting.reports import write_comparison, write_reports
from tests.eval.reporting.test_reports import hostile, rows
from tests.eval.scored import stored_run
from tests.ui.browser import chromium, watched

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    with chromium(tmp_path_factory.mktemp("profile")) as context:
        yield context


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The report of a run, of a run of hostile texts, and of the comparison of two."""
    folder = tmp_path_factory.mktemp("reports")
    with (
        stored_run(folder / "a", rows()) as first,
        stored_run(folder / "b", rows(worse=True)) as second,
        stored_run(folder / "c", hostile()) as third,
    ):
        written = [write_reports(first), write_reports(third)]
        return [*written, write_comparison(folder / "d.html", compared(first, second))]


def opened(browser: BrowserContext, path: Path, complaints: list[str]) -> Page:
    page = watched(browser.new_page(), complaints)
    page.goto(path.as_uri())
    page.locator(".plot:not(:has(.main-svg))").first.wait_for(state="detached")
    return page


@pytest.mark.parametrize("which", range(3))
def test_a_report_draws_its_figures_and_asks_for_nothing(
    browser: BrowserContext, reports: list[Path], which: int
) -> None:
    complaints: list[str] = []
    page = opened(browser, reports[which], complaints)
    assert page.locator(".plot").count() > 1
    assert page.locator("img, iframe, a").count() == 0
    page.locator(".plot").first.hover()
    page.close()
    assert [each for each in complaints if each != f"request {reports[which].as_uri()}"] == []


def test_figures_follow_the_look_of_the_page(browser: BrowserContext, reports: list[Path]) -> None:
    page = opened(browser, reports[0], [])
    line = page.locator(".scatterlayer .js-line").first
    assert "rgb(11, 85, 102)" in str(line.get_attribute("style"))
    page.emulate_media(color_scheme="dark")
    page.locator('.scatterlayer .js-line[style*="rgb(131, 197, 210)"]').first.wait_for(state="attached")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(26, 26, 24)"
    page.close()


@pytest.mark.parametrize("which", range(3))
def test_a_report_fits_a_phone(browser: BrowserContext, reports: list[Path], which: int) -> None:
    page = browser.new_page()
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(reports[which].as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.close()
