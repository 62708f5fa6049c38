"""Routes that exist from the server's start, while their handlers are still being loaded.

Light on purpose: it is imported before the server's first page.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from jupyter_server.base.handlers import Template404
from tornado import httputil, routing, web

Route = tuple[str, type[web.RequestHandler]]
"""A regular expression of whole paths, and its handler."""


class LateRoutes(routing.Router):
    """Serves requests as soon as its routes are known; until then they wait, unread.

    The body of a request that waits stays with its sender, so that nobody fills the memory before
    it is checked who asks.
    """

    SUPPORTED_METHODS: tuple[str, ...] = ()
    """Of its own; Jupyter Server looks here for methods that forgot to ask who it is."""

    def __init__(
        self, application: web.Application, routes: Callable[[], Awaitable[Iterable[Route]]]
    ) -> None:
        """
        Args:
            application: The server's.
            routes: Returns the routes once they are known; called for each request.
        """
        self._application = application
        self._routes = routes

    def find_handler(
        self, request: httputil.HTTPServerRequest, **kwargs: object
    ) -> httputil.HTTPMessageDelegate:
        """Return the receiver of the request's parts."""
        return _Waiting(self, request)

    async def handler_of(self, request: httputil.HTTPServerRequest) -> httputil.HTTPMessageDelegate:
        """Return the receiver of a request's answer; if no route matches, "not found"."""
        for pattern, handler in await self._routes():
            found = routing.PathMatches(pattern).match(request)
            if found is not None:
                return self._application.get_handler_delegate(request, handler, **found)
        return self._application.get_handler_delegate(request, Template404)


class _Waiting(httputil.HTTPMessageDelegate):
    def __init__(self, router: LateRoutes, request: httputil.HTTPServerRequest) -> None:
        self._router = router
        self._request = request
        self._handler: httputil.HTTPMessageDelegate | None = None

    async def headers_received(
        self,
        start_line: httputil.RequestStartLine | httputil.ResponseStartLine,
        headers: httputil.HTTPHeaders,
    ) -> None:
        """Wait for the routes; tornado reads no further meanwhile."""
        self._handler = await self._router.handler_of(self._request)
        ready = self._handler.headers_received(start_line, headers)
        if ready is not None:
            await ready

    def data_received(self, chunk: bytes) -> Awaitable[None] | None:
        """Hand a piece of the body on."""
        return self._handler.data_received(chunk) if self._handler else None

    def finish(self) -> None:
        """Hand the body's end on."""
        if self._handler:
            self._handler.finish()

    def on_connection_close(self) -> None:
        """Notify the handler, if there is one already."""
        if self._handler:
            self._handler.on_connection_close()
