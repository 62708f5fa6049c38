"""Public files that a notebook's code never names.

No record exists of the files that a run has opened, so the code's own paths decide. If the code
lists folders and opens the files in them, no file is reported.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatch

from mle_modernizer_server.code.named_paths import find_named
from mle_modernizer_server.code.pipeline.pipeline import Pipeline

_LISTS = frozenset(
    {
        "os.listdir",
        "os.walk",
        "os.scandir",
        "glob.glob",
        "glob.iglob",
        "torchvision.datasets.ImageFolder",
    }
)
_LISTING_METHODS = frozenset({"iterdir", "glob", "rglob", "flow_from_directory"})
_PACKED = (".zip", ".gz", ".bz2", ".7z", ".tar")


def unopened(pipeline: Pipeline, public: Iterable[str]) -> tuple[str, ...]:
    """Return the files that the code does not name, in their order.

    Args:
        pipeline: The analysis of the notebook's code.
        public: Names of the competition's public files, below their folder.
    """
    if pipeline.addresses & _LISTS or pipeline.methods & _LISTING_METHODS:
        return ()
    paths = find_named(cell.source for cell in pipeline.notebook.code_cells()).paths
    patterns = {path.rstrip("/").rpartition("/")[2] for path in paths}
    return tuple(name for name in public if not _is_named(name, patterns))


def _is_named(name: str, patterns: set[str]) -> bool:
    """Return whether a file or its folder is named; `train.csv.zip` is by `train.csv`."""
    parts = name.split("/")
    last = parts[-1]
    for end in _PACKED:
        last = last.removesuffix(end)
    return any(fnmatch(part, pattern) for part in (*parts, last) for pattern in patterns)
