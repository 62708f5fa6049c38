"""Connections to servers of the public network only.

A name is resolved once, each of its addresses is checked, and the connection goes to an address
that was checked: later changes of the name do not count. Settings for proxies are
not followed, for a proxy resolves names itself.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import time

import psutil

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_OF_CLOUDS = frozenset({ipaddress.ip_address("168.63.129.16")})
"""Public by its number, but answered by the host of a cloud machine."""


class NotPublic(Exception):
    """A server is not one of the public network: of this machine, of its network, of its host."""


class PublicConnection(http.client.HTTPConnection):
    """A connection to a server of the public network.

    Args:
        host: Its name.
        port: Of it.
        timeout: Seconds without an answer after which it fails.
        secure: Whether it is encrypted; the server's certificate is checked.
        private: Allow servers that are not public, too.

    Attributes:
        opened: The socket, also during a response that ends with the connection.
    """

    def __init__(
        self, host: str, port: int, *, timeout: float, secure: bool, private: bool
    ) -> None:
        super().__init__(host, port, timeout=timeout)
        self.opened: socket.socket | None = None
        self._silence = timeout
        self._secure = secure
        self._private = private
        if secure:
            self.default_port = http.client.HTTPS_PORT

    def connect(self) -> None:
        """Resolve the name, check its addresses, and connect to one of them.

        Raises:
            NotPublic: One of its addresses is not public.
            OSError: It has none, or none answers.
        """
        opened = open_public(self.host, self.port, self._silence, private=self._private)
        self.sock = self.opened = opened
        if self._secure:
            context = ssl.create_default_context()
            self.sock = self.opened = context.wrap_socket(opened, server_hostname=self.host)


def open_public(host: str, port: int, timeout: float, *, private: bool) -> socket.socket:
    """Connect to a server of the public network.

    Args:
        host: Its name or address.
        port: Of it.
        timeout: Seconds for connecting, shared by all its addresses; then seconds without an
            answer after which it fails.
        private: Allow servers that are not public, too.

    Raises:
        NotPublic: One of its addresses is not public.
        OSError: It has none, or none answers.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    if not private:
        own = _own_addresses()
        for *_, place in found:
            address = ipaddress.ip_address(str(place[0]).partition("%")[0])
            if address in own or not is_public(address):
                raise NotPublic(host)
    problem: OSError = OSError(f"{host} has no address")
    end = time.monotonic() + timeout
    for left, (family, kind, protocol, _, place) in zip(
        range(len(found), 0, -1), found, strict=True
    ):
        opened = socket.socket(family, kind, protocol)
        opened.settimeout(max((end - time.monotonic()) / left, 0.01))
        try:
            opened.connect(place)
        except OSError as error:
            opened.close()
            problem = error
            continue
        opened.settimeout(timeout)
        return opened
    raise problem


def is_public(address: _Address) -> bool:
    """Return whether an address and any address embedded in it are of the public network."""
    if isinstance(address, ipaddress.IPv6Address):
        carried = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
        if address in _NAT64:
            carried.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        if any(inner is not None and not is_public(inner) for inner in carried):
            return False
        if address.ipv4_mapped is not None:
            return True
    return address.is_global and not address.is_multicast and address not in _OF_CLOUDS


def _own_addresses() -> frozenset[_Address]:
    """Return this machine's addresses; even a public one is closed to the notebook."""
    found = set()
    for interface in psutil.net_if_addrs().values():
        for item in interface:
            if item.family in (socket.AF_INET, socket.AF_INET6):
                found.add(ipaddress.ip_address(item.address.partition("%")[0]))
    return frozenset(found)
