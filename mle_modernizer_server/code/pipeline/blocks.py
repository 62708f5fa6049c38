"""The blocks of a notebook: runs of statements that have one role, as far as the code shows it.

The role of a statement is its effect on data and models. It is inferred from the addresses of
calls, from the method if the receiver is a table, and from the names bound. A loop or `if` is one
statement, with the strongest role of the statements in it. Nothing runs.
"""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from mle_modernizer_server.code import calls
from mle_modernizer_server.code.pipeline.estimators import (
    ENCODERS,
    ESTIMATORS,
    IMPUTERS,
    REDUCERS,
    SCALERS,
    SELECTORS,
    SPARSE_MAKERS,
)
from mle_modernizer_server.code.pipeline.pipeline import Pipeline
from mle_modernizer_server.code.pipeline.statements import Statement, root_name
from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.tree import descendants, names_in, receiver
from mle_modernizer_server.domain.improvement import Block, BlockRole, RoleChoice

_STRONGEST = (
    BlockRole.SUBMISSION,
    BlockRole.BLENDING,
    BlockRole.TRAINING,
    BlockRole.PREDICTION,
    BlockRole.MODEL,
    BlockRole.ENCODING,
    BlockRole.CLEANING,
    BlockRole.LOADING,
    BlockRole.FEATURES,
    BlockRole.LOOKING,
    BlockRole.OTHER,
    BlockRole.IMPORTS,
)
"""Roles by priority: a statement with several has the first of these."""
_BLENDERS = frozenset(
    f"sklearn.ensemble.{kind}{task}"
    for kind in ("Voting", "Stacking")
    for task in ("Classifier", "Regressor")
)
_BY_ADDRESS: tuple[tuple[frozenset[str], BlockRole], ...] = (
    (_BLENDERS, BlockRole.BLENDING),
    (frozenset(ESTIMATORS), BlockRole.MODEL),
    (frozenset({*ENCODERS, *SPARSE_MAKERS, "pandas.get_dummies"}), BlockRole.ENCODING),
    (frozenset({"pandas.factorize", "pandas.Categorical"}), BlockRole.ENCODING),
    (IMPUTERS, BlockRole.CLEANING),
    (SCALERS | SELECTORS | REDUCERS, BlockRole.FEATURES),
    (frozenset({"sklearn.preprocessing.PolynomialFeatures"}), BlockRole.FEATURES),
    (frozenset({"numpy.load", "numpy.loadtxt", "numpy.genfromtxt"}), BlockRole.LOADING),
    (frozenset({"builtins.print", "builtins.display"}), BlockRole.LOOKING),
)
_BY_PREFIX = (
    ("pandas.read_", BlockRole.LOADING),
    ("matplotlib.", BlockRole.LOOKING),
    ("seaborn.", BlockRole.LOOKING),
    ("plotly.", BlockRole.LOOKING),
    ("sklearn.metrics.", BlockRole.LOOKING),
    ("sklearn.model_selection.cross_val", BlockRole.TRAINING),
    ("lightgbm.train", BlockRole.TRAINING),
    ("lightgbm.cv", BlockRole.TRAINING),
    ("xgboost.train", BlockRole.TRAINING),
    ("xgboost.cv", BlockRole.TRAINING),
    ("lightgbm.LGBM", BlockRole.MODEL),
    ("xgboost.XGB", BlockRole.MODEL),
    ("catboost.CatBoost", BlockRole.MODEL),
    ("keras.layers.", BlockRole.MODEL),
    ("keras.models.", BlockRole.MODEL),
    ("tensorflow.keras.layers.", BlockRole.MODEL),
    ("tensorflow.keras.models.", BlockRole.MODEL),
    ("torch.nn.", BlockRole.MODEL),
)
_BY_METHOD = {
    **dict.fromkeys(calls.FITTERS - calls.TRANSFORMERS, BlockRole.TRAINING),
    **dict.fromkeys(calls.CLEANING, BlockRole.CLEANING),
    **dict.fromkeys(calls.ENCODING, BlockRole.ENCODING),
    **dict.fromkeys(calls.PREDICTORS | {"decision_function"}, BlockRole.PREDICTION),
    **dict.fromkeys(calls.DISPLAY_METHODS, BlockRole.LOOKING),
    **dict.fromkeys(calls.FEATURES, BlockRole.FEATURES),
}
_OF_TRANSFORMERS = frozenset({"fit", "fit_transform", "transform"})
_LONGEST = 200


def blocks(pipeline: Pipeline) -> list[Block]:
    """Return the blocks in the order of the code, numbered from 1.

    Statements of one role that follow each other in a cell are one block. Cells that are not valid
    Python are skipped.
    """
    finder = _Roles(pipeline)
    found: list[Block] = []
    for cell in pipeline.program.cells:
        for node in cell.module.body:
            inside = finder.within(node)
            if not inside:
                continue
            role = finder.strongest(inside)
            first, last = cell.lines(node)
            submitted = any(one.node in finder.taking_part for one in inside)
            before = found[-1] if found else None
            if before is not None and (before.cell_id, before.role) == (cell.cell_id, role):
                found[-1] = before.model_copy(
                    update={"last": last, "submitted": before.submitted or submitted}
                )
                continue
            found.append(
                Block(
                    number=len(found) + 1,
                    role=role,
                    cell_id=cell.cell_id,
                    cell=cell.number,
                    first=first,
                    last=last,
                    text=cell.code(node).strip().partition("\n")[0][:_LONGEST],
                    submitted=submitted,
                )
            )
    return found


def corrected(found: Iterable[Block], choices: Iterable[RoleChoice]) -> list[Block]:
    """Return the blocks with a person's choices of roles; choices for no block have no effect."""
    roles = {(one.cell_id, one.text): one.role for one in choices}
    return [
        one
        if (one.cell_id, one.text) not in roles
        else one.model_copy(update={"role": roles[one.cell_id, one.text], "corrected": True})
        for one in found
    ]


def chosen_roles(found: Iterable[Block]) -> list[RoleChoice]:
    """Return the roles chosen by a person, to be carried over to a changed notebook."""
    return [
        RoleChoice(cell_id=one.cell_id, text=one.text, role=one.role)
        for one in found
        if one.corrected
    ]


def block_at(found: Iterable[Block], cell_id: str, line: int) -> Block | None:
    """Return the block that contains a line of a cell."""
    return next(
        (one for one in found if one.cell_id == cell_id and one.first <= line <= one.last), None
    )


def block_of(found: Iterable[Block], program: Program, node: cst.CSTNode) -> int | None:
    """Return the number of the block that contains a node of the program."""
    cell = program.cell_of(node)
    block = block_at(found, cell.cell_id, cell.lines(node)[0])
    return None if block is None else block.number


class _Roles:
    """The role of each statement of one notebook.

    Args:
        pipeline: The analysis of its code.
    """

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._by_node = {one.node: one for one in pipeline.statements}
        self.taking_part = {one.node for one in pipeline.submitting}
        self._predictions: set[str] = set()
        self._tables = pipeline.tables["train"] | pipeline.tables["test"]
        self._written = {
            root
            for one in pipeline.statements
            if one.submits and (root := _written_root(one)) and root not in self._tables
        }

    def within(self, node: cst.CSTNode) -> list[Statement]:
        """Return a top-level statement of a cell and all statements in it."""
        return [self._by_node[one] for one in descendants(node) if one in self._by_node]

    def strongest(self, inside: list[Statement]) -> BlockRole:
        """Return the combined role of several statements; remember predictions."""
        roles = {self._of(one) for one in inside}
        found = next(role for role in _STRONGEST if role in roles)
        if found in (BlockRole.PREDICTION, BlockRole.BLENDING):
            self._predictions.update(name for one in inside for name in one.binds)
            self._predictions -= self._tables
        return found

    def _of(self, statement: Statement) -> BlockRole:
        if isinstance(statement.node, (cst.Import, cst.ImportFrom)):
            return BlockRole.IMPORTS
        if statement.submits or statement.binds & self._written:
            return BlockRole.SUBMISSION
        if self._blends(statement):
            return BlockRole.BLENDING
        roles = {
            role
            for node in statement.nodes()
            if isinstance(node, cst.Call) and (role := self._of_call(node)) is not None
        }
        if statement.binds:
            roles.discard(BlockRole.LOOKING)
        roles.discard(BlockRole.OTHER)
        if roles:
            return next(role for role in _STRONGEST if role in roles)
        if _makes_columns(statement) or self._reads_tables(statement):
            return BlockRole.FEATURES if statement.binds else BlockRole.LOOKING
        return BlockRole.OTHER if statement.binds else BlockRole.LOOKING

    def _of_call(self, call: cst.Call) -> BlockRole | None:
        address = self._pipeline.address(call.func)
        role = _of_address(address)
        if role is not None or address or not isinstance(call.func, cst.Attribute):
            return role
        method = call.func.attr.value
        role = _BY_METHOD.get(method)
        if method in _OF_TRANSFORMERS:
            made = self._pipeline.origin(call.func.value)
            own = (
                _of_address(self._pipeline.address(made.func))
                if isinstance(made, cst.Call)
                else None
            )
            if own not in (None, BlockRole.MODEL, BlockRole.BLENDING):
                return own
        return role

    def _blends(self, statement: Statement) -> bool:
        """Return whether the statement binds arithmetic on two or more predictions."""
        if not isinstance(statement.node, (cst.Assign, cst.AugAssign)):
            return False
        return any(
            isinstance(node, (cst.BinaryOperation, cst.List))
            and len(names_in(node) & self._predictions) > 1
            for node in statement.nodes()
        )

    def _reads_tables(self, statement: Statement) -> bool:
        return bool(statement.uses & self._tables)


def _of_address(address: str) -> BlockRole | None:
    if not address:
        return None
    for addresses, role in _BY_ADDRESS:
        if address in addresses:
            return role
    return next((role for prefix, role in _BY_PREFIX if address.startswith(prefix)), None)


def _makes_columns(statement: Statement) -> bool:
    """Return whether the statement is `table['column'] = …`."""
    return isinstance(statement.node, (cst.Assign, cst.AugAssign)) and any(
        isinstance(one, cst.Subscript)
        for one in (
            [target.target for target in statement.node.targets]
            if isinstance(statement.node, cst.Assign)
            else [statement.node.target]
        )
    )


def _written_root(statement: Statement) -> str:
    """Return the name whose value a statement writes: of `sub.to_csv(…)` it is `sub`."""
    written = (receiver(node, *calls.CSV_WRITERS) for node in statement.nodes())
    return next((root_name(table) for table in written if table is not None), "")
