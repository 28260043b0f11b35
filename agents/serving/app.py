"""The endpoints: who plays here, and what does it do.

GET  /bots                  the bots, with rules, tier and rating
POST /bots/{name}/decide    what a bot does where a message puts it
GET  /health                that the server is there
GET  /docs, /openapi.json   all of this, to read and to try
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version
from json import dumps
from math import ceil
from time import perf_counter, time
from typing import Annotated, Any

from fastapi import Body, Depends, FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import JSONResponse
from fastapi_offline import FastAPIOffline
from limits import RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agents.agent import ImpossibleViewError
from agents.serving.bodies import Answer, BotCard, Health, Problem, Question
from agents.serving.bots import HostedBot
from agents.serving.desk import BusyError, Desk
from blot_env import RecordError
from blot_env.rules import nearest

LARGEST_BODY = 16 * 1024
"""Bytes; the longest message of any game is of less than 3 kB."""

SLOWEST_BODY = 10.0
"""Seconds that a body may take to come, so that whoever never sends it holds nothing up, and no graceful end."""

PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The body is no JSON."},
    404: {"model": Problem, "description": "There is no such bot."},
    408: {"model": Problem, "description": "The body did not come in time."},
    413: {"model": Problem, "description": "The body is too large."},
    422: {"model": Problem, "description": "The body is no such message, or describes what cannot be."},
    429: {"model": Problem, "description": "Too many requests from one client; Retry-After says when to come again."},
    503: {"model": Problem, "description": "Too many requests wait, or the server ends; come again after Retry-After."},
}

_DOORS = "there are GET /bots, POST /bots/{name}/decide and GET /health; /docs tells more"
_EXPLAINED = {
    "Not Found": f"nothing is here; {_DOORS}",
    "Method Not Allowed": f"this is asked otherwise; {_DOORS}",
    "There was an error parsing the body": "the body is no JSON: it is not in UTF-8, or nested too deeply",
}
"""What the framework says, for people."""


def make_app(bots: Mapping[str, HostedBot], desk: Desk, rate: int = 0, origins: Sequence[str] = ()) -> FastAPI:
    """Return the application. Each bot plays a deal, which warms it up and gives the OpenAPI page its examples.

    Args:
        bots: by name; at least one.
        desk: where they think; the application closes it as it ends.
        rate: requests a second that a client may make; 0: any number.
        origins: web pages that may ask from a browser, such as `https://example.org`.
    """
    questions = {name: _examples(bot) for name, bot in bots.items()}

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        desk.close()

    app = FastAPIOffline(
        redoc_url=None,
        title="blot",
        version=version("blot"),
        summary="Bots for Armenian Blot and its family.",
        lifespan=lifespan,
    )
    app.add_middleware(BodyLimit, most=LARGEST_BODY)
    if origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=list(origins), allow_methods=["GET", "POST"], allow_headers=["content-type"]
        )

    @app.get("/health")
    async def health() -> Health:
        """Tell that the server is there, and how busy it is."""
        return Health(bots=len(bots), waiting=desk.waiting)

    @app.get("/bots")
    async def list_bots() -> list[BotCard]:
        """List the bots: their rules, tiers and ratings."""
        return [bot.card for bot in bots.values()]

    @app.post(
        "/bots/{name}/decide",
        response_model_exclude_unset=True,
        responses=PROBLEMS,
        dependencies=[Depends(_limiter(rate))] if rate else [],
    )
    async def decide(
        name: str,
        question: Annotated[
            Question,
            Body(
                openapi_examples={key: example for examples in questions.values() for key, example in examples.items()}
            ),
        ],
    ) -> Answer:
        """Tell what a bot does where the body puts it; nothing is kept between requests."""
        if name not in bots:
            raise HTTPException(
                404, f"no bot is named {name!r:.60}{nearest(name, list(bots))}; there are {', '.join(bots)}"
            )
        accepted = perf_counter()
        try:
            return await desk.work(partial(_decide, bots[name], question, accepted))
        except (RecordError, ImpossibleViewError) as error:
            raise HTTPException(422, str(error)) from None
        except BusyError as error:
            raise HTTPException(503, str(error), {"Retry-After": "1"}) from None

    @app.exception_handler(StarletteHTTPException)
    async def explain_refusal(request: Request, error: StarletteHTTPException) -> JSONResponse:
        return _problem(error.status_code, _EXPLAINED.get(error.detail, error.detail), error.headers)

    @app.exception_handler(RequestValidationError)
    async def explain_body(request: Request, error: RequestValidationError) -> JSONResponse:
        return _wrong_body(error)

    return app


class BodyLimit:
    """Refuses bodies of more than `most` bytes, as they are read or before, and those that do not come in time."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app, self._most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        size, whole, begun = 0, False, perf_counter()
        declared = int(Headers(scope=scope).get("content-length", 0)) if scope["type"] == "http" else 0

        async def limited() -> Message:
            nonlocal size, whole
            try:  # after the body only the client's leave is waited for, which may take as long as it likes
                message = await asyncio.wait_for(receive(), None if whole else begun + SLOWEST_BODY - perf_counter())
            except TimeoutError:
                raise HTTPException(
                    408, f"the body has not come within {SLOWEST_BODY:g} seconds", {"Connection": "close"}
                ) from None
            size, whole = size + len(message.get("body", b"")), not message.get("more_body", False)
            if max(size, declared) > self._most:
                raise HTTPException(413, f"the body has more than {self._most} bytes; no message is so long")
            return message

        await self._app(scope, limited, send)


def _decide(bot: HostedBot, question: Question, accepted: float) -> Answer:
    left = None if question.ms is None else max(question.ms - 1000 * (perf_counter() - accepted), 0.0)
    return bot.decide(question.message, left, question.explain)


def _examples(bot: HostedBot) -> dict[str, Any]:
    """Play a deal and return two of its questions as the OpenAPI page shows them."""
    seen = bot.play_a_deal()
    cards = [message for message in seen if message["phase"] == "play"]
    moments = {"its first call": seen[0], **({"a card": cards[len(cards) // 2]} if cards else {})}  # or all pass
    return {f"{bot.name}: {what}": {"value": message} for what, message in moments.items()}


def _limiter(rate: int) -> Any:
    """Return a dependency that refuses a client's requests beyond so many a second."""
    limit, limiter = RateLimitItemPerSecond(rate), MovingWindowRateLimiter(MemoryStorage())

    async def check(request: Request) -> None:
        client = request.client.host if request.client else ""
        if not limiter.hit(limit, client):
            wait = limiter.get_window_stats(limit, client).reset_time - time()
            seconds = max(1, ceil(wait))
            raise HTTPException(
                429,
                f"{client} asks more often than {rate} times a second; come again in {seconds} s",
                {"Retry-After": str(seconds)},
            )

    return check


def _wrong_body(error: RequestValidationError) -> JSONResponse:
    """Return what is wrong with a body, in one line for people."""
    first = min(error.errors(), key=lambda wrong: wrong["type"] != "extra_forbidden")  # a key too many tells most
    where = ".".join(str(part) for part in first["loc"] if part != "body")
    field = Question.model_fields.get(where)
    if first["type"] == "json_invalid":
        return _problem(400, f"the body is no JSON: {first['ctx']['error']} at character {where}")
    if first["type"] == "extra_forbidden":
        meant = nearest(where, list(Question.model_fields))
        return _problem(
            422, f"{where:.60}: there is no such key{meant}; a bot is told what its seat sees and nothing more"
        )
    if not where:
        return _problem(422, "a JSON object is wanted, sent with content-type: application/json")
    if first["type"] == "missing" and field:
        return _problem(422, f"{where}: it is missing. {field.description}")
    return _problem(422, f"{where}: {first['msg'][0].lower()}{first['msg'][1:]}, not {_short(first['input'])}")


def _short(value: object) -> str:
    """Return a value as JSON, cut where it is long; what is nested too deeply for that is called so."""
    try:
        text = dumps(value)
    except RecursionError:
        return "what is nested so deeply"
    return text if len(text) <= 60 else f"{text[:60]}…"


def _problem(status: int, text: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    written = text.encode("utf-8", "backslashreplace").decode()  # what was sent may be no Unicode
    return JSONResponse(Problem(error=written).model_dump(), status, headers)
