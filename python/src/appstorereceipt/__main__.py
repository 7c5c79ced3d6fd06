"""python -m appstorereceipt FILE: prints what ``receipt-dump --format json FILE`` prints."""

from __future__ import annotations

import argparse
import sys
from datetime import datetime, timezone
from pathlib import Path

from . import InternalError, PolicyError, Validator, __version__


def main(arguments: list[str] | None = None) -> int:
    """0 valid, 1 rejected, 2 not decodable, 64 usage, 66 cannot read, 70 internal error."""
    parser = _parser()
    try:
        options = parser.parse_args(arguments)
    except SystemExit as stop:
        return 64 if stop.code else 0
    try:
        certificates = {name: [Path(path).read_bytes() for path in getattr(options, name)] for name in _FILES}
        data = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
    except OSError as error:
        print(f"appstorereceipt: cannot read {error.filename}: {error.strerror}", file=sys.stderr)
        return 66
    try:
        validator = Validator(
            bundle_ids=options.bundle_id or None,
            environments=options.environment or None,
            app_versions=options.app_version or None,
            device_ids=options.device_id or None,
            product_ids=options.product_id or None,
            transaction_ids=options.transaction_id or None,
            app_apple_ids=options.app_apple_id or None,
            account_tokens=options.account_token or None,
            attested_apps=options.attested_app or None,
            attested_keys=options.attested_key or None,
            roots=certificates["root"] or None,
            intermediates=certificates["intermediate"] or None,
            at=options.at,
        )
        result = validator.validate(data)
        sys.stdout.buffer.write(result.pretty_json)
        sys.stdout.buffer.flush()
        return {"valid": 0, "rejected": 1}.get(result.verdict, 2)
    except PolicyError as error:
        print(f"appstorereceipt: {error}", file=sys.stderr)
        return 64
    except InternalError as error:
        print(f"appstorereceipt: internal error: {error}", file=sys.stderr)
        return 70
    except BrokenPipeError:
        return 0


_FILES = ("root", "intermediate")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m appstorereceipt", description="Decides about one receipt and prints the report as JSON."
    )
    parser.add_argument("file", metavar="FILE", help="the receipt, or - for standard input")
    for name in _FILES:
        parser.add_argument(f"--{name}", action="append", default=[], metavar="FILE", help="a certificate, PEM or DER")
    expectations = ("bundle-id", "environment", "app-version", "device-id", "product-id", "transaction-id")
    for name in (*expectations, "app-apple-id", "account-token", "attested-app", "attested-key"):
        parser.add_argument(f"--{name}", action="append", default=[], metavar="ID", help="expect it; may be repeated")
    parser.add_argument("--at", type=_time, metavar="TIME", help="receipt (the default), now, or an RFC 3339 date")
    parser.add_argument("--version", action="version", version=f"appstorereceipt {__version__}")
    return parser


def _time(text: str) -> datetime | None:
    if text == "receipt":
        return None
    if text == "now":
        return datetime.now(timezone.utc)
    date = datetime.fromisoformat(text[:-1] + "+00:00" if text[-1:] in "Zz" else text)
    if date.tzinfo is None:
        raise ValueError("no time zone")
    return date


if __name__ == "__main__":
    sys.exit(main())
