"""A notebook that wants more rights than it has."""

from __future__ import annotations

import json
import os
import platform
import stat

import pytest

CAPABILITIES = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")


def test_it_has_no_rights_and_gets_none(closed_in_each):
    ran = closed_in_each(
        "import json\n"
        "lines = (line.split(':') for line in open('/proc/self/status') if ':' in line)\n"
        "print(json.dumps({name: value.strip() for name, value, *_ in lines}))",
    )
    status = json.loads(ran.text(0))
    assert {int(status[name], 16) for name in CAPABILITIES} == {0}
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2"
    if ran.execution.sandbox == "docker":
        assert status["Uid"].split() == ["65534"] * 4 or os.geteuid() != 0


def test_the_keyrings_of_the_session_and_calls_known_for_flaws_are_closed(closed):
    numbers = {"x86_64": (248, 249, 250, 272, 321), "aarch64": (217, 218, 219, 97, 280)}
    if platform.machine() not in numbers:
        pytest.skip("no filter for this machine")
    ran = closed(
        "import ctypes\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        f"for number in {numbers[platform.machine()]}:\n"
        "    done = libc.syscall(number, 0, -3, 0, 0, 0)\n"
        "    print(done, ctypes.get_errno())",
        "print(open('/proc/keys').read())",
    )
    assert ran.text(0).split("\n")[:-1] == ["-1 1"] * 5
    assert not ran.text(1).strip()


def test_a_program_with_roots_bit_gives_no_rights(closed_in_each, workspace):
    ran = closed_in_each(
        "import os, shutil, subprocess\nos.setuid(0)",
        "shutil.copy('/bin/sh', '/kaggle/working/shell')\n"
        "os.chmod('/kaggle/working/shell', 0o6755)\n"
        "print(subprocess.run(['/kaggle/working/shell', '-p', '-c', 'id -u; id -u -r'],\n"
        "                     capture_output=True, text=True).stdout.split() ==\n"
        "      [str(os.getuid())] * 2)",
        "for program in ('su', 'mount', 'passwd', 'newgrp', 'chsh', 'umount'):\n"
        "    path = shutil.which(program)\n"
        "    if path and os.stat(path).st_mode & 0o4000:\n"
        "        shown = subprocess.run([path, '-c', 'id'] if program == 'su' else [path, '/'],\n"
        "                               stdin=subprocess.DEVNULL, capture_output=True, text=True)\n"
        "        print('uid=0' in shown.stdout or shown.returncode == 0)",
        "caps = open('/proc/self/status').read().split('CapEff:')[1].split()[0]\nprint(caps)",
    )
    assert ran.text(1) == "True\n"
    assert "True" not in ran.text(2)
    assert int(ran.text(3), 16) == 0
    left = workspace.working / "shell"
    assert left.lstat().st_mode & stat.S_ISUID
    # It is not root's bit that the host is left with, unless the whole sandbox is root's.
    assert ran.execution.sandbox == "bubblewrap" or left.lstat().st_uid != 0


def test_there_are_no_devices_but_harmless_ones(closed):
    ran = closed(
        "import os, stat\n"
        "os.mknod('/kaggle/working/disk', 0o600 | stat.S_IFBLK, os.makedev(254, 0))",
        "os.mknod('/tmp/mem', 0o600 | stat.S_IFCHR, os.makedev(1, 1))",
        "found = []\n"
        "for place, _, files in os.walk('/dev'):\n"
        "    found += [os.path.join(place, name) for name in files]\n"
        "found = [path for path in found if os.path.exists(path)]\n"
        "print([path for path in found if stat.S_ISBLK(os.stat(path).st_mode)])\n"
        "harmless = {'null', 'zero', 'full', 'random', 'urandom', 'tty', 'console', 'ptmx',\n"
        "            'core', 'fd', 'stdin', 'stdout', 'stderr'}\n"
        "print({path for path in found if os.path.basename(path) not in harmless\n"
        "       and not path.startswith(('/dev/pts/', '/dev/shm/', '/dev/mqueue/'))})",
        "for path in ('/dev/mem', '/dev/kmsg', '/dev/vda', '/dev/sda', '/dev/fuse', '/dev/kvm',\n"
        "             '/dev/nvme0n1', '/dev/net/tun'):\n"
        "    print(os.path.exists(path))",
    )
    assert [error.ename for error in ran.execution.errors] == ["PermissionError"] * 2
    assert ran.text(2) == "[]\nset()\n"
    assert ran.text(3) == "False\n" * 8


def test_the_kernel_refuses_what_no_notebook_needs(closed_in_each):
    ran = closed_in_each(
        "import ctypes, os\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "def refused(name, *arguments):\n"
        "    return getattr(libc, name)(*arguments) == -1",
        "print([refused(*call) for call in (\n"
        "    ('mount', b'none', b'/kaggle/working', b'tmpfs', 0, None),\n"
        "    ('umount2', b'/kaggle/input', 2),\n"
        "    ('chroot', b'/kaggle/working'), ('swapon', b'/kaggle/working/x', 0),\n"
        "    ('reboot', 0),\n"  # would only change what Ctrl+Alt+Del does
        "    ('setns', os.open('/proc/1/ns/mnt', os.O_RDONLY)\n"
        "     if os.access('/proc/1/ns/mnt', os.R_OK) else -1, 0),\n"
        "    ('init_module', None, 0, b''), ('settimeofday', b'\\0' * 16, None))\n"
        "    if hasattr(libc, call[0])])",
    )
    assert "False" not in ran.text(1)
    assert ran.text(1).count("True") >= 6
