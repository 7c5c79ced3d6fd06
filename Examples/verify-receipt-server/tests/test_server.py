"""The server, asked by the client libraries that servers ask Apple's endpoint with.

    pip install -r requirements.txt -r requirements-test.txt && pytest
"""

from __future__ import annotations

import base64
import json
import os
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Iterator

import httpx
import inapppy
import inapppy.appstore
import itunesiap
import pyinapp
import pyinapp.appstore
import pytest
from itunesiap.exceptions import InvalidReceipt

HERE = Path(__file__).resolve().parents[1]
DER = (HERE.parents[1] / "Fixtures" / "genuine" / "sandbox-2016.der").read_bytes()
RECEIPT = base64.b64encode(DER).decode()
EDITED = base64.b64encode(DER.replace(b"com.zhihu.test", b"com.zhihu.tesT", 1)).decode()


class Server:
    def __init__(self, environments: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.base = f"http://127.0.0.1:{port}"
        self.url = f"{self.base}/verifyReceipt"
        command = [sys.executable, "-m", "uvicorn", "server:app", "--port", str(port), "--log-level", "warning"]
        settings = {**os.environ, "ENVIRONMENTS": environments, "MAX_BODY_BYTES": "1000000"}
        self.process = subprocess.Popen(command, cwd=HERE, env=settings)
        for _ in range(400):
            try:
                assert httpx.get(f"{self.base}/health").json()["status"] == "ok"
                return
            except httpx.TransportError:
                assert self.process.poll() is None, "the server ended"
                time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def post(self, body: object) -> dict[str, object]:
        response = httpx.post(self.url, json=body)
        assert response.status_code == 200
        answer: dict[str, object] = response.json()
        return answer

    def resident(self) -> int:
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> None:
        self.process.terminate()
        assert self.process.wait(20) is not None


@pytest.fixture(scope="module")
def production() -> Iterator[Server]:
    server = Server("production")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Server]:
    server = Server("sandbox")
    yield server
    server.stop()


def test_answers(production: Server, sandbox: Server) -> None:
    answer = sandbox.post({"receipt-data": RECEIPT, "password": "x", "exclude-old-transactions": True})
    assert answer["status"] == 0 and answer["environment"] == "Sandbox"
    receipt = answer["receipt"]
    assert isinstance(receipt, dict)
    assert receipt["bundle_id"] == "com.zhihu.test" and len(receipt["in_app"]) == 1
    assert abs(int(receipt["request_date_ms"]) - time.time() * 1000) < 60_000
    assert production.post({"receipt-data": RECEIPT}) == {"status": 21007}
    assert sandbox.post({"receipt-data": EDITED}) == {"status": 21003}


@pytest.mark.parametrize("body", [{}, [], None, 1, {"receipt-data": 1}, {"receipt-data": ""}])
def test_what_is_no_request(sandbox: Server, body: object) -> None:
    assert sandbox.post(body)["status"] == 21002


@pytest.mark.parametrize("body", [b"", b"{", b"[" * 100_000, b"\xff\xfe", b'{"receipt-data":"\\ud800"}'])
def test_what_is_no_json(sandbox: Server, body: bytes) -> None:
    response = httpx.post(sandbox.url, content=body)
    assert response.status_code == 200 and response.json()["status"] == 21002


def test_limits_and_other_methods(sandbox: Server) -> None:
    long = httpx.post(sandbox.url, content=b" " * 1_000_001)
    assert long.status_code == 413 and "1000000" in long.json()["error"]
    other = httpx.get(sandbox.url)
    assert other.status_code == 405 and other.headers["Allow"] == "POST"
    assert httpx.get(f"{sandbox.base}/nothing").status_code == 404


def test_inapppy(production: Server, sandbox: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def choose(self: inapppy.AppStoreValidator) -> None:
        self.url = sandbox.url if self.sandbox else production.url

    monkeypatch.setattr(inapppy.AppStoreValidator, "_change_url_by_sandbox", choose)
    validator = inapppy.AppStoreValidator(auto_retry_wrong_env_request=True)
    answer = validator.validate(RECEIPT, shared_secret="x", exclude_old_transactions=True)
    assert answer["receipt"]["in_app"][0]["product_id"] == "com.zhihu.test.test_1"
    with pytest.raises(inapppy.InAppPyValidationError, match="Receipt authentication"):
        inapppy.AppStoreValidator().validate(EDITED)


def test_itunes_iap(production: Server, sandbox: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(itunesiap.Request, "PRODUCTION_VALIDATION_URL", production.url)
    monkeypatch.setattr(itunesiap.Request, "SANDBOX_VALIDATION_URL", sandbox.url)
    answer = itunesiap.verify(RECEIPT, env=itunesiap.env.review)
    assert answer.receipt.last_in_app.product_id == "com.zhihu.test.test_1"
    assert answer.receipt.last_in_app.quantity == 1
    with pytest.raises(InvalidReceipt) as error:
        itunesiap.verify(RECEIPT, env=itunesiap.env.production)
    assert error.value.status == 21007


def test_pyinapp(sandbox: Server) -> None:
    validator = pyinapp.appstore.AppStoreValidator("com.zhihu.test", sandbox=True)
    validator.url = sandbox.url
    [purchase] = validator.validate(RECEIPT)
    assert purchase.product_id == "com.zhihu.test.test_1" and purchase.quantity == "1"
    with pytest.raises(pyinapp.InAppValidationError):
        validator.validate(EDITED)


def test_load(sandbox: Server) -> None:
    """No error, nothing lost, memory flat."""
    bodies = [(json.dumps({"receipt-data": RECEIPT}), 0), (json.dumps({"receipt-data": EDITED}), 21003), ("{}", 21002)]

    def work(count: int) -> None:
        with httpx.Client() as client:
            for index in range(count):
                body, status = bodies[index % 3]
                response = client.post(sandbox.url, content=body)
                assert response.status_code == 200 and response.json()["status"] == status

    def run(count: int) -> None:
        with ThreadPoolExecutor(8) as pool:
            for future in [pool.submit(work, count) for _ in range(8)]:
                future.result()

    run(60)
    before, answered = sandbox.resident(), answers(sandbox)
    run(240)
    assert answers(sandbox) - answered == 8 * 240
    assert sandbox.resident() - before < 8 << 20


def answers(server: Server) -> int:
    lines = httpx.get(f"{server.base}/metrics").text.splitlines()
    return sum(int(line.rsplit(" ", 1)[1]) for line in lines if line.startswith("verify_receipt_answers_total{"))
