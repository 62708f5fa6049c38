"""The environment variables a kernel gets: a short list of ours, never the host's.

The host's environment holds API keys and tokens; nothing of it is handed on, except pip's own
settings while packages are installed (`pip_settings.py`).
"""

from __future__ import annotations

import os

_LOCALE_AND_SYSTEM = ("SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "NUMBER_OF_PROCESSORS")
"""Without these no Python starts on Windows; they hold no secrets."""


def processors() -> int:
    """Return the number of processors this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def kernel_environ(
    *, home: str, path: str | None, packages: str | None, threads: int | None = None
) -> dict[str, str]:
    """Return the environment variables of a kernel.

    Args:
        home: Directory for caches and settings, as the kernel sees it.
        path: The `PATH`; None leaves the existing one.
        packages: Directory to put first on Python's path, as the kernel sees it.
        threads: Threads of numerical libraries; None: as many as there are processors.
    """
    count = str(threads or processors())
    environ = {name: os.environ[name] for name in _LOCALE_AND_SYSTEM if name in os.environ}
    environ |= {
        "HOME": home,
        "USER": "kaggle",
        "LOGNAME": "kaggle",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "TERM": "xterm-256color",
        "IPYTHONDIR": f"{home}/.ipython",
        "MPLCONFIGDIR": f"{home}/.matplotlib",
        "XDG_CACHE_HOME": f"{home}/.cache",
        "OMP_NUM_THREADS": count,
        "OPENBLAS_NUM_THREADS": count,
        "MKL_NUM_THREADS": count,
        # Waiting threads sleep: spinning ones use processor time that other work needs.
        "OMP_WAIT_POLICY": "PASSIVE",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        "KAGGLE_KERNEL_RUN_TYPE": "Batch",
    }
    if path is not None:
        environ["PATH"] = path
    if packages is not None:
        environ["PYTHONPATH"] = packages
    return environ
