"""Since scikit-learn 1.0 `KFold(5, True, 0)` is written `KFold(5, shuffle=True, random_state=0)`.

https://scikit-learn.org/stable/whats_new/v1.0.html#enforcing-keyword-only-arguments
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, literal
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.calls import fix_call
from mle_modernizer_server.fixing.rules.rule import CallFix

_FIX = CallFix(
    do="call",
    functions=("sklearn.model_selection.KFold", "sklearn.model_selection.StratifiedKFold"),
    parameters=("n_splits", "shuffle", "random_state"),
    keyword_after=1,
)


@codemod("sklearn-folds-positional", on=cst.Call, names=("KFold", "StratifiedKFold"))
def by_name(context: Context, node: cst.Call) -> Answer:
    """Pass `shuffle` by name if the second argument is a bool; else it is the old `KFold(n, 5)`."""
    second = argument(node, "shuffle", 1)
    if second is None or second.keyword is not None or type(literal(second.value)) is not bool:
        return None
    return fix_call(context, node, _FIX)
