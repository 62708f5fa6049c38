"""Redirects the paths of a notebook to existing files, if a path can mean one file only."""

from __future__ import annotations

import fnmatch
import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from mle_modernizer_server.code.calls import UNPACKERS
from mle_modernizer_server.code.colab import colab_parts
from mle_modernizer_server.code.expressions import called_name, keyword, literal
from mle_modernizer_server.code.ipython import escapes, is_python
from mle_modernizer_server.code.path_uses import Code, Role, Use, is_path, read_code
from mle_modernizer_server.code.paths import Literal, Piece, literals, text_of
from mle_modernizer_server.code.string_edits import CellText, literal_with, quoted
from mle_modernizer_server.code.traceback import WORKING
from mle_modernizer_server.domain.diagnosis import missing_path, needs_network
from mle_modernizer_server.domain.execution import CellStatus, Execution
from mle_modernizer_server.domain.files import FileFinding, FoundFiles
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.fixing.rules.paths.candidates import candidates, folder_candidates

_WRITABLE = ("/tmp/", "/kaggle/working/", "/kaggle/temp/", "../working/", "../temp/")
_DRIVE = re.compile(r"^[A-Za-z]:")
_CD = re.compile(r"^[%!]?cd\s+['\"]?(?P<folder>[^'\"]+?)['\"]?\s*$")
_WRITTEN_CELL = re.compile(r"\s*%%(?:writefile|file)[ \t]+(?:-a[ \t]+)?(?P<path>\S+)")
_PACKING = re.compile(r"\.(?:gz|zip|bz2|xz|zst)$", re.IGNORECASE)
_SHORTEST = 3


@dataclass(frozen=True)
class Seen:
    """Facts from a run.

    Attributes:
        failing: Ids of the cells that did not run to their end.
        missing: The path that was not found, by cell id.
        written: The files the run wrote.
        offline: Whether a download found no network.
    """

    failing: frozenset[str]
    missing: Mapping[str, str] = field(default_factory=dict)
    written: Collection[str] = ()
    offline: bool = False


def seen_in(execution: Execution) -> Seen:
    """Return the facts of a run about the paths in its notebook."""
    ran = (CellStatus.OK, CellStatus.SKIPPED)
    failing = {cell.cell_id for cell in execution.cells if cell.status not in ran}
    missing: dict[str, str] = {}
    for error in execution.errors:
        path = missing_path(error) if error.raised else None
        if path is not None:
            missing.setdefault(error.cell_id, path)
    written = tuple(file.path for file in execution.csv_files)
    offline = any(error.raised and needs_network(error) for error in execution.errors)
    return Seen(frozenset(failing), missing, written, offline)


@dataclass(frozen=True)
class Relocated:
    """Result for the paths of a notebook.

    Attributes:
        findings: The missing paths.
        sources: New sources of changed cells, by id.
        reasons: A sentence for each, by cell id.
    """

    findings: tuple[FileFinding, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


NOTHING_LOST = Relocated()
"""No path needs a change."""


def paths_to_look_up(notebook: Notebook, seen: Seen | None = None) -> tuple[str, ...]:
    """Return the paths whose existence and alternatives `relocate` must know."""
    code = read_code(notebook)
    magics = [move.folder for move in _moves(code)]
    bases = ["", *magics, *(use.text for use in code.uses if use.role is Role.CHDIR)]
    asked: dict[str, None] = dict.fromkeys(magics)
    uses = [*code.uses, *(() if seen is None else _told(code, seen))]
    for use in uses:
        if use.downloaded is not None:
            if seen is not None and seen.offline:
                asked[use.downloaded] = None
            continue
        for base in bases[:10]:
            asked[_joined(base, use.text)] = None
    return tuple(asked)


def relocate(
    notebook: Notebook,
    found: FoundFiles,
    *,
    seen: Seen | None = None,
    choices: Mapping[str, str] | None = None,
) -> Relocated:
    """Find missing paths, and change those that can mean one file only.

    Args:
        notebook: The sources.
        found: The answers on `paths_to_look_up`.
        seen: Facts from a run; None before the first one. Cells that ran to their end are left
            alone.
        choices: The file a person chose of several, by the path in the code.
    """
    code = read_code(notebook)
    plan = _Plan(code, found, choices or {}, seen)
    told = () if seen is None else _told(code, seen)
    plan.look_at((*code.uses, *told))
    plan.change()
    plan.leave_out_colab()
    return plan.result()


@dataclass
class _Wanted:
    """A path to change.

    Attributes:
        use: Its use.
        new: The path to write, relative to the current folder there.
        taken: The same, relative to the notebook's folder.
        done: Whether it is written.
    """

    use: Use
    new: str
    taken: str
    done: bool = False


@dataclass(frozen=True)
class _Move:
    """A `%cd` or `!cd` line.

    Attributes:
        cell: Its code cell, from 0.
        line: Its line in the cell, from 1.
        folder: The folder that it names.
        stays: Whether later cells are in that folder: after `!cd` they are not.
    """

    cell: int
    line: int
    folder: str
    stays: bool


Place = tuple[int, int]
"""A literal: its cell, and the identity of its node."""


class _Plan:
    def __init__(
        self, code: Code, found: FoundFiles, choices: Mapping[str, str], seen: Seen | None
    ) -> None:
        self._code = code
        self._found = found
        self._choices = choices
        self._seen = seen
        self._there = frozenset((*found.there, *(file.path for file in found.files)))
        self._moves = _moves(code)
        cells = (_WRITTEN_CELL.match(cell.source) for cell in code.cells)
        written = [*(seen.written if seen else ()), *(match["path"] for match in cells if match)]
        self._written = {posixpath.normpath(path) for path in written}
        self._texts = [CellText(cell.source) for cell in code.cells]
        self._findings: list[FileFinding] = []
        self._wanted: list[_Wanted] = []
        self._kept: list[Use] = []
        """Uses of paths that stay as they are."""
        self._reasons: dict[str, list[str]] = {}

    def look_at(self, uses: Collection[Use]) -> None:
        """Sort the paths into those that stay and those that are to become others."""
        base = ""
        corrected = False  # whether `base` is another folder than in the run
        ordered = sorted(uses, key=lambda use: (use.cell, use.node.lineno))
        waiting = [move for move in self._moves if move.stays]
        for position, use in enumerate(ordered):
            while waiting and (waiting[0].cell, waiting[0].line) < (use.cell, use.node.lineno):
                entered = _joined(base, waiting.pop(0).folder)
                if entered in self._there:
                    base, corrected = entered, False
            if use.role is Role.CHDIR:
                folder = self._change_folder(use, base, ordered[position + 1 :])
                corrected = corrected or folder != _joined(base, use.text)
                base = folder
            elif use.role is Role.WRITE:
                self._write(use)
            elif use.downloaded is not None:
                self._download(use, use.downloaded)
            elif self._is_there(use, base) and (corrected or not self._is_missing(use)):
                self._kept.append(use)
            else:
                self._read(use, base)

    def change(self) -> None:
        """Change literals if that suits all their uses, else the expressions."""
        for place in self._literals():
            self._change_literal(place)
        for wanted in self._wanted:
            if not wanted.done:
                wanted.done = self._change_expression(wanted)

    def leave_out_colab(self) -> None:
        parts = colab_parts(self._code.trees)
        failing = [self._concerns(self._code.cells[part.cell].id) for part in parts]
        for part in parts if any(failing) else ():
            if part.call is None:
                self._texts[part.cell].drop(*part.lines)
            elif not self._texts[part.cell].replace(*part.call):
                continue
            self._reasons.setdefault(self._code.cells[part.cell].id, []).append(
                "It only does something on Google Colab; files are read from where they are."
            )

    def result(self) -> Relocated:
        done = {(one.use.text, one.taken) for one in self._wanted if one.done}
        sources = {
            cell.id: new
            for cell, text in zip(self._code.cells, self._texts, strict=True)
            if (new := text.changed()) != cell.source
        }
        findings = [
            one
            if one.taken is None or (one.path, one.taken) in done
            else one.model_copy(update={"taken": None})
            for one in self._findings
        ]
        return Relocated(
            tuple(dict.fromkeys(findings)),
            sources,
            {
                cell: tuple(dict.fromkeys(reasons))
                for cell, reasons in self._reasons.items()
                if cell in sources
            },
        )

    # Which paths lead nowhere

    def _concerns(self, cell_id: str) -> bool:
        return self._seen is None or cell_id in self._seen.failing

    def _is_missing(self, use: Use) -> bool:
        """Return whether a run showed it."""
        if self._seen is None:
            return False
        missing = self._seen.missing.get(self._code.cells[use.cell].id)
        return missing is not None and _alike(missing, use.text)

    def _is_there(self, use: Use, base: str) -> bool:
        if use.text.startswith("*"):
            return True  # in a folder that nothing is known of
        for folder in (base, *(move.folder for move in self._moves)):
            path = _joined(folder, use.text)
            if path in self._there or _matches(posixpath.normpath(path), self._written):
                return True
        return not self._concerns(self._code.cells[use.cell].id)

    def _change_folder(self, use: Use, base: str, later: Collection[Use]) -> str:
        """Return the current folder after `os.chdir`."""
        path = _joined(base, use.text)
        if path in self._there or "*" in path or not self._concerns(self._code.cells[use.cell].id):
            self._kept.append(use)
            return "" if "*" in path else path
        reads = []
        for one in later:
            if one.role is Role.CHDIR:
                break
            if one.role is not Role.WRITE and not one.text.startswith("/"):
                reads.append(one.text)
        folder = self._folder_for(use.text, reads)
        if folder is None and not _is_elsewhere(posixpath.normpath(path)):
            self._kept.append(use)  # the notebook may make it, by unpacking or cloning
            return path
        self._want(use, folder or ".", (folder or ".",))
        return "" if folder in (".", None) else str(folder)

    def _folder_for(self, path: str, reads: Collection[str]) -> str | None:
        """Return the folder that has all files that are read there, or else the one of the same
        name if it has some; None if there is none."""
        known = {*self._there, *self._found.folders}
        alike = folder_candidates(path, self._found)
        others = sorted({posixpath.dirname(path) or "." for path in known if "*" not in path})

        def has(folder: str) -> Iterator[bool]:
            return (_joined(folder, read) in known for read in reads)

        for folder in (".", *alike, *others):
            if reads and all(has(folder)):
                return folder
        return next((folder for folder in alike if any(has(folder))), None)

    def _write(self, use: Use) -> None:
        normal = posixpath.normpath(use.text)
        if use.call is not None and called_name(use.call) in UNPACKERS:
            self._written.add(f"{normal}/*")
            self._kept.append(use)
            return
        folder, _, name = normal.rpartition("/")
        # In a folder that depends on a variable there may be many files of one name.
        several = "*" in folder or not name.strip("*.")
        stays = not _is_elsewhere(normal) or normal.startswith(_WRITABLE) or several
        if stays or not self._concerns(self._code.cells[use.cell].id):
            self._written.add(normal)
            if "." not in name:
                self._written.add(f"{normal}.*")  # the ending is the library's
            self._kept.append(use)
            return
        self._written.add(name)  # and no longer at its old path: it is read from there, too
        self._want(use, name, (name,))

    def _read(self, use: Use, base: str) -> None:
        known = {file.path for file in self._found.files}
        chosen = self._choices.get(use.text)
        options = candidates(_searched(use), self._found, unpacks=use.unpacks)
        if not options and use.role is Role.LIST:
            options = folder_candidates(use.text, self._found)
        name = use.text.rpartition("/")[2]
        if base and any(_seen_from(base, one) == use.text for one in options):
            self._kept.append(use)
            return
        options = tuple(one for one in options if base or one != use.text)
        if not options and _matches(posixpath.normpath(use.text), self._written):
            self._kept.append(use)  # an earlier cell writes it, and failed before
            return
        if not options and name in self._written:
            base, options = "", (name,)  # an earlier cell writes it, by a path that is another now
        if chosen is not None and (chosen in options or chosen in known):
            options = (chosen,)
        self._want(use, options[0] if len(options) == 1 else None, options, base)

    def _download(self, use: Use, name: str) -> None:
        """Return whether it is a web address to leave: one with a network, or without a local
        file.
        """
        offline = self._seen is not None and self._seen.offline
        if offline and self._concerns(self._code.cells[use.cell].id):
            options = (
                (name,)
                if name in self._there
                else candidates(name, self._found, unpacks=use.unpacks)
            )
            if "{folder}" in use.written:  # the library looks for that very name
                options = tuple(one for one in options if posixpath.basename(one) == name)
            chosen = self._choices.get(use.text)
            options = (chosen,) if chosen in options else options
            if options:
                self._want(use, options[0] if len(options) == 1 else None, options)
                return
        self._kept.append(use)

    def _want(self, use: Use, taken: str | None, options: tuple[str, ...], base: str = "") -> None:
        cell = self._code.cells[use.cell].id
        self._findings.append(
            FileFinding(
                cell_id=cell,
                path=use.text,
                candidates=() if use.role is Role.WRITE else options,
                taken=taken,
                written=use.role is Role.WRITE,
                outside=not options and _joined(base, use.text) in self._found.outside,
            )
        )
        new = None if taken is None else _seen_from(base, taken)
        if taken is not None and new is not None and new != use.text:
            self._wanted.append(_Wanted(use, new, taken))

    # The edits

    def _literals(self) -> list[Literal]:
        """Return the literals of the paths to change, those at the beginning of a path first."""
        found: dict[Place, Literal] = {}
        for one in self._wanted:
            for piece in one.use.pieces:
                if piece.literal is not None:
                    found.setdefault(_place(piece.literal), piece.literal)
        return list(found.values())

    def _change_literal(self, literal: Literal) -> None:
        """Change a literal, if every path that goes through it needs it the same way."""
        here = [one for one in self._wanted if not one.done and _part(one.use, literal)]
        demands: dict[tuple[str, int, str], list[_Wanted]] = {}
        for one in here:
            piece = _part(one.use, literal)
            new = None if piece is None else _new_part(one.use, piece, one.new)
            if piece is None or new is None:
                continue
            demands.setdefault((piece.text, piece.start, new), []).append(one)
        reading = {key: all_ for key, all_ in demands.items() if _reads(all_)}
        chosen = reading or demands
        through_it = [one for one in here if one.use.role is not Role.WRITE] if reading else here
        if len(chosen) != 1:
            return
        (old, start, new), served = next(iter(chosen.items()))
        if len(served) < len(through_it) or any(_part(use, literal) for use in self._kept):
            return
        text = self._texts[literal.cell]
        segment = text.segment(literal.node)
        written = None if segment is None else literal_with(segment, literal.node, old, new, start)
        if written is None or not text.replace(literal.node, written):
            return
        for one in served:
            one.done = True
            self._unpack(one)
            self._explain(one, literal.cell)

    def _change_expression(self, wanted: _Wanted) -> bool:
        """Write the new path in an expression's place."""
        use = wanted.use
        if "*" in wanted.new or use.varies or (use.call is None and not use.written):
            return False  # the literal of a path that only a run showed may be in another cell
        text = self._texts[use.cell]
        segment = text.segment(use.node)
        if segment is None:
            return False
        if use.written:
            return self._write_instead(wanted, text)
        if not text.replace(use.node, quoted(wanted.new, like=segment.lstrip("frbuFRBU"))):
            return False
        self._unpack(wanted)
        self._explain(wanted, use.cell)
        return True

    def _write_instead(self, wanted: _Wanted, text: CellText) -> bool:
        """Read the file instead of the web address in the code."""
        use, folder = wanted.use, posixpath.dirname(wanted.new)
        written = use.written.replace("{path}", quoted(wanted.new))
        written = written.replace("{folder}", quoted(folder or "."))
        if not text.replace(use.node, written):
            return False
        self._explain(wanted, use.cell)
        return True

    def _unpack(self, wanted: _Wanted) -> None:
        """Leave the compression to the file's suffix if it differs now."""
        use = wanted.use
        before, after = _PACKING.search(use.text), _PACKING.search(wanted.new)
        if use.call is None or (before and before[0]) == (after and after[0]):
            return
        packing = keyword(use.call, "compression")
        if packing is not None and literal(packing) is not ...:
            self._texts[use.cell].replace(packing, quoted("infer"))

    def _explain(self, wanted: _Wanted, cell: int) -> None:
        use, new = wanted.use, wanted.taken
        if use.role is Role.WRITE:
            why = f"{use.text} lies in a folder that is not there; it is written as {new}."
        elif use.role is Role.CHDIR:
            where = "the notebook's own folder" if new == "." else new
            why = f"There is no folder {use.text}; the files are in {where}."
        elif use.downloaded is not None:
            why = f"A run has no network; {new} has the name of what {use.text} gives."
        elif new in self._written:
            why = f"{use.text} is written as {new} by an earlier cell; it is read from there."
        else:
            why = f"{use.text} is not there; {new} is."
        for number in {cell, use.cell}:
            self._reasons.setdefault(self._code.cells[number].id, []).append(why)


def _reads(all_: Collection[_Wanted]) -> bool:
    return any(one.use.role is not Role.WRITE for one in all_)


def _place(literal: Literal) -> Place:
    return (literal.cell, id(literal.node))


def _part(use: Use, literal: Literal) -> Piece | None:
    """Return the first part of a path that a literal contains."""
    return next(
        (one for one in use.pieces if one.literal and _place(one.literal) == _place(literal)), None
    )


def _new_part(use: Use, piece: Piece, new: str) -> str | None:
    """Return the new value of one part that changes the path, all others unchanged; else None."""
    at = use.pieces.index(piece)
    before, after = text_of(use.pieces[:at]), text_of(use.pieces[at + 1 :])
    if "\\" in before + after:
        return None
    folder = posixpath.basename(before) in (".", "..")  # `os.getcwd() + '/x'`: it ends there
    for path in (new, f"./{new}"):
        fits = path.startswith(f"{before}/" if folder else before) and path.endswith(after)
        if path == after and after and piece.text.endswith("/") and "://" not in piece.text:
            continue  # an empty folder is no folder if a `/` follows it
        if fits and len(path) >= len(before) + len(after):
            return path[len(before) : len(path) - len(after)]
    return None


def _joined(base: str, path: str) -> str:
    if not base or base == "." or _is_absolute(path):
        return path
    return posixpath.normpath(posixpath.join(base, path))


def _seen_from(base: str, path: str) -> str:
    """Return a path from the notebook's folder as it is seen from another current folder."""
    if not base or _is_absolute(path):
        return path
    here, there = (posixpath.join(WORKING, one) for one in (base, path))
    return posixpath.relpath(there, here)


def _is_absolute(path: str) -> bool:
    return path.startswith(("/", "~")) or bool(_DRIVE.match(path))


def _alike(missing: str, path: str) -> bool:
    one, other = (posixpath.normpath(text.replace("\\", "/")) for text in (missing, path))
    return fnmatch.fnmatchcase(one, other) or one.endswith(f"/{other}")


def _is_elsewhere(path: str) -> bool:
    """Return whether a normal path leads out of the notebook's folder."""
    return path.startswith(("/", "..", "~")) or bool(_DRIVE.match(path))


def _searched(use: Use) -> str:
    """Return the path to search for: an author hid a folder who wrote `/home/*/train.csv`."""
    folder, slash, name = use.text.rpartition("/")
    known = use.role is Role.READ and all(piece.literal is not None for piece in use.pieces)
    return f"{folder.replace('*', '-')}{slash}{name}" if known else use.text


def _matches(path: str, written: Collection[str]) -> bool:
    """Return whether code writes a path; both may be patterns."""
    return path in written or any(
        ("*" in one and fnmatch.fnmatchcase(path, one))
        or ("*" in path and fnmatch.fnmatchcase(one, path))
        for one in written
    )


def _moves(code: Code) -> list[_Move]:
    """Return the lines that enter a folder by IPython's means, in order."""
    return [
        _Move(number, escape.first + 1, match["folder"], not escape.text.startswith("!"))
        for number, cell in enumerate(code.cells)
        if is_python(cell.source)
        for escape in escapes(cell.source)
        if (match := _CD.match(escape.text.strip()))
    ]


def _told(code: Code, seen: Seen) -> Iterator[Use]:
    """Return paths that a run did not find and that no use in the code explains.

    The literal that begins such a path, or ends it, represents it: one of the failing cell before
    those of others, a long one before a short one.
    """
    numbers = {cell.id: number for number, cell in enumerate(code.cells)}
    for cell_id, missing in seen.missing.items():
        known = any(_alike(missing, use.text) for use in code.uses)
        if known or cell_id not in numbers or not is_path(missing):
            continue
        best: tuple[tuple[bool, int], Use] | None = None
        for text, place in literals(code.trees):
            pieces = _split(missing, text, place)
            near = (place.cell == numbers[cell_id], len(text))
            if pieces is not None and (best is None or best[0] < near):
                use = Use(numbers[cell_id], Role.READ, pieces, place.node, None, unpacks=False)
                best = (near, use)
        if best is not None:
            yield best[1]


def _split(path: str, text: str, place: Literal) -> tuple[Piece, ...] | None:
    """Split a path at a literal's text; None if the literal is no part of it."""
    if len(text) < _SHORTEST or not is_path(text):
        return None
    if path == text:
        return (Piece(text, place),)
    if "/" in text and path.startswith(text):
        return (Piece(text, place), Piece(path[len(text) :]))
    if "." in text and path.endswith(f"/{text}"):
        return (Piece(path[: -len(text)]), Piece(text, place))
    return None
