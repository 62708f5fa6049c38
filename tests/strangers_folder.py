"""A folder as a download may bring it: every program in it leaves a mark when it is started."""

from __future__ import annotations

from pathlib import Path

_SCRIPT = """\
#!/bin/sh
echo ran >> "{mark}"
echo 'mle-modernizer-environment:{{"executable": "{python}", "version": [3, 11, 7], "path": [],
 "directories": ["/", "/etc", "/root", "{home}"], "ipykernel": "6.29.0", "packages": {{}}}}'
"""


class StrangersFolder:
    """A folder of a stranger's; `mark` exists as soon as anything of it ran outside a sandbox.

    Args:
        root: Folder to make; the notebook is to lie in it.
        mark: File that is written by whatever runs.
    """

    def __init__(self, root: Path, mark: Path) -> None:
        self.root = root
        self.mark = mark
        root.mkdir(parents=True, exist_ok=True)

    def program(self, path: str) -> Path:
        """Put a program there that answers like a Python."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        text = _SCRIPT.format(mark=self.mark, python=place, home=Path.home())
        place.write_text(text.replace(',\n "', ', "'))
        place.chmod(0o755)
        return place

    def environment(self, path: str = ".venv", python: str | Path = "../../tools/python3") -> Path:
        """Put a virtual environment there whose interpreter is a link."""
        place = self.root / path
        (place / "bin").mkdir(parents=True)
        (place / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.7\n")
        (place / "bin" / "python").symlink_to(python)
        metadata = place / "lib" / "python3.11" / "site-packages" / "ipykernel-6.29.0.dist-info"
        metadata.mkdir(parents=True)
        (metadata / "METADATA").write_text("Name: ipykernel\nVersion: 6.29.0\n")
        return place

    def module(self, name: str) -> Path:
        """Put a module there that is called like one of Python's own."""
        place = self.root / f"{name}.py"
        place.write_text(f"open({str(self.mark)!r}, 'a').write('ran')\nraise SystemExit\n")
        return place
