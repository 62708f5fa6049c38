"""Fetch RELANCER's published notebooks with their data, and work through them as a batch.

    python scripts/relancer.py FOLDER                  fetch, write the manifest, run the batch
    python scripts/relancer.py FOLDER --only-fetch     only fetch and write the manifest
    python scripts/relancer.py FOLDER --most 20 -- --fixer rules --time-limit 60

RELANCER (Zhu et al., ASE 2021) published Kaggle notebooks that fail on a changed API, as scripts,
in a Git repository. FOLDER gets `artifact.git` (that repository at one commit), `notebooks/` (the
scripts as notebooks again), `input/` (their data), `manifest.csv` (those whose data are there),
`left-out.csv` (the others, each with its reason) and `study/` (the batch). Arguments after `--`
go to `jupyter modernize batch`. The same command continues an interrupted one.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import nbformat

REPOSITORY = "https://github.com/Chenguang-Zhu/relancer-artifact"
COMMIT = "1ab14f4"
"""Commit behind the figures in the documentation; a different one is reported, not refused."""
SOURCES = "relancer-exp/original_notebooks"
DATA = "relancer-exp/input"

_SECONDS_TO_FETCH = 1800
_MOST_NOTEBOOKS = 2000
_MOST_FILES = 20_000
_LARGEST_NOTEBOOK = 5_000_000
_LARGEST_FILE = 300_000_000
_MOST_BYTES = 2_000_000_000
_CELL = re.compile(r"^# In\[[ \d]*\]:[ \t]*$", re.MULTILINE)
_HEADER = re.compile(r"\A(?:#!.*\n)?(?:# coding:.*\n)?")
_PATH = re.compile(r"""["'](?:\.\./)+input/([^"'\n*{}]+)["']""")
_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_LFS = b"version https://git-lfs"


class CannotFetch(Exception):
    """A fatal error, as a sentence for the user."""


@dataclass(frozen=True)
class Blob:
    """A file of the repository.

    Attributes:
        path: Relative to the requested folder.
        name: The object's.
        size: In bytes.
    """

    path: PurePosixPath
    name: str
    size: int


def main() -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        usage="relancer.py [options] FOLDER [-- OPTION_OF_BATCH ...]",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--from",
        dest="source",
        default=REPOSITORY,
        metavar="URL|CLONE",
        help=f"the repository, or a clone of it (default: {REPOSITORY})",
    )
    parser.add_argument("--most", type=int, metavar="N", help="so many, drawn by a fixed seed")
    parser.add_argument("--only-fetch", action="store_true", help="run nothing")
    own, passed_on = _divided(sys.argv[1:])
    given = parser.parse_args(own)
    if given.most is not None and given.most < 1:
        parser.error("--most is at least 1")
    folder: Path = given.folder.absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        manifest = fetch(folder, given.source, given.most)
    except (CannotFetch, OSError) as error:
        print(f"relancer: {error}", file=sys.stderr)
        return 2
    if given.only_fetch:
        return 0
    command = ["jupyter", "modernize", "batch", str(manifest), "--out", str(folder / "study")]
    return subprocess.run([*command, *passed_on], check=False).returncode


def _divided(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Return the arguments before `--`, and those after it."""
    if "--" not in arguments:
        return arguments, []
    place = arguments.index("--")
    return arguments[:place], arguments[place + 1 :]


def fetch(folder: Path, source: str, most: int | None) -> Path:
    """Write notebooks, data and manifest; return the manifest's path.

    Args:
        folder: Destination; existing files are not written again.
        source: Address of the repository, or a clone of it.
        most: How many notebooks the manifest names at most; None: all.

    Raises:
        CannotFetch: The repository is not available, or is not RELANCER's.
        OSError: A file cannot be written.
    """
    repository = _repository(folder, source)
    commit = _git(repository, "rev-parse", "HEAD").decode().strip()
    if not commit.startswith(COMMIT):
        print(f"The repository is at {commit[:7]}; figures in the documentation are of {COMMIT}.")
    sources = [blob for blob in _listed(repository, SOURCES) if blob.path.suffix == ".py"]
    if not sources:
        raise CannotFetch(f"there are no notebooks at {SOURCES} of {source}")
    if len(sources) > _MOST_NOTEBOOKS:
        raise CannotFetch(f"{len(sources)} notebooks are more than {_MOST_NOTEBOOKS}")
    missing = _write_data(repository, folder / "input")
    reasons: dict[str, str] = {}
    names: list[str] = []
    for blob, content in _contents(repository, sources, _LARGEST_NOTEBOOK):
        name = "--".join(blob.path.with_suffix(".ipynb").parts)
        if isinstance(content, str):
            reasons[name] = content
            continue
        text = content.decode("utf-8", errors="replace")
        _write(folder / "notebooks" / name, notebook_of(text).encode("utf-8"))
        reason = _lacks(text, folder / "input", missing)
        if reason:
            reasons[name] = reason
        else:
            names.append(name)
    # A random order: fewer are a part of more, and a batch that is stopped has a random sample.
    chosen = random.Random(0).sample(sorted(names), len(names))[:most]
    manifest = folder / "manifest.csv"
    _write(manifest, _table(["notebook"], ([f"notebooks/{name}"] for name in chosen)))
    _write(folder / "left-out.csv", _table(["notebook", "reason"], sorted(reasons.items())))
    print(
        f"{len(sources)} notebooks, {len(names)} of them with all the data that their code names."
    )
    if reasons:
        print(f"{len(reasons)} are left out, each with its reason in {folder / 'left-out.csv'}.")
    print(f"{len(chosen)} are in {manifest}.")
    return manifest


def notebook_of(script: str) -> str:
    """Return the notebook that a script was exported from, as JSON.

    A cell begins at the export's `# In[ ]:`; text between cells stays as comments. Data are
    found at `../input/DATASET` again, as on Kaggle: the artefact has them three folders up.
    """
    body = _HEADER.sub("", script).replace("../../../input", "../input")
    head, *cells = _CELL.split(body)
    notebook = nbformat.v4.new_notebook()
    notebook.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    for number, source in enumerate([head, *cells]):
        if source.strip():
            cell = nbformat.v4.new_code_cell(source.strip())
            cell["id"] = f"cell-{number}"
            notebook.cells.append(cell)
    text: str = nbformat.writes(notebook)
    return text + "\n"


def _repository(folder: Path, source: str) -> Path:
    local = Path(source).expanduser()
    if local.is_dir():
        return local / ".git" if (local / ".git").is_dir() else local
    there = folder / "artifact.git"
    if (there / "HEAD").is_file():
        return there
    unfinished = folder / f"artifact.{os.getpid()}"
    command = ["git", "clone", "--quiet", "--bare", "--depth", "1", "--no-tags", "--", source]
    try:
        subprocess.run(
            [*command, str(unfinished)],
            check=True,
            timeout=_SECONDS_TO_FETCH,
            env={**os.environ, "GIT_TERMINAL_PROMPT": "0"},
        )
    except FileNotFoundError as error:
        raise CannotFetch("the program git is not installed") from error
    except subprocess.TimeoutExpired as error:
        raise CannotFetch(f"{source} was not there after {_SECONDS_TO_FETCH} s") from error
    except subprocess.CalledProcessError as error:
        raise CannotFetch(
            f"{source} cannot be cloned (above is git's reason); give a clone that you have "
            "with --from"
        ) from error
    unfinished.rename(there)
    return there


def _git(repository: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run(
            ["git", f"--git-dir={repository}", *arguments], check=True, capture_output=True
        )
    except FileNotFoundError as error:
        raise CannotFetch("the program git is not installed") from error
    except subprocess.CalledProcessError as error:
        reason = error.stderr.decode(errors="replace").strip()
        raise CannotFetch(f"{repository} is no clone that can be read: {reason}") from error
    return done.stdout


def _listed(repository: Path, folder: str) -> list[Blob]:
    """Return the plain files below a folder of the repository: no links, no odd names."""
    found = []
    tree = _git(repository, "ls-tree", "-r", "-l", "-z", "HEAD", f"{folder}/")
    for entry in tree.decode("utf-8", errors="surrogateescape").split("\0"):
        if not entry:
            continue
        facts, _, path = entry.partition("\t")
        mode, kind, name, size = facts.split()
        relative = PurePosixPath(path).relative_to(folder)
        odd = any(part in (".", "..") or "\\" in part for part in relative.parts)
        if kind == "blob" and mode.startswith("100") and not odd and path.isprintable():
            found.append(Blob(relative, name, int(size) if size.isdigit() else -1))
    return found


def _contents(
    repository: Path, blobs: Iterable[Blob], largest: int
) -> Iterator[tuple[Blob, bytes | str]]:
    """Read files one by one; of one that cannot be had, the reason."""
    for blob in blobs:
        if blob.size > largest:
            yield blob, f"{blob.path} has {blob.size} bytes, more than {largest}"
            continue
        try:
            content = _git(repository, "cat-file", "blob", blob.name)
        except CannotFetch:
            yield blob, f"{blob.path} is listed in the repository, but not in it"
            continue
        if content.startswith(_LFS):
            yield blob, f"{blob.path} is kept elsewhere (Git LFS)"
        else:
            yield blob, content


def _write_data(repository: Path, folder: Path) -> dict[str, str]:
    """Write the available data; return the reasons for the missing ones, by path.

    Raises:
        CannotFetch: They are too many or too large.
    """
    blobs = _listed(repository, DATA)
    size = sum(max(blob.size, 0) for blob in blobs)
    if len(blobs) > _MOST_FILES or size > _MOST_BYTES:
        raise CannotFetch(f"{len(blobs)} files of data with {size} bytes are too many")
    wanted = [
        blob
        for blob in blobs
        if not (folder / blob.path).is_file() or (folder / blob.path).stat().st_size != blob.size
    ]
    missing = {}
    for blob, content in _contents(repository, wanted, _LARGEST_FILE):
        if isinstance(content, str):
            missing[str(blob.path)] = content
        else:
            _write(folder / blob.path, content)
    return missing


def _lacks(script: str, data: Path, missing: Mapping[str, str]) -> str:
    """Return why some of a script's data are missing; empty if none are."""
    for found in _PATH.finditer(_COMMENT.sub("", script)):
        path = PurePosixPath(found[1])
        if ".." in path.parts:
            return f"its data are looked for at {path}"
        for lost, reason in missing.items():
            if PurePosixPath(lost).is_relative_to(path):
                return reason
        if not (data / path).exists():
            return f"{path} is not published"
    return ""


def _table(header: list[str], rows: Iterable[Iterable[str]]) -> bytes:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return stream.getvalue().encode("utf-8")


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; the same content is not written again."""
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


if __name__ == "__main__":
    sys.exit(main())
