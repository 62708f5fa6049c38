"""What a patch must not do, and what each of its edits means to the experiment.

Everything is judged by what an edit *adds or takes away*, from the syntax trees of the old and the
new code: what the author had in the notebook is the author's business. The checks are a guard
against a model that takes a short cut, not a sandbox; the sandbox is where the code runs.
"""

from __future__ import annotations

from mle_modernizer_server.fixing.integrity.checks import check_patch
from mle_modernizer_server.fixing.integrity.meaning import classify

__all__ = ["check_patch", "classify"]
