"""Ask the packages that a notebook would run with for the names it uses, before its first run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mle_modernizer_server import pools
from mle_modernizer_server.domain.environment import (
    NONE_ABSENT,
    Absence,
    Absences,
    EnvironmentChoice,
    NameQuestion,
    Requirements,
    RequirementSource,
)
from mle_modernizer_server.domain.era import Evidence, Traces
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.environments.distributions import distribution_of
from mle_modernizer_server.environments.requirements import local_modules, requirements_of
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.fixing.rules.era.evidence import of_traces
from mle_modernizer_server.fixing.rules.paths.relocate import Relocated
from mle_modernizer_server.workflow.environments import interpreter_of
from mle_modernizer_server.workflow.era import NO_TRACES
from mle_modernizer_server.workflow.services import Services

_MOST_ROUNDS = 3
"""Rounds of questions: a fix that is not written may give way to another one."""


@dataclass(frozen=True)
class Ahead:
    """A notebook that has not run, with its prospective surroundings.

    Attributes:
        notebook: The sources.
        settings: Sandbox, environment, competition, files, the user's statement of its era.
        traces: Evidence in its file beyond the sources.
        folder: The notebook's folder; None if unsaved.
        patience: Seconds that a forecast waits for the answers of the installed packages; None:
            until all are there.
    """

    notebook: Notebook
    settings: SessionSettings
    traces: Traces = NO_TRACES
    folder: Path | None = None
    patience: float | None = None

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Return the evidence of its era in its file, beyond the sources."""
        return of_traces(self.traces)


@dataclass(frozen=True)
class Prospect:
    """Where a notebook would run.

    Attributes:
        ahead: The notebook.
        sandbox: The sandbox.
        environment: The installed packages.
        choice: The Python that they belong to; None: the sandbox's own.
        relocated: The notebook's paths, relocated.
    """

    ahead: Ahead
    sandbox: Sandbox
    environment: Environment
    choice: EnvironmentChoice | None
    relocated: Relocated


async def absent_names(services: Services, prospect: Prospect) -> tuple[Absences, bool]:
    """Return the names of a notebook and of its patch that the packages lack, and whether the
    search for them is complete.

    Args:
        services: For the rules and the packages.
        prospect: Where the notebook would run.
    """
    names, ahead = services.names, prospect.ahead
    if names is None or ahead.notebook.language != "python":
        return NONE_ABSENT, True
    absences, is_complete = NONE_ABSENT, True
    of_fixes: dict[str, None] = {}
    for _ in range(_MOST_ROUNDS):
        uses = await pools.analysis.run(
            services.analysis.names_in_use,
            ahead.notebook,
            prospect.environment,
            ahead.evidence,
            ahead.settings.era or "",
            prospect.relocated,
            absences,
            seconds=ahead.settings.rules_seconds,
        )
        answers = await names.absent(
            prospect.sandbox,
            interpreter_of(prospect.choice, prospect.sandbox),
            prospect.environment,
            uses.questions,
            patience=ahead.patience,
        )
        is_complete = answers.is_complete
        counted = await pools.code.run(_counted, answers.absences, uses.questions, prospect)
        before = absences
        absences = uses.absences(counted)
        of_fixes |= dict.fromkeys(absences.of_fixes)
        absences = absences.model_copy(update={"of_fixes": tuple(of_fixes)})
        if absences.of_fixes == before.of_fixes or not is_complete:
            break
    return absences, is_complete


def _counted(
    found: Sequence[Absence], questions: Sequence[NameQuestion], prospect: Prospect
) -> list[Absence]:
    """Return the absences that will be there in a run.

    Modules of the notebook's own folder are not there yet, packages that the notebook installs may
    have other versions then, and an environment that is yet to be made gets what is missing.
    """
    if not found:
        return []
    notebook, folder = prospect.ahead.notebook, prospect.ahead.folder
    tops = tuple(dict.fromkeys(one.top for one in questions))
    local = local_modules(notebook, folder, tops)
    requirements = requirements_of(notebook, folder)
    installs = _installed_by_lines(requirements)
    left_out = {top for top in tops if top in local or distribution_of(top) in installs}
    left_out |= {top for top in tops if top in installs}
    made: set[str] = set()
    if prospect.choice is not None and prospect.choice.environment is None:
        made = {name for item in requirements.packages for name in item.imports}
    return [
        one
        for one in found
        if one.question.top not in left_out and not (one.is_package and one.question.top in made)
    ]


def _installed_by_lines(requirements: Requirements) -> frozenset[str]:
    """Return the distributions that the notebook's own lines install."""
    return frozenset(
        item.name for item in requirements.packages if item.source is RequirementSource.INSTALL_LINE
    )
