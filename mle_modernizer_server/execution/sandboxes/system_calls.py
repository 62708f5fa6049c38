"""The system calls that no notebook needs and a sandbox of namespaces leaves open.

Namespaces do not cover the keyrings of the login session, and some calls are known for the flaws
behind them. What is refused here is refused by Docker's default profile, too.
Format: https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

from __future__ import annotations

import errno
import os
import platform
import struct
import sys
from functools import cache

_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
"""Offsets in what a filter sees."""
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_X32 = 0x40000000
"""Numbers from here on are those of a second table on x86-64."""
_NEW = (*range(425, 434), 442)
"""io_uring and the newer ways to mount, numbered alike everywhere."""
_MACHINES = {
    "x86_64": (
        0xC000003E,
        (
            *(248, 249, 250),  # add_key, request_key, keyctl
            *(165, 166, 155, 167, 168, 169, 163, 179),  # mount, umount2, pivot_root, swapon, …
            *(272, 308, 304),  # unshare, setns, open_by_handle_at
            *(175, 313, 176, 246, 320),  # modules of the system's kernel, kexec
            *(321, 298, 323),  # bpf, perf_event_open, userfaultfd
        ),
    ),
    "aarch64": (
        0xC00000B7,
        (
            *(217, 218, 219),
            *(40, 39, 41, 224, 225, 142, 89, 60),
            *(97, 268, 265),
            *(105, 273, 106, 104, 294),
            *(280, 241, 282),
        ),
    ),
}
"""What `AUDIT_ARCH` calls the machine, and the numbers of the calls there."""


def program(machine: str) -> bytes | None:
    """Return the filter for a machine, as the kernel takes it; None where there is none."""
    known = _MACHINES.get(machine)
    if known is None:
        return None
    architecture, numbers = known
    refused = (*numbers, *_NEW)
    missing = _REFUSE | errno.ENOSYS
    rows = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, missing),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, missing),
        *((_EQUAL, len(refused) - place, 0, number) for place, number in enumerate(refused)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE | errno.EPERM),
    ]
    return b"".join(struct.pack("=HBBI", *row) for row in rows)


@cache
def filter_file() -> str | None:
    """Return a path from which a child of this process can read the filter; None without one.

    It lies in memory, so that nothing that runs in a sandbox can change it.
    """
    if sys.platform != "linux":
        return None
    content = program(platform.machine())
    if content is None:
        return None
    try:
        handle = os.memfd_create("mle-modernizer-system-calls")
    except OSError:
        return None
    os.write(handle, content)
    return f"/proc/{os.getpid()}/fd/{handle}"
