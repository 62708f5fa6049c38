"""The origins of the values of a notebook, over all its cells, without running it.

In: the sources of a notebook's code cells. Out: a `Trace`: the dependences of every submission
that is written, every metric that is computed and every score that is displayed.

- `values.py`: abstract values: origins, columns, a constant.
- `meanings.py`: the meaning of calls: training, predicting, reading, writing, measuring.
- `interpreter.py`: evaluates statements and expressions on such values. `calls.py`: calls.
- `scope.py`: names during evaluation, and those that share an object.
- `traces.py`: the values that leave the notebook, and their origins.
- `computed.py`: computations with predictions and scores.
- `dependence.py`: compares two traces: the dependences on a fitted model that a patch lost.

Code that is not understood is `UNKNOWN`, which never counts against a patch.
"""

from __future__ import annotations

from mle_modernizer_server.code.data_flow.dependence import lost_dependences
from mle_modernizer_server.code.data_flow.interpreter import trace

__all__ = ["lost_dependences", "trace"]
