"""`jupyter modernize mcp`: tools for agents, over standard input and output."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from mle_modernizer_server.cli.arguments import Options, parse_options
from mle_modernizer_server.cli.exit_codes import ExitCode
from mle_modernizer_server.cli.options import RulesPath
from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.settings import Flag
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.grading.competitions import default_data_root
from mle_modernizer_server.wiring import build_modernizer

_EPILOG = """\
tools: what_will_break, explain_error, run_sealed, propose, check_patch, apply_to_copy
resources: rules://LIBRARY, rules://LIBRARY/VERSION

An entry for a client's configuration:
  {"mcpServers": {"modernize": {"command": "jupyter", "args": ["modernize", "mcp", "--root", "."]}}}

exit codes:
  0    the client closed the connection
  2    bad usage, or the extra `mcp` is not installed
"""


class McpOptions(Options):
    """Options of the command."""

    DESCRIPTION = (
        "Offer forecasts, sealed runs, proposals and a judge of patches to an agent "
        "(Model Context Protocol, over standard input and output). No notebook is changed."
    )
    EPILOG = _EPILOG

    root: Annotated[
        Path,
        Flag(
            "folder of the notebooks that the agent may name (default: the current folder)", "DIR"
        ),
    ] = Path()
    sandbox: Annotated[str | None, Flag("sandbox of the runs", "NAME")] = None
    rules_path: RulesPath = None


def run(argv: Sequence[str]) -> int:
    """Serve a client until it closes the connection; return the exit code.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
        BadSetting: The root is no folder, or the extra `mcp` is not installed.
    """
    given = parse_options(McpOptions, "mcp", argv)
    if not given.root.is_dir():
        raise BadSetting(coded("mcp.no-root", path=str(given.root)))
    try:
        from mle_modernizer_server.mcp.tools import Tools
    except ImportError as error:
        raise BadSetting(coded("mcp.not-installed")) from error
    modernizer = build_modernizer(
        data_root=default_data_root(),
        sandbox=given.sandbox,
        llm=LlmSettings.from_environment(),
        rules_path=given.rules_path,
    )

    async def until_closed() -> None:
        try:
            await Tools(modernizer, given.root).server().run_stdio_async()
        finally:
            await modernizer.close()

    asyncio.run(until_closed())
    return int(ExitCode.REPRODUCIBLE)
