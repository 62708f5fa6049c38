"""All a fixer knows of a run, as the messages for a model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from mle_modernizer_server.code.traceback import failing_lines, parse_blocks
from mle_modernizer_server.domain.diagnosis import Diagnosis, ErrorKind, Finding, FixScope, FixType
from mle_modernizer_server.domain.era import Era
from mle_modernizer_server.domain.execution import (
    CellError,
    CellStatus,
    Environment,
    GpuUse,
    HotLine,
)
from mle_modernizer_server.domain.grade import DistanceMeasure, Grade
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import CellEdit
from mle_modernizer_server.domain.text import without_controls
from mle_modernizer_server.fixing.fixer import Attempt, FixRequest
from mle_modernizer_server.fixing.llm.prompting import Prompt, Prompts, Quotes
from mle_modernizer_server.fixing.llm.redaction import Redactor
from mle_modernizer_server.fixing.llm.settings import (
    LONGEST_CELL,
    LONGEST_DESCRIPTION,
    LlmSettings,
)
from mle_modernizer_server.fixing.llm.templates import render
from mle_modernizer_server.fixing.llm.view import names, view_notebook
from mle_modernizer_server.words import one_text, text

# The path of a library on this machine is private.
_LIBRARY_ROOT = re.compile(r"(?:/[^\s:\"']{1,300}?)?/(?:site-packages|dist-packages)/")
_STANDARD_LIBRARY = re.compile(r"/[^\s:\"']{1,300}?/lib/python3\.\d{1,2}/")
_LAST_FRAMES = 2
_AROUND = re.compile(r" +(?:\d+(?: |\Z)|\(\.\.\.\))")
"""A line of code around the one at which a frame stopped."""
_TITLE = re.compile(
    r"^-{5,}\n|^\w.{0,200}? +Traceback \(most recent call last\)\n"
    r"|^Traceback \(most recent call last\):?\n",
    re.MULTILINE,
)
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_NUMBERED_FRAME = re.compile(
    r"^ *(?:Cell In|Input In) ?\[([1-9]\d{0,6})\], ((?:line|in) )", re.MULTILINE
)


def traceback_text(
    lines: tuple[str, ...],
    cells: Mapping[int, str] | None = None,
    *,
    sources_shown: bool = False,
) -> str:
    """Return the text of a traceback without colours, machine paths and inner frames of libraries.

    A library's frame is reduced to its head and the line it stopped at.

    Args:
        lines: As the kernel sent them: IPython puts a frame and the code around it into one.
        cells: Names of cells by the kernel's execution count: frames of these name the cell, those
            of others have the number.
        sources_shown: The prompt has the whole cells: their frames, too, are reduced to the line,
            and the title of the traceback is left out.
    """
    blocks = parse_blocks(without_controls("\n".join(lines)).strip())
    library = [at for at, block in enumerate(blocks) if block.of_library]
    dropped = set(library[:-_LAST_FRAMES])
    kept: list[str] = []
    for at, block in enumerate(blocks):
        if at not in dropped:
            lines = block.lines
            if block.of_library or sources_shown:
                lines = tuple(line for line in lines if not _AROUND.match(line))
            kept.append("\n".join(lines))
        elif at - 1 not in dropped:
            kept.append("[inner frames of libraries left out]\n")
    known = cells or {}

    def named(frame: re.Match[str]) -> str:
        name = known.get(int(frame[1]))
        return frame[0] if name is None else f"Cell {name}, {frame[2]}"

    text = _NUMBERED_FRAME.sub(named, "\n".join(kept))
    if sources_shown:
        text = _BLANK_LINES.sub("\n", _TITLE.sub("", text))
    return _STANDARD_LIBRARY.sub("", _LIBRARY_ROOT.sub("", text))


def counted_cells(request: FixRequest, cell_names: Mapping[str, str]) -> dict[int, str]:
    """Return the names of the cells by the kernel's execution count, if it is certain.

    The outermost frame of an error is its cell's own. The others are counted from the top, unless
    one of the errors shows another count (the kernel continued after a fix, say).

    Args:
        request: With the run.
        cell_names: Names of the cells in the prompt, by id.
    """
    ran = [cell.id for cell in request.notebook.run_cells() if cell.source.strip()]
    from_top = dict(enumerate(ran, start=1))
    own: dict[int, str] = {}
    for error in request.execution.errors:
        frame = _NUMBERED_FRAME.search(without_controls("\n".join(error.traceback)))
        if frame is not None:
            own[int(frame[1])] = error.cell_id
    agree = all(from_top.get(count) == cell_id for count, cell_id in own.items())
    counted = from_top if own and agree else own
    return {count: cell_names[at] for count, at in counted.items() if at in cell_names}


_SLOWEST = 12
_GPU = {
    GpuUse.NONE: "There is no GPU.",
    GpuUse.UNUSED: "There is a GPU, and the run did not use it.",
    GpuUse.USED: "The run used the GPU.",
}


def slowest(request: FixRequest) -> list[str]:
    """Return the ids of the cells that took time, the slowest first."""
    runs = sorted(request.execution.cells, key=lambda run: -run.seconds)
    return [run.cell_id for run in runs if run.seconds > 0]


def seconds_by_cell(request: FixRequest, cell_names: dict[str, str]) -> list[str]:
    """Return the slowest cells, and whether the run used a GPU.

    Args:
        request: With the run.
        cell_names: Names of the cells in the prompt, by id.
    """
    by_id = {run.cell_id: run for run in request.execution.cells}
    lines = []
    for cell_id in slowest(request)[:_SLOWEST]:
        run = by_id[cell_id]
        ending = " (not finished)" if run.status is CellStatus.UNFINISHED else ""
        lines.append(f"cell {cell_names.get(cell_id, '?')}: {run.seconds:.1f} s{ending}")
    skipped = sum(run.status is CellStatus.NOT_RUN for run in request.execution.cells)
    if skipped:
        lines.append(f"{skipped} cells were not reached")
    profile = request.execution.profile
    if profile is not None:
        lines.append(_GPU[profile.gpu])
    if profile is not None and profile.processors is not None:
        plural = "" if profile.processors == 1 else "s"
        lines.append(f"The run could use {profile.processors} processor{plural}.")
    return lines


def hot_lines(request: FixRequest, cell_names: dict[str, str]) -> str:
    """Return the lines at which the kernel was seen most, with their waits; untrusted text."""
    profile = request.execution.profile
    return "" if profile is None else "\n".join(_hot(line, cell_names) for line in profile.lines)


def _hot(line: HotLine, cell_names: dict[str, str]) -> str:
    place = f"cell {cell_names.get(line.cell_id, '?')}"
    if line.line:
        place += f", line {line.line} `{line.source}`"
    waiting = f", in {line.call}" if line.call else ""
    return f"{line.share:.0%} ({line.seconds:.1f} s) {place}{waiting}"


_TRACEBACK = 4_000
_LATER_TRACEBACK = 800
_FULL_TRACEBACKS = 5
_LAST_ATTEMPTS = 8
_LAST_MEASURED = 12
_KEPT_PLAN = 300
"""Characters of the plan of an applied fix: its changes are in the cells."""
_OF_ARGUMENTS = re.compile(r"argument|parameter|keyword|\btakes?\b|\boptions?\b|\bvalue\b")
"""In a message about the arguments of a call."""
_HEADLINE = 200
"""Characters of a message that was quoted whole before."""
_NAMED = 6
"""Cells that failed only because of another one that are named."""
_MOST_CHANGES = 15
_ELSEWHERE = frozenset({"raised in", "version"})
"""Facts that a traceback and the environment have as well."""
_PLACE = re.compile(r" \([^()]*\.py, line \d+\)\Z")
"""Place of the text that could not be parsed, at the end of a syntax error's message."""
_WORD = re.compile(r"[A-Za-z_]\w*")
_SENTENCE_END = re.compile(r"(?<=[.!?]) +")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*")
_OF_THE_NETWORK = re.compile(
    r"\b(?:download|urlopen|urlretrieve|get_file|fetch_openml)\(|https?://|"
    r"\b(?:pip|conda) install\b"
)
"""Advice that the checker of patches refuses."""


class KnowledgeEntry(Protocol):
    """A breaking change in the knowledge base."""

    @property
    def library(self) -> str:
        """Return the import name."""

    @property
    def since(self) -> str:
        """Return the version that changed it."""

    @property
    def what(self) -> str:
        """Return the change, in a sentence."""

    @property
    def replacement(self) -> str:
        """Return code or words that restore the old behaviour; may be empty."""

    @property
    def identifiers(self) -> frozenset[str]:
        """Return the names in code that it is about."""

    @property
    def silent(self) -> bool:
        """Return whether no exception reveals it."""

    @property
    def modules(self) -> frozenset[str]:
        """Return import names of the replacement's requirements besides the library itself."""


Explain = Callable[[CellError, Environment, Notebook], tuple[str, str] | None]
"""Explanation of an error of a notebook: a sentence and a link, or None."""
Relevant = Callable[[Notebook, Environment, Era], Sequence[KnowledgeEntry]]
"""The breaking changes that a notebook of an era touches in an environment."""


class RepairPrompts(Prompts):
    """Writes the prompts of repairs: the failures, their facts, and the run's duration."""

    def __init__(
        self,
        settings: LlmSettings,
        *,
        explain: Explain = lambda error, environment, notebook: None,
        relevant: Relevant = lambda notebook, environment, era: (),
    ) -> None:
        """
        Args:
            settings: Endpoint, model and key, configured or not.
            explain: Looks an error up in the knowledge of breaking changes.
            relevant: Finds the breaking changes a notebook touches.
        """
        super().__init__(settings)
        self._explain = explain
        self._relevant = relevant
        # A score is measured on private answers: the model must explain it, not climb it.
        self._send_scores = settings.send_scores

    def write(self, request: FixRequest, redactor: Redactor) -> Prompt:
        """Return the prompt for a run."""
        quotes = Quotes(self.mark, redactor, self._max_chars // 20)
        centre = _centre(request) if request.scope is FixScope.CELL else None
        scope = FixScope.FILE if centre is None else FixScope.CELL
        cells = request.notebook.cells
        shown = range(len(cells) if centre is None else min(centre + 2, len(cells)))
        system = render("system.j2", mark=self.mark)
        template = f"{request.fix_type.value.replace('-', '_')}.j2"
        # The stable part is written first: secrets are numbered in the order they are met.
        stable_parts = self._stable_parts(request, quotes)
        frame = render("stable.j2", notebook="", **stable_parts)
        parts = self._changing_parts(
            request, quotes, shown, None if centre is None else cells[centre].id
        )
        rest = render(template, cells="", **parts)
        view = view_notebook(
            request.notebook,
            shown=shown,
            focus=_focus(request),
            mark=self.mark,
            redact=lambda text: quotes.unmarked(redactor.redact(text)),
            budget=max(self._max_chars - len(system) - len(frame) - len(rest), 4_000),
        )
        stable = render("stable.j2", notebook=view.cells, **stable_parts)
        changing = render(template, cells=view.again, **parts)
        return Prompt(
            system=system,
            stable=redactor.redact(stable),
            changing=redactor.redact(changing),
            view=view,
            editable=None if centre is None else frozenset({cells[centre].id}),
            scope=scope,
            left_out=(*quotes.left_out, *view.left_out),
        )

    def _stable_parts(self, request: FixRequest, quotes: Quotes) -> dict[str, object]:
        environment = _lasting_environment(request)
        return {
            "mark": self.mark,
            "competition": request.competition,
            "description": quotes.quote(
                "task description", request.description, LONGEST_DESCRIPTION
            ),
            "data": quotes.quote("the competition's files", request.data),
            "environment": environment,
            "absent": request.absent,
            "era": text(request.era.summary),
            "time_limit": f"{request.execution.time_limit:g}",
        }

    def _result(self, request: FixRequest, quotes: Quotes) -> dict[str, object]:
        """Return the result of a run on all data; nothing of a rehearsal."""
        grade, diagnosis = request.grade, request.diagnosis
        if grade is None or not isinstance(diagnosis, Diagnosis):
            return {}
        compared = request.competition is not None or grade.target is not None
        compared = compared or request.fix_type is FixType.SCORE_CALIBRATION
        return {
            "outcome": diagnosis.outcome.value,
            "target": _number(grade.target) if compared else "",
            "score": _number(grade.score) if self._send_scores else "",
            "deviation": _deviation(grade) if self._send_scores else "",
            "standing": text(grade.standing),
            "better_than_target": grade.better_than_target,
            "grade_reason": quotes.quote("grader", text(grade.reason)) if compared else "",
        }

    def _changing_parts(
        self, request: FixRequest, quotes: Quotes, shown: range, editable: str | None
    ) -> dict[str, object]:
        execution = request.execution
        cell_names = names(request.notebook)
        roots = [item for item in request.diagnosis.roots if item.error.index in shown]
        facts = _facts(roots, cell_names)
        warned: dict[str, list[str]] = {}
        failing = {item.error.cell_id for item in roots}
        for run in execution.cells:
            if request.fix_type is FixType.ERROR_REPAIR and run.cell_id not in failing:
                continue  # a mere warning needs no repair
            for warning in dict.fromkeys(run.warnings[:5]):
                warned.setdefault(warning[:300], []).append(cell_names.get(run.cell_id, "?"))
        warnings = "\n".join(
            f"cell {', '.join(cells)}: {warning}" for warning, cells in warned.items()
        )
        short = quotes.share // 8
        lasting = _lasting_environment(request)
        known = (
            self._explain(item.error, execution.environment, request.notebook) for item in roots
        )
        found = self._relevant(request.notebook, execution.environment, request.era)
        explanations = [
            _with_modules(_allowed(advice), found, request.installed)
            for advice in list(dict.fromkeys(one[0] for one in known if one))[:20]
        ]
        told = _ahead(request, found) if request.fix_type is FixType.RUNTIME_REDUCTION else found
        rules, more = _known_changes(request, told, " ".join(explanations))
        if more:
            quotes.left_out.append(f"{more} more known changes in libraries are not listed.")
        return {
            "mark": self.mark,
            "competition": request.competition,
            "time_limit": f"{execution.time_limit:g}",
            "more_packages": {
                name: version
                for name, version in execution.environment.packages.items()
                if name not in lasting.packages
            },
            "entries": rules,
            "more_entries": more,
            "editable": None if editable is None else cell_names[editable],
            "sample": text(request.sample),
            **self._result(request, quotes),
            "errors": self._errors(request, quotes, shown, cell_names),
            "explanations": explanations,
            "facts": quotes.quote("live facts", facts),
            "warnings": quotes.quote("warnings", warnings, quotes.share // 2),
            "attempts": [
                {
                    "fixer": attempt.fixer,
                    "standing": _standing(attempt, request),
                    "plan": quotes.cut(
                        "an earlier plan",
                        "; ".join(one_text(step).rstrip(" .") for step in attempt.plan),
                        min(short, _KEPT_PLAN) if _kept(attempt, request.notebook) else short,
                    ),
                    "result": quotes.cut(
                        "an earlier result",
                        text(attempt.result if self._send_scores else attempt.verdict),
                        short,
                    ),
                }
                for attempt in request.attempts[-_LAST_ATTEMPTS:]
            ],
            "measured": [
                quotes.cut(
                    "a measurement", fact.with_scores if self._send_scores else fact.text, 600
                )
                for fact in request.measured[-_LAST_MEASURED:]
            ],
            "timing": seconds_by_cell(request, cell_names),
            "hot_lines": quotes.quote("hottest lines", hot_lines(request, cell_names)),
        }

    def _errors(
        self, request: FixRequest, quotes: Quotes, shown: range, cell_names: dict[str, str]
    ) -> list[str]:
        """Return the tracebacks of root errors, equal ones once, and a line per cascade cause."""
        roots: dict[str, list[str]] = {}
        alike: dict[str, list[str]] = {}
        following: dict[str, list[str]] = {}
        counted = counted_cells(request, cell_names)
        lengths = [len(cell.source) for cell in request.notebook.cells]
        whole = sum(lengths) <= 5 * quotes.share and max(lengths, default=0) <= LONGEST_CELL
        for finding in request.diagnosis.findings:
            error = finding.error
            if finding.kind is ErrorKind.HARMLESS or error.index not in shown:
                continue
            name = cell_names.get(error.cell_id, "?")
            if finding.kind is ErrorKind.CASCADE:
                cause = cell_names.get(finding.caused_by or "", "an earlier cell")
                following.setdefault(cause, []).append(name)
                continue
            message = _without_downloads(error.evalue)
            headline = quotes.clean(f"{error.ename}: {message}")
            traceback = tuple(line.replace(error.evalue, message) for line in error.traceback)
            shown_text = traceback_text(traceback, counted, sources_shown=whole)
            text = shown_text.strip() or headline
            like = _PLACE.sub("", headline)
            if like in alike and text not in roots:
                alike[like].append(quotes.clean(_place(name, error)))
                continue
            alike.setdefault(like, [])
            roots.setdefault(text, []).append(name)
        lines = []
        for number, (text, names_) in enumerate(roots.items()):
            limit = _TRACEBACK if number < _FULL_TRACEBACKS else _LATER_TRACEBACK
            title = f"error of cell {names_[0]}"
            if len(names_) > 1:
                title += f", and the same of {', '.join(names_[1:])}"
            lines.append(quotes.quote(title, text, limit))
        for headline, places in alike.items():
            if places:
                title = "cells that fail in the same way"
                first = " ".join(headline.split())[:_HEADLINE]
                lines.append(quotes.quote(title, "\n".join((first, *places)), _TRACEBACK))
        lines += [
            f"Failed only because {cause} failed: {_some(names_)}."
            for cause, names_ in following.items()
        ]
        lines += [
            f"Cell {cell_names.get(run.cell_id, '?')} was at work when the run ended, since "
            f"{run.seconds:.0f} s."
            for run in request.execution.cells
            if run.status is CellStatus.UNFINISHED and run.index in shown
        ]
        return lines


def _some(cells: Sequence[str]) -> str:
    """Return a few cells by name, many by their first and their number: none needs a change."""
    if len(cells) <= _NAMED:
        return ", ".join(cells)
    return f"{', '.join(cells[: _NAMED // 2])} and {len(cells) - _NAMED // 2} more"


def _place(name: str, error: CellError) -> str:
    """Return the place of an error whose like is quoted already: cell, line and statement."""
    where = name if error.line is None else f"{name}, line {error.line}"
    statement = next(iter(failing_lines(error)), "").strip()
    return f"cell {where}: {statement}"


def _lasting_environment(request: FixRequest) -> Environment:
    """Return the prompt's environment for all fixes: that of the first run.

    A fix may import other packages; only if versions have changed is it replaced.
    """
    first, now = request.first_environment, request.execution.environment
    if first is None or first.python != now.python:
        return now
    kept = all(now.packages.get(name, known) == known for name, known in first.packages.items())
    return first if kept else now


def _unfinished(request: FixRequest) -> list[str]:
    return [run.cell_id for run in request.execution.cells if run.status is CellStatus.UNFINISHED]


def _standing(attempt: Attempt, request: FixRequest) -> str:
    """Return the outcome of an earlier fix, according to its edits."""
    if not attempt.accepted:
        return "rejected by the user"
    if not attempt.carried_out:
        return "not carried out"
    if not attempt.edits:
        return ""
    kept = _kept(attempt, request.notebook)
    if not kept:
        return f"taken back: it is not in the notebook{_untried(attempt)}"
    reached = {
        run.cell_id
        for run in request.execution.cells
        if run.status in (CellStatus.OK, CellStatus.ERROR)
    } - request.diagnosis.cascades
    unseen = [edit.cell_id for edit in kept if edit.cell_id not in reached]
    part = "" if len(kept) == len(attempt.edits) else " in part"
    return f"kept{part}" + (", effect not yet seen" if len(unseen) == len(kept) else "")


def _kept(attempt: Attempt, notebook: Notebook) -> list[CellEdit]:
    """Return the applied edits of a fix that are still in the notebook."""
    now = {cell.id: cell.source for cell in notebook.cells}
    edits = attempt.edits if attempt.accepted and attempt.carried_out else ()
    return [edit for edit in edits if now.get(edit.cell_id, "") == edit.new_source]


def _untried(attempt: Attempt) -> str:
    """Return which cells of a fix that was taken back never ran with it: there it may be right."""
    if not attempt.unseen:
        return ""
    if {edit.cell_id for edit in attempt.edits} <= set(attempt.unseen):
        return "; none of its cells was reached, so it may well be right"
    names = ", ".join(attempt.unseen)
    return f"; not reached, and so not tried, in cells {names}"


def _centre(request: FixRequest) -> int | None:
    """Return the position of the cell of cell scope, or None if there is none."""
    if request.fix_type is FixType.RUNTIME_REDUCTION:
        candidates = _unfinished(request) or slowest(request)[:1]
    else:
        failing = [item.error.cell_id for item in request.diagnosis.roots]
        candidates = failing or _unfinished(request)
    known = {cell.id: position for position, cell in enumerate(request.notebook.cells)}
    return next((known[cell_id] for cell_id in candidates if cell_id in known), None)


def _focus(request: FixRequest) -> frozenset[str]:
    """Return the ids of the cells that must be seen in full if anything is."""
    ids = [item.error.cell_id for item in request.diagnosis.roots] + _unfinished(request)
    if request.fix_type is FixType.RUNTIME_REDUCTION:
        ids += slowest(request)[:3]
    return frozenset(ids)


def _allowed(advice: str) -> str:
    """Return the advice without sentences that the model's rules forbid to follow: no network."""
    sentences = _SENTENCE_END.split(advice)
    return " ".join(sentence for sentence in sentences if not _OF_THE_NETWORK.search(sentence))


def _without_downloads(message: str) -> str:
    """Return an error's message up to the paragraph that advises actions forbidden to the model."""
    paragraphs = _PARAGRAPH_END.split(message.strip())
    allowed = [not _OF_THE_NETWORK.search(paragraph) for paragraph in paragraphs]
    return message if all(allowed[1:]) else paragraphs[0]


def _known_changes(
    request: FixRequest, found: Sequence[KnowledgeEntry], explained: str
) -> tuple[list[str], int]:
    """Return the known changes to include, failing cells' first, and how many more there are.

    The explanation of an error is included with it. A change that raises an exception is left out
    if all cells with its names ran without one.

    Args:
        request: With the run.
        found: The changes that affect the notebook.
        explained: Text included with the errors.
    """
    failing = {item.error.cell_id for item in request.diagnosis.roots}
    fine = {run.cell_id for run in request.execution.cells if run.status is CellStatus.OK}
    cells = request.notebook.cells
    words = _words(cell.source for cell in cells if cell.id in failing)
    open_ = _words(cell.source for cell in cells if cell.id not in fine)
    first = sorted(
        (
            rule
            for rule in found
            if rule.what not in explained and (rule.silent or rule.identifiers & open_)
        ),
        key=lambda rule: not rule.identifiers & words,
    )
    lines = list(dict.fromkeys(_entry(rule, request.installed) for rule in first))
    return lines[:_MOST_CHANGES], max(len(lines) - _MOST_CHANGES, 0)


def _ahead(request: FixRequest, found: Sequence[KnowledgeEntry]) -> list[KnowledgeEntry]:
    """Return the changes that will stop cells not reached by a run that was too slow."""
    seen = {run.cell_id for run in request.execution.cells if run.status is not CellStatus.NOT_RUN}
    words = _words(cell.source for cell in request.notebook.code_cells() if cell.id not in seen)
    return [rule for rule in found if not rule.silent and rule.identifiers & words]


def _entry(rule: KnowledgeEntry, installed: Environment | None) -> str:
    """Return a change, its replacement, and whether the latter's requirements are installed."""
    dated = rule.since in rule.what
    change = rule.what if dated else f"{rule.library} {rule.since}: {rule.what}"
    replacement = _allowed(rule.replacement)
    parts = [change, f"Instead: {replacement}" if replacement else ""]
    parts += _of_modules(rule, installed)
    return " ".join(part for part in parts if part)


def _with_modules(
    explained: str, found: Sequence[KnowledgeEntry], installed: Environment | None
) -> str:
    """Return an explanation, and whether the replacement's requirements are installed."""
    rules = (rule for rule in found if explained.startswith(rule.what))
    return " ".join([explained, *(note for rule in rules for note in _of_modules(rule, installed))])


def _of_modules(rule: KnowledgeEntry, installed: Environment | None) -> Iterator[str]:
    if installed is None:
        return
    for module in sorted(rule.modules):
        version = installed.packages.get(module)
        state = "is not installed" if version is None else f"{version} is installed"
        yield f"({module} {state}.)"


def _words(sources: Iterable[str]) -> set[str]:
    return {word for source in sources for word in _WORD.findall(source)}


def _facts(roots: Sequence[Finding], cell_names: Mapping[str, str]) -> str:
    """Return the kernel's facts about the failures, equal ones once.

    Facts in the traceback and the list of packages are left out, as are the parameters of a call if
    the error is about something else.
    """
    told: dict[str, list[str]] = {}
    for item in roots:
        elsewhere = _ELSEWHERE if item.error.traceback else frozenset[str]()
        of_arguments = _OF_ARGUMENTS.search(item.error.evalue[:_HEADLINE])
        for fact in item.error.facts:
            of_call = fact.name.startswith("signature of ")
            if fact.name not in elsewhere and (of_arguments or not of_call):
                name = cell_names.get(item.error.cell_id, "?")
                told.setdefault(f"{fact.name}: {fact.value}", []).append(name)
    return "\n".join(f"cell {', '.join(cells)}: {fact}" for fact, cells in told.items())


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.6g}"


def _deviation(grade: Grade) -> str:
    if grade.deviation is None:
        return ""
    if grade.deviation_is_absolute:
        return f"{grade.deviation:.6g} (absolute, because the target is 0)"
    if grade.measure is DistanceMeasure.FLOOR and grade.floor_deviation is not None:
        share = f"{grade.floor_deviation:.1%} of what the target is above the floor"
        return f"{share} (at most {grade.threshold:.0%} counts as reproduced)"
    return f"{grade.deviation:.1%} (at most {grade.threshold:.0%} counts as reproduced)"
