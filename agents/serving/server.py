"""The process of `blot serve`: it takes its port, warms the bots up, listens, and ends once its answers are given."""

import signal
import socket
import sys
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path

import uvicorn

from agents.cores import cores
from agents.serving.app import make_app
from agents.serving.bots import load_bots
from agents.serving.desk import Desk
from agents.warming import told_if_slow

PATIENCE = 75
"""Seconds that requests may take once the server is told to end: more than a body (10) and a decision (60) may."""


class _Server(uvicorn.Server):
    """Ends with what has been begun; nothing waits any longer then."""

    def __init__(self, config: uvicorn.Config, desk: Desk) -> None:
        super().__init__(config)
        self._desk = desk

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._desk.end()
        await super().shutdown(sockets)


class ServingError(ValueError):
    """Bots cannot be served as they were asked to be."""


def serve(
    folders: Sequence[Path],
    host: str = "127.0.0.1",
    port: int = 8000,
    threads: int = 0,
    queue: int = 64,
    rate: int = 0,
    origins: Sequence[str] = (),
) -> None:
    """Serve bots until SIGTERM or SIGINT: then what waits is refused, and what was begun is answered.

    Args:
        folders: of exported bots.
        host: the address to listen on.
        port: of it; 0 takes a free one.
        threads: that think at the same time; 0: one a core.
        queue: requests that may wait for one.
        rate: requests a second that a client may make; 0: any number.
        origins: web pages that may ask from a browser.

    Raises:
        BotError: a bot cannot be used.
        ServingError: the address cannot be had.
    """
    for number in (signal.SIGINT, signal.SIGTERM):  # uvicorn takes them over, and raises them again when it has ended
        signal.signal(number, lambda *_: sys.exit(0))
    listener = _bind(host, port)
    with listener:
        desk = Desk(threads or cores(), queue)
        with told_if_slow():
            bots = load_bots(folders)
            app = make_app(bots, desk, rate, origins)
        host, port = listener.getsockname()[:2]
        listener.listen(2048)
        if not ip_address(host).is_loopback:
            print(f"blot: {host} can be reached from other machines, and whoever reaches it may ask", file=sys.stderr)
        print(f"serving {', '.join(bots)} on {_url(host, port)}, to try on {_url(host, port)}/docs", flush=True)
        config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=PATIENCE)
        _Server(config, desk).run([listener])


def _bind(host: str, port: int) -> socket.socket:
    """Return a socket that has its address and does not listen yet."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except (OSError, UnicodeError) as error:  # a name too long for a host's is no Unicode to Python
        reason = error.strerror if isinstance(error, OSError) else "no host has such a name"
        raise ServingError(f"{_at(host, port)}: {reason}; --host and --port name another address") from None
    return listener


def _url(host: str, port: int) -> str:
    return f"http://{_at(host, port)}"


def _at(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
