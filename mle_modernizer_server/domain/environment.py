"""Pythons and packages that a notebook can run with, and the requirements of the notebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from pathlib import Path

from pydantic import Field

from mle_modernizer_server.domain.base import Value

COLAB = "google.colab"
HOSTED_MODULES = {
    COLAB: "Google Colab",
    "kaggle_datasets": "Kaggle",
    "kaggle_secrets": "Kaggle",
    "kaggle_web_client": "Kaggle",
    "project_lib": "IBM Watson Studio",
}
"""Modules that a hosting service provides and no package index has, with the service's name."""


def hosted_module(name: str) -> str | None:
    """Return the module of `HOSTED_MODULES` that a dotted name is in; None if there is none."""
    return next((one for one in HOSTED_MODULES if f"{name}.".startswith(f"{one}.")), None)


@dataclass(frozen=True)
class Interpreter:
    """A Python interpreter of this machine and the directories of its files.

    Attributes:
        python: Path of the interpreter in its environment (symbolic links are not resolved).
        prefixes: Directories a sandbox mounts read-only so that it starts and finds its packages:
            the environment, its base installation, and the targets of links between the two.
        user_base: Directory of the packages installed with `pip install --user`; None excludes such
            packages.
    """

    python: Path
    prefixes: tuple[Path, ...]
    user_base: Path | None = None


class RequirementSource(str, Enum):
    """Where in a notebook or its folder a requirement was found."""

    IMPORT = "import"
    USE = "use"
    """A call that imports the package only at run time: `pd.read_excel` needs openpyxl."""
    INSTALL_LINE = "install-line"
    """`!pip install`, `%pip install`, `!conda install`."""
    FILE = "file"
    """requirements.txt, pyproject.toml or environment.yml in the notebook's folder."""


class Requirement(Value):
    """A distribution that a notebook needs."""

    name: str
    """Normalized as on the package index: `scikit-learn`."""
    specifier: str = ""
    """PEP 440, for example `==0.24.2`; empty if any version will do."""
    imports: tuple[str, ...] = ()
    """Top-level names it is imported by; empty if it is required without an import."""
    source: RequirementSource
    optional: bool = False
    """Imported within `try`, or used by a call only: its absence alone is no reason to create an
    environment."""


class Refusal(str, Enum):
    """Reason to reject a text that names a package."""

    OPTION = "option"
    """`-e`, `--index-url` and other options of pip."""
    PATH = "path"
    ADDRESS = "address"
    """A URL or a repository, also as `name @ URL`."""
    MARKER = "marker"
    """Its environment marker cannot be evaluated."""
    UNREADABLE = "unreadable"
    """It is no PEP 508 requirement, or contains a value known only when the notebook runs."""
    TOO_LARGE = "too-large"
    """The file is too large to read."""


class RefusedRequirement(Value):
    """A rejected text that names a package."""

    text: str
    origin: str
    """Name of the file, or id of the cell."""
    refusal: Refusal


class Requirements(Value):
    """The requirements of a notebook, inferred from its text."""

    packages: tuple[Requirement, ...] = ()
    constraints: tuple[str, ...] = ()
    """Versions that a file in the notebook's folder pins for packages the notebook does not
    name."""
    unknown: tuple[str, ...] = ()
    """Imported names without a known distribution. The user is asked for them, and they are never
    installed unless the user names the distribution."""
    local: tuple[str, ...] = ()
    """Imported names of modules in the notebook's folder."""
    refused: tuple[RefusedRequirement, ...] = ()

    def imports(self) -> tuple[str, ...]:
        """Return the imported names that packages must provide, the unknown ones included."""
        named = [name for item in self.packages if not item.optional for name in item.imports]
        return tuple(dict.fromkeys([*named, *self.unknown]))


class EnvironmentOrigin(str, Enum):
    """How an environment was discovered."""

    KERNEL = "kernel"
    """A Jupyter kernelspec."""
    BESIDE = "beside"
    """An environment in the notebook's folder. Its interpreter may be part of a download, so it
    runs in a sandbox only."""
    CONDA = "conda"
    SERVER = "server"
    """The Python of the Jupyter server."""
    MADE = "made"
    """Created for a notebook."""
    NAMED = "named"
    """A path that the user entered."""


class EnvironmentTrouble(str, Enum):
    """Reason why a discovered environment cannot run a notebook."""

    NO_INTERPRETER = "no-interpreter"
    NO_ANSWER = "no-answer"
    TOO_OLD = "too-old"
    """A Python before 3.6."""
    NO_KERNEL = "no-kernel"
    """It has no ipykernel."""
    IN_HOME = "in-home"
    """Its files are directly in a home directory, in the notebook's folder or among the system's
    settings, all of which would become visible in a sandbox."""
    NOT_LISTED = "not-listed"
    """Its Python may be part of a download: this machine does not list it, and root does not own
    it."""


class FoundEnvironment(Value):
    """A Python on this machine, and which of a notebook's imports it has."""

    name: str
    """Name to choose it by: the kernelspec, the conda environment, `server`, …"""
    origin: EnvironmentOrigin
    interpreter: str
    """Absolute path."""
    directories: tuple[str, ...] = ()
    """Directories of its files; a sandbox mounts them read-only."""
    python: str = ""
    """Version of the Python, `3.7.16`."""
    ipykernel: str = ""
    """Version of ipykernel; empty if absent."""
    packages: dict[str, str] = Field(default_factory=dict)
    """Version by import name of the packages the notebook imports; empty text if unknown."""
    missing: tuple[str, ...] = ()
    """Imported names it lacks."""
    trouble: EnvironmentTrouble | None = None
    is_started: bool = False
    """Its interpreter may be started outside of a sandbox, and was started to inspect it;
    otherwise it was inspected from its files."""

    @property
    def complete(self) -> bool:
        """Return whether the notebook can run in it without further packages."""
        return self.trouble is None and not self.missing


class MakingProblem(str, Enum):
    """Reason why an environment could not be created or is not used."""

    NO_UV = "no-uv"
    NOT_ALLOWED = "not-allowed"
    """The administrator of this server does not allow environments to be created."""
    NO_PYTHON = "no-python"
    NO_SOLUTION = "no-solution"
    """The required versions are incompatible with each other."""
    NO_WHEEL = "no-wheel"
    """A package has no wheel for this Python, and building is not allowed."""
    NOT_FOUND = "not-found"
    """The index has no such package."""
    OLD_METADATA = "old-metadata"
    """A package has metadata that no current tool reads."""
    NETWORK = "network"
    DISK = "disk"
    TOO_LARGE = "too-large"
    TOO_LONG = "too-long"
    CANCELLED = "cancelled"
    UNASKED = "unasked"
    """Its download is larger than the settings allow without a question."""
    TAMPERED = "tampered"
    """Its lock file or record was changed."""
    FAILED = "failed"


class RemarkCode(str, Enum):
    """Kind of deviation of a created environment from the request."""

    PYTHON_NEAREST = "python-nearest"
    """`wanted` was not available; `used` is the nearest version."""
    PYTHON_2 = "python-2"
    """The notebook was written for Python 2, `wanted`; `used` is a Python 3."""
    PINS_DROPPED = "pins-dropped"
    """The notebook's pinned versions are incompatible here: `package` has `wanted`."""
    LATER = "later"
    """`package` had no wheel for this Python at the date; `used` is the oldest version with one."""
    DATE_MOVED = "date-moved"
    """No compatible set at the date `wanted`; the packages are those of `used`."""
    BY_TABLE = "by-table"
    """The index has no upload times: versions are bounded by the table of releases instead, and
    packages outside the table are today's."""
    LEFT_OUT = "left-out"
    """`package` has no wheel compatible with the others; it is not in the environment."""
    FROM_SOURCE = "from-source"
    """`package` has no wheel: the Python files of its source archive `used` are in the environment,
    and none of its code was run."""


class EnvironmentRemark(Value):
    """A deviation of a created environment from the request."""

    code: RemarkCode
    package: str = ""
    wanted: str = ""
    used: str = ""


class ChoiceReason(str, Enum):
    """Reason for the choice of an environment."""

    ASKED = "asked"
    """The user chose it."""
    OWN_KERNEL = "own-kernel"
    """The notebook's own kernelspec has all imports."""
    SERVER = "server"
    """The server's Python has all imports."""
    MAKE = "make"
    """Neither has, so one must be created for this notebook; `missing` are missing in
    `compared`."""
    MADE = "made"
    """As `make`, and it was created."""
    NOT_MADE = "not-made"
    """As `make`, but it could not be created (`problem`); the environment is the one with the
    fewest missing packages."""
    NOTHING_TO_ADD = "nothing-to-add"
    """Imports are missing, but no table has a package for any of them."""


class EnvironmentChoice(Value):
    """The environment chosen for a notebook, and the reason."""

    reason: ChoiceReason
    environment: FoundEnvironment | None = None
    """None: one must be created."""
    compared: str = ""
    """Name of the environment that lacks `missing`."""
    missing: tuple[str, ...] = ()
    """Distributions to add (for `make`), by name."""
    unknown: tuple[str, ...] = ()
    """Missing imported names that no table knows."""
    imports: int = 0
    """Number of imported names looked up."""
    remarks: tuple[EnvironmentRemark, ...] = ()
    """Deviations of a created environment from the request."""
    problem: MakingProblem | None = None
    """Reason why it could not be created, with `not-made`."""
    detail: str = ""
    """Message of the problem."""
    added: tuple[str, ...] = ()
    """Distributions that a run found missing; the environment contains them too."""
    lines_done: bool = False
    """Whether it contains the packages of the notebook's install lines, so that none is
    executed."""
    asked: str | None = None
    """The user's request; None: choose automatically."""
    needs: str = ""
    """Hash of the notebook's requirements: different requirements need a new choice."""


class MissingPackage(Value):
    """A module that a run did not find, and the distribution that provides it."""

    module: str
    """The top-level name it is imported by."""
    package: str | None
    """Name on the package index; None if no table has it: a person must name it."""


class EnvironmentTime(str, Enum):
    """Period of the packages of a created environment."""

    TODAY = "today"
    """The newest compatible ones."""
    OWN = "own-time"
    """The notebook's original versions."""


class MakingStep(str, Enum):
    """Step of creating an environment."""

    BEGINNING = "beginning"
    """The existing environments lack packages."""
    WAITING = "waiting"
    """Another process creates the same one."""
    PYTHON = "python"
    """A Python of that time is downloaded."""
    RESOLVING = "resolving"
    INSTALLING = "installing"
    CHECKING = "checking"


class MakingProgress(Value):
    """A step of creating an environment, reported when it begins."""

    step: MakingStep
    packages: int = 0
    """Number of packages installed, from `installing` on."""
    size: int = 0
    """Upper bound of the bytes to download, if the index has sizes; cached files are not
    downloaded."""
    missing: tuple[str, ...] = ()
    """Distributions for which it is created, at the `beginning`."""


class EnvironmentOrder(Value):
    """Specification of a created environment: equal orders yield the same environment."""

    requirements: tuple[str, ...]
    """PEP 508, sorted."""
    constraints: tuple[str, ...] = ()
    time: EnvironmentTime = EnvironmentTime.TODAY
    until: date | None = None
    """With `own-time`: packages uploaded after this day are not used."""
    python: str = ""
    """Requested version (`3.7`); empty for the server's."""
    made_for: str = ""
    """Month of its creation, with `today`: the newest packages differ every month."""


class MadeEnvironment(Value):
    """Record of an environment that was created for a notebook."""

    id: str
    """Hash of the order; name of its folder."""
    order: EnvironmentOrder
    created: float
    """Seconds since 1970."""
    python: str
    base: str
    """The interpreter it was created from."""
    directories: tuple[str, ...]
    """Directories of its files and those of its base; a sandbox mounts them read-only."""
    versions: dict[str, str]
    """Version by distribution: the lock, in short."""
    remarks: tuple[EnvironmentRemark, ...] = ()
    size: int = 0
    """Bytes on disk; files that are hard links into uv's cache count too."""
    lock: str
    """SHA-256 of `pylock.toml`."""


class EnvironmentReport(Value):
    """Requirements of a notebook, available environments, and the one to be chosen."""

    requirements: Requirements
    found: tuple[FoundEnvironment, ...]
    choice: EnvironmentChoice


class KeptEnvironment(Value):
    """A created environment in the list of all."""

    id: str
    made: MadeEnvironment | None
    """None: it was changed after its creation, and can only be removed."""
    last_used: float
    """Seconds since 1970."""


class NameKind(str, Enum):
    """Form in which code refers to a name of a package."""

    MODULE = "module"
    """`import a.b`, or the module of `from a.b import …`."""
    MEMBER = "member"
    """`from a.b import c`."""
    ATTRIBUTE = "attribute"
    """`a.b.c` in an expression."""
    METHOD = "method"
    """Call of a method of an object of the class `a.b.C`; the address ends with the method."""
    ARGUMENT = "argument"
    """Keyword of a call of `a.b.c`."""
    STARRED = "starred"
    """Name that `from a.b import *` brings; `detail` is the name."""


class NameQuestion(Value):
    """Question to the installed packages whether they have a name."""

    kind: NameKind
    address: str
    """Dotted address, such as `tensorflow.keras.layers.Dense`."""
    detail: str = ""
    """The keyword, or the name of a star import."""

    @property
    def key(self) -> str:
        """Return a text that differs for each question."""
        return f"{self.kind.value} {self.address} {self.detail}".rstrip()

    @property
    def top(self) -> str:
        """Return the import name of the package."""
        return self.address.partition(".")[0]


class NameUse(Value):
    """Use of a package's name in a cell."""

    question: NameQuestion
    cell_id: str
    sure: bool
    """False: a branch, or a function that nothing calls, so that it may never run."""


class NameUses(Value):
    """Uses of packages' names in a notebook, and what its patch before the first run adds."""

    uses: tuple[NameUse, ...] = ()
    added: tuple[NameQuestion, ...] = ()
    """Names that only the patched notebook uses."""

    @property
    def questions(self) -> tuple[NameQuestion, ...]:
        """Return all questions, each once."""
        return tuple(dict.fromkeys((*(one.question for one in self.uses), *self.added)))

    def absences(self, found: Sequence[Absence]) -> Absences:
        """Return the absent names of the notebook, and those of its patch alone.

        Args:
            found: Absent names among the questions.
        """
        used = {one.question for one in self.uses}
        of_notebook = tuple(one for one in found if one.question in used)
        own = {one.failing for one in of_notebook}
        others = (one for one in found if one.question not in used and one.failing not in own)
        return Absences(
            of_notebook=of_notebook,
            of_fixes=tuple(
                dict.fromkeys(
                    one.failing for one in others if one.question.kind is not NameKind.ARGUMENT
                )
            ),
        )


class Absence(Value):
    """A name that the installed packages do not have, with the exception that a use raises."""

    question: NameQuestion
    failing: str
    """First part of the address that is absent."""
    ename: str
    evalue: str

    @property
    def is_package(self) -> bool:
        """Return whether a whole package is absent, not a name of an installed one."""
        return "." not in self.failing and self.evalue == f"No module named {self.failing!r}"


class Absences(Value):
    """Names that the installed packages lack."""

    of_notebook: tuple[Absence, ...] = ()
    """Names that the notebook uses."""
    of_fixes: tuple[str, ...] = ()
    """Addresses that fixes would write; the notebook does not use them."""


NONE_ABSENT = Absences()
"""Nothing is known to be absent."""
