"""Which environment a notebook runs in: looked for, chosen, made; and the list of those made."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mle_modernizer_server.domain.environments import (
    ChoiceReason,
    EnvironmentChoice,
    EnvironmentOrder,
    EnvironmentReport,
    EnvironmentTime,
    FoundEnvironment,
    KeptEnvironment,
    MadeEnvironment,
    MakingProblem,
    MakingProgress,
    Requirements,
)
from mle_modernizer_server.domain.era import Era, Traces
from mle_modernizer_server.domain.errors import (
    BadInput,
    BadSetting,
    EnvironmentUnavailable,
    NotFound,
)
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.environments import choose, found
from mle_modernizer_server.environments.dating import bounds_of, day_of, python_of
from mle_modernizer_server.environments.distributions import distribution_of
from mle_modernizer_server.environments.kept import KeptEnvironments
from mle_modernizer_server.environments.making import Maker, order_of
from mle_modernizer_server.environments.requirements import requirements_of
from mle_modernizer_server.environments.resolving import Releases
from mle_modernizer_server.environments.uv import Uv
from mle_modernizer_server.fixing.rules.era.releases import histories, month_text
from mle_modernizer_server.fixing.rules.preflight import infer_era
from mle_modernizer_server.workflow.era import evidence_of

OWN = "own"
"""Asks for an environment made for the notebook, of today's packages."""
OWN_TIME = "own-time"
"""Asks for one of the notebook's own time."""


@dataclass(frozen=True)
class NotebookPlace:
    """A notebook with what is needed to choose its environment.

    Attributes:
        notebook: Its sources.
        folder: Where it lies; None where it lies nowhere.
        traces: What its file tells beside the sources, the kernelspec's name among it.
        further: Distributions to add: the person named them, or a run showed them missing.
    """

    notebook: Notebook
    folder: Path | None
    traces: Traces
    further: tuple[str, ...] = ()


class NotebookEnvironments:
    """The environments of this machine and the ones made here.

    Args:
        kept: Where made ones are kept; Jupyter's data directory if None.
        uv: Makes them; with pip's indexes if None.
    """

    def __init__(self, kept: KeptEnvironments | None = None, uv: Uv | None = None) -> None:
        self.kept = kept or KeptEnvironments()
        self._uv = uv

    def report(self, place: NotebookPlace) -> EnvironmentReport:
        """What the notebook needs, all that is there, and what would be chosen. Blocks."""
        requirements = requirements_of(place.notebook, place.folder)
        names = requirements.imports()
        there = found.find_environments(names, place.folder)
        own = found.kernel(place.traces.kernel, names) if place.traces.kernel else None
        return EnvironmentReport(
            requirements=requirements,
            found=there,
            choice=choose.choose(
                there if own in there or own is None else (*there, own),
                requirements,
                place.traces.kernel,
            ),
        )

    def settle(
        self,
        place: NotebookPlace,
        wanted: str | None = None,
        *,
        era: str = "",
        progress: Callable[[MakingProgress], None] = lambda _: None,
        cancel: threading.Event | None = None,
    ) -> EnvironmentChoice:
        """The environment to run a notebook in, made where that is needed. Blocks.

        Args:
            place: The notebook.
            wanted: `server`, a kernelspec, a conda environment, a path, the id of a made one,
                `own`, `own-time`; None chooses.
            era: The person's word on when the notebook was written.
            progress: Called at each step of making one.
            cancel: When set, making ends.

        Raises:
            BadInput: There is no environment of that name, or it cannot run a notebook.
            EnvironmentUnavailable: The one asked for cannot be made.
        """
        requirements = requirements_of(place.notebook, place.folder)
        names = requirements.imports()
        if wanted in (OWN, OWN_TIME):
            made = self._make(self._order(place, requirements, wanted, era), progress, cancel)
            choice = choose.asked(self.kept.as_found(made, names), requirements)
            return choice.model_copy(update={"remarks": made.remarks})
        if wanted is not None:
            return choose.asked(self._named(wanted, names, place.folder), requirements)
        there = [found.server(names)]
        own = found.kernel(place.traces.kernel, names) if place.traces.kernel else None
        if own is not None and own != there[0]:
            there.append(own)
        choice = choose.choose(there, requirements, place.traces.kernel)
        further = tuple(name for name in place.further if name not in choice.missing)
        if choice.reason is not ChoiceReason.MAKE and not further:
            return choice
        return self._made_for(place, requirements, choice, there, progress, cancel)

    def _made_for(
        self,
        place: NotebookPlace,
        requirements: Requirements,
        choice: EnvironmentChoice,
        there: list[FoundEnvironment],
        progress: Callable[[MakingProgress], None],
        cancel: threading.Event | None,
    ) -> EnvironmentChoice:
        try:
            made = self._make(self._order(place, requirements, OWN, ""), progress, cancel)
        except EnvironmentUnavailable as error:
            if error.problem is MakingProblem.CANCELLED:
                raise
            lacking = min(there, key=lambda item: (item.trouble is not None, len(item.missing)))
            return choice.model_copy(
                update={
                    "reason": ChoiceReason.NOT_MADE,
                    "environment": lacking,
                    "problem": error.problem,
                    "detail": error.message,
                }
            )
        return choice.model_copy(
            update={
                "reason": ChoiceReason.MADE,
                "environment": self.kept.as_found(made, requirements.imports()),
                "missing": tuple(dict.fromkeys((*choice.missing, *place.further))),
                "remarks": made.remarks,
            }
        )

    def kept_environments(self) -> tuple[KeptEnvironment, ...]:
        """The made ones, last used first; those that were tampered with at the end."""
        whole = [
            KeptEnvironment(id=item.id, made=item, last_used=self.kept.last_used(item.id))
            for item in self.kept.all()
        ]
        broken = [KeptEnvironment(id=name, made=None, last_used=0) for name in self.kept.broken()]
        return (*whole, *broken)

    def remove(self, environment_id: str) -> None:
        """Remove a made one.

        Raises:
            NotFound: There is none of that id.
            Conflict: Something runs in it.
        """
        self.kept.remove(environment_id)

    def _make(
        self,
        order: EnvironmentOrder,
        progress: Callable[[MakingProgress], None],
        cancel: threading.Event | None,
    ) -> MadeEnvironment:
        made = Maker(self.kept, release_table(), self._uv).make(
            order, progress=progress, cancel=cancel
        )
        self.kept.trim(keep=made.id)
        return made

    def _order(
        self, place: NotebookPlace, requirements: Requirements, wanted: str, era: str
    ) -> EnvironmentOrder:
        if wanted == OWN:
            return order_of(requirements, further=place.further)
        told = era_of_place(place, era)
        day = day_of(place.traces, told)
        if day is None:
            raise BadInput(
                "Nothing in the notebook tells when it was written; name a year (`--era 2018`)."
            )
        return order_of(
            requirements,
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
        environment = found.named(wanted, names, folder)
        if environment is None:
            raise BadInput(
                f"There is no environment {wanted!r}: name a kernelspec, a conda environment, a "
                f"path, `{found.SERVER}`, `{OWN}` or `{OWN_TIME}`; "
                "`jupyter modernize environments --for NOTEBOOK` lists what is there."
            )
        if environment.trouble is not None:
            raise BadInput(
                f"The environment {wanted!r} cannot run a notebook ({environment.trouble.value})."
            )
        return environment


def era_of_place(place: NotebookPlace, era: str) -> Era:
    """When a notebook was written.

    Raises:
        BadSetting: `era` is no era.
    """
    try:
        return infer_era(place.notebook, evidence_of(place.traces), era)
    except ValueError as error:
        raise BadSetting(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error


def release_table() -> Releases:
    """Month by version by import name: the product's own table."""
    return {
        library: {item.version: month_text(item.month) for item in history.releases}
        for library, history in histories().items()
    }


def package_of(import_name: str) -> str | None:
    """The distribution to add for a module that a run did not find, where a table names one."""
    return distribution_of(import_name.partition(".")[0])
