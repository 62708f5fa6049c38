"""Carries out a notebook's `pip install` lines before its kernel starts.

pip runs inside the sandbox, which shows it the configured package indexes and no other network, and
writes into a directory of the workspace that comes
first on the kernel's path; the user's own environment is never changed. It first resolves against
what is already there, so that nothing is installed that need not be.
Source: https://pip.pypa.io/en/stable/reference/installation-report/
"""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Callable
from typing import Any

from mle_modernizer_server.domain.execution import PipInstall
from mle_modernizer_server.domain.text import duration, without_escapes
from mle_modernizer_server.execution.outputs import clean
from mle_modernizer_server.execution.pip import runner
from mle_modernizer_server.execution.pip.lines import InstallLine
from mle_modernizer_server.execution.sandboxes.base import Finished, Sandbox
from mle_modernizer_server.execution.sandboxes.pip_options import InstallRequest
from mle_modernizer_server.execution.sandboxes.workspace import Mounts
from mle_modernizer_server.untrusted.parsing import read_json

_LIMIT = 300.0
"""Seconds for all install lines of a notebook."""
_LAST_WORDS = 600
_INSIDE_PACKAGES = "/kaggle/packages"

_RUNNER = inspect.getsource(runner) + "\nmain()\n"


async def install_lines(
    lines: tuple[InstallLine, ...],
    sandbox: Sandbox,
    mounts: Mounts,
    *,
    on_start: Callable[[InstallLine], None],
    cancel: asyncio.Event,
) -> tuple[PipInstall, ...]:
    """Carry out install lines one after the other; a failure is reported, not raised.

    Args:
        lines: The notebook's install lines.
        sandbox: The sandbox that runs pip.
        mounts: `packages` receives the installed packages.
        on_start: Called before each line.
        cancel: When set, pip is killed and the lines left are not begun.
    """
    done = []
    end = asyncio.get_running_loop().time() + _LIMIT
    for line in lines:
        if cancel.is_set():
            break
        refusal = line.refusal or sandbox.refusal(line.request)
        if refusal:
            message, ok = refusal, False
        else:
            on_start(line)
            pip = _Pip(sandbox, mounts, end, cancel)
            ok, message = await pip.install(line.request)
        done.append(
            PipInstall(
                cell_id=line.cell_id,
                command=line.command,
                ok=ok,
                message=sandbox.delocalize(message, mounts),
            )
        )
    return tuple(done)


class _Pip:
    def __init__(self, sandbox: Sandbox, mounts: Mounts, end: float, cancel: asyncio.Event) -> None:
        self._sandbox = sandbox
        self._mounts = mounts
        self._end = end
        self._cancel = cancel

    async def install(self, request: InstallRequest) -> tuple[bool, str]:
        """Return whether it is installed (or was), and a sentence on it."""
        if self._sandbox.isolated:
            request = request.from_configured_indexes()
        needed = tuple(name for name in request.requirements if _name(name) != "pip")
        if request.requirements and not needed:
            return True, "pip itself is left as it is."
        if not needed and not any(one.startswith("--requirement=") for one in request.choosing):
            return False, "Nothing to install is named."
        options = (*request.finding, *request.sources, *request.builds)
        choosing = ("--dry-run", "--report=-", *options, *request.choosing)
        found = await self._call(*choosing, "--", *needed)
        if found.code != 0:
            return False, self._failure(found)
        try:
            chosen = _chosen(read_json(found.stdout))
        except (ValueError, KeyError, TypeError, AttributeError):
            return False, "pip's answer could not be read."
        if not chosen:
            return True, "Already there."
        exact = InstallRequest(requirements=tuple(chosen.values()))
        refusal = self._sandbox.refusal(exact)
        if refusal:
            return False, refusal
        target = str(self._mounts.packages) if not self._sandbox.isolated else _INSIDE_PACKAGES
        here = ("--no-deps", "--upgrade", f"--target={target}")
        done = await self._call(*here, *options, "--", *exact.requirements)
        if done.code != 0:
            return False, self._failure(done)
        return True, f"Installed {', '.join(chosen)}."

    def _failure(self, done: Finished) -> str:
        if self._cancel.is_set():
            return "Cancelled."
        if done.code is None:
            return f"Stopped: installing took longer than {duration(_LIMIT)}."
        words = without_escapes(done.stderr or done.stdout).strip()
        if runner.NO_PROCESS in words:
            return (
                "Not installed: a package would have to be built, which runs its code, and only "
                "wheels are installed."
            )
        errors = [row for row in words.splitlines() if row.startswith("ERROR:")]
        return clean("\n".join(errors) or words)[-_LAST_WORDS:] or f"pip ended with {done.code}."

    async def _call(self, *arguments: str) -> Finished:
        """Call `pip install`; Kaggle's paths in the arguments are mapped to the sandbox."""
        local = [self._sandbox.localize(one, self._mounts) for one in arguments]
        argv = ("python", "-I", "-B", "-c", _RUNNER, "--no-color", "install", "--quiet", *local)
        return await self._sandbox.run(argv, self._mounts, end=self._end, cancel=self._cancel)


def _chosen(report: Any) -> dict[str, str]:
    """Return the packages pip would install: an exact requirement, by `name version`."""
    chosen = {}
    for item in report["install"]:
        name, version = item["metadata"]["name"], item["metadata"]["version"]
        requirement = f"{name}=={version}"
        if item.get("is_direct"):
            source = item["download_info"]
            url = source["url"]
            if "vcs_info" in source:
                url = f"{source['vcs_info']['vcs']}+{url}@{source['vcs_info']['commit_id']}"
            requirement = f"{name} @ {url}"
        chosen[f"{name} {version}"] = requirement
    return chosen


def _name(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    return match[0].lower() if match else requirement
