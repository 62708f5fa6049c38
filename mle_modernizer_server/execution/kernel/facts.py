"""Ask the living kernel before anything else runs: facts of a failure, values of names."""

from __future__ import annotations

import inspect
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from mle_modernizer_server.domain.execution import CellError, LiveFact
from mle_modernizer_server.execution.kernel.inside import digest as kernel_side_digest
from mle_modernizer_server.execution.kernel.inside import facts as kernel_side_facts
from mle_modernizer_server.execution.kernel.inside import types as kernel_side_types
from mle_modernizer_server.execution.kernel.kernel import SandboxKernel
from mle_modernizer_server.execution.outputs import clean

_LIMIT = 5.0
"""Seconds; the kernel is interrupted when looking takes longer."""
_MOST = kernel_side_facts.MOST_FACTS
_LONGEST = kernel_side_facts.LONGEST_VALUE

_MOST_FACTS_OF_VALUES = 400
"""Of one cell."""
_VALUES_SECONDS = 3.0
_VALUES_LIMIT = 20.0
_LONGEST_NAME = 400

_Pairs = TypeAdapter(list[tuple[str, str]])
_Types = TypeAdapter(dict[str, str])
_Noted = TypeAdapter(tuple[str, str, str, str])
_TYPES = (
    inspect.getsource(kernel_side_types)
    + "\nimport json\nfrom IPython import get_ipython\n"
    + "shell = get_ipython()\n"
    + "answer = json.dumps({'types': types_of_names(shell.user_ns),\n"
    + "                     'ending': getattr(shell, 'mle_modernizer_ending', None)})\n"
)
_VALUES = (
    inspect.getsource(kernel_side_digest)
    + "\nimport json\nfrom IPython import get_ipython\n"
    + "answer = json.dumps(values_of_names(get_ipython().user_ns, wanted, most, seconds))\n"
)


@dataclass(frozen=True)
class Ending:
    """Status of a cell as the kernel reports it.

    Attributes:
        request: Id of the request message.
        ename: The error's type; empty without one.
        evalue: Its message.
        traceback: Python's own.
    """

    request: str
    ename: str
    evalue: str
    traceback: str


@dataclass(frozen=True)
class BehindCell:
    """Report of a kernel between two cells.

    Attributes:
        types: Full names of the types of the notebook's globals, by name, at most 500; None if
            not reported.
        ending: Of the last cell; None without a record.
    """

    types: dict[str, str] | None = None
    ending: Ending | None = None


async def live_facts(kernel: SandboxKernel, error: CellError) -> tuple[LiveFact, ...]:
    """Return the kernel's facts about an error it has just raised.

    The notebook's namespace is not changed. The answer comes from a process that ran hostile code:
    it is bounded and cleaned here again.

    Args:
        kernel: The kernel that raised it; nothing may be running in it.
        error: The error.

    Returns:
        Empty if nothing is known; one fact that states it if the kernel did not answer.
    """
    code = (
        inspect.getsource(kernel_side_facts)
        + "\nimport json\nanswer = json.dumps(facts_of_last_error(ename))\n"
    )
    answer = await kernel.ask_json(code, {"ename": error.ename}, limit=_LIMIT)
    if answer is None:
        return (LiveFact(name="not told", value="The kernel gave no answer about this failure."),)
    try:
        pairs = _Pairs.validate_python(answer)
    except ValidationError:
        return ()
    return tuple(
        LiveFact(name=clean(name)[:120], value=clean(value)[:_LONGEST])
        for name, value in pairs[:_MOST]
    )


async def behind_cell(kernel: SandboxKernel) -> BehindCell:
    """Ask for the types of the notebook's globals, and for how the last cell ended.

    The answer comes from a process that ran hostile code: it is bounded and cleaned here.

    Args:
        kernel: Must be idle; running code is interrupted.
    """
    answer = await kernel.ask_json(_TYPES, {}, limit=_LIMIT)
    if answer is None:  # running code has been interrupted by now
        answer = await kernel.ask_json(_TYPES, {}, limit=_LIMIT)
    if not isinstance(answer, dict):
        return BehindCell()
    try:
        request, ename, evalue, traceback = _Noted.validate_python(answer.get("ending"))
        ending = Ending(request, clean(ename)[:200], clean(evalue)[:4_000], clean(traceback))
    except ValidationError:
        ending = None
    return BehindCell(_types(answer.get("types")), ending)


async def values_of(kernel: SandboxKernel, names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the comparable facts of the notebook's variables, by name.

    The answer comes from a process that ran hostile code: it is bounded and cleaned here.

    Args:
        kernel: Nothing may be running in it.
        names: Of the variables; unbound ones are skipped.
    """
    given = {"wanted": list(names), "most": _MOST_FACTS_OF_VALUES, "seconds": _VALUES_SECONDS}
    answer = await kernel.ask_json(_VALUES, given, limit=_VALUES_LIMIT)
    try:
        pairs = _Pairs.validate_python(answer)
    except ValidationError:
        return ()
    return tuple(
        (clean(name)[:_LONGEST_NAME], clean(value)[: kernel_side_digest.LONGEST])
        for name, value in pairs[:_MOST_FACTS_OF_VALUES]
    )


def _types(told: object) -> dict[str, str] | None:
    try:
        found = _Types.validate_python(told)
    except ValidationError:
        return None
    return {
        name: clean(kind)[: kernel_side_types.LONGEST_TYPE]
        for name, kind in list(found.items())[: kernel_side_types.MOST_NAMES]
        if name.isidentifier()
    }
