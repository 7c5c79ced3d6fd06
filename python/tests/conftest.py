"""Where the project's own files are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

FIXTURES = Path(os.environ.get("RECEIPT_FIXTURES") or Path(__file__).resolve().parents[2] / "Fixtures")


@pytest.fixture(scope="session")
def fixtures() -> Path:
    return FIXTURES


@pytest.fixture(scope="session")
def genuine(fixtures: Path) -> bytes:
    """A receipt of the sandbox, from Apple."""
    return (fixtures / "genuine" / "sandbox-2016.der").read_bytes()
