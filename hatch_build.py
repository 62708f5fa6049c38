"""Generate the files that a build needs and git does not track."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

GENERATORS = ("mle_modernizer_server.web.schema", "mle_modernizer_server.words.typescript")
"""Modules that write a generated file when they are run."""
_INSTALLED = "mle_modernizer_server/labextension/install.json"


class GeneratedFiles(BuildHookInterface[Any]):
    """Writes the wire schema and the panel's words; the front end's build makes its types."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Run the generators with the Python of the build.

        An editable installation writes `install.json` through JupyterLab's link to the front end;
        a build would have two files of that name.
        """
        (Path(self.root) / _INSTALLED).unlink(missing_ok=True)
        for module in GENERATORS:
            subprocess.run([sys.executable, "-m", module], cwd=self.root, check=True)
