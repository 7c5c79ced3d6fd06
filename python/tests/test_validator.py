"""What the package promises beside the reports themselves."""

from __future__ import annotations

import base64
import gc
import os
import pickle
import resource
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Callable

import pytest

import appstorereceipt
from appstorereceipt import PolicyError, Result, Validator


def test_a_genuine_receipt(genuine: bytes) -> None:
    result = Validator(bundle_ids=["com.zhihu.test"], environments=["sandbox"]).validate(genuine)
    assert result and result.verdict == "valid" and result.reason is None and result.status == 0
    assert result.kind == "app-receipt"
    assert result.receipt is not None and result.receipt["bundle_id"] == "com.zhihu.test"
    [purchase] = result.purchases
    assert purchase.product_id == "com.zhihu.test.test_1" and purchase.quantity == 1
    assert purchase.purchase_date == datetime(2016, 7, 23, 6, 21, 11, tzinfo=timezone.utc)
    assert purchase.cancellation_date is None and purchase.fields["product_type"] == "consumable"
    assert len(result.certificates) == 3 and all(check["outcome"] != "failed" for check in result.checks)
    assert result.payload is None and result.transaction is None and result.renewal_info is None


@pytest.mark.parametrize(
    ("expectation", "reason"),
    [
        ({"bundle_ids": ["com.example"]}, "bundle-identifier-mismatch"),
        ({"environments": ["production"]}, "environment-mismatch"),
        ({"environments": ["LocalTesting"]}, "environment-mismatch"),
        ({"app_versions": ["0"]}, "application-version-mismatch"),
        ({"bundle_ids": []}, "bundle-identifier-mismatch"),
    ],
)
def test_expectations(genuine: bytes, expectation: dict[str, Any], reason: str) -> None:
    result = Validator(**expectation).validate(genuine)
    assert not result and result.verdict == "rejected" and result.reason == reason and reason in repr(result)


def test_dates(genuine: bytes) -> None:
    validator = Validator()
    late = datetime(2036, 1, 1, tzinfo=timezone.utc)
    assert validator.validate(genuine)
    assert validator.validate(genuine, at=late).reason == Validator(at=late).validate(genuine).reason != None
    assert validator.validate(genuine), "a date is that of one call"
    young = Validator(max_age=timedelta(days=1))
    created = datetime(2016, 7, 23, 6, 30, tzinfo=timezone.utc)
    assert young.validate(genuine, at=created)
    assert not young.validate(genuine, at=created + timedelta(days=2))
    assert not young.validate(genuine), "without a date nobody knows how old it is"


@pytest.mark.parametrize(
    "data", ["", b"", "\0", "\ud800", "MIIT", b"\xff" * 1000, "é" * 10, b"\x30\x80", "{}", "eyJhbGciOiJub25lIn0.e30."]
)
def test_whatever_is_in_it_there_is_a_result(data: str | bytes) -> None:
    result = Validator().validate(data)
    assert result.verdict == "undecodable" and result.reason and result.message and result.receipt is None
    assert list(result.purchases) == [] and not result


def test_too_long(genuine: bytes) -> None:
    result = Validator().validate(bytes(64 * 1024 * 1024 + 1))
    assert result.verdict == "undecodable" and result.reason == "input-too-long"


@pytest.mark.parametrize("kind", [bytearray, memoryview])
def test_bytes_of_other_types(genuine: bytes, kind: Callable[[bytes], Any]) -> None:
    assert Validator().validate(kind(genuine))


@pytest.mark.parametrize("data", [None, 1, [1], object()])
def test_misuse(data: Any) -> None:
    with pytest.raises(TypeError):
        Validator().validate(data)
    with pytest.raises(TypeError):
        Validator().verify_receipt(data)
    with pytest.raises(TypeError):
        Validator.from_policy(data)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"bundle_ids": "com.example"}, TypeError),
        ({"bundle_ids": [1]}, TypeError),
        ({"roots": "-----BEGIN CERTIFICATE-----"}, TypeError),
        ({"roots": [1]}, TypeError),
        ({"roots": ["no certificate"]}, PolicyError),
        ({"roots": [b"\x30\x03\x02\x01\x01"]}, PolicyError),
        ({"device_ids": ["not hexadecimal"]}, PolicyError),
        ({"max_age": timedelta(seconds=-1)}, PolicyError),
        ({"at": datetime(2024, 1, 1)}, ValueError),
    ],
)
def test_policies_that_mean_nothing(arguments: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        Validator(**arguments)


@pytest.mark.parametrize(
    "policy",
    [
        "",
        "[]",
        "null",
        "{",
        '{"bundle_id":["x"]}',
        '{"bundle_ids":"x"}',
        '{"bundle_ids":[1]}',
        '{"bundle_ids":null}',
        '{"bundle_ids":["x"],"bundle_ids":["y"]}',
        '{"accepts_sha1":1}',
        '{"max_age_seconds":1.5}',
        '{"max_age_seconds":99999999999}',
        '{"at":"yesterday"}',
        '{"roots":[""]}',
        b'{"bundle_ids":["\xff"]}',
        b"\xef\xbb\xbf{}",
        '{"bundle_ids":["\ud800"]}',
    ],
)
def test_policies_in_json_are_read_strictly(policy: str | bytes) -> None:
    with pytest.raises(PolicyError) as error:
        Validator.from_policy(policy)
    assert len(str(error.value)) > 10


def test_naive_dates_are_refused(genuine: bytes) -> None:
    with pytest.raises(ValueError, match="time zone"):
        Validator().validate(genuine, at=datetime(2024, 1, 1))


def test_verify_receipt(genuine: bytes) -> None:
    text = base64.b64encode(genuine).decode()
    now = datetime(2026, 1, 2, tzinfo=timezone.utc)
    sandbox = Validator(environments=["sandbox"]).verify_receipt(text, now=now)
    assert sandbox["status"] == 0 and sandbox["environment"] == "Sandbox"
    assert sandbox["receipt"]["bundle_id"] == "com.zhihu.test"
    assert sandbox["receipt"]["request_date_ms"] == str(int(now.timestamp() * 1000))
    assert "rejection" not in sandbox
    assert Validator(environments=["production"]).verify_receipt(text)["status"] == 21007
    other = Validator(bundle_ids=["com.example.other"]).verify_receipt(text)
    assert other["status"] == 0 and other["rejection"] == "bundle-identifier-mismatch"
    assert Validator().verify_receipt("no receipt")["status"] == 21002
    edited = genuine.replace(b"com.zhihu.test", b"com.zhihu.tesT", 1)
    assert Validator().verify_receipt(base64.b64encode(edited).decode())["status"] == 21003
    assert Validator().verify_receipt(base64.b64encode(edited).decode(), as_observed=True)["status"] == 21002


def test_pickles(genuine: bytes) -> None:
    validator = pickle.loads(pickle.dumps(Validator(bundle_ids=["com.zhihu.test"])))
    result = validator.validate(genuine)
    again = pickle.loads(pickle.dumps(result))
    assert result and again and again.json == result.json


def test_threads(genuine: bytes) -> None:
    validator = Validator()
    edited = genuine.replace(b"com.zhihu.test", b"com.zhihu.tesT", 1)

    def check(index: int) -> bool:
        data = edited if index % 3 == 0 else genuine
        result: Result = validator.validate(data)
        return bool(result) == (index % 3 != 0) and (index % 10 != 0 or result.kind == "app-receipt")

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(check, range(4000)))


def test_fork_while_threads_validate(genuine: bytes) -> None:
    validator = Validator()
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            validator.validate(genuine)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(50):
            child = os.fork()
            if child == 0:
                # Nothing may come between here and the end of the child.
                os._exit(0 if validator.validate(genuine) and Validator().validate(genuine) else 1)
            _, status = os.waitpid(child, 0)
            assert os.waitstatus_to_exitcode(status) == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_memory_stays_flat(genuine: bytes) -> None:
    def cycle(count: int) -> int:
        for _ in range(count):
            Validator(bundle_ids=["com.zhihu.test"]).validate(genuine).json
        gc.collect()
        return resident()

    cycle(300)
    before = cycle(100)
    assert cycle(1500) - before < 4 << 20


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def test_version() -> None:
    assert appstorereceipt.__version__.count(".") == 2
