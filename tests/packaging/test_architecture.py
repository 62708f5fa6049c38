"""The house's order: who may import whom, and what a file may not be called.

The picture these tests hold to is in docs/architecture.md.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "mle_modernizer_server"
NAME = PACKAGE.name

MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "_version": (),
    "child_process": (),
    "pools": ("child_process", "domain"),
    "domain": (),
    "code": ("domain",),
    "untrusted": (),
    "words": ("domain",),
    "environments": ("domain", "code", "untrusted", "resources.body"),
    "resources": ("domain", "untrusted"),
    "execution": (
        *("domain", "code", "untrusted"),
        "resources.connecting",  # connections to public addresses
        "resources.body",  # responses read within limits
    ),
    "grading": ("domain", "code", "untrusted"),
    "kaggle": ("domain", "untrusted", "grading", "execution.documents"),
    "diagnosis": ("domain", "code"),
    "improving": (
        *("domain", "code", "untrusted", "execution", "grading", "resources.body"),
        "fixing.rules.engine",  # rewriting of code
    ),
    "fixing": ("domain", "code", "untrusted", "words"),  # a model is told in words
    "papers": ("domain", "untrusted"),
    "reproducing": ("domain", "code", "untrusted", "papers", "fixing.integrity"),
    "workflow": (
        *("domain", "code", "untrusted", "words", "environments", "execution"),
        *("grading", "diagnosis", "fixing", "improving"),
        *("papers", "reproducing", "resources"),
    ),
    "batch": (
        "domain",
        "untrusted",
        "words",
        "workflow.service",
        "wiring",
        "execution.notebook_file",
        "execution.schema_formats",  # what workers do not load
        "execution.process_identity",  # who holds a claim
        "execution.sandboxes.docker.settings",
        "fixing.fixer",  # the seam that the batch's budget stands at
        "fixing.llm.settings",
        "_version",
    ),
    "web": (
        *("domain", "untrusted", "words", "workflow.service", "batch.overview", "mcp", "_version"),
        "code.contents",  # the texts under the fields of messages
    ),
    "cli": (
        "domain",
        "untrusted",
        "words",
        "batch",
        "workflow.service",
        "workflow.environments",  # the commands on environments know no session
        "resources",  # `resources` lists and removes what was fetched
        "wiring",
        "execution.documents",
        "execution.schema_formats",  # what the command does not load
        "execution.notebook_file",  # a notebook's file, read and written with care
        "execution.sandboxes.docker.settings",  # what its flags can say
        "execution.sandboxes.docker.kernelspec",
        "fixing.rules.rule",  # the knowledge is data, shown as it is
        "fixing.rules.knowledge",
        "fixing.rules.analysis_process",  # started before anything else is loaded
        "fixing.rules.analysis",  # what is looked into before the command asks
        "fixing.rules.era.evidence",
        "improving.catalogue",  # so are models and recipes
        "kaggle",
        "mcp",
        "grading",  # `grade` and `competition` are about this room alone
        "fixing.llm.settings",
        "_version",
    ),
    "mcp": (
        *("domain", "words", "workflow.service", "_version"),
        "execution.notebook_file",
        "fixing.rules.rule",  # the knowledge is data, shown as it is
        "fixing.rules.knowledge",
    ),
    "wiring": (
        *("domain", "untrusted", "resources", "execution", "grading", "diagnosis", "fixing"),
        *("improving.catalogue", "workflow"),
    ),
    "extension": ("web.late_routes", "_version"),
    "start": (
        "extension",
        "domain",
        "workflow",
        "web",
        "wiring",
        "execution.sandboxes.docker.configuration",  # a class of Jupyter's configuration
        "fixing",
    ),
    "__init__": ("extension", "_version"),
}
"""What each room may import of the others, by prefix of a module's name; its own it always may."""

ALL_MAY_IMPORT = ("child_process", "pools")
"""Where blocking work and our own processes run; `domain` and `words` do no such work."""

FIXERS_MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "fixing.rules": (),
    "fixing.llm": ("fixing.rules.knowledge",),
}
"""The two fixers do not know each other, but the model is told what the rules know."""

READS_CODE = (
    "code",
    *(f"fixing.rules.{room}" for room in ("engine", "generic", "libraries", "python2")),
    # they rewrite code, as codemods do
    *("fixing.rules.learning", "fixing.reseeding", "improving.ablation"),
    *("execution.kernel.inside", "execution.differential.driver"),  # they run in other Pythons
)
"""Who may import `ast`, `libcst` and `tokenize`: what understands code, and what rewrites it."""

FORBIDDEN_NAMES = frozenset({"utils", "util", "helpers", "helper", "common", "misc"})


def module_name(path: Path) -> str:
    """`domain.session` for `mle_modernizer_server/domain/session.py`."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    if len(parts) > 1 and parts[-1] == "__init__":
        parts = parts[:-1]
    return ".".join(parts)


@cache
def imports(source: str, module: str, is_package: bool) -> set[str]:
    """The modules of ours that a source imports, wherever in it; names without the package's."""
    here = [NAME, *module.split(".")]
    package = here if is_package else here[:-1]
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            # `from package import name`: the name may be a module.
            found.update(f"{origin}.{alias.name}" for alias in node.names)
    prefix = f"{NAME}."
    return {name.removeprefix(prefix) for name in found if name.startswith(prefix)}


def within(name: str, prefixes: tuple[str, ...]) -> bool:
    """Whether a module's name is one of the prefixes or below one."""
    return any(name == prefix or name.startswith(f"{prefix}.") for prefix in prefixes)


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def forbidden_imports(path: Path) -> list[str]:
    """The imports of one module that go against the order."""
    module = module_name(path)
    room = module.split(".")[0]
    wrong = []
    for name in imports(path.read_text("utf-8"), module, path.name == "__init__.py"):
        own = name.split(".")[0] == room
        allowed_here = MAY_IMPORT[room]
        if room not in ("_version", "domain", "words", *ALL_MAY_IMPORT):
            allowed_here += ALL_MAY_IMPORT
        if not own and not within(name, allowed_here) and name != "__version__":
            wrong.append(name)
        for fixer, allowed in FIXERS_MAY_IMPORT.items():
            of_other = within(name, tuple(FIXERS_MAY_IMPORT)) and not within(name, (fixer,))
            if within(module, (fixer,)) and of_other and not within(name, allowed):
                wrong.append(name)
    return sorted(wrong)


def test_every_room_is_known() -> None:
    rooms = {module_name(path).split(".")[0] for path in modules()}
    assert rooms <= set(MAY_IMPORT), "say in MAY_IMPORT what a new room may import"


def test_imports_go_one_way() -> None:
    wrong = {module_name(path): forbidden_imports(path) for path in modules()}
    assert {module: names for module, names in wrong.items() if names} == {}


def test_code_is_read_in_its_room() -> None:
    parsing = re.compile(r"^\s*(?:import|from) (?:ast|libcst|tokenize)\b", re.MULTILINE)
    found = {module_name(path) for path in modules() if parsing.search(path.read_text("utf-8"))}
    assert {name for name in found if not within(name, READS_CODE)} == set()


def test_only_run_once_starts_notebooks() -> None:
    starting = "execution.notebook_run"
    found = {
        module_name(path)
        for path in modules()
        if module_name(path).split(".")[0] != "execution"
        and any(
            within(name, (starting,))
            for name in imports(
                path.read_text("utf-8"), module_name(path), path.name == "__init__.py"
            )
        )
    }
    assert found == {"workflow.run.run_once"}


def test_threads_are_taken_from_pools_only() -> None:
    ways = re.compile(r"\bto_thread\(|\brun_in_executor\(|\bThreadPoolExecutor\(")
    found = {module_name(path) for path in modules() if ways.search(path.read_text("utf-8"))}
    assert found == {"pools"}


def test_imports_are_seen_in_every_form() -> None:
    source = "\n".join(
        [
            "import mle_modernizer_server.web.handlers",
            "from mle_modernizer_server import cli",
            "def late():",
            "    from mle_modernizer_server.workflow.log.store import Store",
            "    from ..fixing import fixer",
            "    from . import metrics",
            "    import json",
        ]
    )
    assert imports(source, "grading.grader", is_package=False) == {
        "web.handlers",
        "cli",
        "workflow.log.store.Store",
        "fixing.fixer",
        "grading.metrics",
    }


def source_files() -> list[Path]:
    folders = ("mle_modernizer_server", "src", "tests", "ui-tests", "examples", "benchmarks")
    found = [
        path
        for folder in folders
        for suffix in ("*.py", "*.ts", "*.tsx", "*.css")
        for path in (ROOT / folder).rglob(suffix)
    ]
    return sorted(path.relative_to(ROOT) for path in found if "labextension" not in path.parts)


def test_no_file_is_named_after_nothing() -> None:
    assert [
        str(path)
        for path in source_files()
        if FORBIDDEN_NAMES & {part.split(".")[0].lower() for part in path.parts}
    ] == []


_ALIKE = ("", "cli/commands", "cli/terminal", "domain", "fixing/rules/generic", "grading/metrics")
"""Folders whose files are named after what each does, so that they need no list."""


def test_every_folder_lists_its_files() -> None:
    unlisted = []
    for file in PACKAGE.rglob("__init__.py"):
        folder = file.parent.relative_to(PACKAGE).as_posix().removeprefix(".")
        listed = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
        if folder in _ALIKE or "/libraries" in folder or "a codemod each" in listed:
            continue
        files = (path for path in file.parent.glob("*.py") if path != file)
        unlisted += [f"{folder}/{path.name}" for path in files if path.name not in listed]
    assert unlisted == []


def test_python_is_read_where_threads_do_not_disturb_one_another() -> None:
    others = {
        "code/ipython.py",  # `parse_python`, `literal_value`
        "execution/differential/driver.py",  # runs in a process of its own
        "web/schema.py",  # run by hand
    }
    found = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if "inside" not in path.parts  # sent into a kernel
        and ("ast.parse(" in (text := path.read_text("utf-8")) or "ast.literal_eval(" in text)
    }
    assert found - others == set()


_PARSER = re.compile(
    r"\b(?:json\.loads?|yaml\.(?:safe_)?load|yaml\.parse|tomllib\.loads?|nbformat\.reads?)\("
)
_READING = re.compile(r"\.(?:read_text|read_bytes)\(|\.open\((?:\"rb?\"|encoding)")


def modules_with(call: re.Pattern[str]) -> set[str]:
    """Return the modules that match, by path; what is sent into a kernel aside."""
    return {
        path.relative_to(PACKAGE).as_posix()
        for path in modules()
        if "inside" not in path.parts and call.search(path.read_text("utf-8"))
    }


_OWN_TABLES = {
    "environments/distributions.py",
    "environments/resolving.py",  # a table, and what uv wrote
    "fixing/rules/compiled.py",
    "fixing/rules/era/releases.py",
    "code/calls.py",
    "code/types/returns.py",
    "reproducing/checklist.py",
    "reproducing/claims/vocabulary.py",
    "reproducing/skeleton.py",
    "words/render.py",
}
"""Modules that read tables of the package."""


def test_documents_of_others_are_parsed_within_limits() -> None:
    own = {
        "workflow/log/exchanges.py",  # the database
        "workflow/run/record.py",  # a copy
        "child_process.py",  # messages between processes of the product
        "environments/inspect_python.py",
        "execution/differential/driver.py",
        "fixing/rules/analysis.py",
        "grading/child.py",
        "grading/mlebench_adapter.py",
        "papers/child.py",
    }
    others = {
        "untrusted/parsing.py",
        "execution/outputs.py",  # a kernel's messages, limited in length
        "execution/kernel/kernel.py",
        "execution/sandboxes/package_index.py",  # a page of a configured index
        "execution/sampling/permuted.py",  # fields that were parsed before
    }
    assert modules_with(_PARSER) == _OWN_TABLES | own | others


def test_files_of_others_are_opened_as_regular_files() -> None:
    own = {
        "environments/interpreter.py",
        "web/schema.py",  # generators of the build
        "words/typescript.py",
        "execution/process_identity.py",  # the system's
        "execution/sampling/cache.py",  # the cache
        "execution/sandboxes/workspace.py",
        "execution/sandboxes/docker/volumes.py",  # the user's settings of pip
        "execution/sandboxes/pip_settings.py",
    }
    assert modules_with(_READING) == _OWN_TABLES | own
