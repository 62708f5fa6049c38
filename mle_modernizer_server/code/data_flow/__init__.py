"""Where the values of a notebook come from, over all its cells, without running it.

In: the sources of a notebook's code cells. Out: a `Trace`: for every submission that is written,
every metric that is computed and every score that is shown, what it depends on.

- `values.py`: what is known about a value: origins, columns, a constant.
- `meanings.py`: the meaning of calls: training, predicting, reading, writing, measuring.
- `interpreter.py`: evaluates statements and expressions on such values. `calls.py`: calls.
- `scope.py`: names during evaluation, and which of them share an object.
- `traces.py`: where values leave the notebook, and what they depend on there.
- `computed.py`: what is computed with predictions and scores.
- `dependence.py`: compares two traces: which dependence on a fitted model a patch lost.

Code that is not understood is `UNKNOWN`, which never counts against a patch.
"""

from __future__ import annotations

from mle_modernizer_server.code.data_flow.dependence import lost_dependences
from mle_modernizer_server.code.data_flow.interpreter import trace

__all__ = ["lost_dependences", "trace"]
