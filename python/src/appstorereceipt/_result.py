"""What was found out about one input."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from . import _library

if TYPE_CHECKING:
    from ._validator import Validator

_VERDICTS = {
    _library.VALID: "valid",
    _library.REJECTED: "rejected",
    _library.UNDECODABLE: "undecodable",
}
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class Result:
    """The verdict on one input, and what the input says.

    Only :attr:`verdict` is there at once. Everything else is read from the report, the JSON of ``receipt-dump``, which is
    made when it is first asked for. **What a rejected input says was not verified**: it is what somebody claims.

    A result is true when its verdict is ``valid``.
    """

    __slots__ = ("_at", "_input", "_json", "_report", "_status", "_validator")

    def __init__(self, validator: Validator, data: bytes, at: int, status: int) -> None:
        self._validator = validator
        self._input = data
        self._at = at
        self._status = status
        self._json: bytes | None = None
        self._report: dict[str, Any] | None = None

    @property
    def verdict(self) -> str:
        """``valid``, ``rejected``, or ``undecodable``: it is no receipt, or not a whole one."""
        return _VERDICTS[self._status]

    def __bool__(self) -> bool:
        return self._status == _library.VALID

    @property
    def json(self) -> bytes:
        """The report as one line of JSON, UTF-8."""
        if self._json is None:
            self._json = self._validator._write(self._input, self._at, _library.JSON_WHOLE)
        return self._json

    @property
    def pretty_json(self) -> bytes:
        """The report as ``receipt-dump --format json`` prints it."""
        return self._validator._write(self._input, self._at, _library.JSON_PRETTY) + b"\n"

    @property
    def brief_json(self) -> bytes:
        """The verdict and the identifiers, as one line of JSON."""
        return self._validator._write(self._input, self._at, _library.JSON_BRIEF)

    @property
    def report(self) -> Mapping[str, Any]:
        """The report as Python's own parser reads it. Its keys are those of receipt-dump's JSON."""
        if self._report is None:
            self._report = json.loads(self.json)
        return self._report

    @property
    def kind(self) -> str:
        """What the input is, such as ``app-receipt`` or ``transaction-receipt``."""
        return str(self.report["kind"])

    @property
    def reason(self) -> str | None:
        """A stable word such as ``signature-mismatch``; None for what is valid."""
        return self._string("reason")

    @property
    def message(self) -> str:
        """A sentence for people. It may quote the input."""
        return str(self.report["message"])

    @property
    def advice(self) -> str | None:
        """What to do about it, where there is something to say."""
        return self._string("advice") or self._string("likely")

    @property
    def status(self) -> int | None:
        """verifyReceipt's status for it."""
        value = self.report.get("status")
        return None if value is None else int(value)

    @property
    def checks(self) -> Sequence[Mapping[str, str]]:
        """Every check in order: ``name``, ``outcome`` (passed, failed, not-run) and ``detail``."""
        return list(self.report.get("checks") or [])

    @property
    def receipt(self) -> Mapping[str, Any] | None:
        """The receipt with verifyReceipt's names; None for what is no receipt."""
        return self._object("receipt")

    @property
    def payload(self) -> Mapping[str, Any] | None:
        """The signed JSON of a JWS, or the fields of an App Attest receipt; None for receipts."""
        return self._object("payload")

    @property
    def transaction(self) -> Mapping[str, Any] | None:
        """The report on the transaction inside a notification."""
        return self._object("transaction")

    @property
    def renewal_info(self) -> Mapping[str, Any] | None:
        """The report on the renewal information inside a notification."""
        return self._object("renewal_info")

    @property
    def purchases(self) -> Sequence[Purchase]:
        """The purchases of whatever holds some: a receipt's ``in_app``, or the one that a transaction is."""
        receipt = self.receipt
        if receipt is not None:
            if self.kind == "transaction-receipt":
                return [Purchase.from_receipt(receipt)]
            return [Purchase.from_receipt(purchase) for purchase in receipt.get("in_app") or []]
        transaction = self.transaction
        payload = transaction.get("payload") if transaction else self.payload
        if payload and "transactionId" in payload and "productId" in payload:
            return [Purchase.from_transaction(payload)]
        return []

    @property
    def subscriptions(self) -> Sequence[Mapping[str, Any]]:
        """One object per original transaction: from when to when it ran, and its gaps."""
        return list(self.report.get("subscriptions") or [])

    @property
    def certificates(self) -> Sequence[Mapping[str, Any]]:
        """The certificates that came with it. Being listed says nothing about being trusted."""
        return list(self.report.get("certificates") or [])

    def _string(self, name: str) -> str | None:
        value = self.report.get(name)
        return None if value is None else str(value)

    def _object(self, name: str) -> Mapping[str, Any] | None:
        value = self.report.get(name)
        return value if isinstance(value, dict) else None

    def __repr__(self) -> str:
        reason = f", reason={self.reason!r}" if self._status != _library.VALID else ""
        return f"<appstorereceipt.Result verdict={self.verdict!r}{reason}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Result, (self._validator, self._input, self._at, self._status)


@dataclass(frozen=True)
class Purchase:
    """One purchase or subscription period. What the document does not state is None."""

    product_id: str | None
    transaction_id: str | None
    original_transaction_id: str | None
    quantity: int | None
    purchase_date: datetime | None
    original_purchase_date: datetime | None
    expires_date: datetime | None
    #: When Apple refunded it, or ended it for an upgrade: from then on it does not count.
    cancellation_date: datetime | None
    #: Everything that the document says about it.
    fields: Mapping[str, Any]

    @classmethod
    def from_receipt(cls, fields: Mapping[str, Any]) -> Purchase:
        """From an object with verifyReceipt's names."""
        return cls(
            fields.get("product_id"),
            fields.get("transaction_id"),
            fields.get("original_transaction_id"),
            _number(fields.get("quantity")),
            _date(fields.get("purchase_date")),
            _date(fields.get("original_purchase_date")),
            _date(fields.get("expires_date")),
            _date(fields.get("cancellation_date")),
            fields,
        )

    @classmethod
    def from_transaction(cls, fields: Mapping[str, Any]) -> Purchase:
        """From the payload of a signed transaction."""
        return cls(
            _text(fields.get("productId")),
            _text(fields.get("transactionId")),
            _text(fields.get("originalTransactionId")),
            _number(fields.get("quantity")),
            _instant(fields.get("purchaseDate")),
            _instant(fields.get("originalPurchaseDate")),
            _instant(fields.get("expiresDate")),
            _instant(fields.get("revocationDate")),
            fields,
        )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object) -> int | None:
    try:
        return int(value) if isinstance(value, (int, str)) else None
    except ValueError:
        return None


def _date(value: object) -> datetime | None:
    """An RFC 3339 date of the report; None also for a year that Python has none of."""
    if not isinstance(value, str):
        return None
    try:
        return datetime.fromisoformat(value[:-1] + "+00:00" if value.endswith("Z") else value)
    except ValueError:
        return None


def _instant(value: object) -> datetime | None:
    """Milliseconds since 1970."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    try:
        return _EPOCH + timedelta(milliseconds=value)
    except (OverflowError, ValueError):
        return None
