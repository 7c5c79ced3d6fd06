"""Decides whether what Apple signs is genuine and wanted."""

from __future__ import annotations

import base64
import ctypes
import json
from datetime import datetime, timedelta, timezone
from typing import Any, Iterable, Union

from . import _library
from ._result import Result

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_validate = _library.validate

#: PEM of one or more certificates, or the DER of one.
Certificate = Union[str, bytes]


class PolicyError(ValueError):
    """The policy says something that it cannot mean: a certificate that is none, a device that is none."""


class InternalError(RuntimeError):
    """libcrypto or memory failed, which says nothing about any receipt."""


class Validator:
    """A policy, and what was learnt of certificates under it. Immutable; share one between all threads.

    Every expectation that is left out expects nothing, and an empty one is met by nothing.

    :param bundle_ids: The apps whose receipts count, compared exactly.
    :param environments: ``production``, ``sandbox``, ``xcode``. **Without it, receipts of the sandbox, where nobody pays,
        are valid.**
    :param app_versions: Versions of the app.
    :param device_ids: UUIDs, MAC addresses or hexadecimal digits, of which one must fit the receipt's hash.
    :param product_ids: Products all of which must be among the purchases, and count: not cancelled, and of a subscription
        a period that has not ended at the date given to :meth:`validate`.
    :param transaction_ids: Transactions all of which must be among the purchases, and count.
    :param app_apple_ids: Numbers in the App Store, of which an app transaction or notification of production must name one.
    :param account_tokens: UUIDs of which a transaction of StoreKit 2 must name one (``appAccountToken``).
    :param attested_apps: Of an App Attest receipt, ``TEAMID.bundle.identifier``.
    :param attested_keys: Of an App Attest receipt, identifiers of keys in base64.
    :param attested_receipt_types: Of an App Attest receipt, ``ATTEST`` or ``RECEIPT``.
    :param accepts_purchases_that_do_not_count: Whether those may be cancelled or have ended.
    :param max_age: How old a receipt may be at the date given to :meth:`validate`.
    :param accepts_sha1: Whether signatures with SHA-1 count; every receipt before 2023 has one.
    :param accepts_unsigned_environment: Whether the environment that an iOS 6-style receipt states outside its signature
        is believed.
    :param roots: Certificates that replace the built-in roots of Apple.
    :param direct_signers: Certificates that sign by themselves, as those of Xcode do.
    :param intermediates: Certificates for receipts that carry none.
    :param at: When certificates must be valid, and the current date; by default each receipt's own date.
    :raises PolicyError: for what the policy cannot mean.
    """

    __slots__ = ("_pointer", "_policy")

    def __init__(
        self,
        *,
        bundle_ids: Iterable[str] | None = None,
        environments: Iterable[str] | None = None,
        app_versions: Iterable[str] | None = None,
        device_ids: Iterable[str] | None = None,
        product_ids: Iterable[str] | None = None,
        transaction_ids: Iterable[str] | None = None,
        app_apple_ids: Iterable[int | str] | None = None,
        account_tokens: Iterable[str] | None = None,
        attested_apps: Iterable[str] | None = None,
        attested_keys: Iterable[str] | None = None,
        attested_receipt_types: Iterable[str] | None = None,
        max_age: timedelta | None = None,
        accepts_purchases_that_do_not_count: bool = False,
        accepts_sha1: bool = True,
        accepts_unsigned_environment: bool = False,
        roots: Iterable[Certificate] | None = None,
        direct_signers: Iterable[Certificate] | None = None,
        intermediates: Iterable[Certificate] | None = None,
        at: datetime | None = None,
    ) -> None:
        self._pointer: int | None = None
        policy: dict[str, Any] = {}
        for name, strings in (
            ("bundle_ids", bundle_ids),
            ("environments", environments),
            ("app_versions", app_versions),
            ("device_ids", device_ids),
            ("product_ids", product_ids),
            ("transaction_ids", transaction_ids),
            ("app_apple_ids", None if app_apple_ids is None else [str(number) for number in app_apple_ids]),
            ("account_tokens", account_tokens),
            ("attested_apps", attested_apps),
            ("attested_keys", attested_keys),
            ("attested_receipt_types", attested_receipt_types),
        ):
            if strings is not None:
                policy[name] = _strings(name, strings)
        for name, certificates in (
            ("roots", roots),
            ("direct_signers", direct_signers),
            ("intermediates", intermediates),
        ):
            if certificates is not None:
                policy[name] = _certificates(name, certificates)
        if max_age is not None:
            policy["max_age_seconds"] = max_age // timedelta(seconds=1)
        policy["accepts_purchases_that_do_not_count"] = accepts_purchases_that_do_not_count
        policy["accepts_sha1"] = accepts_sha1
        policy["accepts_unsigned_environment"] = accepts_unsigned_environment
        if at is not None:
            date = _aware(at).astimezone(timezone.utc).isoformat(timespec="milliseconds")
            policy["at"] = date.replace("+00:00", "Z")
        self._make(json.dumps(policy).encode())

    @classmethod
    def from_policy(cls, policy: str | bytes) -> Validator:
        """A validator from a policy in JSON, whose members ``appstorereceipt.h`` lists; one that is unknown is an error."""
        if not isinstance(policy, (str, bytes)):
            raise TypeError(f"policy must be str or bytes, not {type(policy).__name__}")
        validator = cls.__new__(cls)
        validator._pointer = None
        validator._make(_utf8(policy))
        return validator

    def _make(self, policy: bytes) -> None:
        self._policy = policy
        error = ctypes.c_void_p()
        pointer = _library.validator_create(policy, len(policy), ctypes.byref(error))
        if not pointer:
            try:
                text = ctypes.string_at(error.value).decode() if error.value else "there is no memory"
            finally:
                _library.free(error)
            raise InternalError(text) if text.startswith("internal error") else PolicyError(text)
        self._pointer = pointer

    def validate(self, data: str | bytes, at: datetime | None = None) -> Result:
        """Decides about one input.

        :param data: The bytes of a receipt or its text: base64 in any state of repair, or JSON around one.
        :param at: When certificates must be valid, and the current date, in place of the policy's.
        :raises TypeError: for data that is neither text nor bytes. Whatever is in it, there is a result.
        :raises InternalError: when libcrypto fails, which says nothing about the receipt.
        """
        if isinstance(data, str):
            data = data.encode("utf-8", "surrogatepass")
        elif not isinstance(data, bytes):
            if not isinstance(data, (bytearray, memoryview)):
                raise TypeError(f"data must be str or bytes, not {type(data).__name__}")
            data = bytes(data)
        date = _library.NO_DATE if at is None else _milliseconds(at)
        status = _validate(self._pointer, data, len(data), date, _library.JSON_NONE, None, None)
        if status > _library.UNDECODABLE:
            raise InternalError("libcrypto or memory failed")
        return Result(self, data, date, status)

    def verify_receipt(
        self, receipt_data: str | bytes, *, now: datetime | None = None, as_observed: bool = False
    ) -> dict[str, Any]:
        """Answers as Apple's verifyReceipt endpoint would, from what the receipt itself says.

        Status 0 says that the receipt is genuine. Where it is not what the validator expects, the key ``rejection``, which
        Apple's answers do not have, is the reason.

        :param receipt_data: The text of the request's ``receipt-data``.
        :param now: Shown as ``request_date``, and the date at which something may have expired; by default the clock's.
        :param as_observed: Answers as the endpoint was seen to do, where that is not as documented.
        """
        answer: dict[str, Any] = json.loads(self.verify_receipt_json(receipt_data, now=now, as_observed=as_observed))
        return answer

    def verify_receipt_json(
        self, receipt_data: str | bytes, *, now: datetime | None = None, as_observed: bool = False
    ) -> bytes:
        """The same as JSON, UTF-8."""
        if not isinstance(receipt_data, (str, bytes)):
            raise TypeError(f"receipt_data must be str or bytes, not {type(receipt_data).__name__}")
        data = _utf8(receipt_data)
        text = _library.Text()
        status = _library.verify_receipt(
            self._pointer,
            data,
            len(data),
            _milliseconds(now or datetime.now(timezone.utc)),
            _library.AS_OBSERVED if as_observed else _library.AS_DOCUMENTED,
            ctypes.byref(text.pointer),
            ctypes.byref(text.length),
        )
        if status == _library.MISUSE:
            raise ValueError("receipt_data is longer than 64 MiB")
        if status > _library.UNDECODABLE:
            raise InternalError("libcrypto or memory failed")
        return text.take()

    def _write(self, data: bytes, date: int, form: int) -> bytes:
        text = _library.Text()
        status = _validate(
            self._pointer, data, len(data), date, form, ctypes.byref(text.pointer), ctypes.byref(text.length)
        )
        if status > _library.UNDECODABLE:
            raise InternalError("libcrypto or memory failed")
        return text.take()

    def __del__(self) -> None:
        pointer = getattr(self, "_pointer", None)
        if pointer:
            self._pointer = None
            _library.validator_free(pointer)

    def __reduce__(self) -> tuple[Any, ...]:
        return Validator.from_policy, (self._policy,)

    def __repr__(self) -> str:
        return f"Validator.from_policy({self._policy.decode()!r})"


def _utf8(text: str | bytes) -> bytes:
    """Text that is no Unicode stays what it is, and is refused below by name."""
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def _strings(name: str, values: Iterable[str]) -> list[str]:
    if isinstance(values, (str, bytes)):
        raise TypeError(f"{name} must be several strings, not one: write [{values!r}]")
    strings = list(values)
    for value in strings:
        if not isinstance(value, str):
            raise TypeError(f"{name} must be strings, not {type(value).__name__}")
    return strings


def _certificates(name: str, values: Iterable[Certificate]) -> list[str]:
    if isinstance(values, (str, bytes)):
        raise TypeError(f"{name} must be several certificates: put the one into a list")
    texts: list[str] = []
    for value in values:
        if isinstance(value, str):
            texts.append(value)
        elif not isinstance(value, bytes):
            raise TypeError(f"{name} must be PEM or DER, not {type(value).__name__}")
        elif value[:1] == b"\x30":
            texts.append(base64.b64encode(value).decode())
        else:
            texts.append(value.decode("ascii", "replace"))
    return texts


def _aware(date: datetime) -> datetime:
    if not isinstance(date, datetime):
        raise TypeError(f"a date must be a datetime, not {type(date).__name__}")
    if date.utcoffset() is None:
        raise ValueError("a date needs a time zone, such as datetime.timezone.utc")
    return date


def _milliseconds(date: datetime) -> int:
    return (_aware(date) - _EPOCH) // timedelta(milliseconds=1)
