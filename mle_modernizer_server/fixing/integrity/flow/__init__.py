"""Where the values of a notebook come from, over all its cells, without running it.

In: the sources of a notebook's code cells. Out: a `Trace`: for every submission that is written,
every metric that is computed and every score that is shown, what it depends on.

- `values.py`: what is known of a value: origins, columns, a constant.
- `code.py`: what calls mean: training, predicting, reading, writing, measuring.
- `interpreter.py`: evaluates statements and expressions on such values.
- `calls.py`: evaluates calls.
- `computed.py`: what is computed with predictions and scores.
- `dependence.py`: compares two traces: which dependence on a fitted model a patch lost.

What is not understood is `UNKNOWN`, and never held against a patch.
"""

from __future__ import annotations

from mle_modernizer_server.fixing.integrity.flow.dependence import lost_dependences
from mle_modernizer_server.fixing.integrity.flow.interpreter import trace

__all__ = ["lost_dependences", "trace"]
