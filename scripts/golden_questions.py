"""Questions about a notebook's code for `scripts/golden.py`, each with its answer as data.

An answer is made of dicts, lists, texts and numbers, the same on every machine: no question
starts a kernel, reads an installed version, or has a limit of time.
"""

from __future__ import annotations

import ast
import builtins
import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum, Flag
from functools import cached_property
from pathlib import Path

import libcst as cst
from pydantic import BaseModel

# isort: off
# The readers of code. A move changes these lines only.
from mle_modernizer_server.diagnosis.causes import findings
from mle_modernizer_server.diagnosis.diagnose import diagnose
from mle_modernizer_server.code.effects import (
    Effects,
    lost_effects,
    made_from,
    names_bound_before,
    names_used,
)
from mle_modernizer_server.code.file_use import file_use
from mle_modernizer_server.diagnosis.sample_caused import sample_caused
from mle_modernizer_server.code.slices import (
    cells_behind,
    changed_names,
    code_on_the_way,
    failing_on_the_way,
    has_predictions,
)
from mle_modernizer_server.code.ipython import parsed, parsed_in_place, python_only
from mle_modernizer_server.environments.dating import bounds_of, day_of
from mle_modernizer_server.environments.requirements import requirements_of
from mle_modernizer_server.execution.notebook_folder.lookup import Places, look_up
from mle_modernizer_server.code.named_paths import find_named
from mle_modernizer_server.execution.notebook_folder.visible_files import Beside, choose_shown
from mle_modernizer_server.code.names import names
from mle_modernizer_server.code.liveness import read_before_bound
from mle_modernizer_server.code.side_effects import side_effects_of
from mle_modernizer_server.execution.pip.lines import find_install_lines
from mle_modernizer_server.execution.sandboxes.base import Reach
from mle_modernizer_server.code.cell_syntax import parse_what_can_be_read
from mle_modernizer_server.fixing.integrity import check_patch, judge_edits, with_meanings
from mle_modernizer_server.code.experiment.facts import facts_of
from mle_modernizer_server.code.expressions import import_aliases
from mle_modernizer_server.code.paths import texts_in
from mle_modernizer_server.code.data_flow import trace
from mle_modernizer_server.fixing.integrity.lineage import learns, predicts
from mle_modernizer_server.code.canonical.plain_names import spoken_of
from mle_modernizer_server.code.cell_relevance import Relevance
from mle_modernizer_server.fixing.reseeding import reseeded
from mle_modernizer_server.fixing.rules import fixer, preflight
from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.training import ShortTraining, shorten_training
from mle_modernizer_server.fixing.rules.era.evidence import of_traces
from mle_modernizer_server.fixing.rules.learning.learn import learn
from mle_modernizer_server.fixing.rules.paths.relocate import (
    Relocated,
    Seen,
    paths_to_look_up,
    relocate,
)
from mle_modernizer_server.code.path_uses import read_code
from mle_modernizer_server.fixing.rules.relevance import relevant
from mle_modernizer_server.code.types.inference import TypeInference
from mle_modernizer_server.improving.ablation import knockouts
from mle_modernizer_server.code.pipeline.blocks import blocks
from mle_modernizer_server.improving.candidates.offers import offers
from mle_modernizer_server.improving.candidates.variant import Facts
from mle_modernizer_server.code.pipeline.families import families
from mle_modernizer_server.code.pipeline.pipeline import Pipeline
from mle_modernizer_server.code.pipeline.leaks import leaks
from mle_modernizer_server.code.opened_paths import opened_paths
from mle_modernizer_server.workflow.run.resources import wanted_addresses
# isort: on

from mle_modernizer_server.code.traceback import Failure
from mle_modernizer_server.domain.competition import Competition, Metric, SplitKind
from mle_modernizer_server.domain.diagnosis import FixScope
from mle_modernizer_server.domain.era import Era, Traces
from mle_modernizer_server.domain.execution import (
    CellError,
    CellRun,
    CellStatus,
    Ending,
    Environment,
    Execution,
    ExecutionStatus,
)
from mle_modernizer_server.domain.files import FileOrigin, FoundFiles, KnownFile
from mle_modernizer_server.domain.grade import Grade, OutputStatus
from mle_modernizer_server.domain.message import Message
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import CellEdit, Lesson, Proposal, apply_edits
from mle_modernizer_server.domain.verification import Sample, SampledTable
from mle_modernizer_server.execution.notebook_file import open_notebook
from mle_modernizer_server.fixing.fixer import FixRequest, NoFix

PYTHON = "3.11.7"
PACKAGES = {
    "IPython": "9.6.0",
    "bokeh": "3.8.0",
    "gensim": "4.3.3",
    "keras": "3.11.3",
    "lightgbm": "4.6.0",
    "matplotlib": "3.10.7",
    "networkx": "3.5",
    "nltk": "3.9.2",
    "numpy": "2.3.4",
    "pandas": "3.0.0",
    "plotly": "6.3.1",
    "scipy": "1.16.2",
    "seaborn": "0.13.2",
    "sklearn": "1.7.2",
    "statsmodels": "0.14.5",
    "tensorflow": "2.20.0",
    "torch": "2.9.0",
    "xgboost": "3.1.1",
}
ENVIRONMENT = Environment(python=PYTHON, packages=PACKAGES)
"""The environment assumed for every notebook."""
COMPETITION = Competition(
    id="competition",
    name="Competition",
    metric=Metric.ACCURACY,
    higher_is_better=True,
    id_columns=("id",),
    target_columns=(),
    answer_columns=(),
)
_MOST_FAILURES = 8
"""Maximum number of simulated failing cells."""
_TARGETS = (
    "Cultivar",
    "malignant",
    "Progression",
    "Survived",
    "SalePrice",
    "Loan_Status",
    "target",
)
"""Target columns assumed for every notebook."""

Answer = dict[str, object]


@dataclass(frozen=True)
class Patch:
    """A patch to judge, with its target columns."""

    notebook: Notebook
    edits: tuple[CellEdit, ...]
    targets: frozenset[str]


@dataclass
class Subject:
    """A notebook under examination.

    Attributes:
        notebook: Its sources; code cells are called `c1`, `c2`, … in their order.
        folder: The folder it lies in; None if it has none.
        traces: Evidence of its age in its file.
        saved: Of each code cell: its saved outputs.
    """

    notebook: Notebook
    folder: Path | None = None
    traces: Traces = Traces()  # noqa: RUF009 # it is frozen
    saved: Mapping[str, Sequence[Mapping[str, object]]] | None = None

    @cached_property
    def sources(self) -> list[tuple[str, str]]:
        """Return id and source of each code cell."""
        return [(cell.id, cell.source) for cell in self.notebook.run_cells()]

    @cached_property
    def era(self) -> Era:
        """Return the period in which it was written."""
        return preflight.infer_era(self.notebook, of_traces(self.traces, "3.11"))

    @cached_property
    def found(self) -> FoundFiles:
        """Return the files it names: as a run finds them, else one for each name."""
        asked = paths_to_look_up(self.notebook)
        if self.folder is not None:
            return look_up(asked, Places(Beside(self.folder)))
        return made_up(asked)

    @cached_property
    def relocated(self) -> Relocated:
        """Return its relocated paths."""
        return relocate(self.notebook, self.found)

    @cached_property
    def proposal(self) -> Proposal | NoFix:
        """Return the rules' proposal before a run."""
        return preflight.propose_before_run(self.notebook, ENVIRONMENT, self.era, self.relocated)

    @cached_property
    def edits(self) -> tuple[CellEdit, ...]:
        """Return the edits of the proposal."""
        return self.proposal.edits if isinstance(self.proposal, Proposal) else ()

    @cached_property
    def program(self) -> Program:
        """Return the rules' program of it."""
        return Program(self.notebook)

    @cached_property
    def training(self) -> ShortTraining:
        """Return its shortened training."""
        return shorten_training([source for _, source in self.sources])

    @cached_property
    def pipeline(self) -> Pipeline:
        """Return Improve's pipeline of it."""
        return Pipeline(self.notebook)

    @cached_property
    def failures(self) -> dict[str, Execution]:
        """Return the saved run if a cell failed in it, and simulated runs with one failing cell."""
        found = {}
        saved = self._saved_run()
        if saved is not None:
            found["saved"] = saved
        cells = [name for name, source in self.sources if source.strip()]
        step = max(1, -(-len(cells) // _MOST_FAILURES))
        for name in cells[::step]:
            found[name] = failing_at(self, name)
        return found

    def _saved_run(self) -> Execution | None:
        errors = []
        for name, outputs in (self.saved or {}).items():
            for output in outputs:
                if output.get("output_type") != "error" or self.notebook.cell(name) is None:
                    continue
                lines = output.get("traceback")
                errors.append(
                    CellError(
                        cell_id=name,
                        index=self.notebook.index(name),
                        ename=str(output.get("ename", ""))[:200],
                        evalue=str(output.get("evalue", ""))[:2000],
                        traceback=tuple(map(str, lines)) if isinstance(lines, list) else (),
                        raised=True,
                    )
                )
        return execution(self, errors) if errors else None


def read_subject(path: Path, *, beside: bool) -> Subject:
    """Return the notebook of a file.

    Args:
        path: The file.
        beside: Whether the files in its folder count.

    Raises:
        ModernizerError: The file cannot be read.
    """
    file = open_notebook(path)
    ids: dict[str, str] = {}
    for number, cell in enumerate(file.notebook.code_cells(), start=1):
        ids[cell.id] = f"c{number}"
    for number, cell in enumerate(file.notebook.cells, start=1):
        ids.setdefault(cell.id, f"m{number}")
    cells = tuple(cell.model_copy(update={"id": ids[cell.id]}) for cell in file.notebook.cells)
    return Subject(
        file.notebook.model_copy(update={"cells": cells}),
        path.absolute().parent if beside else None,
        file.traces,
        {ids[name]: outputs for name, outputs in file.saved.pairs if name in ids},
    )


def made_up(paths: Iterable[str]) -> FoundFiles:
    """Return a lookup that finds each named file once in a competition."""
    names = dict.fromkeys(path.replace("\\", "/").rpartition("/")[2] for path in paths)
    return FoundFiles(
        files=tuple(
            KnownFile(
                path=f"../input/competition/{name}",
                origin=FileOrigin.COMPETITION,
                size=1,
                fingerprint=name,
            )
            for name in names
            if "." in name.strip(".") and "*" not in name
        )
    )


def execution(subject: Subject, errors: Sequence[CellError]) -> Execution:
    """Return a run of all cells with these errors."""
    failed = {error.cell_id for error in errors}
    return Execution(
        status=ExecutionStatus.ERROR,
        ending=Ending.COMPLETED,
        sandbox="process",
        seconds=1.0,
        time_limit=600.0,
        environment=ENVIRONMENT,
        cells=tuple(
            CellRun(
                cell_id=cell.id,
                index=subject.notebook.index(cell.id),
                status=CellStatus.ERROR if cell.id in failed else CellStatus.OK,
                seconds=0.1,
            )
            for cell in subject.notebook.run_cells()
        ),
        errors=tuple(errors),
    )


def failing_at(subject: Subject, cell_id: str) -> Execution:
    """Return a run in which a cell fails, and later ones that use a name of its own."""
    sources = dict(subject.sources)
    at = list(sources).index(cell_id)
    lines = plain_lines(sources[cell_id])
    line = next((n for n, text in enumerate(lines, 1) if text.strip()), 1)
    errors = [_error(subject, cell_id, line, "AttributeError", "module 'x' has no attribute 'y'")]
    own = words_bound(sources[cell_id])
    for name, source in list(sources.items())[at + 1 :]:
        used = [word for word in words_read(source) if word in own]
        if used:
            said = f"name '{used[0]}' is not defined"
            errors.append(_error(subject, name, 1, "NameError", said))
    return execution(subject, errors)


def _error(subject: Subject, cell_id: str, line: int, ename: str, evalue: str) -> CellError:
    frame = f"Cell In[1], line {line}\n----> {line} code\n"
    return CellError(
        cell_id=cell_id,
        index=subject.notebook.index(cell_id),
        ename=ename,
        evalue=evalue,
        traceback=("Traceback (most recent call last)", frame, f"{ename}: {evalue}"),
        raised=True,
        line=line,
    )


def plain_lines(source: str) -> list[str]:
    """Return a cell's lines without IPython syntax and comments."""
    return [
        "" if line.lstrip().startswith(("%", "!", "#", "?")) else line
        for line in source.splitlines()
    ]


def _plain_tree(source: str) -> ast.AST | None:
    try:
        return ast.parse("\n".join(plain_lines(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def words_bound(source: str) -> list[str]:
    """Return the names that a cell stores anywhere."""
    tree = _plain_tree(source)
    nodes = () if tree is None else ast.walk(tree)
    return list(
        dict.fromkeys(
            node.id
            for node in nodes
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        )
    )


def words_read(source: str) -> list[str]:
    """Return the names that a cell loads anywhere."""
    tree = _plain_tree(source)
    nodes = () if tree is None else ast.walk(tree)
    found = (n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
    return [name for name in dict.fromkeys(found) if not hasattr(builtins, name)]


# The questions.


def ask_forecast(subject: Subject) -> Answer:
    """Answer: the forecast."""
    traces = of_traces(subject.traces, "3.11")
    found = preflight.preflight(
        subject.notebook, ENVIRONMENT, "process", traces, relocated=subject.relocated
    )
    items = [
        " ".join(
            [
                f"{item.cell_id} {item.rule} {item.impact.value}",
                *(
                    word
                    for word in ("certain", "likely", "fixable", "proposed")
                    if getattr(item, word)
                ),
            ]
        )
        for item in found.items
    ]
    return {
        "headline": said(found.headline),
        "items": items,
        "notes": [f"{note.cell_id}: {said(note.text)}" for note in found.notes],
        "complete": found.complete,
    }


def ask_era(subject: Subject) -> Answer:
    """Return the period in which it was written."""
    era = subject.era
    day = day_of(subject.traces, era)
    return {
        "years": [era.first_year, era.last_year],
        "day": None if day is None else day.isoformat(),
        "bounds": bounds_of(era),
        "libraries": [
            f"{one.library} {one.first or '…'} to {one.last or '…'}, surely {one.surely or '…'}"
            for one in era.libraries
        ],
        "used": list(era.used),
        "evidence": [
            f"{one.cell_id or 'file'}: {one.text[0].code if one.text else ''} {one.library} "
            f"from {one.at_least or one.since or '-'}, before {one.below or one.until or '-'}"
            for one in era.evidence
        ],
        "summary": said(era.summary),
    }


def ask_proposal(subject: Subject) -> Answer:
    """Answer: the rules' edits before a run."""
    return proposed(subject.notebook, subject.proposal)


def ask_integrity(subject: Subject) -> Answer:
    """Answer: the integrity verdict on the rules' patch, as theirs and as a model's."""
    by_model = tuple(
        edit.model_copy(update={"rules": (), "changes": (), "parts": ()}) for edit in subject.edits
    )
    return {
        "by rules": judged(subject.notebook, subject.edits),
        "by a model": judged(subject.notebook, by_model),
    }


def ask_diagnosis(subject: Subject) -> Answer:
    """Answer: the diagnosis of the saved run and of simulated ones."""
    answer: Answer = {}
    for name, run in subject.failures.items():
        found = findings(subject.notebook, run)
        told = diagnose(subject.notebook, run, Grade(output_status=OutputStatus.WITHOUT_CSV))
        sample = Sample(tables=(SampledTable(name="train.csv", rows=10, of=1000),))
        caused = sample_caused(found, subject.notebook, sample, lambda _: False, subject.training)
        answer[name] = {
            "findings": [
                " ".join(
                    [f"{one.error.cell_id} {one.error.ename} {one.kind.value}"]
                    + ([f"of {one.caused_by}"] if one.caused_by else [])
                    + (["explained"] if one.explanation else [])
                )
                for one in found
            ],
            "outcome": f"{told.outcome.value}, {told.fix_type and told.fix_type.value}",
            "summary": said(told.summary),
            "on the way": list(failing_on_the_way(subject.notebook, run)),
            "by the sample": {cell: said(why) for cell, why in caused.items()},
            "addresses": list(wanted_addresses(subject.notebook, run)),
        }
    return answer


def ask_fix_after_run(subject: Subject) -> Answer:
    """Answer: the rules' edits after the saved run, else after the first simulated one."""
    if not subject.failures:
        return {}
    run = next(iter(subject.failures.values()))
    told = diagnose(subject.notebook, run, Grade(output_status=OutputStatus.WITHOUT_CSV))
    if told.fix_type is None:
        return {}
    request = FixRequest(
        notebook=subject.notebook,
        execution=run,
        diagnosis=told,
        fix_type=told.fix_type,
        scope=FixScope.FILE,
        era=subject.era,
        files=subject.found,
    )
    return proposed(subject.notebook, fixer.propose(request))


def ask_paths(subject: Subject) -> Answer:
    """Answer: the paths of the code, and their relocation."""
    code, asked = read_code(subject.notebook), paths_to_look_up(subject.notebook)
    moved = relocate(subject.notebook, made_up(asked))
    shown = None
    if subject.folder is not None:
        sources = [source for _, source in subject.sources]
        beside = Beside(subject.folder)
        shown = choose_shown(sources, beside, reach=Reach.MOUNTS, public=None)
    offline = Seen(frozenset(cell.id for cell in code.cells), offline=True)
    return {
        "uses": [
            f"{code.cells[use.cell].id} {use.role.value} {use.text}"
            + (" unpacks" if use.unpacks else "")
            + (f" as {use.written}" if use.written else "")
            for use in code.uses
        ],
        "looked up": list(asked),
        "looked up offline": [
            path for path in paths_to_look_up(subject.notebook, offline) if path not in asked
        ],
        "there": list(subject.found.there),
        "elsewhere": [file.path for file in subject.found.files],
        "findings": plain(subject.relocated.findings),
        "moved": changes(subject.notebook, moved.sources),
        "shown": [] if shown is None else [f"{one.at} {one.access.value}" for one in shown.items],
    }


def ask_packages(subject: Subject) -> Answer:
    """Answer: required packages and install lines."""
    needed = requirements_of(subject.notebook, subject.folder)
    return {
        "packages": [
            f"{one.name}{one.specifier} {one.source.value}" + (" optional" if one.optional else "")
            for one in needed.packages
        ],
        "constraints": list(needed.constraints),
        "unknown": list(needed.unknown),
        "own": list(needed.local),
        "refused": [f"{one.text} {one.origin} {one.refusal.value}" for one in needed.refused],
        "installs": [
            f"{line.cell_id} {line.first}-{line.last} {line.command} {line.refusal}"
            for line in find_install_lines(subject.notebook)
        ],
    }


def ask_rules_for_a_model(subject: Subject) -> Answer:
    """Answer: the rules for a model's prompt."""
    found = relevant(subject.notebook, ENVIRONMENT, subject.era)
    return {"rules": " ".join(rule.id for rule in found)}


def ask_learning(subject: Subject) -> Answer:
    """Answer: rules learned from the rules' patch, taken as a model's."""
    if not subject.edits:
        return {}
    after = apply_edits(subject.notebook, subject.edits)
    lesson = Lesson(
        before=subject.notebook,
        after=after,
        cells=tuple(edit.cell_id for edit in subject.edits),
        errors=(),
        sound=(),
        environment=ENVIRONMENT,
    )
    return {"rules": [f"{one.old} → {one.new} ({one.places})" for one in learn(lesson)]}


def ask_seeds(subject: Subject) -> Answer:
    """Answer: seeds, and the notebook with other ones."""
    made = reseeded(subject.notebook, 1)
    sources = {cell.id: cell.source for cell in made.notebook.cells}
    return {
        "seeds": [f"{seed.cell_id} {seed.code}" for seed in made.seeds],
        "text": changes(subject.notebook, sources),
    }


def ask_improve(subject: Subject) -> Answer:
    """Answer: Improve's models, blocks, leaks and offers."""
    pipeline = subject.pipeline
    made = {
        f"{metric.value}: {offer.name}": offer
        for metric in (Metric.ACCURACY, Metric.RMSE)
        for offer in offers(subject.notebook, Facts(metric, (), PACKAGES), catalogue=True)
    }
    made |= {offer.name: offer for offer in knockouts(subject.notebook, _TARGETS)}
    return {
        "models": [
            f"{model.cell.cell_id} {model.estimator.address} fits {len(model.fits)}, "
            f"predicts {len(model.predictions)}, in {' '.join(model.wrappers) or '-'}, "
            f"else {' '.join(sorted(model.others)) or '-'}"
            for model in pipeline.models
        ],
        "tables": {role: sorted(names) for role, names in pipeline.tables.items()},
        "families": sorted(family.value for family in families(subject.notebook)),
        "blocks": [
            " ".join(str(plain(value)) for value in block.model_dump(mode="json").values())
            for block in blocks(pipeline)
        ],
        "leaks": [
            f"{split.value}: {leak.kind.value} {leak.cell_id}:{leak.line} {leak.name}"
            for split in SplitKind
            for leak in leaks(pipeline, _TARGETS, split, "id")
        ],
        "offers": {
            name: {
                "what": said(offer.what),
                "block": offer.block,
                "text": changes(
                    subject.notebook, {cell.id: cell.source for cell in offer.notebook.cells}
                ),
            }
            for name, offer in made.items()
        },
    }


# The readers of names, reads, writes and paths, one question each.


def read_effects(subject: Subject) -> Answer:
    """Answer: the effects of cells."""
    return {
        name: {
            "all": effects_line(lost_effects(source, None)),
            "from the middle": effects_line(lost_effects(source, len(source.splitlines()) // 2)),
            "used": line_of(names_used(source, None)),
            "before": line_of(names_bound_before(source, len(source.splitlines()))),
            "made from": line_of(made_from(source, set(words_read(source)[:2]))),
        }
        for name, source in subject.sources
    }


def read_way(subject: Subject) -> Answer:
    """Answer: the slices of diagnosis."""
    answer: Answer = {
        name: {
            "changes": " ".join(changed_names(source)),
            "behind": line_of(cells_behind(subject.notebook, [name])),
        }
        for name, source in subject.sources
    }
    answer["submission"] = [text.splitlines()[0] for text in code_on_the_way(subject.notebook)]
    answer["predicts"] = has_predictions(subject.notebook)
    return answer


def read_file_use(subject: Subject) -> Answer:
    """Answer: files that are read, or only written."""
    run = execution(subject, ())
    names = [one.text.rpartition("/")[2] for one in read_code(subject.notebook).uses]
    names += ["submission.csv", "train.csv", "test.csv"]
    return {
        name: file_use(subject.notebook, run, name).value
        for name in dict.fromkeys(names)
        if name.strip("*.")
    }


def read_liveness(subject: Subject) -> Answer:
    """Answer: names of a cell that later cells read before they bind them."""
    answer: Answer = {}
    sources = [source for _, source in subject.sources]
    for at, (name, source) in enumerate(subject.sources):
        left = {*words_bound(source), "numpy.random.seed"}
        read: list[str] = []
        for _ in range(4):
            found = read_before_bound(left, sources[:at], sources[at:])
            if not found:
                break
            read.append(found)
            left.discard(found)
        tree = parsed(source)
        bound = () if tree is None else names(tree).changed
        answer[name] = {"read": " ".join(read), "bound": line_of(bound)}
    return answer


def read_side_effects(subject: Subject) -> Answer:
    """Answer: whether a cell that failed at its end or in its middle may run again."""
    answer: Answer = {}
    earlier: list[str] = []
    for name, source in subject.sources:
        length = len(source.splitlines())
        for line, shallow in ((length, True), (length, False), (length // 2 or 1, True)):
            failure = Failure(line=line, shallow=shallow, compiled=True)
            found = side_effects_of(source, failure, before=earlier)
            key = f"{name}:{line} {'shallow' if shallow else 'deep'}"
            answer[key] = said(found.reason) or line_of(found.names)
        earlier.append(source)
    return answer


def read_named(subject: Subject) -> Answer:
    """Answer: the paths and modules that code names."""
    named = find_named(source for _, source in subject.sources)
    answer = {one.name: list(getattr(named, one.name)) for one in fields(named)}
    return {**answer, "opened": sorted(opened_paths(source for _, source in subject.sources))}


def read_integrity_names(subject: Subject) -> Answer:
    """Answer: names, texts and facts of cells for the integrity check."""
    trees = {name: parse_what_can_be_read(source) for name, source in subject.sources}
    aliases = import_aliases(trees.values())
    return {
        "aliases": {name: aliases[name] for name in sorted(aliases)},
        **{
            name: {
                "spoken of": line_of(spoken_of([tree])),
                "texts": sorted({text[:80] for text, _ in texts_in(tree)}),
                "facts": sorted(
                    f"{fact.kind.value} {fact.key[:60]} {fact.value[:60]} x{count}"
                    for fact, count in facts_of(tree, aliases).items()
                ),
            }
            for name, tree in trees.items()
        },
    }


def read_integrity_flow(subject: Subject) -> Answer:
    """Answer: the notebook's results and their dependences."""
    found = trace(subject.sources)
    return {
        "complete": found.complete,
        "sinks": [
            f"{one.cell_id}:{one.line} {one.kind.value} {one.name} of {plain(one.value.origins)}"
            for one in found.sinks
        ],
        "trainings": [f"{one.cell_id}:{one.line} {plain(one.data)}" for one in found.trainings],
        "computed": sorted({str(plain(one)) for one in found.computed}),
        "predicts": predicts(subject.notebook, ()),
        "learns": learns(subject.notebook, code_on_the_way(subject.notebook), _TARGETS),
    }


def read_slices(subject: Subject) -> Answer:
    """Answer: the statements and the slice of Improve."""
    pipeline = subject.pipeline
    return {
        "statements": [
            f"{one.cell.cell_id}:{one.line} binds {line_of(one.binds) or '-'}, "
            f"uses {line_of(one.uses) or '-'}"
            for one in pipeline.statements
        ],
        "submitting": " ".join(f"{one.cell.cell_id}:{one.line}" for one in pipeline.submitting),
    }


def read_relevance(subject: Subject) -> Answer:
    """Answer: the cells that a prompt includes with a cell."""
    relevance = Relevance(subject.notebook.cells)
    return {
        "frame": " ".join(relevance.frame),
        **{name: " ".join(relevance.needed([name])) for name, _ in subject.sources},
    }


def read_program(subject: Subject) -> Answer:
    """Answer: names and types of the rules' engine."""
    program, types = subject.program, TypeInference(subject.program)
    answer: Answer = {}
    for cell in program.cells:
        names: dict[str, None] = {}
        for node in cell.places:
            if isinstance(node, (cst.Name, cst.Attribute, cst.Call, cst.Subscript)):
                known = " ".join(program.qualnames(node))
                kind = types.of(node)
                if known or kind is not None:
                    code = " ".join(cell.code(node).split())[:60]
                    names[f"{code}: {known or '-'} {plain(kind) or ''}".rstrip()] = None
        answer[cell.cell_id] = {
            "binds": line_of(cell.top.names),
            "known": list(names),
        }
    answer["unparsed"] = [one.cell_id for one in program.unparsed]
    return answer


def read_parsed(subject: Subject) -> Answer:
    """Answer: cells that can be parsed, and their IPython syntax."""
    return {
        name: {
            "parsed": parsed(source) is not None,
            "in place": parsed_in_place(source) is not None,
            "python": changes_of(source, python_only(source)),
        }
        for name, source in subject.sources
    }


QUESTIONS: dict[str, Callable[[Subject], Answer]] = {
    "forecast": ask_forecast,
    "era": ask_era,
    "proposal": ask_proposal,
    "integrity": ask_integrity,
    "diagnosis": ask_diagnosis,
    "fix after a run": ask_fix_after_run,
    "paths": ask_paths,
    "packages": ask_packages,
    "rules for a model": ask_rules_for_a_model,
    "learning": ask_learning,
    "seeds": ask_seeds,
    "improve": ask_improve,
    "reader: effects": read_effects,
    "reader: way": read_way,
    "reader: file use": read_file_use,
    "reader: liveness": read_liveness,
    "reader: side effects": read_side_effects,
    "reader: named files": read_named,
    "reader: integrity names": read_integrity_names,
    "reader: integrity flow": read_integrity_flow,
    "reader: improve slices": read_slices,
    "reader: relevance": read_relevance,
    "reader: program": read_program,
    "reader: parsed": read_parsed,
}
"""Questions about every notebook."""

READERS = tuple(name for name in QUESTIONS if name.startswith("reader: "))


def verdict(patch: Patch) -> Answer:
    """Return the integrity verdict on a patch and on each edit."""
    competition = COMPETITION.model_copy(update={"target_columns": tuple(sorted(patch.targets))})
    return judged(patch.notebook, patch.edits, competition)


def patched(patch: Patch) -> Subject:
    """Return the notebook with a patch applied."""
    return Subject(apply_edits(patch.notebook, patch.edits))


# Answers as data.


def judged(
    notebook: Notebook, edits: Sequence[CellEdit], competition: Competition | None = None
) -> Answer:
    """Return the integrity verdict on a patch."""
    notes = check_patch(notebook, edits, competition=competition)
    judgement = judge_edits(notebook, edits, competition=competition)
    return without_empty(
        {
            "notes": [note_line(note) for note in notes],
            "meant": " ".join(
                f"{edit.cell_id}={edit.meaning.value}" for edit in with_meanings(notebook, edits)
            ),
            "left out": [
                f"{one.edit.cell_id} needs {' '.join(one.needs) or '-'}"
                for one in judgement.left_out
            ],
            "standing notes": [note_line(note) for note in judgement.notes]
            if judgement.notes != notes
            else [],
        }
    )


def note_line(note: object) -> str:
    """Return an integrity note in a line."""
    told = plain(note)
    assert isinstance(told, dict)
    facts = told.get("parameters") or {}
    more = ", ".join(f"{name}={value}" for name, value in facts.items())
    return (
        f"{told['severity']} {told['code']} {told.get('cell_id')}:{told.get('line')} {more}".strip()
    )


def proposed(notebook: Notebook, answer: Proposal | NoFix) -> Answer:
    """Return a proposal as data."""
    if isinstance(answer, NoFix):
        return {"none": said(answer.reason)}
    return {
        "edits": {
            edit.cell_id: {
                "meaning": edit.meaning.value,
                "rules": " ".join(edit.rules),
                "text": changes_of(edit.base_source, edit.new_source),
            }
            for edit in answer.edits
        },
        "notes": [note_line(note) for note in answer.notes],
        "remarks": [one.code for one in answer.remarks],
    }


def effects_line(found: Effects) -> str:
    """Return effects in a line."""
    parts = [(one.name, getattr(found, one.name)) for one in fields(found)]
    return "; ".join(
        name if value is True else f"{name} {line_of(value)}" for name, value in parts if value
    )


def changes(notebook: Notebook, sources: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the changed lines of each changed cell."""
    old = {cell.id: cell.source for cell in notebook.cells}
    found = {name: changes_of(old.get(name, ""), source) for name, source in sources.items()}
    return {name: lines for name, lines in found.items() if lines}


def changes_of(before: str, after: str) -> list[str]:
    """Return removed and added lines."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return [line for line in list(lines)[2:] if not line.startswith("@@")]


def line_of(names: Iterable[str]) -> str:
    """Return names in a line, sorted."""
    return " ".join(sorted(set(names)))


def said(messages: object) -> str:
    """Return messages as codes and parameters."""
    if isinstance(messages, str):
        return messages
    assert isinstance(messages, Sequence)
    return "; ".join(str(plain(one)) for one in messages)


def without_empty(answer: Answer) -> Answer:
    """Return an answer without its empty parts."""
    found = {
        name: without_empty(value) if isinstance(value, dict) else value
        for name, value in answer.items()
    }
    return {name: value for name, value in found.items() if value not in ("", [], {}, None)}


def plain(value: object) -> object:
    """Return a value as data that JSON can represent, always the same."""
    if isinstance(value, Message):
        facts = ", ".join(
            f"{name}={said(one) if isinstance(one, tuple) else one}"
            for name, one in value.parameters.items()
        )
        return f"{value.code}({facts})" if facts else value.code
    if isinstance(value, Flag):
        return "|".join(sorted(one.name or "" for one in type(value) if one in value)) or "NOTHING"
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, BaseModel):
        return without_empty({name: plain(one) for name, one in value})
    if is_dataclass(value) and not isinstance(value, type):
        return without_empty({one.name: plain(getattr(value, one.name)) for one in fields(value)})
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(str(plain(one)) for one in value)
    if isinstance(value, (str, int, float, bool)) or value is None:
        return value
    if isinstance(value, Iterable):
        return [plain(one) for one in value]
    return str(value)
