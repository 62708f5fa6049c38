"""Requirements → a lock: one version of each package, of today or of the notebook's date.

If a set is not compatible, obstacles are dropped in this order, each with a remark: a package that
cannot be had at all; the versions the notebook requires (all of them for today, if one is no longer
available); the date, half a year at a time; a package that lacks one it needs, or that is not
compatible with the others.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import yaml
from packaging.requirements import Requirement as Pep508
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from mle_modernizer_server.domain.environment import (
    EnvironmentOrder,
    EnvironmentRemark,
    EnvironmentTime,
    MakingProblem,
    RemarkCode,
)
from mle_modernizer_server.domain.errors import EnvironmentUnavailable
from mle_modernizer_server.environments.bounded import Finished
from mle_modernizer_server.environments.distributions import distribution_of
from mle_modernizer_server.environments.source_archives import MOST_PACKED, wheel_of
from mle_modernizer_server.environments.uv import Uv, failure

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Releases = Mapping[str, Mapping[str, str]]
"""Month (`2019-07`) of each minor version by import name; `python` is one of the names."""

KERNEL = ("ipykernel>=5.5.6", "pip")
"""Packages of every environment; pip for install lines that name no plain package."""
_KERNEL_STACK = (
    *(
        "ipykernel",
        "pip",
        "ipython",
        "jupyter-client",
        "jupyter-core",
        "traitlets",
        "pyzmq",
        "tornado",
    ),
    *("debugpy", "comm", "matplotlib-inline", "nest-asyncio", "nest-asyncio2", "psutil"),
    *("pexpect", "ptyprocess", "prompt-toolkit", "wcwidth", "pygments", "jedi", "parso"),
    *(
        "stack-data",
        "executing",
        "asttokens",
        "pure-eval",
        "pickleshare",
        "backcall",
        "entrypoints",
    ),
    *("ipython-genutils", "ipython-pygments-lexers", "platformdirs", "importlib-metadata", "zipp"),
    *("exceptiongroup", "appnope", "pywin32", "colorama", "argcomplete", "typing-extensions"),
    *("contextvars", "immutables", "dataclasses", "importlib-resources", "packaging"),
)
"""The kernel's own requirements are not dated: the old ones are not compatible with today's
Jupyter.
"""
_FINAL = frozenset(
    {
        MakingProblem.NETWORK,
        MakingProblem.DISK,
        MakingProblem.CANCELLED,
        MakingProblem.TOO_LONG,
        MakingProblem.NO_UV,
    }
)
"""Problems that another try with fewer requirements does not solve."""
_HALF_YEAR = timedelta(days=183)
_MOST_STEPS = 5
_MOST_SOURCES = 12
_NO_WHEEL = re.compile(r"Wheels are required for `(?P<name>[\w.-]+)`")
_LIMIT = 600.0


@dataclass(frozen=True)
class Lock:
    """The distributions to install.

    Attributes:
        text: The `pylock.toml` (PEP 751).
        versions: Version by distribution.
        size: Bytes of all wheels, if the index has it.
        largest: The three largest distributions, for a message.
    """

    text: str
    versions: dict[str, str]
    remarks: tuple[EnvironmentRemark, ...]
    size: int
    largest: tuple[str, ...]


@dataclass(frozen=True)
class _Try:
    """Input of uv in one try.

    Attributes:
        wanted: Requirements, without the kernel.
        undated: Distributions that the date does not apply to, besides the kernel's.
    """

    wanted: tuple[str, ...]
    constraints: tuple[str, ...]
    until: date | None
    undated: tuple[str, ...] = ()
    remarks: tuple[EnvironmentRemark, ...] = ()


@dataclass
class Resolver:
    """Resolves orders for one Python.

    Attributes:
        uv: Runs uv.
        interpreter: The Python that the environment is made from.
        releases: The product's own table, for an index without upload times.
        cancel: When set, resolving ends.
        wheels: Folder for wheels that are made from source archives.
    """

    uv: Uv
    interpreter: Path
    releases: Releases
    cancel: threading.Event
    wheels: Path
    _folder: Path = field(init=False)
    _sources: dict[str, str] = field(init=False, default_factory=dict)
    """Version by distribution whose source archive became a wheel; "" if it did not."""
    _deep: bool = field(init=False, default=False)
    """Whether a package that is tried alone is tried with its requirements: only then is its
    metadata read.
    """

    def resolve(self, order: EnvironmentOrder) -> Lock:
        """Return the versions for an order.

        Raises:
            EnvironmentUnavailable: There are none, and why.
        """
        with tempfile.TemporaryDirectory(prefix="mle-modernizer-") as folder:
            self._folder = Path(folder)
            (self._folder / "uv.toml").write_text(uv_configuration(), encoding="utf-8")
            return self._first(order)

    def _first(self, order: EnvironmentOrder) -> Lock:
        until = order.until if order.time is EnvironmentTime.OWN else None
        first = _Try(order.requirements, order.constraints, until)
        failed: EnvironmentUnavailable | None = None
        for attempt in self._tries(first):
            done = self._compile(attempt)
            if done.code == 0:
                return self._lock(attempt)
            error = failure(done)
            if error.problem in _FINAL:
                raise error
            failed = failed or error
            self._deep = error.problem is MakingProblem.OLD_METADATA
        assert failed is not None
        raise failed

    def _tries(self, first: _Try) -> Iterator[_Try]:
        yield first
        if first.until is not None and not self._index_is_dated():
            first = self._by_table(first)
            yield first
        single = self._one_by_one(first)
        is_dated = single.until is not None or _of_table(single)
        if is_dated or not _misses_a_pin(single):
            yield single
        yield (loose := _without_pins(single))
        moved = loose
        for _ in range(_MOST_STEPS if loose.until else 0):
            assert first.until is not None and moved.until is not None
            moved = replace(moved, until=moved.until + _HALF_YEAR)
            remark = EnvironmentRemark(
                code=RemarkCode.DATE_MOVED,
                wanted=first.until.isoformat(),
                used=moved.until.isoformat() if moved.until else "",
            )
            yield replace(moved, remarks=(*loose.remarks, remark))
        self._deep = True
        yield (single := _without_pins(self._one_by_one(loose)))
        yield from _without_one(single)

    def _index_is_dated(self) -> bool:
        """Return whether packages can be chosen by date: if so, a day from now finds the newest."""
        tomorrow = date.today() + timedelta(days=2)
        return self._compile(_Try((), (), tomorrow), stack=(), deps=False).code == 0

    def _by_table(self, first: _Try) -> _Try:
        assert first.until is not None
        bounds = tuple(_bounds_at(first.until, self.releases))
        return replace(
            first,
            until=None,
            constraints=(*first.constraints, *bounds),
            remarks=(EnvironmentRemark(code=RemarkCode.BY_TABLE, wanted=str(first.until)),),
        )

    def _one_by_one(self, given: _Try) -> _Try:
        """Try each package alone: one that is unavailable alone is unavailable with the others."""
        wanted: list[str] = []
        undated: list[str] = []
        remarks = list(given.remarks)
        for text in given.wanted:
            name = canonicalize_name(Pep508(text).name)
            if self._alone(replace(given, wanted=(text,))):
                wanted.append(text)
            elif text != name and self._alone(replace(given, wanted=(name,))):
                wanted.append(name)
                remarks.append(_dropped(name, text))
            elif given.until and (oldest := self._oldest(name)):
                wanted.append(f"{name}=={oldest}")
                undated.append(name)
                remarks.append(
                    EnvironmentRemark(
                        code=RemarkCode.LATER,
                        package=name,
                        wanted=given.until.isoformat(),
                        used=oldest,
                    )
                )
            else:
                remarks.append(
                    EnvironmentRemark(code=RemarkCode.LEFT_OUT, package=name, wanted=text)
                )
        return replace(given, wanted=tuple(wanted), undated=tuple(undated), remarks=tuple(remarks))

    def _alone(self, attempt: _Try) -> bool:
        done = self._compile(replace(attempt, constraints=()), kernel=False, deps=self._deep)
        if done.code and (error := failure(done)).problem in _FINAL:
            raise error
        return done.code == 0

    def _oldest(self, name: str) -> str | None:
        """Return the oldest version of any time that has a wheel for this Python."""
        attempt = _Try((name,), (), None)
        done = self._compile(attempt, kernel=False, deps=self._deep, lowest=True)
        return self._versions().get(name) if done.code == 0 else None

    def _compile(
        self,
        attempt: _Try,
        *,
        kernel: bool = True,
        deps: bool = True,
        lowest: bool = False,
        stack: tuple[str, ...] = _KERNEL_STACK,
    ) -> Finished:
        """Have uv resolve, again as long as source archives of pure Python become wheels."""
        for _ in range(_MOST_SOURCES):
            done = self._compile_once(attempt, kernel=kernel, deps=deps, lowest=lowest, stack=stack)
            lacking = {canonicalize_name(name) for name in _NO_WHEEL.findall(done.stderr)}
            new = lacking - self._sources.keys() if done.code else set()
            for name in new:
                self._sources[name] = self._from_source(name, attempt.until)
            if not any(self._sources[name] for name in new):
                break
        return done

    def _from_source(self, name: str, until: date | None) -> str:
        """Return the version whose source archive became a wheel; "" if none did."""
        (self._folder / "source.txt").write_text(name, encoding="utf-8")
        needs_nothing = f'[[dependency-metadata]]\nname = "{name}"\nrequires-dist = []\n'
        (self._folder / "source.toml").write_text(needs_nothing, encoding="utf-8")
        locked = self._folder / "pylock.source.toml"
        locked.unlink(missing_ok=True)
        command = [
            *("pip", "compile", str(self._folder / "source.txt"), "--no-header", "--no-sources"),
            *("--python", str(self.interpreter), "--no-deps"),
            *("--only-binary", ":all:", "--no-binary", name),  # it is listed, and not built
            *("--format", "pylock.toml", "--output-file", str(locked)),
        ]
        command += ["--exclude-newer", until.isoformat()] if until else []
        done = self.uv.run(
            command,
            indexed=True,
            limit=_LIMIT,
            cancel=self.cancel,
            config=self._folder / "source.toml",
        )
        if done.code:
            return ""
        [package] = tomllib.loads(locked.read_text(encoding="utf-8"))["packages"]
        source = package.get("sdist", {})
        version = str(package.get("version", ""))
        if "url" not in source or source.get("size", 0) > MOST_PACKED or _version(version) is None:
            return ""
        try:
            archive = self.uv.download(str(source["url"]), MOST_PACKED)
        except (OSError, ValueError):
            return ""
        wanted = source.get("hashes", {}).get("sha256")
        if wanted and hashlib.sha256(archive).hexdigest() != wanted:
            return ""
        return version if wheel_of(archive, name, version, self.wheels) else ""

    def _compile_once(
        self,
        attempt: _Try,
        *,
        kernel: bool,
        deps: bool,
        lowest: bool,
        stack: tuple[str, ...],
    ) -> Finished:
        made = {name: version for name, version in self._sources.items() if version}
        wanted = (*attempt.wanted, *KERNEL) if kernel else attempt.wanted
        (self._folder / "wanted.txt").write_text("\n".join(wanted), encoding="utf-8")
        bounds = [*attempt.constraints]
        bounds += [f"{name}=={version}" for name, version in made.items() if attempt.until]
        (self._folder / "bounds.txt").write_text("\n".join(bounds), encoding="utf-8")
        command = [
            *("pip", "compile", str(self._folder / "wanted.txt")),
            *("--constraints", str(self._folder / "bounds.txt")),
            *("--python", str(self.interpreter), "--no-header", "--no-sources"),
            *("--format", "pylock.toml", "--output-file", str(self._folder / "pylock.toml")),
            *("--only-binary", ":all:"),  # building a package would run code of it
        ]
        command += ["--find-links", str(self.wheels)] if made else []
        command += [] if deps else ["--no-deps"]
        command += ["--resolution", "lowest-direct"] if lowest else []
        if attempt.until is not None:
            command += ["--exclude-newer", attempt.until.isoformat()]  # that day included
            for name in (*stack, *attempt.undated, *made):
                command += ["--exclude-newer-package", f"{name}=false"]
        (self._folder / "pylock.toml").unlink(missing_ok=True)  # else its versions are preferred
        return self.uv.run(
            command,
            indexed=True,
            limit=_LIMIT,
            cancel=self.cancel,
            config=self._folder / "uv.toml",
        )

    def _versions(self) -> dict[str, str]:
        text = (self._folder / "pylock.toml").read_text(encoding="utf-8")
        return locked_versions(text)

    def _lock(self, attempt: _Try) -> Lock:
        text = (self._folder / "pylock.toml").read_text(encoding="utf-8")
        versions = locked_versions(text)
        sizes = _sizes(tomllib.loads(text))
        remarks = [
            remark.model_copy(update={"used": versions.get(remark.package, remark.used)})
            if remark.code is RemarkCode.PINS_DROPPED
            else remark
            for remark in attempt.remarks
        ]
        remarks += [
            EnvironmentRemark(code=RemarkCode.FROM_SOURCE, package=name, used=version)
            for name, version in self._sources.items()
            if version and versions.get(name) == version
        ]
        return Lock(
            text=text,
            versions=versions,
            remarks=tuple(remarks),
            size=sum(sizes.values()),
            largest=tuple(sorted(sizes, key=lambda name: -sizes[name])[:3]),
        )


@cache
def uv_configuration() -> str:
    """Return uv's configuration, the text of a `uv.toml`, that corrects metadata of old packages
    that no current tool can read (`legacy_metadata.yaml`).
    """
    text = (resources.files(__package__) / "legacy_metadata.yaml").read_text(encoding="utf-8")
    rows = []
    for entry in yaml.safe_load(text):
        for version in entry["versions"]:
            rows += [
                "[[dependency-metadata]]",
                f"name = {json.dumps(entry['name'])}",
                f"version = {json.dumps(str(version))}",
                f"requires-dist = {json.dumps(entry['requires'])}",
                "",
            ]
    return "\n".join(rows)


def locked_versions(text: str) -> dict[str, str]:
    """Return the version by distribution of a `pylock.toml`.

    Raises:
        ValueError: It is none.
    """
    packages = tomllib.loads(text).get("packages", [])
    try:
        return {canonicalize_name(item["name"]): str(item["version"]) for item in packages}
    except (KeyError, TypeError) as error:
        raise ValueError("no pylock.toml") from error


def _sizes(lock: dict[str, Any]) -> dict[str, int]:
    return {
        item["name"]: max((wheel.get("size", 0) for wheel in item.get("wheels", ())), default=0)
        for item in lock.get("packages", ())
    }


def _without_one(given: _Try) -> Iterator[_Try]:
    """Yield the other packages, if a single one is not compatible with them."""
    if len(given.wanted) < 2:
        return
    for text in given.wanted:
        rest = tuple(item for item in given.wanted if item != text)
        name = canonicalize_name(Pep508(text).name)
        remark = EnvironmentRemark(code=RemarkCode.LEFT_OUT, package=name, wanted=text)
        yield replace(given, wanted=rest, remarks=(*given.remarks, remark))


def _without_pins(given: _Try) -> _Try:
    kept_dated = set(given.undated)
    wanted, remarks = [], list(given.remarks)
    for text in given.wanted:
        name = canonicalize_name(Pep508(text).name)
        pinned = text != name and name not in kept_dated
        wanted.append(name if pinned else text)
        remarks += [_dropped(name, text)] if pinned else []
    constraints = given.constraints if _of_table(given) else ()
    return replace(given, wanted=tuple(wanted), constraints=constraints, remarks=tuple(remarks))


def _misses_a_pin(given: _Try) -> bool:
    """Return whether a pinned version was dropped: the others are as old and fit no newer one."""
    given_up = (item for item in given.remarks if item.code is RemarkCode.PINS_DROPPED)
    return any(text.operator == "==" for item in given_up for text in Pep508(item.wanted).specifier)


def _of_table(given: _Try) -> bool:
    return any(remark.code is RemarkCode.BY_TABLE for remark in given.remarks)


def _dropped(name: str, text: str) -> EnvironmentRemark:
    return EnvironmentRemark(code=RemarkCode.PINS_DROPPED, package=name, wanted=text)


def _bounds_at(day: date, releases: Releases) -> Iterator[str]:
    """Return for each library of the table the versions before the first one after a day."""
    for library, months in releases.items():
        name = distribution_of(library)
        if name is None or name in _KERNEL_STACK:
            continue
        later = [version for version, month in months.items() if month > day.isoformat()[:7]]
        parsed = [item for item in map(_version, later) if item is not None]
        if parsed and len(parsed) < len(months):
            yield f"{name}<{min(parsed)}"


def _version(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:
        return None
