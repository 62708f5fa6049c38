"""Imported once, in the process that local workers are forked from: all they need is loaded then.

A worker is there at once after another died, and all of them share the memory of what is loaded.
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
import mle_modernizer_server.batch.perform  # noqa: E402, F401  # as above

# What workers log would go to standard error, into the midst of the progress.
logging.getLogger("distributed").setLevel(logging.CRITICAL)
