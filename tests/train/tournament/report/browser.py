"""A headless browser for the tests of the page."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def executable() -> str | None:
    """Return the browser that BLOT_BROWSER names, or the first that is installed."""
    return os.environ.get("BLOT_BROWSER") or next(filter(None, map(shutil.which, _NAMES)), None)


@contextmanager
def chromium() -> Iterator[Any]:
    """Start the browser; where there is none, the test is skipped."""
    found = executable()
    if found is None:
        pytest.skip("no chromium is installed; BLOT_BROWSER may name one")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def opened(browser: Any, file: Path, width: int = 1200, height: int = 900, dark: bool = False) -> Iterator[Any]:
    """Open a report, and see to it that it fetches nothing and complains about nothing."""
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light")
    requests: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: (complaints.append(f"a dialog: {dialog.message}"), dialog.dismiss()))
    page.goto(file.as_uri())
    page.wait_for_selector("html[data-ready]")
    yield page
    assert requests == [file.as_uri()]
    assert complaints == []
    page.close()
