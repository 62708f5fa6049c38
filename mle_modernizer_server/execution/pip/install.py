"""Carries out a notebook's `pip install` lines before its kernel starts.

pip runs inside the sandbox, which shows it the configured package indexes and no other network, and
writes into a directory of the workspace that comes
first on the kernel's path; the user's own environment is never changed. It first resolves against
what is already there, so that nothing is installed that need not be.
Source: https://pip.pypa.io/en/stable/reference/installation-report/
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from mle_modernizer_server.domain.execution import PipInstall
from mle_modernizer_server.domain.traceback import without_escapes
from mle_modernizer_server.execution.outputs import clean
from mle_modernizer_server.execution.pip.lines import InstallLine
from mle_modernizer_server.execution.sandboxes.base import Finished, Sandbox
from mle_modernizer_server.execution.sandboxes.pip_settings import IGNORED_FLAGS, without_addresses
from mle_modernizer_server.execution.sandboxes.workspace import Mounts
from mle_modernizer_server.untrusted.parsing import read_json

_LIMIT = 300.0
"""Seconds for all install lines of a notebook."""
_LAST_WORDS = 600
_INSIDE_PACKAGES = "/kaggle/packages"

_DROPPED_WITH_VALUE = frozenset({"-t", "--target", "--prefix", "--root", "--progress-bar", "--log"})
_WITH_VALUE = frozenset(
    {
        "-i",
        "--index-url",
        "--extra-index-url",
        "-f",
        "--find-links",
        "--trusted-host",
        "-c",
        "--constraint",
        "--no-binary",
        "--only-binary",
        "--timeout",
        "--default-timeout",
        "--retries",
        "--cert",
        "--proxy",
    }
)


@dataclass(frozen=True)
class _Wanted:
    """The arguments of an install line by what they are."""

    options: tuple[str, ...]
    """For finding packages; given to both calls of pip."""
    resolving: tuple[str, ...]
    """For choosing versions (`-U`, `-r file`); given to the first call only."""
    requirements: tuple[str, ...]


async def install_lines(
    lines: tuple[InstallLine, ...],
    sandbox: Sandbox,
    mounts: Mounts,
    *,
    on_start: Callable[[InstallLine], None],
    cancel: asyncio.Event,
) -> tuple[PipInstall, ...]:
    """Carry out install lines one after the other; a failure is told, not raised.

    Args:
        lines: What the notebook asks for.
        sandbox: Where pip runs.
        mounts: `packages` takes what is installed.
        on_start: Called before each line.
        cancel: When set, pip is killed and the lines left are not begun.
    """
    done = []
    end = asyncio.get_running_loop().time() + _LIMIT
    for line in lines:
        if cancel.is_set():
            break
        refusal = line.refusal or sandbox.refusal(line.arguments)
        if refusal:
            message, ok = refusal, False
        else:
            on_start(line)
            pip = _Pip(sandbox, mounts, end, cancel)
            ok, message = await pip.install(_wanted(line, sandbox, mounts))
        done.append(
            PipInstall(
                cell_id=line.cell_id,
                command=line.command,
                ok=ok,
                message=sandbox.delocalize(message, mounts),
            )
        )
    return tuple(done)


def _wanted(line: InstallLine, sandbox: Sandbox, mounts: Mounts) -> _Wanted:
    options: list[str] = []
    resolving: list[str] = []
    requirements: list[str] = []
    given = without_addresses(line.arguments) if sandbox.isolated else line.arguments
    arguments = iter(sandbox.localize(argument, mounts) for argument in given)
    for argument in arguments:
        name, _, value = argument.partition("=")
        if argument in IGNORED_FLAGS or (name in _DROPPED_WITH_VALUE and value):
            continue
        if argument in _DROPPED_WITH_VALUE:
            next(arguments, None)
        elif argument in _WITH_VALUE:
            options += [argument, next(arguments, "")]
        elif argument in ("-r", "--requirement"):
            resolving += [argument, next(arguments, "")]
        elif argument in ("-U", "--upgrade", "--no-deps") or name == "--requirement":
            resolving.append(argument)
        elif argument.startswith("-"):
            options.append(argument)
        else:
            requirements.append(argument)
    return _Wanted(tuple(options), tuple(resolving), tuple(requirements))


class _Pip:
    def __init__(self, sandbox: Sandbox, mounts: Mounts, end: float, cancel: asyncio.Event) -> None:
        self._sandbox = sandbox
        self._mounts = mounts
        self._end = end
        self._cancel = cancel

    async def install(self, wanted: _Wanted) -> tuple[bool, str]:
        """Whether it is installed (or was), and a sentence on it."""
        needed = tuple(name for name in wanted.requirements if _name(name) != "pip")
        if wanted.requirements and not needed:
            return True, "pip itself is left as it is."
        wanted = replace(wanted, requirements=needed)
        if not needed and not any(option.startswith("-") for option in wanted.resolving):
            return False, "Nothing to install is named."
        found = await self._call(
            "--dry-run", "--report", "-", *wanted.options, *wanted.resolving, "--", *needed
        )
        if found.code != 0:
            return False, self._failure(found)
        try:
            chosen = _chosen(read_json(found.stdout))
        except (ValueError, KeyError, TypeError, AttributeError):
            return False, "pip's answer could not be read."
        if not chosen:
            return True, "Already there."
        refusal = self._sandbox.refusal(tuple(chosen.values()))
        if refusal:
            return False, refusal
        target = str(self._mounts.packages) if not self._sandbox.isolated else _INSIDE_PACKAGES
        done = await self._call(
            "--no-deps", "--upgrade", "--target", target, *wanted.options, "--", *chosen.values()
        )
        if done.code != 0:
            return False, self._failure(done)
        return True, f"Installed {', '.join(chosen)}."

    def _failure(self, done: Finished) -> str:
        if self._cancel.is_set():
            return "Cancelled."
        if done.code is None:
            return f"Stopped: installing took longer than {_LIMIT:g} seconds."
        words = without_escapes(done.stderr or done.stdout).strip()
        errors = [row for row in words.splitlines() if row.startswith("ERROR:")]
        return clean("\n".join(errors) or words)[-_LAST_WORDS:] or f"pip ended with {done.code}."

    async def _call(self, *arguments: str) -> Finished:
        argv = ("python", "-m", "pip", "--no-color", "install", "--quiet", *arguments)
        return await self._sandbox.run(argv, self._mounts, end=self._end, cancel=self._cancel)


def _chosen(report: Any) -> dict[str, str]:
    """What pip would install: a requirement that names it exactly, by `name version`."""
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
