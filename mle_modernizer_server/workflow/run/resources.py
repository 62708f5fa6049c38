"""Web files for a session's runs: fetched with the user's consent, recorded if missing.

A run has no network. The errors of a run reveal the web addresses its code reads, and the downloads
of nltk, seaborn and Keras; fetching them needs the user's consent.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator, Sequence
from functools import partial

from mle_modernizer_server import pools
from mle_modernizer_server.code.calls import ASKERS
from mle_modernizer_server.code.contents import texts_passed
from mle_modernizer_server.domain.diagnosis import needs_network
from mle_modernizer_server.domain.errors import ResourceUnavailable
from mle_modernizer_server.domain.execution import CellError, Execution
from mle_modernizer_server.domain.files import (
    MOST_RESOURCES,
    checked_address,
    downloaded_name,
    nltk_address,
)
from mle_modernizer_server.domain.forecast import NO_NEEDS, Needs
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import Phase
from mle_modernizer_server.domain.text import without_escapes
from mle_modernizer_server.fixing.rules.paths.uses import Role, Use, read_code
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.work import Cancelled, Work, stop_of_thread

_NLTK = re.compile(
    r"(?:Attempted to load|Resource) u?'?(?P<category>[a-z]\w{1,39})/(?P<name>[\w-]{1,100})"
    r"(?:\.zip)?['/.\s]"
)
_NLTK_ASKS = re.compile(r"NLTK\s+Downloader")
_NAMED = re.compile(r"URL fetch failure (?:on|from) (?P<address>https?://\S{1,1900}?)[:.]?\s")
_LONGEST = 4_000
_BETWEEN_STEPS = 0.5


async def fetch_resources(work: Work) -> None:
    """Fetch the files in the settings that are not stored yet.

    Remove an unavailable address from the settings, so that the next run omits it.

    Raises:
        Cancelled: The user stopped the work.
        ResourceUnavailable: An address is unavailable; the message has the reason.
    """
    for address in work.settings.resources:
        if await pools.files.run(work.services.resources.file, address) is not None:
            continue
        try:
            await _fetch(work, address)
        except ResourceUnavailable as error:
            if error.cancelled:
                raise Cancelled from error
            settings = work.settings
            left = tuple(one for one in settings.resources if one != address)
            changed = settings.model_copy(update={"resources": left})
            work.write(events.SettingsChanged(settings=changed))
            raise


async def note_wanted(work: Work, notebook: Notebook) -> None:
    """Record the addresses that the latest run requested and that are allowed.

    Args:
        notebook: The notebook that ran.
    """
    execution = work.session.iterations[-1].execution
    if execution is None or notebook.language != "python":
        return
    needs = NO_NEEDS
    if any(map(_is_download, execution.errors)):
        needs = await pools.analysis.run(work.services.analysis.needs, notebook)
    wanted = await pools.code.run(wanted_addresses, notebook, execution, needs)
    given = work.settings.resources
    wanted = tuple(address for address in wanted if address not in given)
    if wanted:
        work.write(events.ResourcesWanted(addresses=wanted))


def _is_download(error: CellError) -> bool:
    """Return whether an error is a failed download, or data of a library that are missing."""
    return error.raised and (
        needs_network(error)
        or (error.ename == "LookupError" and _NLTK_ASKS.search(error.evalue[:_LONGEST]) is not None)
    )


def wanted_addresses(
    notebook: Notebook, execution: Execution, needs: Needs = NO_NEEDS
) -> tuple[str, ...]:
    """Return the addresses that a run could not reach and that can be fetched for the next one.

    A run reveals one download at a time; with it, those of all cells are returned.

    Args:
        notebook: The notebook that ran.
        execution: Result of its run.
        needs: What the notebook downloads.
    """
    found: dict[str, None] = {}
    for error in execution.raised:
        for address in _wanted_by(error, notebook):
            try:
                found[checked_address(address)] = None
            except ValueError:
                continue  # not the address of a file: offer nothing
    if any(map(_is_download, execution.errors)):
        found |= dict.fromkeys(needs.addresses)
    return tuple(found)[:MOST_RESOURCES]


def _wanted_by(error: CellError, notebook: Notebook) -> Iterator[str]:
    text = without_escapes(error.evalue[:_LONGEST])
    if error.ename == "LookupError":
        told = _NLTK.search(f"{text}\n") if _NLTK_ASKS.search(text) else None
        if told:
            address = nltk_address(told["category"], told["name"])
            yield from () if address is None else (address,)
        return
    if not needs_network(error):
        return
    told = _NAMED.search(f"{text}\n")
    if told:
        yield told["address"]
        return
    code = read_code(notebook)
    read = [use for use in code.uses if use.role is Role.READ and use.downloaded is not None]
    here: Sequence[Use] = [use for use in read if code.cells[use.cell].id == error.cell_id]
    if not here:
        asked = list(_asked(notebook, error.cell_id))
        yield from asked
        here = () if asked else read
    yield from (use.text for use in here if "*" not in use.text)


def _asked(notebook: Notebook, cell_id: str) -> Iterator[str]:
    """Yield the web addresses that a cell passes to other functions that fetch."""
    cell = notebook.cell(cell_id)
    texts = () if cell is None else texts_passed(cell.source, ASKERS)
    yield from (text for text in texts if downloaded_name(text))


async def _fetch(work: Work, address: str) -> None:
    loop = asyncio.get_running_loop()
    last = 0.0

    def tell(size: int) -> None:
        nonlocal last
        now = time.monotonic()
        if size and now - last < _BETWEEN_STEPS:
            return
        last = now
        message = coded("fetch.progress", address=address, megabytes=round(size / 1e6, 1))
        loop.call_soon_threadsafe(work.progress, Phase.PREPARING, message)

    tell(0)
    async with stop_of_thread(work.cancel) as stop:
        fetch = partial(work.services.resources.fetch, address, progress=tell, cancel=stop)
        await pools.packages.run(fetch)
