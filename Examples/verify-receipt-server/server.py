"""Apple's verifyReceipt endpoint on your own host: an existing server changes one URL.

    pip install -r requirements.txt
    uvicorn server:app --host 127.0.0.1 --port 8080

POST /verifyReceipt takes Apple's request, JSON with "receipt-data", and gives Apple's answer, made from what the receipt
itself says. "password" is accepted and not needed; "exclude-old-transactions" changes nothing, because latest_receipt_info,
which only Apple's records can fill, is not in the answer. GET /health and GET /metrics are for those who watch it.

Settings, from the environment:
    ENVIRONMENTS     whose receipts get status 0: production, sandbox (comma-separated; default: production)
    MAX_BODY_BYTES   longer requests get 413 (default: 4194304)
    AS_OBSERVED      1 answers as the endpoint was seen to do where that is not as documented
    ROOTS            files with certificates that replace Apple's roots, for tests (separated by colons)
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import Any

from appstorereceipt import InternalError, Validator, __version__
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

MAX_BODY_BYTES = int(os.environ.get("MAX_BODY_BYTES", 4 * 1024 * 1024))
AS_OBSERVED = os.environ.get("AS_OBSERVED") == "1"
# From here on another thread does it, so that one long receipt does not hold up everybody.
LONG_BODY_BYTES = 64 * 1024

ROOTS = [Path(name).read_bytes() for name in os.environ.get("ROOTS", "").split(":") if name]
VALIDATOR = Validator(
    environments=[name.strip() for name in os.environ.get("ENVIRONMENTS", "production").split(",")],
    roots=ROOTS or None,
)

statuses: Counter[str] = Counter()
refused: Counter[int] = Counter()
seconds = 0.0


async def verify_receipt(request: Request) -> Response:
    global seconds
    body = bytearray()
    try:
        # A length that is stated too low changes nothing: what arrives is counted.
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BODY_BYTES:
                return _refuse(413, f"the request is longer than {MAX_BODY_BYTES} bytes")
    except ClientDisconnect:
        return _refuse(400, "the client went away")
    begin = perf_counter()
    try:
        if len(body) > LONG_BODY_BYTES:
            answer = await run_in_threadpool(_answer, bytes(body))
        else:
            answer = _answer(bytes(body))
    except InternalError:
        # As Apple has it: 21009, and is-retryable. Nothing is said about the receipt.
        answer = b'{"status":21009,"is-retryable":true}'
    seconds += perf_counter() - begin
    statuses[_status(answer)] += 1
    return Response(answer, media_type="application/json")


def _answer(body: bytes) -> bytes:
    """Whatever was sent, the answer is 200 with a status, as Apple's is."""
    try:
        request: Any = json.loads(body)
    except (ValueError, RecursionError):
        return b'{"status":21002}'
    data = request.get("receipt-data") if isinstance(request, dict) else None
    if not isinstance(data, str):
        return b'{"status":21002}'
    return VALIDATOR.verify_receipt_json(data, as_observed=AS_OBSERVED)


def _status(answer: bytes) -> str:
    """The first member, which is the status, without reading the rest."""
    return answer[len(b'{"status":') :].split(b",", 1)[0].rstrip(b"}").decode()


def _refuse(status: int, message: str) -> Response:
    refused[status] += 1
    return JSONResponse({"error": message}, status_code=status)


async def only_post(request: Request) -> Response:
    response = _refuse(405, "use POST with a JSON object that has receipt-data")
    response.headers["Allow"] = "POST"
    return response


async def health(request: Request) -> Response:
    return JSONResponse({"status": "ok", "version": __version__})


async def metrics(request: Request) -> Response:
    """In the text format of Prometheus."""
    lines = ["# TYPE verify_receipt_answers_total counter"]
    lines += [f'verify_receipt_answers_total{{status="{name}"}} {count}' for name, count in sorted(statuses.items())]
    lines.append("# TYPE verify_receipt_refused_total counter")
    lines += [f'verify_receipt_refused_total{{code="{code}"}} {count}' for code, count in sorted(refused.items())]
    lines.append("# TYPE verify_receipt_seconds_total counter")
    lines.append(f"verify_receipt_seconds_total {seconds:.6f}")
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")


app = Starlette(
    routes=[
        Route("/verifyReceipt", verify_receipt, methods=["POST"]),
        Route("/verifyReceipt", only_post, methods=["GET", "PUT", "PATCH", "DELETE"]),
        Route("/health", health),
        Route("/metrics", metrics),
    ]
)
