"""How fast the review of 60 edits in a notebook of 300 cells is: `pytest ui-tests -m bench -s`."""

from __future__ import annotations

import statistics
from typing import Any, cast

import pytest
from conftest import OpenNotebook, written
from panel import Panel
from playwright.sync_api import CDPSession, Page

CELLS = 300
EDITS = 60
ACCEPTED = 5
LIMITS = {
    "first hunk shown, ms": 500.0,
    "accept, ms": 100.0,
    "accept all, ms": 1000.0,
    "wide tab, ms": 1000.0,
    "keys lost": 0.0,
    "heap growth, MB": 20.0,
}

# When the proposal is in the browser, and when its first hunk is in the page.
WATCH = """(() => {
  const fetched = window.fetch.bind(window);
  window.fetch = async (...args) => {
    const response = await fetched(...args);
    if (/mle-modernizer.api.sessions/.test(response.url) && !window.arrived) {
      const text = await response.clone().text();
      if (/"phase": ?"reviewing"/.test(text)) { window.arrived = performance.now(); }
    }
    return response;
  };
  new MutationObserver((_, observer) => {
    if (document.querySelector('.jp-mle-Inline')) {
      requestAnimationFrame(() => { window.shown = performance.now(); });
      observer.disconnect();
    }
  }).observe(document, { childList: true, subtree: true });
})()"""

# Does something and waits, frame by frame, until what is asked for is true.
UNTIL = """([act, done]) => new Promise(resolve => {
  const [go, isDone] = [new Function(act), new Function(`return ${done}`)];
  const start = performance.now();
  const look = () => isDone()
    ? resolve(performance.now() - start)
    : requestAnimationFrame(look);
  go();
  look();
})"""
SOURCES = "jupyterapp.shell.currentWidget.content.model.sharedModel.cells"
OLD = "np.float("
TYPED = "# nothing of this may be lost"
A_FAST_TYPIST = 50
"""Milliseconds between two keys. Chromium handles keys before answers of a server: keys without a
pause between them would hold the answer back for as long as they come."""


def cells() -> list[str]:
    """A long notebook: every fifth cell has something to mend."""
    each = CELLS // EDITS
    return [
        "\n".join(
            [
                f"import numpy as np\nvalue_{n} = np.float({n})"
                if n % each == 0
                else f"value_{n} = {n}",
                *(f"line_{n}_{line} = value_{n} + {line}" for line in range(6)),
            ]
        )
        for n in range(CELLS)
    ]


@pytest.mark.bench
def test_speed_of_the_review(page: Page, open_notebook: OpenNotebook) -> None:
    page.add_init_script(WATCH)
    lab = open_notebook(written(*cells()))
    panel = Panel(page)
    probe = page.context.new_cdp_session(page)
    probe.send("Performance.enable", {"timeDomain": "threadTicks"})
    # JupyterLab draws the cells one after the other: what they take is not the review's.
    panel.open()
    page.wait_for_function(
        f"() => document.querySelectorAll('.jp-Cell .cm-content').length === {CELLS}",
        timeout=120_000,
    )
    before = heap(probe)
    panel.modernize()
    page.wait_for_function("() => window.shown", timeout=240_000)
    figures = {"first hunk shown, ms": page.evaluate("() => window.shown - window.arrived")}
    page.wait_for_timeout(1000)
    figures["heap growth, MB"] = (heap(probe) - before) / 1e6

    spent = cpu(probe)
    times = [accept(page, number * CELLS // EDITS) for number in range(ACCEPTED)]
    figures["accept, CPU ms of the page"] = (cpu(probe) - spent) / ACCEPTED
    figures["accept, ms"] = statistics.median(times)
    figures["accept, slowest, ms"] = max(times)
    page.wait_for_timeout(500)
    spent = cpu(probe)
    wide = "document.querySelectorAll('.jp-mle-SideBySide .cm-merge-b .cm-line').length > 5"
    figures["wide tab, ms"] = until(
        page, "void jupyterapp.commands.execute('mle-modernizer:open-review')", wide
    )
    figures["wide tab, CPU ms of the page"] = cpu(probe) - spent
    page.evaluate("() => jupyterapp.shell.currentWidget.close()")
    page.wait_for_timeout(500)

    # Typed while sixty cells change. The decision itself moves the focus to the bar.
    editor = page.get_by_role("main").locator(".jp-Notebook .jp-Cell").nth(1)
    content = editor.locator(".cm-content")
    content.click()
    spent = cpu(probe)
    page.evaluate(
        """done => {
          const start = performance.now();
          const isDone = new Function(`return ${done}`);
          const look = () => isDone()
            ? (window.allAccepted = performance.now() - start)
            : requestAnimationFrame(look);
          const { commands } = jupyterapp;
          void commands.execute('mle-modernizer:accept-all');
          look();
        }""",
        f"{SOURCES}.every(cell => !cell.getSource().includes('{OLD}'))",
    )
    content.click()
    page.keyboard.press("Control+End")
    page.keyboard.type(TYPED, delay=A_FAST_TYPIST)
    page.wait_for_function("() => window.allAccepted")
    figures["accept all, CPU ms of the page"] = cpu(probe) - spent
    figures["accept all, ms"] = page.evaluate("() => window.allAccepted")
    kept = lab.sources()[1].removeprefix(cells()[1])
    figures["keys lost"] = 0.0 if kept == TYPED else float(len(TYPED))
    report(figures)


def accept(page: Page, cell: int) -> float:
    """Milliseconds from the click on a hunk's *Accept* until document and page show it."""
    at = f"jupyterapp.shell.currentWidget.content.widgets[{cell}].node"
    hunk = f"{at}.querySelector('.jp-mle-Inline.jp-mod-pending .jp-mod-accept')"
    page.wait_for_function(f"() => {hunk}")
    time = until(
        page,
        f"{hunk}.click()",
        f"!{SOURCES}[{cell}].getSource().includes('{OLD}')"
        f" && {at}.querySelector('.jp-mle-Inline.jp-mod-accepted')",
    )
    page.wait_for_timeout(500)  # a person looks at the next one
    return time


def until(page: Page, act: str, done: str) -> float:
    """Milliseconds from an act until something is so."""
    return cast(float, page.evaluate(UNTIL, [act, done]))


def cpu(probe: CDPSession) -> float:
    """Milliseconds of processor time the page's main thread has had: a busy machine adds none."""
    return metric(probe, "TaskDuration") * 1000


def heap(probe: CDPSession) -> float:
    """Bytes the page's scripts hold after a collection."""
    probe.send("HeapProfiler.collectGarbage")
    return metric(probe, "JSHeapUsedSize")


def metric(probe: CDPSession, name: str) -> float:
    """One of the browser's own measurements of the page."""
    answer = cast(dict[str, Any], probe.send("Performance.getMetrics"))
    return next(float(item["value"]) for item in answer["metrics"] if item["name"] == name)


def report(figures: dict[str, float]) -> None:
    """Print each figure beside its limit."""
    print(f"\n{EDITS} edits in {CELLS} cells")
    for name, value in figures.items():
        limit = f"  (limit {LIMITS[name]:g})" if name in LIMITS else ""
        print(f"{name:<32}{value:>10.1f}{limit}")
