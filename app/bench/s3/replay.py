"""A server that answers after a fixed delay, like a region that far away.

`python -m app.bench.s3.replay BUCKETS DELAY_MS` prints its address; GET /_served tells how many
requests came since it was last asked.
"""

import asyncio
import sys

from app.bench.s3.answers import SIX, Answer, answers, caller, listing

_UNKNOWN = Answer(404, "<Error><Code>NoSuchBucket</Code><Message>not here</Message></Error>")


class Replay:
    """Answers by path; connections are kept alive."""

    def __init__(self, buckets: int, delay_seconds: float) -> None:
        self._delay = delay_seconds
        self._answers = {(name, question): one for name, question, one in answers(buckets)}
        self._listing, self._caller = listing(buckets), caller()
        self._served = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, request after request."""
        try:
            while True:
                writer.write(await self._exchange(reader))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader) -> bytes:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, target, _ = head[0].split(" ", 2)
        lengths = [line for line in head[1:] if line.lower().startswith("content-length:")]
        if lengths:
            await reader.readexactly(int(lengths[0].partition(":")[2]))
        status, body = await self._answer(method, target)
        return (
            f"HTTP/1.1 {status} Replayed\r\nContent-Type: application/xml\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}"
        ).encode()

    async def _answer(self, method: str, target: str) -> Answer:
        if target == "/_served":
            served, self._served = self._served, 0
            return Answer(200, str(served))
        self._served += 1
        await asyncio.sleep(self._delay)
        path, _, query = target.partition("?")
        name = path.strip("/")
        if method == "POST":
            return self._caller
        if not name:
            return self._listing
        question = next((one for one in SIX if one in query), "")
        return self._answers.get((name, question), _UNKNOWN)


async def _main(buckets: int, delay_ms: float) -> None:
    replay = Replay(buckets, delay_ms / 1000)
    server = await asyncio.start_server(replay.serve, "127.0.0.1", 0, backlog=512)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1]), float(sys.argv[2])))
