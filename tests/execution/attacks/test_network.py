"""A notebook that wants to reach something over a network."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import psutil
import pytest

PROBE = """
import errno, json, socket
def tried(address, kind):
    family = socket.AF_INET6 if ':' in address[0] else socket.AF_INET
    try:
        with socket.socket(family, kind) as probe:
            probe.settimeout(2)
            probe.connect(address)
            probe.send(b'hello from inside')
        return 'reached'
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
"""


@dataclass
class Listeners:
    """Servers on every address of the host, which note who comes."""

    addresses: list[str]
    port: int
    streams: list[socket.socket]
    datagrams: list[socket.socket]

    def visitors(self) -> int:
        """How many connections or packets came."""
        count = 0
        for listener in self.streams:
            while True:
                try:
                    listener.accept()[0].close()
                except BlockingIOError:
                    break
                count += 1
        for listener in self.datagrams:
            while True:
                try:
                    listener.recv(100)
                except BlockingIOError:
                    break
                count += 1
        return count


def host_addresses() -> list[str]:
    """IPv4 addresses of all the host's interfaces, the engine's bridge included."""
    found = [
        address.address
        for addresses in psutil.net_if_addrs().values()
        for address in addresses
        if address.family == socket.AF_INET
    ]
    return list(dict.fromkeys(found))


@contextmanager
def listening() -> Iterator[Listeners]:
    with ExitStack() as stack:
        stream = stack.enter_context(socket.socket())
        stream.bind(("0.0.0.0", 0))
        stream.listen()
        stream.setblocking(False)
        port = stream.getsockname()[1]
        datagram = stack.enter_context(socket.socket(type=socket.SOCK_DGRAM))
        datagram.bind(("0.0.0.0", port))
        datagram.setblocking(False)
        yield Listeners(host_addresses(), port, [stream], [datagram])


@pytest.fixture
def listeners() -> Iterator[Listeners]:
    with listening() as found:
        for address in found.addresses:  # they do hear who is let through
            with socket.create_connection((address, found.port)):
                pass
            with socket.socket(type=socket.SOCK_DGRAM) as packet:
                packet.sendto(b"hello", (address, found.port))
        assert found.visitors() == 2 * len(found.addresses)
        yield found


def test_no_address_of_the_host_is_reached(closed_in_each, listeners):
    targets = [(address, listeners.port) for address in listeners.addresses]
    targets += [("::1", listeners.port), ("255.255.255.255", listeners.port)]
    ran = closed_in_each(
        PROBE,
        f"print(json.dumps([tried(address, kind) for address in {targets!r}\n"
        "    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM)]))",
    )
    answers = json.loads(ran.text(1))
    # Within the sandbox's own loopback a packet may be sent, and is heard by nobody.
    assert listeners.visitors() == 0
    assert len(answers) == 2 * len(targets)
    outside = [
        answer
        for (address, _), answer in zip(
            [target for target in targets for _ in range(2)], answers, strict=True
        )
        if not address.startswith(("127.", "::1"))
    ]
    assert "reached" not in outside


def test_no_address_of_the_world_and_no_name_is_reached(closed_in_each):
    ran = closed_in_each(
        PROBE,
        "print(json.dumps([tried((address, port), kind)\n"
        "    for address, port in [('1.1.1.1', 53), ('10.255.255.53', 53), ('172.17.0.1', 22),\n"
        "                          ('169.254.169.254', 80), ('2606:4700:4700::1111', 53)]\n"
        "    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM)]))",
        "socket.getaddrinfo('deb.debian.org', 80)",
        "import urllib.request\nurllib.request.urlopen('https://pypi.org', timeout=5)",
        "rows = [row.split(':') for row in open('/proc/net/dev') if ':' in row]\n"
        "print(sorted(row[0].strip() for row in rows))",
    )
    assert "reached" not in json.loads(ran.text(1))
    assert [error.ename for error in ran.execution.errors] == ["gaierror", "URLError"]
    names = set(json.loads(ran.text(4).replace("'", '"')))
    # The kernel makes tunnels that lead nowhere in every namespace.
    assert "lo" in names
    assert not names & {name for name in psutil.net_if_addrs() if name != "lo"}


def test_no_raw_packet_is_sent(closed):
    ran = closed(
        "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)",
        "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    )
    first, second = [error.ename for error in ran.execution.errors]
    assert first == "PermissionError"
    assert second in ("PermissionError", "OSError")  # bubblewrap knows no such family


def test_no_socket_of_the_host_is_there(closed):
    name = f"\0mlem-attack-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(name)
        abstract.listen()
        abstract.setblocking(False)
        ran = closed(
            "import os, socket, stat\nfound = set()\n"
            "for place, inside, files in os.walk('/'):\n"
            "    if place in ('/proc', '/sys'):\n"
            "        inside.clear()\n"
            "    for name in files:\n"
            "        path = os.path.join(place, name)\n"
            "        try:\n"
            "            if stat.S_ISSOCK(os.lstat(path).st_mode):\n"
            "                found.add(path)\n"
            "        except OSError:\n"
            "            pass\n"
            "ours = get_ipython().config.IPKernelApp.connection_file\n"
            "print({path for path in found\n"
            "       if os.path.basename(path).split('-')[0] not in ('k', 'kernel')})",
            "for path in ('/var/run/docker.sock', '/run/docker.sock',\n"
            "             '/run/containerd/containerd.sock', '/run/dbus/system_bus_socket'):\n"
            "    print(os.path.exists(path))",
            f"socket.socket(socket.AF_UNIX).connect({name!r})",
        )
        with pytest.raises(BlockingIOError):
            abstract.accept()
    assert ran.text(0) == "set()\n"
    assert ran.text(1) == "False\n" * 4
    assert [error.ename for error in ran.execution.errors] == ["ConnectionRefusedError"]
