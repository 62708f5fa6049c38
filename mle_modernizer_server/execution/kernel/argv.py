"""How a Python kernel is started; the first word stands for the sandbox's interpreter."""

from __future__ import annotations

KERNEL_ARGV = (
    "python",
    "-m",
    "ipykernel_launcher",
    "-f",
    "{connection_file}",
    "--HistoryManager.enabled=False",
)
"""Without a history file: a full disk would print its complaint into a cell's output."""
