"""The question for the packages that a Python has; asked in a kernel, a process or a container."""

from __future__ import annotations

QUESTION = """
import json, sys, importlib.metadata as metadata
wanted = None if names is None else set(names)
packages = {}
for distribution in metadata.distributions():
    modules = set((distribution.read_text("top_level.txt") or "").split())
    if not modules:
        files = [file.parts for file in distribution.files or () if file.suffix == ".py"]
        modules = {parts[0].partition(".")[0] for parts in files}
    for name in modules if wanted is None else modules & wanted:
        packages.setdefault(name, distribution.version)
answer = json.dumps({"python": "%d.%d.%d" % sys.version_info[:3], "packages": packages})
"""
"""Run in the sandbox's Python: `answer` tells of the packages in `names`, of all for None."""
# metadata.packages_distributions() does the same, but before Python 3.11 only for distributions
# with a top_level.txt, which most no longer have.

QUESTION_FOR_ALL = f"names = None\n{QUESTION}\nprint(answer)"
"""A script that prints the answer for all packages."""
