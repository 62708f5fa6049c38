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


def test_keyrings_and_dangerous_calls_are_closed(closed):
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


CALLED = """
import ctypes, errno, json, os, platform, socket
libc = ctypes.CDLL(None, use_errno=True)
NUMBERS = {
    'x86_64': dict(clone=56, clone3=435, ptrace=101, read=310, write=311, kcmp=312, unshare=272,
                   setns=308, getfd=438, socket=41),
    'aarch64': dict(clone=220, clone3=435, ptrace=117, read=270, write=271, kcmp=272, unshare=97,
                    setns=268, getfd=438, socket=198),
}[platform.machine()]
def call(name, *arguments):
    done = libc.syscall(NUMBERS[name], *arguments)
    if done == 0 and name.startswith('clone'):
        os._exit(0)
    return errno.errorcode.get(ctypes.get_errno(), '?') if done == -1 else 'done'
SIGCHLD = 17
"""


def test_tracing_and_namespace_calls_are_refused(run_isolated):
    ran = run_isolated(
        CALLED + "spaces = {'mount': 0x20000, 'cgroup': 0x2000000, 'uts': 0x4000000,\n"
        "          'ipc': 0x8000000, 'user': 0x10000000, 'pid': 0x20000000, 'net': 0x40000000}\n"
        "found = {name: call('clone', SIGCHLD | flag, 0, 0, 0, 0)\n"
        "         for name, flag in spaces.items()}\n"
        "found['user and mount'] = call('clone', SIGCHLD | 0x10020000, 0, 0, 0, 0)\n"
        "arguments = (ctypes.c_uint64 * 8)(0x10000000, 0, 0, 0, SIGCHLD)\n"
        "found['clone3'] = call('clone3', arguments, 64)\n"
        "found['unshare'] = call('unshare', 0x10000000)\n"
        "found['setns'] = call('setns', 0, 0)\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    import time\n"
        "    time.sleep(20)\n"
        "    os._exit(0)\n"
        "found['attach'] = call('ptrace', 16, child, 0, 0)\n"
        "found['seize'] = call('ptrace', 0x4206, child, 0, 0)\n"
        "found['traced'] = call('ptrace', 0, 0, 0, 0)\n"
        "class Span(ctypes.Structure):\n"
        "    _fields_ = [('base', ctypes.c_void_p), ('size', ctypes.c_size_t)]\n"
        "secret = ctypes.create_string_buffer(b'secret')\n"
        "there = Span(ctypes.addressof(secret), 6)\n"
        "here = Span(ctypes.addressof(ctypes.create_string_buffer(8)), 6)\n"
        "for name in ('read', 'write'):\n"
        "    found[name] = call(name, child, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)\n"
        "found['kcmp'] = call('kcmp', os.getpid(), child, 0, 0, 0)\n"
        "found['getfd'] = call('getfd', os.pidfd_open(child), 0, 0)\n"
        "os.kill(child, 9)\n"
        "print(json.dumps(found))",
    )
    found = json.loads(ran.text(0))
    assert found.pop("clone3") == "ENOSYS"
    assert found == dict.fromkeys(found, "EPERM")


def test_sockets_other_than_internet_and_unix_are_refused(run_isolated):
    ran = run_isolated(
        CALLED + "found = {}\n"
        "for family in [*range(1, 46), 2**32 + 16]:\n"
        "    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):\n"
        "        done = libc.syscall(NUMBERS['socket'], ctypes.c_uint64(family), kind, 0)\n"
        "        if done >= 0:\n"
        "            found.setdefault(family, []).append(kind)\n"
        "            os.close(done)\n"
        "print(json.dumps(found))\n"
        "pair = (ctypes.c_int * 2)()\n"
        "print([libc.socketpair(family, kind, 0, pair) for family in (16, 30, 40)\n"
        "       for kind in (1, 2, 5)])\n"
        "first, second = socket.socketpair()\n"
        "first.send(b'x')\n"
        "print(second.recv(1))",
    )
    opened, pairs, sent = ran.text(0).splitlines()
    assert set(json.loads(opened)) <= {"1", "2", "10"}
    assert {"1", "2"} <= set(json.loads(opened))
    assert json.loads(pairs) == [-1] * 9
    assert sent == "b'x'"


def test_ordinary_parallel_work_passes_the_filter(run_isolated):
    ran = run_isolated(
        "%%writefile /kaggle/working/doubling.py\ndef double(number):\n    return 2 * number",
        "import asyncio, multiprocessing, os, subprocess, sys, threading\n"
        "from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor\n"
        "from doubling import double",
        "thread = threading.Thread(target=print, args=('thread',))\n"
        "thread.start()\n"
        "thread.join()\n"
        "with ThreadPoolExecutor(4) as pool:\n"
        "    print(sum(pool.map(double, range(10))))",
        "for method in ('fork', 'spawn', 'forkserver'):\n"
        "    context = multiprocessing.get_context(method)\n"
        "    with ProcessPoolExecutor(2, mp_context=context) as pool:\n"
        "        print(sum(pool.map(double, range(10))))\n"
        "    with context.Manager() as manager:\n"
        "        print(list(manager.list([1, 2])))",
        "import joblib\n"
        "print(sum(joblib.Parallel(n_jobs=2)(joblib.delayed(double)(i) for i in range(10))))",
        "print(subprocess.run(['echo', 'x'], capture_output=True, text=True).stdout)\n"
        "os.system('true')\n"
        "os.waitpid(os.posix_spawn(sys.executable, [sys.executable, '-c', ''], {}), 0)\n"
        "async def child():\n"
        "    process = await asyncio.create_subprocess_exec('echo', 'y', stdout=-1)\n"
        "    return (await process.communicate())[0]\n"
        "print(await child())",
        "import socket\n"
        "with socket.create_server(('127.0.0.1', 0)) as server:\n"
        "    socket.create_connection(server.getsockname()).close()\n"
        "print(socket.getaddrinfo('127.0.0.1', 80)[0][4][0])",
    )
    assert ran.execution.errors == ()
