"""Imported once, in the process that local workers are forked from, to load all they need.

A worker is there at once after another died, and all of them share the memory of loaded modules.
"""

from __future__ import annotations

import logging
import os

from mle_modernizer_server.child_process import end_with

# A command that is killed does not leave it behind, loading. `cluster.PARENT` names the command.
end_with(int(os.environ.pop("MLE_MODERNIZER_BATCH_PROCESS", os.getppid())))

from mle_modernizer_server.execution.schema_formats import leave_out_grammar  # noqa: E402  # behind it

leave_out_grammar()

import distributed  # noqa: E402, F401  # loaded here once, for every worker that is forked

import mle_modernizer_server.batch.cluster  # noqa: E402  # what it loads would load the grammar
import mle_modernizer_server.batch.job  # noqa: E402, F401  # as above

# Workers would log to standard error, which interrupts the progress display.
logging.getLogger("distributed").setLevel(logging.CRITICAL)
