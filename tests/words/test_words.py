"""Every code has words, here and in the panel, and every word a code."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

import pytest

from mle_modernizer_server.batch.apply import Answer
from mle_modernizer_server.domain.competition import SplitKind
from mle_modernizer_server.domain.diagnosis import FixType, Outcome
from mle_modernizer_server.domain.environment import EnvironmentOrigin, Refusal, RemarkCode
from mle_modernizer_server.domain.era import ContrastKind
from mle_modernizer_server.domain.execution import FileAccess
from mle_modernizer_server.domain.forecast import Impact
from mle_modernizer_server.domain.grade import ScoreKind, TargetSource
from mle_modernizer_server.domain.improvement import BlockRole, Comparison, LeakKind
from mle_modernizer_server.domain.message import Message, Messages, coded, verbatim
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook, OutputMatch
from mle_modernizer_server.domain.paper import (
    Doubt,
    PaperRemarkCode,
    QuoteProblem,
    SourceKind,
    Statement,
)
from mle_modernizer_server.domain.proposal import IntegritySeverity, Meaning
from mle_modernizer_server.domain.reproduction import WritingStage
from mle_modernizer_server.domain.session import Phase, Verdict
from mle_modernizer_server.domain.settings import Input, flag_of, setting_options
from mle_modernizer_server.domain.statistics import State
from mle_modernizer_server.domain.verification import ProofCode, ProofKind, ProofOutcome
from mle_modernizer_server.fixing.integrity.notes import note
from mle_modernizer_server.words import CellNames, text
from mle_modernizer_server.words.render import CLIENTS, FORMATS, PLACE, WORDS
from mle_modernizer_server.words.typescript import typescript
from mle_modernizer_server.workflow.log.events import EVENT, Diagnosed, Progressed, Rested

_INTEGRITY = "integrity."
"""What the function `note` of that folder puts before a code."""
_ALLOWED = "model.allowed."
_VALUES = "value."
"""What the function `label` puts before a family."""
PACKAGE = Path(__file__).parents[2] / "mle_modernizer_server"


Sources = list[tuple[Path, list[ast.AST]]]


@pytest.fixture(scope="module")
def sources() -> Sources:
    """The package's files with the nodes of their code."""
    return [
        (path, list(ast.walk(ast.parse(path.read_text("utf-8")))))
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.parent.name != "words"
    ]


def codes_of(argument: ast.expr) -> Iterator[str]:
    """The codes written out in an argument; none where it is a variable."""
    if isinstance(argument, ast.IfExp):
        yield from codes_of(argument.body)
        yield from codes_of(argument.orelse)
    elif isinstance(argument, ast.Constant):
        yield argument.value


def prefixes(path: Path) -> dict[str, str]:
    """The functions of a file that make a message of a code, with what each puts before it."""
    return {"coded": "", "note": _INTEGRITY} if path.parent.name == "integrity" else {"coded": ""}


def texts_of(code: str) -> list[str]:
    words = WORDS[code]
    return [words] if isinstance(words, str) else words


def places(code: str) -> set[str]:
    return {found[1] for one in texts_of(code) for found in PLACE.finditer(one)}


def test_every_code_has_words_with_its_parameters(sources: Sources) -> None:
    wrong = []
    for path, nodes in sources:
        for node in nodes:
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            prefix = prefixes(path).get(node.func.id)
            if prefix is None:
                continue
            given = {keyword.arg for keyword in node.keywords}
            for code in (prefix + one for one in codes_of(node.args[0])):
                if code not in WORDS:
                    wrong.append(f"{path.name}:{node.lineno}: no words for {code!r}")
                elif None not in given and given | {"count"} != places(code) | {"count"}:
                    wrong.append(f"{path.name}:{node.lineno}: {code}: {given} for {places(code)}")
    assert wrong == []


LABELLED: dict[str, type[Enum]] = {
    "applied": Answer,
    "comparison": Comparison,
    "contrast": ContrastKind,
    "doubt": Doubt,
    "environment-remark": RemarkCode,
    "origin": EnvironmentOrigin,
    "refusal": Refusal,
    "statement": Statement,
    "block-role": BlockRole,
    "cited-source": SourceKind,
    "file-access": FileAccess,
    "fix-type": FixType,
    "fix-type-help": FixType,
    "folds": SplitKind,
    "impact": Impact,
    "leak": LeakKind,
    "meaning": Meaning,
    "outcome": Outcome,
    "output-match": OutputMatch,
    "paper-remark": PaperRemarkCode,
    "phase": Phase,
    "proof": ProofCode,
    "proof-kind": ProofKind,
    "proof-outcome": ProofOutcome,
    "refused-claim": QuoteProblem,
    "score-kind": ScoreKind,
    "split": SplitKind,
    "state": State,
    "target-source": TargetSource,
    "verdict": Verdict,
    "writing-stage": WritingStage,
}


@pytest.mark.parametrize("family", LABELLED)
def test_every_value_has_a_label(family: str) -> None:
    prefix = f"{_VALUES}{family}."
    labels = {code.removeprefix(prefix) for code in WORDS if code.startswith(prefix)}
    assert labels == {one.value for one in LABELLED[family]}


def test_every_word_is_said_somewhere(sources: Sources) -> None:
    said = {
        node.value
        for _, nodes in sources
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    made = {prefix + one for prefix in ("", _INTEGRITY, _ALLOWED) for one in said}
    made |= {f"{_VALUES}{family}.{one.value}" for family, kind in LABELLED.items() for one in kind}
    made |= {
        *(f"{_VALUES}fold-reason.{one}" for one in ("asked", "labels", "time", "group", "default")),
        *(f"{_VALUES}prompt-role.{one}" for one in ("system", "user", "assistant")),
    }
    of_older_logs = {"summary.failed", "summary.failed-and-cascades"}
    assert set(WORDS) - made == of_older_logs


def test_what_blocks_has_a_form_that_would_be_allowed() -> None:
    allowed = {code.removeprefix(_ALLOWED) for code in WORDS if code.startswith(_ALLOWED)}
    notes = {code.removeprefix(_INTEGRITY) for code in WORDS if code.startswith(_INTEGRITY)}
    blocking = {code for code in notes if note(code, None).severity is IntegritySeverity.BLOCKER}
    assert allowed == blocking


TEXTS = [one for code in WORDS for one in texts_of(code)]


def test_file_of_words_has_each_code_once_in_order() -> None:
    file = PACKAGE / "words" / "english.json"
    pairs = json.loads(file.read_text("utf-8"), object_pairs_hook=list)
    codes = [code for code, _ in pairs]
    assert codes == sorted(set(codes))


def test_words_are_a_text_or_a_singular_and_a_plural() -> None:
    plurals = [words for words in WORDS.values() if not isinstance(words, str)]
    assert {len(words) for words in plurals} == {2}
    assert all(TEXTS)


def test_numbers_are_written_in_known_ways() -> None:
    assert {found[2] for one in TEXTS for found in PLACE.finditer(one)} <= {None, *FORMATS}


_ONLY_OF_COMMANDS = (
    *("archive", "batch", "cli", "comparison", "given", "kaggle", "mlebench", "terminal"),
)
"""Beginnings of codes that the panel never gets."""
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def test_words_of_the_panel_name_no_option() -> None:
    shared = [code for code in WORDS if code.partition(".")[0] not in _ONLY_OF_COMMANDS]
    named = {
        code: found
        for code in shared
        for one in texts_of(code)
        if (found := _OPTION.findall(re.sub(r"`jupyter .*?`", "", CLIENTS.sub(r"\1", one))))
    }
    assert named == {}


def test_panel_names_the_input_of_an_option() -> None:
    labels = {
        flag_of(name): each.label
        for name, (field, _) in setting_options().items()
        for each in field.metadata
        if isinstance(each, Input)
    }
    checked = 0
    for one in TEXTS:
        for panel, others in CLIENTS.findall(one):
            for flag in _OPTION.findall(others):
                if flag in labels and panel.startswith("More settings"):
                    assert panel == f"More settings, {labels[flag]}"
                    checked += 1
    assert checked >= 8


def test_words_have_no_emphasis_of_markdown() -> None:
    assert [one for one in TEXTS if re.search(r"\*\w[^*]*\*", one)] == []


def test_panel_has_the_words_as_translatable_literals() -> None:
    made = typescript()
    assert '"summary.failed-of": (p, trans) => trans._n("%1 of %2 cells fails.", ' in made
    assert "model.allowed." not in made
    assert "raise it to continue (More settings, Tokens at most)." in made


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        (coded("summary.failed-of", count=1, of=9), "1 of 9 cells fails."),
        (coded("summary.failed-of", count=3, of=9), "3 of 9 cells fail."),
        (
            coded("summary.timed-out", limit=600.0, cell=coded("summary.in-cell", cell=7)),
            "Stopped at the time limit of 10 min in cell 7.",
        ),
        (
            coded("next.run") + coded("budget.tokens", tokens=12_000),
            "Run the notebook. The limit of 12,000 tokens is used up; raise it to continue "
            "(--max-tokens).",
        ),
        (coded("verification.score", score=0.123456789), "The score is 0.123457."),
        (
            coded(
                "grade.answers",
                competition="tiny",
                why=coded("answers.file", file="a.csv", why=coded("csv.no-header")),
            ),
            "The answers of tiny cannot be used: a.csv: It is empty: there is no header line.",
        ),
        (
            coded("csv.rows", count=1, expected=1200),
            "It has 1 row; 1,200 are expected.",
        ),
        (verbatim("A library's own words."), "A library's own words."),
        (verbatim(""), ""),
        ((Message(code="of.tomorrow", parameters={"n": 1}),), "of.tomorrow (n: 1)"),
    ],
)
def test_messages_are_put_into_words(messages: tuple[Message, ...], words: str) -> None:
    assert text(messages) == words
    assert all(Message.model_validate_json(one.model_dump_json()) == one for one in messages)


def test_sentences_of_older_logs_are_read() -> None:
    rested = EVENT.validate_python({"kind": "rested", "phase": "ready", "message": "Run it."})
    step = {"kind": "progressed", "phase": "running", "message": "", "label": "Run 1 of 3"}
    progressed = EVENT.validate_python(step)
    assert isinstance(rested, Rested) and text(rested.message) == "Run it."
    assert isinstance(progressed, Progressed) and progressed.message == ()
    assert text(progressed.label) == "Run 1 of 3"
    candidate = {"path": "a.csv", "valid": False, "reason": "It is empty.", "note": ""}
    diagnosed = EVENT.validate_python(
        {
            "kind": "diagnosed",
            "best": 1,
            "grade": {
                "output_status": "invalid-csv",
                "reason": "a.csv: It is empty.",
                "candidates": [candidate],
                "traps": [{"what": "The grader rounds."}],
            },
            "diagnosis": {
                "outcome": "failed",
                "execution_status": "error",
                "output_status": "invalid-csv",
                "findings": [],
                "fix_type": None,
                "summary": "Cancelled.",
            },
        }
    )
    assert isinstance(diagnosed, Diagnosed)
    assert text(diagnosed.diagnosis.summary) == "Cancelled."
    assert text(diagnosed.grade.candidates[0].reason) == "It is empty."
    assert text(diagnosed.grade.traps[0].what) == "The grader rounds."
    assert diagnosed.grade.candidates[0].note == ()


NAMES = CellNames(
    Notebook(
        cells=(
            Cell(id="1", type=CellType.CODE, source="\nimport `os`"),
            Cell(id="text", type=CellType.MARKDOWN, source="# Model"),
            Cell(id="b", type=CellType.CODE, source="model = RandomForestClassifier(100)"),
        )
    ),
    {"b": 73},
)


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        (
            coded("run.stopped", cell=2),
            "Stopped at cell [73] `model = RandomForestCla…`, the first that failed.",
        ),
        (
            coded("run.stopped", cell=1),
            "Stopped at cell number 1 `import 'os'`, the first that failed.",
        ),
        (
            coded("summary.timed-out", limit=600, cell=coded("summary.in-cell", cell=2)),
            "Stopped at the time limit of 10 min in cell [73] `model = RandomForestCla…`.",
        ),
        (
            coded("left-out.needs", cell="b", needs="1"),
            "The edit of cell [73] `model = RandomForestCla…` was left out: it needs the edit of "
            "cell number 1 `import 'os'`, which was left out.",
        ),
        (coded("run.stopped", cell=9), "Stopped at cell 9, the first that failed."),
        (coded("progress.running-cell", cell=2, of=23), "Running cell 2 of 23"),
    ],
)
def test_cells_of_messages_are_named_by_prompt_and_code(messages: Messages, words: str) -> None:
    assert text(messages, NAMES) == words


def test_cells_of_any_type_have_a_place() -> None:
    assert NAMES.place("text") == "the text after cell number 1 `import 'os'`"
    assert NAMES.place("added") == "a new cell"
