"""A notebook that wants to read or change what is the host's."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

WALK = """
import os
def everything():
    for place, inside, files in os.walk('/'):
        if place in ('/proc', '/sys'):
            inside.clear()
        yield from (os.path.join(place, name) for name in inside + files)
"""

TRY = """
import os
def fails(action, *arguments):
    try:
        action(*arguments)
    except OSError:
        return True
    return False
"""


def snapshot(root: Path) -> dict[str, tuple[int, int, bytes]]:
    """Rights, time and content of all below a directory."""
    return {
        str(path): (
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in sorted(root.rglob("*"))
    }


def test_no_file_of_the_host_is_found(closed_in_each, canary, public):
    private = public.parent / "private" / "answers.csv"
    ran = closed_in_each(
        WALK,
        f"print([path for path in everything() if path.endswith({canary.name!r})])",
        "print([path for path in everything()\n"
        "       if path.endswith(('/answers.csv', '/prepared'))])",
        f"print([os.path.exists(path) for path in (\n"
        f"    {str(canary)!r}, {str(private)!r}, {str(Path.home() / '.bashrc')!r},\n"
        f"    '/proc/1/root' + {str(canary)!r}, '/proc/self/root' + {str(canary)!r},\n"
        f"    '/kaggle/input/spaceship-titanic/../../private/answers.csv',\n"
        f"    '/proc/{os.getpid()}/root', '/proc/{os.getpid()}/environ', '/root/.ssh', '/home')])",
    )
    assert ran.text(1) == "[]\n"
    assert ran.text(2) == "[]\n"
    found = ran.text(3).strip("[]\n").split(", ")
    assert found[:9] == ["False"] * 9


def test_a_way_up_from_the_data_ends_in_the_sandbox(closed, public):
    """`..` of a mount is the sandbox's directory, and handles do not lead out of it either."""
    ran = closed(
        "import os\n"
        "handle = os.open('/kaggle/input/spaceship-titanic', os.O_RDONLY)\n"
        "for _ in range(6):\n"
        "    print(sorted(os.listdir(handle))[:3])\n"
        "    try:\n"
        "        open(f'/proc/self/fd/{handle}/private/answers.csv').read()\n"
        "        print('ANSWERS')\n"
        "    except OSError:\n"
        "        pass\n"
        "    handle = os.open('..', os.O_RDONLY, dir_fd=handle)\n",
    )
    assert "ANSWERS" not in ran.text(0)
    assert "private" not in ran.text(0)
    assert ran.execution.errors == ()


def test_nothing_of_the_hosts_environment_is_there(closed_in_each, monkeypatch):
    secret = secrets.token_hex(16)
    monkeypatch.setenv("OPENAI_API_KEY", secret)
    ran = closed_in_each(
        "import glob, os\nprint(os.environ)",
        "for path in glob.glob('/proc/[0-9]*/environ') + glob.glob('/proc/[0-9]*/cmdline'):\n"
        "    try:\n"
        "        print(open(path, errors='replace').read())\n"
        "    except OSError as error:\n"
        "        print(type(error).__name__)",
    )
    assert "PATH" in ran.text(0)
    assert secret not in ran.text(0) + ran.text(1)
    assert "OPENAI_API_KEY" not in ran.text(0) + ran.text(1)


def test_the_data_cannot_be_changed_in_any_way(closed_in_each, public):
    # By its rights everybody may write it: only the sandbox is in between.
    for path in (public, *public.rglob("*")):
        path.chmod(0o777 if path.is_dir() else 0o666)
    before = snapshot(public.parent)
    ran = closed_in_each(
        TRY,
        "import ctypes, shutil, subprocess\n"
        "data = '/kaggle/input/spaceship-titanic'\n"
        "file = data + '/train.csv'\n"
        "def opened(flags):\n"
        "    os.close(os.open(file, flags))\n"
        "print([fails(*attempt) for attempt in (\n"
        "    (open, file, 'a'), (opened, os.O_WRONLY), (opened, os.O_RDWR | os.O_TRUNC),\n"
        "    (os.truncate, file, 0), (os.remove, file), (os.rename, file, data + '/x'),\n"
        "    (os.chmod, file, 0o777), (os.utime, file, (0, 0)), (os.mkdir, data + '/new'),\n"
        "    (os.symlink, '/etc/passwd', data + '/link'), (os.link, file, '/kaggle/working/l'),\n"
        "    (os.link, file, data + '/hard'), (shutil.rmtree, data), (os.rmdir, data),\n"
        "    (os.rename, data, '/kaggle/input/other'), (open, '/kaggle/input/train.csv', 'a'),\n"
        "    (open, '/kaggle/input/new', 'w'))])",
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "remount = 32 | 4096\n"  # MS_REMOUNT | MS_BIND
        "print(libc.mount(b'none', data.encode(), None, remount, None))",
        # In a user namespace of its own a process has all rights, but not over others' mounts.
        "script = f'mount -o remount,rw,bind {data}; echo changed > {file}; umount {data}; '\\\n"
        "         f'mount --bind /kaggle/working {data}; echo x > {data}/new'\n"
        "print(subprocess.run(['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c',\n"
        "                      script], capture_output=True, text=True))",
    )
    assert ran.text(1) == f"{[True] * 17}\n"
    assert ran.text(2) == "-1\n"
    assert snapshot(public.parent) == before


def test_nothing_of_the_system_can_be_written(closed):
    pattern = Path("/proc/sys/kernel/core_pattern").read_bytes()
    name = Path("/proc/sys/kernel/hostname").read_bytes()
    ran = closed(
        TRY,
        "import numpy, socket\n"
        "package = os.path.dirname(numpy.__file__)\n"
        "places = ['/x', '/etc/x', '/usr/x', '/usr/bin/x', '/bin/x', '/lib/x', '/root/x',\n"
        "          '/kaggle/x', '/opt/x', '/var/x', '/boot/x', '/sys/x', '/proc/x',\n"
        "          package + '/x', package + '/__init__.py', '/etc/passwd', '/etc/hosts',\n"
        "          '/proc/sys/kernel/core_pattern', '/proc/sys/kernel/hostname',\n"
        "          '/proc/sys/kernel/modprobe', '/proc/sys/vm/drop_caches',\n"
        "          '/proc/sysrq-trigger', '/proc/kcore', '/proc/mtrr',\n"
        "          '/sys/kernel/uevent_helper', '/sys/fs/cgroup/memory/memory.limit_in_bytes',\n"
        "          '/sys/fs/cgroup/release_agent', '/sys/power/state',\n"
        "          '/sys/devices/system/cpu/cpu1/online']\n"
        # Nothing is truncated and nothing written, should it work after all.
        "print([place for place in places\n"
        "       if not fails(open, place, 'x' if place.endswith('/x') else 'r+')])",
        "socket.sethostname('mine')",
        "os.chroot('/kaggle/working')",
        # A fresh /proc in namespaces of its own is no way around.
        "import subprocess\nsame = '/proc/sys/kernel/core_pattern'\n"
        "script = f'umount /proc/sys; cat {same} > /tmp/p; cat /tmp/p > {same} && echo WROTE'\n"
        "for flags in (['-Urm'], ['-Urmpf', '--mount-proc']):\n"
        "    print(subprocess.run(['unshare', *flags, 'sh', '-c', script],\n"
        "                         capture_output=True, text=True).stdout)",
    )
    assert ran.text(1) == "[]\n"
    assert {error.ename for error in ran.execution.errors} <= {"PermissionError", "OSError"}
    assert [error.index for error in ran.execution.errors] == [2, 3]
    assert "WROTE" not in ran.text(4)
    assert Path("/proc/sys/kernel/core_pattern").read_bytes() == pattern
    assert Path("/proc/sys/kernel/hostname").read_bytes() == name
