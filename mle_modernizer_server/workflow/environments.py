"""Notebook environments: discovery, choice, creation; and the list of the created ones."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path, PurePath

from mle_modernizer_server.domain.environment import (
    ChoiceReason,
    EnvironmentChoice,
    EnvironmentOrder,
    EnvironmentOrigin,
    EnvironmentReport,
    EnvironmentTime,
    EnvironmentTrouble,
    FoundEnvironment,
    Interpreter,
    KeptEnvironment,
    MadeEnvironment,
    MakingProblem,
    MakingProgress,
    MakingStep,
    MissingPackage,
    Refusal,
    Requirements,
    RequirementSource,
)
from mle_modernizer_server.domain.era import Backport, OwnTimeRun, Traces
from mle_modernizer_server.domain.errors import (
    BadInput,
    BadSetting,
    Conflict,
    EnvironmentUnavailable,
    NotFound,
)
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.environments import choose, kernels
from mle_modernizer_server.environments import discovery as found
from mle_modernizer_server.environments.dating import bounds_of, day_of, python_of
from mle_modernizer_server.environments.distributions import (
    distribution_of,
    is_standard,
    same_modules,
)
from mle_modernizer_server.environments.making import Maker, order_of
from mle_modernizer_server.environments.requirements import local_modules, requirements_of
from mle_modernizer_server.environments.resolving import Releases
from mle_modernizer_server.environments.store import MOST_BYTES as MOST_BYTES
from mle_modernizer_server.environments.store import KeptEnvironments
from mle_modernizer_server.environments.uv import Uv
from mle_modernizer_server.environments.uv_cache import UvCache
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.execution.sandboxes.local import Local
from mle_modernizer_server.fixing.rules.analysis import Analysis
from mle_modernizer_server.fixing.rules.era.evidence import of_traces
from mle_modernizer_server.fixing.rules.era.releases import histories, month_text
from mle_modernizer_server.words import text

OWN = "own"
"""Asks for an environment made for the notebook, of today's packages."""
OWN_TIME = "own-time"
"""Asks for one of the notebook's own time."""


@dataclass(frozen=True)
class NotebookPlace:
    """A notebook with the facts for choosing its environment.

    Attributes:
        notebook: Its sources.
        folder: The notebook's folder; None if unsaved.
        traces: Evidence in its file beyond the sources, including the kernelspec's name.
        further: Distributions to add: named by the user, or missing in a run.
    """

    notebook: Notebook
    folder: Path | None
    traces: Traces
    further: tuple[str, ...] = ()

    @cached_property
    def requirements(self) -> Requirements:
        """Return the packages it needs. Blocks."""
        return requirements_of(self.notebook, self.folder)


class NotebookEnvironments:
    """The environments of this machine, found or created.

    Args:
        kept: Folder of the created ones; in Jupyter's data directory if None.
        uv: Creates them; with pip's indexes if None.
        may_make: Whether creation is allowed; None reads the variable
            MLE_MODERNIZER_MAKE_ENVIRONMENTS.
        analysis: Where notebooks are analysed; None: in this process.
    """

    def __init__(
        self,
        kept: KeptEnvironments | None = None,
        uv: Uv | None = None,
        *,
        may_make: bool | None = None,
        analysis: Analysis | None = None,
    ) -> None:
        self.kept = kept or KeptEnvironments()
        self._uv = uv
        self._analysis = analysis or Analysis()
        told = os.environ.get("MLE_MODERNIZER_MAKE_ENVIRONMENTS", "").lower()
        self._may_make = told not in ("no", "0", "false") if may_make is None else may_make

    def report(self, place: NotebookPlace) -> EnvironmentReport:
        """Return the notebook's requirements, all environments found, and the default choice.
        Blocks.
        """
        names = place.requirements.imports()
        there = found.Search(names, place.folder).all()
        own = _own_kernel(place, names)
        return EnvironmentReport(
            requirements=place.requirements,
            found=there,
            choice=choose.choose(
                there if own in there or own is None else (*there, own),
                place.requirements,
                place.traces.kernel,
            ),
        )

    def foresee(self, place: NotebookPlace, wanted: str | None = None) -> EnvironmentChoice:
        """Return the environment a notebook would run in, without creating one. Blocks.

        Args:
            wanted: As for `settle`.

        Raises:
            BadInput: No environment has that name, or it cannot run a notebook.
        """
        names = place.requirements.imports()
        if wanted in (OWN, OWN_TIME):
            return EnvironmentChoice(reason=ChoiceReason.MAKE, imports=len(names), asked=wanted)
        if wanted is not None:
            choice = choose.asked(self._named(wanted, names, place.folder), place.requirements)
            return choice.model_copy(update={"asked": wanted})
        return choose.choose(self._at_hand(place, names), place.requirements, place.traces.kernel)

    def settle(
        self,
        place: NotebookPlace,
        wanted: str | None = None,
        *,
        era: str = "",
        progress: Callable[[MakingProgress], None] = lambda _: None,
        cancel: threading.Event | None = None,
    ) -> EnvironmentChoice:
        """Return the environment to run a notebook in; create it if needed. Blocks.

        Args:
            wanted: `server`, a kernelspec, a conda environment, a path, the id of a created one,
                `own`, `own-time`; None chooses.
            era: The user's statement of when the notebook was written.
            progress: Called at each step of the creation.
            cancel: Ends the creation when set.

        Raises:
            BadInput: No environment has that name, or it cannot run a notebook.
            EnvironmentUnavailable: The requested one cannot be created.
        """
        choice = self._settled(place, wanted, era, partial(self._make, place, progress, cancel))
        made = None
        if choice.environment is not None and choice.environment.origin is EnvironmentOrigin.MADE:
            made = self.kept.get(choice.environment.name)
        return choice.model_copy(
            update={
                "added": place.further,
                "asked": wanted,
                "needs": _needs(place.requirements),
                "lines_done": made is not None and _lines_are_in(place.requirements, made),
            }
        )

    def packages_of(self, place: NotebookPlace, modules: tuple[str, ...]) -> tuple[str, ...]:
        """Return the distributions to add for modules that a run did not find. Blocks.

        Only those listed in a table and not added before. A module in the notebook's folder has
        none, even if the run did not find it: the package of its name would be another thing.
        """
        local = local_modules(place.notebook, place.folder, modules)
        named = (distribution_of(name) for name in modules if name not in local)
        return tuple(dict.fromkeys(name for name in named if name and name not in place.further))

    def missing_packages(
        self, place: NotebookPlace, modules: tuple[str, ...]
    ) -> tuple[MissingPackage, ...]:
        """Return the packages of modules that a run did not find, by name if a table has one.
        Blocks.

        Modules in the notebook's folder and of Python itself have none.
        """
        local = local_modules(place.notebook, place.folder, modules)
        return tuple(
            MissingPackage(module=name, package=distribution_of(name))
            for name in modules
            if name not in local and not is_standard(name)
        )

    def still_holds(
        self, choice: EnvironmentChoice | None, place: NotebookPlace, wanted: str | None
    ) -> bool:
        """Return whether an earlier choice is still right for the current notebook. Blocks."""
        if choice is None or choice.environment is None or choice.asked != wanted:
            return False
        if choice.needs != _needs(place.requirements) or choice.added != place.further:
            return False
        if choice.environment.origin is not EnvironmentOrigin.MADE:
            return Path(choice.environment.interpreter).is_file()
        try:
            self.kept.get(choice.environment.name)
        except (NotFound, EnvironmentUnavailable):
            return False  # it was removed meanwhile
        return True

    def _settled(
        self,
        place: NotebookPlace,
        wanted: str | None,
        era: str,
        make: Callable[..., MadeEnvironment],
    ) -> EnvironmentChoice:
        requirements, names = place.requirements, place.requirements.imports()
        if wanted in (OWN, OWN_TIME):
            made = make(self._order(place, wanted, era))
            choice = choose.asked(self.kept.as_found(made, names), requirements)
            return choice.model_copy(update={"remarks": made.remarks})
        if wanted is not None:
            return choose.asked(self._named(wanted, names, place.folder), requirements)
        there = self._at_hand(place, names)
        choice = choose.choose(there, requirements, place.traces.kernel)
        if choice.reason is not ChoiceReason.MAKE and not place.further:
            return choice
        missing = tuple(dict.fromkeys((*choice.missing, *place.further)))
        changes: dict[str, object] = {"missing": missing}
        try:
            made = make(self._order(place, OWN, ""), missing)
        except EnvironmentUnavailable as error:
            if error.problem in (MakingProblem.CANCELLED, MakingProblem.UNASKED):
                raise
            lacking = min(there, key=lambda item: (item.trouble is not None, len(item.missing)))
            changes |= {"reason": ChoiceReason.NOT_MADE, "environment": lacking}
            changes |= {"problem": error.problem, "detail": text(error.message)}
        else:
            compared = choice.environment.name if choice.environment else ""
            changes |= {"reason": ChoiceReason.MADE, "compared": choice.compared or compared}
            changes |= {"environment": self.kept.as_found(made, names), "remarks": made.remarks}
        return choice.model_copy(update=changes)

    @staticmethod
    def _at_hand(place: NotebookPlace, names: tuple[str, ...]) -> list[FoundEnvironment]:
        """Return the server's Python and the notebook's own kernelspec, which have priority."""
        there = [found.server(names)]
        own = _own_kernel(place, names)
        if own is not None and own != there[0]:
            there.append(own)
        return there

    def kept_environments(self) -> tuple[KeptEnvironment, ...]:
        """Return the created environments, last used first; those with a failed check last."""
        whole = [
            KeptEnvironment(id=item.id, made=item, last_used=self.kept.last_used(item.id))
            for item in self.kept.all()
        ]
        broken = [KeptEnvironment(id=name, made=None, last_used=0) for name in self.kept.broken()]
        return (*whole, *broken)

    def cache(self) -> UvCache:
        """Return the download cache of created environments.

        Raises:
            EnvironmentUnavailable: uv is missing.
        """
        return UvCache(self._uv)

    def prune(self, most: int) -> tuple[str, ...]:
        """Remove the remains of killed creations, and the oldest environments. Blocks.

        Args:
            most: Bytes that may remain.

        Returns: Ids of the environments removed.
        """
        self.kept.clean()
        return self.kept.trim(most, spared=kernels.environments_in_menu())

    def remove(self, environment_id: str) -> None:
        """Remove a made one.

        Raises:
            NotFound: There is none of that id.
            Conflict: Something runs in it, or a kernel in Jupyter's menu does.
        """
        if environment_id in kernels.environments_in_menu():
            raise Conflict(coded("conflict.kernel-in-menu"))
        self.kept.remove(environment_id)

    def put_into_menu(self, notebook: str, run: OwnTimeRun) -> Backport:
        """Add a kernel with the notebook's original libraries to Jupyter's kernel menu. Blocks.

        Args:
            notebook: Path of the notebook.
            run: Result of the notebook's run there.

        Raises:
            BadInput: The user's kernels cannot be written.
            NotFound: The environment was removed.
            EnvironmentUnavailable: It fails its integrity check.
        """
        record = self.kept.get(run.environment)
        month = "" if run.until is None else f" of {run.until:%Y-%m}"
        title = f"Python {run.python}{month} ({PurePath(notebook).name})"
        name = kernels.install(notebook, title, self.kept.interpreter(record), record)
        return Backport(environment=record.id, lock=record.lock, kernel=name, title=title)

    def _make(
        self,
        place: NotebookPlace,
        progress: Callable[[MakingProgress], None],
        cancel: threading.Event | None,
        order: EnvironmentOrder,
        missing: tuple[str, ...] | None = None,
    ) -> MadeEnvironment:
        """Create an environment; announce first what other ones lack, unless None."""
        if missing is not None:
            progress(MakingProgress(step=MakingStep.BEGINNING, missing=missing))
        if not self._may_make:
            raise EnvironmentUnavailable(coded("environment.none-made"), MakingProblem.NOT_ALLOWED)
        maker = Maker(self.kept, release_table(), self._uv, folder=place.folder)
        made = maker.make(order, progress=progress, cancel=cancel)
        self.kept.trim(keep=made.id, spared=kernels.environments_in_menu())
        return made

    def _order(self, place: NotebookPlace, wanted: str | None, era: str) -> EnvironmentOrder:
        if wanted == OWN:
            return order_of(place.requirements, further=place.further)
        try:
            told = self._analysis.infer_era(place.notebook, of_traces(place.traces), era)
        except ValueError as error:
            raise BadSetting(coded("era.wrong")) from error
        day = day_of(place.traces, told)
        if day is None:
            raise BadInput(coded("era.unknown"))
        return order_of(
            place.requirements,
            time=EnvironmentTime.OWN,
            until=day,
            python=python_of(place.traces, day, release_table()["python"]),
            bounds=bounds_of(told),
            further=place.further,
        )

    def _named(self, wanted: str, names: tuple[str, ...], folder: Path | None) -> FoundEnvironment:
        try:
            return self.kept.as_found(self.kept.get(wanted), names)
        except NotFound:
            pass  # it is no id of a made one
        environment = found.Search(names, folder).named(wanted)
        if environment is None:
            raise BadInput(
                coded(
                    "environment.unknown",
                    wanted=repr(wanted),
                    server=found.SERVER,
                    own=OWN,
                    own_time=OWN_TIME,
                )
            )
        if environment.trouble is not None:
            raise BadInput(
                coded(
                    "environment.cannot-run",
                    wanted=repr(wanted),
                    own=OWN,
                    trouble=trouble_message(environment.trouble),
                )
            )
        return environment


def _own_kernel(place: NotebookPlace, names: tuple[str, ...]) -> FoundEnvironment | None:
    """Return the environment of the notebook's own kernelspec; None if there is none."""
    if not place.traces.kernel:
        return None
    return found.Search(names, place.folder).kernel(place.traces.kernel)


def remove_kernel(notebook: str) -> str:
    """Take the kernel of a notebook's own time out of Jupyter's menu.

    Args:
        notebook: Path of the notebook.

    Returns: Id of its environment, which stays.

    Raises:
        NotFound: There is none.
    """
    return kernels.remove(notebook)


def release_table() -> Releases:
    """Month by version by import name: the product's own table."""
    return {
        library: {item.version: month_text(item.month) for item in history.releases}
        for library, history in histories().items()
    }


def newest_releases() -> dict[str, str]:
    """Return the newest known version by import name."""
    return {
        library: history.releases[-1].version
        for library, history in histories().items()
        if history.releases
    }


def _needs(requirements: Requirements) -> str:
    return hashlib.sha256(requirements.model_dump_json().encode("utf-8")).hexdigest()[:16]


def _lines_are_in(requirements: Requirements, made: MadeEnvironment) -> bool:
    """Return whether a created environment has every package of the notebook's install lines."""
    named = [
        item.name for item in requirements.packages if item.source is RequirementSource.INSTALL_LINE
    ]
    of_cells = [item for item in requirements.refused if item.refusal is not Refusal.OPTION]
    are_in = all(any(one in made.versions for one in same_modules(name)) for name in named)
    return are_in and not of_cells


_TROUBLE = {
    EnvironmentTrouble.NO_INTERPRETER: "trouble.no-interpreter",
    EnvironmentTrouble.NO_ANSWER: "trouble.no-answer",
    EnvironmentTrouble.TOO_OLD: "trouble.too-old",
    EnvironmentTrouble.NO_KERNEL: "trouble.no-kernel",
    EnvironmentTrouble.IN_HOME: "trouble.in-home",
    EnvironmentTrouble.NOT_LISTED: "trouble.not-listed",
}


def trouble_message(trouble: EnvironmentTrouble) -> Messages:
    """Return why an environment cannot run a notebook, as a part of a sentence."""
    return coded(_TROUBLE[trouble])


_MOST_NAMED = 5
_STEP = {
    MakingStep.WAITING: "making.waiting",
    MakingStep.BEGINNING: "making.beginning",
    MakingStep.PYTHON: "making.python",
    MakingStep.RESOLVING: "making.resolving",
    MakingStep.CHECKING: "making.checking",
}


def step_message(progress: MakingProgress, missing: tuple[str, ...] = ()) -> Messages:
    """Return the message for a step of creating an environment.

    Args:
        missing: Distributions for which it is created; empty if it was requested by name.
    """
    if progress.step is not MakingStep.INSTALLING:
        step = coded(_STEP[progress.step])
    elif not progress.size:
        step = coded("making.installing", count=progress.packages)
    else:
        megabytes = progress.size / 1e6
        step = coded("making.downloading", count=progress.packages, megabytes=megabytes)
    return coded("making.for", packages=named_packages(missing), step=step) if missing else step


def named_packages(names: tuple[str, ...]) -> str:
    """Return distributions as a text."""
    named = ", ".join(names[:_MOST_NAMED])
    return f"{named}, …" if len(names) > _MOST_NAMED else named


def interpreter_of(choice: EnvironmentChoice | None, sandbox: Sandbox) -> Interpreter | None:
    """Return the Python to run in; None is the sandbox's own."""
    if choice is None or choice.environment is None or not isinstance(sandbox, Local):
        return None
    chosen = choice.environment
    if chosen.origin is EnvironmentOrigin.SERVER:
        return None
    return Interpreter(Path(chosen.interpreter), tuple(map(Path, chosen.directories)))
