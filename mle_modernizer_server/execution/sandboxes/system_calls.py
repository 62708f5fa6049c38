"""The system calls that no notebook needs and a sandbox of namespaces leaves open.

Namespaces do not cover the keyrings of the login session, and some calls are known for the flaws
behind them. Docker's default profile refuses most of them, too.
Format: https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

from __future__ import annotations

import errno
import os
import platform
import struct
import sys
from dataclasses import dataclass
from functools import cache

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
"""Offsets in the record that a filter examines; of the argument the lower 32 bits."""
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_X32 = 0x40000000
"""Numbers from here on are those of a second table on x86-64."""
_NEW = (*range(425, 434), 442, 467, 438, 440)
"""io_uring, the newer ways to mount, pidfd_getfd and process_madvise, numbered alike everywhere."""
_CLONE3 = 435
"""Its flags are in memory, invisible to filters; the C library falls back to clone."""
_NEW_NAMESPACE = 0x7E020000
"""The flags of clone that make a namespace: CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID
and NEWNET."""
_FAMILIES = (1, 2, 10)
"""AF_UNIX, AF_INET and AF_INET6. Others reach the system's kernel (AF_NETLINK) or the host of a
virtual machine (AF_VSOCK)."""


@dataclass(frozen=True)
class _Machine:
    """The system calls of one architecture.

    Attributes:
        architecture: Its `AUDIT_ARCH` value.
        refused: Numbers of the calls that fail with any arguments.
        clone: Number of `clone`, whose first argument is its flags on these machines.
        socket: Number of `socket`.
        socketpair: Number of `socketpair`.
    """

    architecture: int
    refused: tuple[int, ...]
    clone: int
    socket: int
    socketpair: int


_MACHINES = {
    "x86_64": _Machine(
        0xC000003E,
        (
            *(248, 249, 250),  # add_key, request_key, keyctl
            *(165, 166, 155, 167, 168, 169, 163, 179),  # mount, umount2, pivot_root, swapon, …
            *(272, 308, 304),  # unshare, setns, open_by_handle_at
            *(175, 313, 176, 246, 320),  # modules of the system's kernel, kexec
            *(321, 298, 323),  # bpf, perf_event_open, userfaultfd
            *(101, 310, 311, 312),  # ptrace, process_vm_readv, process_vm_writev, kcmp
        ),
        clone=56,
        socket=41,
        socketpair=53,
    ),
    "aarch64": _Machine(
        0xC00000B7,
        (
            *(217, 218, 219),
            *(40, 39, 41, 224, 225, 142, 89, 60),
            *(97, 268, 265),
            *(105, 273, 106, 104, 294),
            *(280, 241, 282),
            *(117, 270, 271, 272),
        ),
        clone=220,
        socket=198,
        socketpair=199,
    ),
}


def program(machine: str) -> bytes | None:
    """Return the filter for a machine, as the kernel takes it; None if the machine is unknown."""
    known = _MACHINES.get(machine)
    if known is None:
        return None
    missing, refused = _REFUSE | errno.ENOSYS, _REFUSE | errno.EPERM
    rows = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, known.architecture),
        (_RETURN, 0, 0, missing),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, missing),
        (_EQUAL, 0, 1, _CLONE3),
        (_RETURN, 0, 0, missing),
    ]
    for number in (*known.refused, *_NEW):
        rows += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, refused)]
    rows += [
        (_EQUAL, 0, 4, known.clone),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_ANY_BIT, 0, 1, _NEW_NAMESPACE),
        (_RETURN, 0, 0, refused),
        (_RETURN, 0, 0, _ALLOW),
        (_EQUAL, 1, 0, known.socket),
        (_EQUAL, 0, 2 + len(_FAMILIES), known.socketpair),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        *((_EQUAL, len(_FAMILIES) - place, 0, one) for place, one in enumerate(_FAMILIES)),
        # Not EAFNOSUPPORT: ZeroMQ aborts on it when it lists the network's interfaces.
        (_RETURN, 0, 0, _REFUSE | errno.EOPNOTSUPP),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *row) for row in rows)


@cache
def filter_file() -> str | None:
    """Return a path from which a child of this process can read the filter; None without one.

    It is in memory, so that no process in a sandbox can change it.
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
