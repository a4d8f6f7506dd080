"""An AWS account without buckets that keeps its first caller waiting until it is let go."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from typing_extensions import override

WHO = (
    "<GetCallerIdentityResponse><GetCallerIdentityResult><Account>111122223333</Account>"
    "<Arn>arn:aws:iam::111122223333:user/example</Arn><UserId>AIDAEXAMPLE</UserId>"
    "</GetCallerIdentityResult></GetCallerIdentityResponse>"
)
NO_BUCKETS = "<ListAllMyBucketsResult><Buckets/></ListAllMyBucketsResult>"
# None is on, so that no region is swept.
REGIONS = '{"Regions": [{"RegionName": "eu-west-1", "RegionOptStatus": "DISABLED"}]}'
NO_SWITCHES = (
    "<PublicAccessBlockConfiguration><BlockPublicAcls>false</BlockPublicAcls>"
    "</PublicAccessBlockConfiguration>"
)


class QuietServer(ThreadingHTTPServer):
    """Callers that are killed while they wait are what it is for."""

    daemon_threads = True

    @override
    def handle_error(self, request: object, client_address: object) -> None:
        """Says nothing."""


class SlowCloud:
    """Listens on loopback; `asked` is set when the first caller waits, `release` lets it go."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.release = threading.Event()
        cloud = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self._answer(REGIONS if self.path == "/listRegions" else WHO)

            def do_GET(self) -> None:
                of_account = self.path.startswith("/v20180820/")
                self._answer(NO_SWITCHES if of_account else NO_BUCKETS)

            @override
            def log_message(self, format: str, *args: object) -> None:
                """Says nothing."""

            def _answer(self, body: str) -> None:
                cloud.asked.set()
                cloud.release.wait()
                content = body.encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/xml")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        self._server = QuietServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def stop(self) -> None:
        """Ends it, with whoever still waits."""
        self.release.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
