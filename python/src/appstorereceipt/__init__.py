"""Validates what Apple signs for servers, offline: App Store receipts of every age.

>>> validator = Validator(bundle_ids=["com.example.app"], environments=["production"])
>>> result = validator.validate("MIIT...")
>>> result.verdict
'undecodable'
"""

from . import _library
from ._result import Purchase, Result
from ._validator import Certificate, InternalError, PolicyError, Validator

__version__: str = _library.version().decode()
__all__ = ["Certificate", "InternalError", "PolicyError", "Purchase", "Result", "Validator", "__version__"]
