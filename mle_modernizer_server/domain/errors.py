"""Errors a person may see: each has a stable code, an HTTP status and a message.

The web layer translates them in one place; the command line prints the message and turns the
class into an exit code.
"""

from __future__ import annotations

from pydantic import ValidationError

from mle_modernizer_server.domain.environment import MakingProblem
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.domain.model_calls import Usage
from mle_modernizer_server.domain.paper import PaperProblem


def first_problem(error: ValidationError) -> tuple[str, str]:
    """Return the path of the first wrong field (`a.b`; empty for the whole), and the reason."""
    first = error.errors(include_url=False, include_input=False)[0]
    return ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")


class ModernizerError(Exception):
    """Base of all errors that are meant for the user.

    Attributes:
        code: Stable machine-readable name, for clients and scripts.
        status: HTTP status code that fits.
        message: What is wrong and what to do next.
        cell_id: The affected cell, if any.
    """

    code = "modernizer_error"
    status = 500

    def __init__(self, message: Messages, *, cell_id: str | None = None) -> None:
        super().__init__(" ".join(map(str, message)))
        self.message = message
        self.cell_id = cell_id


class Busy(ModernizerError):
    """Too many requests of one kind are waiting.

    Attributes:
        retry_after: Seconds after which to retry.
    """

    code = "busy"
    status = 503

    def __init__(self, message: Messages, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class StoreUnusable(ModernizerError):
    """The file with the sessions cannot be opened, read or written."""

    code = "store_unusable"
    status = 503


class BadInput(ModernizerError):
    """The user's input cannot be used (a setting, a request, a file)."""

    code = "bad_input"
    status = 400


class TooLarge(BadInput):
    """A request, or a notebook, is larger than the limit."""

    code = "too_large"
    status = 413


class BadNotebook(BadInput):
    """The file is no notebook that can be modernized (not JSON, no cells, another language)."""

    code = "bad_notebook"


class BadSetting(BadInput):
    """A setting is out of its range, for example a target score that is not a number."""

    code = "bad_setting"


class BadCompetition(BadInput):
    """A competition's description or its files are missing or contradict each other."""

    code = "bad_competition"


class BadPaper(BadInput):
    """A file cannot be parsed as a paper; `problem` is the reason, the message the next step."""

    code = "bad_paper"

    def __init__(self, message: Messages, problem: PaperProblem) -> None:
        super().__init__(message)
        self.problem = problem


class NotFound(ModernizerError):
    """The session, proposal, edit, iteration or competition does not exist."""

    code = "not_found"
    status = 404


class UnknownCompetition(NotFound):
    """The data root has no competition of that name."""

    code = "unknown_competition"


class Conflict(ModernizerError):
    """The request does not fit the session's state."""

    code = "conflict"
    status = 409


class StaleEdit(Conflict):
    """The cell was changed after the proposal was made; `cell_id` is its id."""

    code = "stale_edit"


class AlreadyAccepted(Conflict):
    """The edit was accepted before, in another window or by another person."""

    code = "already_accepted"


class NeedsYes(Conflict):
    """An edit that changes the experiment was accepted without the user's consent."""

    code = "needs_yes"


class SandboxUnavailable(ModernizerError):
    """The requested sandbox cannot be used on this machine; the message offers the next one."""

    code = "sandbox_unavailable"
    status = 409


class ScratchUnavailable(ModernizerError):
    """The scratch directory cannot be created or is full."""

    code = "scratch_unavailable"
    status = 507


class EnvironmentUnavailable(ModernizerError):
    """An environment cannot be created or used; `problem` is the reason, the message the next
    step."""

    code = "environment_unavailable"
    status = 409

    def __init__(self, message: Messages, problem: MakingProblem) -> None:
        super().__init__(message)
        self.problem = problem


class ResourceUnavailable(ModernizerError):
    """A file cannot be downloaded or stored; the message is the reason."""

    code = "resource_unavailable"
    status = 409

    def __init__(self, message: Messages, *, cancelled: bool = False) -> None:
        super().__init__(message)
        self.cancelled = cancelled
        """Whether the user cancelled it."""


class FixerFailed(ModernizerError):
    """A fixer returned no result (for the LLM: no usable reply after all retries)."""

    code = "fixer_failed"
    status = 502

    def __init__(self, message: Messages, *, usage: Usage | None = None) -> None:
        super().__init__(message)
        self.usage = usage or Usage()
        """Tokens and cost spent until the failure."""
