"""Which Python and which packages a notebook can run with, and what it asks for."""

from __future__ import annotations

from datetime import date
from enum import Enum

from pydantic import Field

from mle_modernizer_server.domain.base import Value


class RequirementSource(str, Enum):
    """Where it was seen that a notebook needs a package."""

    IMPORT = "import"
    USE = "use"
    """A call that imports it only when it runs: `pd.read_excel` needs openpyxl."""
    INSTALL_LINE = "install-line"
    """`!pip install`, `%pip install`, `!conda install`."""
    FILE = "file"
    """requirements.txt, pyproject.toml or environment.yml beside the notebook."""


class Requirement(Value):
    """A distribution that a notebook needs."""

    name: str
    """Normalized as on the package index: `scikit-learn`."""
    specifier: str = ""
    """PEP 440, for example `==0.24.2`; empty where any version will do."""
    imports: tuple[str, ...] = ()
    """The top-level names it is imported by; empty where it is asked for without an import."""
    source: RequirementSource
    optional: bool = False
    """Imported within `try`, or used by a call only: its lack alone is no reason to make an
    environment."""


class Refusal(str, Enum):
    """Why a text that names a package is not taken as one."""

    OPTION = "option"
    """`-e`, `--index-url` and other options of pip."""
    PATH = "path"
    ADDRESS = "address"
    """A URL or a repository, also as `name @ URL`."""
    MARKER = "marker"
    """Its environment marker cannot be evaluated."""
    UNREADABLE = "unreadable"
    """It is no PEP 508 requirement, or it is filled in when the notebook runs."""
    TOO_LARGE = "too-large"
    """The file is too large to be read."""


class RefusedRequirement(Value):
    """A text that names a package and is not taken as one."""

    text: str
    origin: str
    """Name of the file, or id of the cell."""
    refusal: Refusal


class Requirements(Value):
    """What a notebook needs, as far as its text tells."""

    packages: tuple[Requirement, ...] = ()
    constraints: tuple[str, ...] = ()
    """Versions that a file beside the notebook gives for packages the notebook does not name."""
    unknown: tuple[str, ...] = ()
    """Imported names that no table and no file names a distribution for. They are asked for, and
    never installed unless the person names the distribution."""
    local: tuple[str, ...] = ()
    """Imported names that are modules beside the notebook."""
    refused: tuple[RefusedRequirement, ...] = ()

    def imports(self) -> tuple[str, ...]:
        """The imported names that packages must provide, the unknown ones among them."""
        named = [name for item in self.packages if not item.optional for name in item.imports]
        return tuple(dict.fromkeys([*named, *self.unknown]))


class EnvironmentOrigin(str, Enum):
    """How an environment was found."""

    KERNEL = "kernel"
    """A Jupyter kernelspec."""
    BESIDE = "beside"
    """An environment in the notebook's folder. Its interpreter may have come with a download, so
    it runs in a sandbox only."""
    CONDA = "conda"
    SERVER = "server"
    """The Python of the Jupyter server."""
    MADE = "made"
    """Made for a notebook."""
    NAMED = "named"
    """A path that the person gave."""


class EnvironmentTrouble(str, Enum):
    """Why a found environment cannot run a notebook."""

    NO_INTERPRETER = "no-interpreter"
    NO_ANSWER = "no-answer"
    TOO_OLD = "too-old"
    """A Python before 3.6."""
    NO_KERNEL = "no-kernel"
    """It has no ipykernel."""
    IN_HOME = "in-home"
    """Its files lie directly in a home directory, in the notebook's folder or among the system's
    settings, all of which a sandbox would show."""
    NOT_LISTED = "not-listed"
    """Its Python may have come with a download: this machine does not list it, and it is not root's
    either."""


class FoundEnvironment(Value):
    """A Python on this machine, and what of a notebook's imports it has."""

    name: str
    """What it is called and chosen by: the kernelspec, the conda environment, `server`, …"""
    origin: EnvironmentOrigin
    interpreter: str
    """Absolute path."""
    directories: tuple[str, ...] = ()
    """Where its files lie; a sandbox shows them read-only."""
    python: str = ""
    """Its version, `3.7.16`."""
    ipykernel: str = ""
    """Version of its ipykernel; empty without."""
    packages: dict[str, str] = Field(default_factory=dict)
    """Version by import name of what the notebook imports; empty text where it tells none."""
    missing: tuple[str, ...] = ()
    """Imported names it lacks."""
    trouble: EnvironmentTrouble | None = None
    is_started: bool = False
    """Its interpreter may be started outside of a sandbox, and was to describe it; else it was
    described from its files."""

    @property
    def complete(self) -> bool:
        """Whether the notebook can run in it as it is."""
        return self.trouble is None and not self.missing


class MakingProblem(str, Enum):
    """Why an environment could not be made or is not used."""

    NO_UV = "no-uv"
    NOT_ALLOWED = "not-allowed"
    """Whoever runs this server does not want environments made."""
    NO_PYTHON = "no-python"
    NO_SOLUTION = "no-solution"
    """No set of versions goes together."""
    NO_WHEEL = "no-wheel"
    """A package has none for this Python, and building is not allowed."""
    NOT_FOUND = "not-found"
    """The index has no such package."""
    OLD_METADATA = "old-metadata"
    """A package describes itself in a way that no tool of today reads."""
    NETWORK = "network"
    DISK = "disk"
    TOO_LARGE = "too-large"
    TOO_LONG = "too-long"
    CANCELLED = "cancelled"
    TAMPERED = "tampered"
    """Its lock or record is not as it was written."""
    FAILED = "failed"


class RemarkCode(str, Enum):
    """What is otherwise than asked for in a made environment."""

    PYTHON_NEAREST = "python-nearest"
    """`wanted` could not be had; `used` is the nearest one."""
    PYTHON_2 = "python-2"
    """The notebook was written for Python 2, `wanted`; `used` is a Python 3."""
    PINS_DROPPED = "pins-dropped"
    """The versions the notebook asks for do not go together here: `package` has `wanted`."""
    LATER = "later"
    """`package` had no wheel for this Python at the date; `used` is the oldest that has."""
    DATE_MOVED = "date-moved"
    """Nothing fits at the date `wanted`; the packages are those of `used`."""
    BY_TABLE = "by-table"
    """The index tells no upload times: versions are bounded by the table of releases instead, and
    packages outside the table are today's."""
    LEFT_OUT = "left-out"
    """`package` has no wheel that goes with the others; it is not in the environment."""
    FROM_SOURCE = "from-source"
    """`package` has no wheel: the Python files of its source archive `used` are in the environment,
    and nothing of it was run."""


class EnvironmentRemark(Value):
    """One thing that is otherwise than asked for."""

    code: RemarkCode
    package: str = ""
    wanted: str = ""
    used: str = ""


class ChoiceReason(str, Enum):
    """Why an environment was chosen."""

    ASKED = "asked"
    """By the person."""
    OWN_KERNEL = "own-kernel"
    """The notebook's own kernelspec has all imports."""
    SERVER = "server"
    """The server's Python has all imports."""
    MAKE = "make"
    """Neither has, so one is to be made for this notebook; `missing` are missing in `compared`."""
    MADE = "made"
    """As `make`, and it was made."""
    NOT_MADE = "not-made"
    """As `make`, but it could not be made (`problem`); the environment is the one that lacks the
    least."""
    NOTHING_TO_ADD = "nothing-to-add"
    """Imports are missing, but no table names a package for any of them."""


class EnvironmentChoice(Value):
    """Which environment a notebook is to run in, and why."""

    reason: ChoiceReason
    environment: FoundEnvironment | None = None
    """None: one is to be made."""
    compared: str = ""
    """Name of the environment that lacks `missing`."""
    missing: tuple[str, ...] = ()
    """Distributions to add (for `make`), by name."""
    unknown: tuple[str, ...] = ()
    """Missing imported names that no table knows."""
    imports: int = 0
    """How many imported names were looked for."""
    remarks: tuple[EnvironmentRemark, ...] = ()
    """What is otherwise than asked for in a made one."""
    problem: MakingProblem | None = None
    """Why it could not be made, with `not-made`."""
    detail: str = ""
    """The message that goes with the problem."""
    added: tuple[str, ...] = ()
    """Distributions a run showed missing, which are in it too."""
    lines_done: bool = False
    """Whether what the notebook's install lines ask for is in it, so that none is carried out."""
    asked: str | None = None
    """What the person asked for; None chooses."""
    needs: str = ""
    """Hash of what the notebook needs: another notebook, another choice."""


class MissingPackage(Value):
    """A module that a run did not find, and the distribution that has it."""

    module: str
    """The top-level name it is imported by."""
    package: str | None
    """Name on the package index; None where no table knows it: a person has to name it."""


class EnvironmentTime(str, Enum):
    """Of which time the packages of a made environment are."""

    TODAY = "today"
    """The newest that go together."""
    OWN = "own-time"
    """Those of the notebook's own time."""


class MakingStep(str, Enum):
    """What is going on while an environment is made."""

    BEGINNING = "beginning"
    """Packages are missing in what is there."""
    WAITING = "waiting"
    """Another process makes the same one."""
    PYTHON = "python"
    """A Python of that time is fetched."""
    RESOLVING = "resolving"
    INSTALLING = "installing"
    CHECKING = "checking"


class MakingProgress(Value):
    """One step of making an environment, reported when it begins."""

    step: MakingStep
    packages: int = 0
    """How many are installed, from `installing` on."""
    size: int = 0
    """Bytes to download at most, where the index tells; what the cache has is not fetched."""
    missing: tuple[str, ...] = ()
    """Distributions for which it is made, at the `beginning`."""


class EnvironmentOrder(Value):
    """What decides a made environment: two equal orders give one environment."""

    requirements: tuple[str, ...]
    """PEP 508, sorted."""
    constraints: tuple[str, ...] = ()
    time: EnvironmentTime = EnvironmentTime.TODAY
    until: date | None = None
    """With `own-time`: packages uploaded after this day are not used."""
    python: str = ""
    """Version wanted (`3.7`), empty for the server's."""
    made_for: str = ""
    """Month it is made in, with `today`: the newest packages are new ones every month."""


class MadeEnvironment(Value):
    """The record of an environment that was made for a notebook."""

    id: str
    """Hash of the order; name of its folder."""
    order: EnvironmentOrder
    created: float
    """Seconds since 1970."""
    python: str
    base: str
    """The interpreter it was made from."""
    directories: tuple[str, ...]
    """Where its files and those of its base lie; a sandbox shows them read-only."""
    versions: dict[str, str]
    """Version by distribution: the lock, in short."""
    remarks: tuple[EnvironmentRemark, ...] = ()
    size: int = 0
    """Bytes on disk; files that are hard links into uv's cache count too."""
    lock: str
    """SHA-256 of `pylock.toml`."""


class EnvironmentReport(Value):
    """What a notebook needs, what there is, and what would be chosen."""

    requirements: Requirements
    found: tuple[FoundEnvironment, ...]
    choice: EnvironmentChoice


class KeptEnvironment(Value):
    """A made environment in the list of all."""

    id: str
    made: MadeEnvironment | None
    """None: it is not as it was made, and can only be removed."""
    last_used: float
    """Seconds since 1970."""
