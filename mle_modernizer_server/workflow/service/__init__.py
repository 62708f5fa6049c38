"""The workflow as the server and the command line see it: five services behind `Modernizer`.

- `modernizer.py`: holds them. `base.py`: what they share.
- `sessions.py`: sessions: created, listed, decided, finished, reported.
- `runs.py`: runs, forecasts and fixes. `studies.py`: repeated runs and comparisons.
- `environments.py`: Pythons, packages, competitions.
- `papers.py`: papers and their reproduction; loaded when they are asked for.
"""

from __future__ import annotations

from mle_modernizer_server.fixing.fixer import NoFix
from mle_modernizer_server.grading.target import KERNEL_METADATA
from mle_modernizer_server.improving.candidates.version import Version
from mle_modernizer_server.workflow.era import era_of
from mle_modernizer_server.workflow.fix.absent_names import Ahead
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.events import Event, LogEntry
from mle_modernizer_server.workflow.log.state import SessionChanges
from mle_modernizer_server.workflow.log.store import Listener
from mle_modernizer_server.workflow.report.statistics import statistics
from mle_modernizer_server.workflow.report.stored import stored_report, stored_statistics
from mle_modernizer_server.workflow.service.environments import draft_notebook
from mle_modernizer_server.workflow.service.modernizer import Modernizer
from mle_modernizer_server.workflow.service.studies import blocks_of
from mle_modernizer_server.workflow.study.differential_run import ProbeSettings
from mle_modernizer_server.workflow.work import Cancelled

__all__ = [
    "KERNEL_METADATA",
    "Ahead",
    "Cancelled",
    "Event",
    "Listener",
    "LogEntry",
    "Modernizer",
    "NoFix",
    "ProbeSettings",
    "SessionChanges",
    "Version",
    "blocks_of",
    "draft_notebook",
    "era_of",
    "events",
    "statistics",
    "stored_report",
    "stored_statistics",
]
