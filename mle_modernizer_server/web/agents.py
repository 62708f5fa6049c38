"""The tools for agents, inside the server: MCP's HTTP transport behind the server's own checks."""

from __future__ import annotations

from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.web.contents import may, server_root
from mle_modernizer_server.web.endpoint import MOST_WITH_NOTEBOOK, ModernizerHandler, endpoint

_PASSED_ON = ("Accept", "Content-Type", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name")


class AgentsHandler(ModernizerHandler):
    """Answers the messages of an agent's client, each on its own (stateless)."""

    most_bytes = MOST_WITH_NOTEBOOK

    @endpoint("execute")
    async def post(self) -> None:
        """Answer with the JSON-RPC reply; notebooks are named by paths below the server's root."""
        await may(self, "read")
        await may(self, "write")
        answer = self._answer(self.content())
        await self.unless_client_leaves(answer)

    async def _answer(self, content: bytes) -> None:
        try:
            import httpx
            from mcp.server.transport_security import TransportSecuritySettings

            from mle_modernizer_server.mcp.tools import Tools
        except ImportError as error:
            raise BadSetting(coded("mcp.not-installed")) from error
        server = Tools(self.modernizer, server_root(self), in_server=True).server()
        app = server.streamable_http_app(
            stateless_http=True,
            json_response=True,
            max_request_body_size=MOST_WITH_NOTEBOOK,
            # The request came through Jupyter's own checks of host, origin and token.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        given = self.request.headers
        headers = {name: given[name] for name in _PASSED_ON if name in given}
        async with (
            server.session_manager.run(),
            httpx.AsyncClient(
                transport=httpx.ASGITransport(app), base_url="http://127.0.0.1", timeout=None
            ) as client,
        ):
            reply = await client.post("/mcp", content=content, headers=headers)
        self.set_status(reply.status_code)
        self.finish(
            reply.content, set_content_type=reply.headers.get("Content-Type", "application/json")
        )
