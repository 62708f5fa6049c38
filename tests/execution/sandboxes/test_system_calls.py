"""The filter's program, carried out call by call as the system's kernel would."""

from __future__ import annotations

import errno
import struct

import pytest

from mle_modernizer_server.execution.sandboxes.system_calls import program

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOWED = 0x7FFF0000
NUMBERS = {
    "x86_64": {"read": 0, "clone": 56, "socket": 41, "socketpair": 53, "ptrace": 101},
    "aarch64": {"read": 63, "clone": 220, "socket": 198, "socketpair": 199, "ptrace": 117},
}
THREAD = 0x3D0F00
"""The flags of the C library's threads."""


def verdict(machine: str, number: int, argument: int = 0, architecture: int = 0) -> int | None:
    """Return the error number of a call; None if it is allowed."""
    content = program(machine)
    assert content is not None
    rows = list(struct.iter_unpack("=HBBI", content))
    record = struct.pack("=IIQ6Q", number, architecture, 0, argument, *[0] * 5)
    place = value = 0
    while True:
        code, yes, no, operand = rows[place]
        place += 1
        if code == 0x20:
            value = struct.unpack_from("=I", record, operand)[0]
        elif code == 0x06:
            return None if operand == ALLOWED else operand & 0xFFFF
        else:
            holds = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}
            place += yes if holds[code] else no


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
@pytest.mark.parametrize(
    ("name", "argument", "expected"),
    [
        ("read", 0, None),
        ("ptrace", 0, errno.EPERM),
        ("clone", THREAD, None),
        ("clone", 17, None),
        ("clone", 17 | 0x10000000, errno.EPERM),
        ("clone", THREAD | 0x40000000, errno.EPERM),
        ("socket", 1, None),
        ("socket", 2, None),
        ("socket", 10, None),
        ("socket", 16, errno.EOPNOTSUPP),
        ("socket", 40, errno.EOPNOTSUPP),
        ("socket", 2**32 + 16, errno.EOPNOTSUPP),
        ("socketpair", 1, None),
        ("socketpair", 30, errno.EOPNOTSUPP),
    ],
)
def test_call_by_its_argument_is_refused(machine, name, argument, expected):
    number = NUMBERS[machine][name]
    assert verdict(machine, number, argument, ARCHITECTURES[machine]) == expected


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_other_architectures_and_clone3_do_not_exist(machine):
    own = ARCHITECTURES[machine]
    assert verdict(machine, 435, 0, own) == errno.ENOSYS
    for other in (0x40000003, 0x40000028, *ARCHITECTURES.values()):  # i386, 32-bit ARM
        if other != own:
            assert verdict(machine, 0, 0, other) == errno.ENOSYS
    assert verdict(machine, 0x40000000 + 41, 16, own) == errno.ENOSYS  # x32


def test_unknown_machine_has_no_filter():
    assert program("riscv64") is None
