"""Client of the Galeri API, for Python 3.9 and later, without dependencies."""

from .bid_chain import first_broken_bid, read_lot_bids
from .client import Attempt, File, Galeri, Reply
from .errors import (
    ApiError,
    Conflict,
    ConnectionFailed,
    ErrorDetail,
    InvalidRequest,
    NotAllowed,
    NotFound,
    NotTheApi,
    TooManyRequests,
    Unauthorized,
)
from .sandbox import Sandbox
from .types import ErrorCode, Event, EventType
from .version import VERSION
from .webhook import WebhookRefused, verify_webhook

__version__ = VERSION

__all__ = [
    "ApiError",
    "Attempt",
    "Conflict",
    "ConnectionFailed",
    "ErrorCode",
    "ErrorDetail",
    "Event",
    "EventType",
    "File",
    "Galeri",
    "InvalidRequest",
    "NotAllowed",
    "NotFound",
    "NotTheApi",
    "Reply",
    "Sandbox",
    "TooManyRequests",
    "Unauthorized",
    "VERSION",
    "WebhookRefused",
    "first_broken_bid",
    "read_lot_bids",
    "verify_webhook",
]
