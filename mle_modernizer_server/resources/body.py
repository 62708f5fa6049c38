"""Reads the body of a web server's response within limits of size and time."""

from __future__ import annotations

import time
from typing import Protocol

_BLOCK = 65_536


class Response(Protocol):
    """An open response of `urllib` or `http.client`."""

    def read1(self, size: int = ..., /) -> bytes:
        """Return the bytes received so far, at most `size`; empty at the end."""


def read_body(response: Response, most: int, seconds: float) -> bytes:
    """Read a response to its end.

    A response's own time-out runs from byte to byte: a server that sends one now and then never
    reaches it.

    Args:
        response: The open response, with a time-out of its own.
        most: Bytes at most.
        seconds: Time at most, beyond it the response's time-out once.

    Raises:
        ValueError: It is longer.
        TimeoutError: It takes longer.
        OSError: The connection is lost.
    """
    end = time.monotonic() + seconds
    body = bytearray()
    while block := response.read1(_BLOCK):
        body += block
        if len(body) > most:
            raise ValueError("it is too large")
        if time.monotonic() > end:
            raise TimeoutError(f"it was not read within {seconds:g} seconds")
    return bytes(body)
