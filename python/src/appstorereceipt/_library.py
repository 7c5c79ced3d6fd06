"""The C library, as appstorereceipt.h declares it. ctypes releases the GIL during every call."""

from __future__ import annotations

import ctypes
from pathlib import Path

VALID, REJECTED, UNDECODABLE, MISUSE, INTERNAL = 0, 1, 2, 64, 70
JSON_NONE, JSON_WHOLE, JSON_BRIEF, JSON_PRETTY = 0, 1, 2, 3
AS_DOCUMENTED, AS_OBSERVED = 0, 1
NO_DATE = -(2**63)

library = ctypes.CDLL(str(Path(__file__).with_name("libappstorereceipt.so.0")))

_text = ctypes.c_void_p  # not c_char_p, which would be copied and then lost instead of being freed

version = library.asr_version
version.argtypes = []
version.restype = ctypes.c_char_p

validator_create = library.asr_validator_create
validator_create.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(_text)]
validator_create.restype = ctypes.c_void_p

validator_free = library.asr_validator_free
validator_free.argtypes = [ctypes.c_void_p]
validator_free.restype = None

validate = library.asr_validate
validate.argtypes = [
    ctypes.c_void_p,
    ctypes.c_char_p,
    ctypes.c_size_t,
    ctypes.c_int64,
    ctypes.c_int32,
    ctypes.POINTER(_text),
    ctypes.POINTER(ctypes.c_size_t),
]
validate.restype = ctypes.c_int32

verify_receipt = library.asr_verify_receipt
verify_receipt.argtypes = validate.argtypes
verify_receipt.restype = ctypes.c_int32

free = library.asr_free
free.argtypes = [ctypes.c_void_p]
free.restype = None


class Text:
    """Room for a text that the library hands out, and its length."""

    __slots__ = ("length", "pointer")

    def __init__(self) -> None:
        self.pointer = ctypes.c_void_p()
        self.length = ctypes.c_size_t()

    def take(self) -> bytes:
        """The text, whose memory is given back."""
        if not self.pointer.value:
            return b""
        try:
            return ctypes.string_at(self.pointer.value, self.length.value)
        finally:
            free(self.pointer)
            self.pointer = ctypes.c_void_p()
