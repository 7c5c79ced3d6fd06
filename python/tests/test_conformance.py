"""The reports are those of receipt-dump, byte for byte.

RECEIPT_DUMP names the tool; RECEIPT_CORPUS a folder with more receipts.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

import pytest

from appstorereceipt import Validator

from .conftest import FIXTURES

TOOL = os.environ.get("RECEIPT_DUMP", "")
needs_tool = pytest.mark.skipif(not TOOL, reason="RECEIPT_DUMP does not name receipt-dump")

ROOTS = [FIXTURES / "roots" / f"{name}.pem" for name in ("standard", "sha1", "xcode")]
PEM = [root.read_text() for root in ROOTS]
TOOL_ROOTS = [word for root in ROOTS for word in ("--root", str(root))]
POLICIES = {
    "apple": (Validator(), []),
    "forged roots": (Validator(roots=PEM), TOOL_ROOTS),
    "date": (
        Validator(roots=PEM, at=datetime(2025, 6, 15, tzinfo=timezone.utc)),
        [*TOOL_ROOTS, "--at", "2025-06-15T00:00:00Z"],
    ),
    "expectations": (
        Validator(
            roots=PEM,
            bundle_ids=["com.example.app"],
            environments=["Production", "SANDBOX"],
            product_ids=["com.example.app.coins"],
            device_ids=["E621E1F8-C36C-495A-93FC-0C247A3E6E5F"],
        ),
        TOOL_ROOTS
        + ["--bundle-id", "com.example.app", "--environment", "production", "--environment", "sandbox"]
        + ["--product-id", "com.example.app.coins", "--device-id", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"],
    ),
}


def inputs() -> list[bytes]:
    """Each vector's input, the genuine receipts, and the corpus where there is one."""
    found: list[bytes] = []
    for path in sorted((FIXTURES / "vectors").rglob("*.txt")):
        header, _, text = path.read_bytes().partition(b"\n\n")
        found.append(base64.b64decode(text))
        assert header
    folders = [FIXTURES / "genuine"]
    corpus = os.environ.get("RECEIPT_CORPUS")
    if corpus:
        folders += [Path(corpus) / name for name in ("receipts", "jws", "appattest")]
    for folder in folders:
        found += [path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()]
    return found


def lines(arguments: list[str], texts: list[bytes]) -> list[bytes]:
    command = [TOOL, "--lines", "--quiet", *arguments]
    run = subprocess.run(command, input=b"".join(text + b"\n" for text in texts), stdout=subprocess.PIPE, check=True)
    return run.stdout.splitlines()


@needs_tool
@pytest.mark.parametrize("policy", POLICIES)
def test_reports(policy: str) -> None:
    validator, arguments = POLICIES[policy]
    texts = [base64.b64encode(data) for data in inputs() if data]
    whole = lines(arguments, texts)
    brief = lines([*arguments, "--brief"], texts)
    assert len(whole) == len(brief) == len(texts) > 600
    verdicts = set()
    for text, expected, expected_brief in zip(texts, whole, brief):
        result = validator.validate(text)
        assert b'{"id":null,' + result.json[1:] == expected
        assert b'{"id":null,' + result.brief_json[1:] == expected_brief
        assert result.verdict == json.loads(expected)["verdict"]
        verdicts.add(result.verdict)
    assert verdicts >= {"rejected", "undecodable"}


@needs_tool
@pytest.mark.parametrize("arguments", [[], ["--at", "2016-08-01T00:00:00Z"], ["--bundle-id", "com.example.other"]])
def test_command(arguments: list[str], tmp_path: Path) -> None:
    broken = tmp_path / "broken.txt"
    broken.write_bytes(b"TUlJVA" + bytes(range(256)))
    for path in (FIXTURES / "genuine" / "sandbox-2016.b64", FIXTURES / "genuine" / "sandbox-2016.der", broken):
        expected = subprocess.run([TOOL, "--format", "json", *arguments, str(path)], stdout=subprocess.PIPE)
        command = [sys.executable, "-m", "appstorereceipt", *arguments, str(path)]
        found = subprocess.run(command, stdout=subprocess.PIPE)
        assert found.stdout == expected.stdout
        assert found.returncode == expected.returncode


@needs_tool
def test_version() -> None:
    tool = subprocess.run([TOOL, "--version"], stdout=subprocess.PIPE, check=True, text=True).stdout
    command = [sys.executable, "-m", "appstorereceipt", "--version"]
    assert subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout.split()[1] == tool.split()[1]
