"""Evidence in a notebook's code that its target has two classes, or more."""

from __future__ import annotations

import re

from mle_modernizer_server.fixing.rules.engine.context import Context

_TARGET = r"(?i:\b(y|target|labels?|class|outcome|churn|default|survived|fraud|spam)\w*)['\"]?\]?"
_TWO = re.compile(
    r"predict_proba\([^\n]*\)\s*\[\s*:\s*,\s*1\s*\]"
    r"|\b((plot_)?(roc_curve|precision_recall_curve)|roc_auc_score|average_precision_score"
    r"|brier_score_loss|RocCurveDisplay\.\w+|PrecisionRecallDisplay\.\w+)\s*\("
    r"|make_scorer\(\s*[\w.]*(roc_auc|average_precision|brier)_score"
    r"|['\"](roc_auc|average_precision|(neg_)?brier_score(_loss)?)['\"]"
    r"|load_breast_cancer|['\"]Survived['\"]|\.Survived\b"
    r"|scoring\s*=\s*['\"](f1|precision|recall)['\"]"
    r"|(f1|precision|recall)_score\((?![^\n]*average)[^\n]*\)"
    rf"|{_TARGET}\s*=[^=\n][^\n]*("
    r"\{\s*['\"][^'\"\n]{1,50}['\"]\s*:\s*[01]\s*,\s*['\"][^'\"\n]{1,50}['\"]\s*:\s*[01]\s*,?\s*\}"
    r"|np\.where\([^\n]*,\s*(1\s*,\s*0|0\s*,\s*1)\s*\)"
    r"|==\s*['\"]?[^'\"\n]{1,50}['\"]?\s*\)\s*\.astype\(\s*['\"]?(int|float))"
)
"""Scores for two classes, known targets, and targets made of 0 and 1."""
_MORE = re.compile(
    r"(?i)load_digits|fetch_20newsgroups|iris|wine|mnist|\bspecies\b|label_binarize"
    r"|average\s*=\s*['\"](macro|micro|weighted)|multi[-_ ]?class(?!\s*=)|softmax"
    r"|(three|several|[3-9]|\d\d) (classes|categories)|roc_auc_score\([^\n]*multi_class"
    r"|roc_curve\([^\n]*\[\s*:\s*,\s*(i|c|k|j|cls|class_\w*)\s*\]"
)


def has_two_classes(context: Context) -> bool:
    """Return whether the code indicates two classes, and nowhere more."""
    sources = [cell.source for cell in context.program.cells]
    return any(map(_TWO.search, sources)) and not has_more_classes(context)


def has_more_classes(context: Context) -> bool:
    """Return whether the code indicates more than two classes."""
    return any(_MORE.search(cell.source) for cell in context.program.cells)
