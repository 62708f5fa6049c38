"""Asks the living kernel before anything else runs: about a failure, and what its names are."""

from __future__ import annotations

import inspect

from pydantic import TypeAdapter, ValidationError

from mle_modernizer_server.domain.execution import CellError, LiveFact
from mle_modernizer_server.execution.kernel.inside import facts as kernel_side_facts
from mle_modernizer_server.execution.kernel.inside import types as kernel_side_types
from mle_modernizer_server.execution.kernel.kernel import SandboxKernel
from mle_modernizer_server.execution.outputs import clean

_LIMIT = 5.0
"""Seconds; the kernel is interrupted when looking takes longer."""
_MOST = kernel_side_facts.MOST_FACTS
_LONGEST = kernel_side_facts.LONGEST_VALUE

_Pairs = TypeAdapter(list[tuple[str, str]])
_Types = TypeAdapter(dict[str, str])
_TYPES = (
    inspect.getsource(kernel_side_types)
    + "\nimport json\nfrom IPython import get_ipython\n"
    + "answer = json.dumps(types_of_names(get_ipython().user_ns))\n"
)


async def live_facts(kernel: SandboxKernel, error: CellError) -> tuple[LiveFact, ...]:
    """What the kernel tells about an error it has just raised.

    The notebook's namespace is not changed. The answer comes from where hostile code ran: it is
    bounded and cleaned here again.

    Args:
        kernel: The kernel that raised it; nothing may be running in it.
        error: The error.

    Returns:
        Empty where nothing is known; one fact saying so where the kernel did not answer.
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


async def types_of_globals(kernel: SandboxKernel) -> dict[str, str] | None:
    """Full names of the types of the notebook's globals, by name.

    Args:
        kernel: Nothing may be running in it.

    Returns:
        At most 500 names; None where the kernel gave no usable answer.
    """
    answer = await kernel.ask_json(_TYPES, {}, limit=_LIMIT)
    try:
        found = _Types.validate_python(answer)
    except ValidationError:
        return None
    return {
        name: clean(kind)[: kernel_side_types.LONGEST_TYPE]
        for name, kind in list(found.items())[: kernel_side_types.MOST_NAMES]
        if name.isidentifier()
    }
