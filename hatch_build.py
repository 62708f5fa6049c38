"""Generate the files that a build needs and git does not track."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

GENERATORS = ("mle_modernizer_server.web.schema", "mle_modernizer_server.words.typescript")
"""Modules that write a generated file when they are run."""


class GeneratedFiles(BuildHookInterface[Any]):
    """Writes the wire schema and the panel's words; the front end's build makes its types."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Run the generators with the Python of the build."""
        for module in GENERATORS:
            subprocess.run([sys.executable, "-m", module], cwd=self.root, check=True)
