"""HEAD wherever there is GET (RFC 9110 §9.3.2); the server leaves the body out."""

from starlette.types import ASGIApp, Receive, Scope, Send


class HeadAsGet:
    """Shows routes a HEAD as a GET; has to be the outermost layer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The server keeps its own scope and so still knows that no body must follow."""
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        await self.app(scope, receive, send)
