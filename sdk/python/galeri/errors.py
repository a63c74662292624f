"""Errors of the client: replies that refuse a request, replies that are not the API's, and requests without a reply."""

from __future__ import annotations

import re
import time
from email.utils import parsedate_to_datetime
from typing import Any, List, Mapping, Optional, TypedDict


class ErrorDetail(TypedDict, total=False):
    field: str
    code: str
    message: str
    suggestion: str
    """The probable correct name of a misspelt field."""
    record_id: str
    """The other record that has this value, if the key may read it."""


class ConnectionFailed(Exception):
    """Nothing was answered; of a write it is not known whether it happened: send it again with the same idempotency key."""


class ApiError(Exception):
    """What the API refused. `code` never changes; the message is for people. For a code that you do not know, decide by the status."""

    def __init__(self, status: int, error: Mapping[str, Any], headers: Mapping[str, str]):
        super().__init__(f"{status} {error.get('code')}: {error.get('message')}{_in_brackets(error.get('details') or [])}")
        self.status = status
        self.code: str = error.get("code") or "unreadable_reply"
        self.message: str = error.get("message") or ""
        self.param: Optional[str] = error.get("param")
        self.details: List[ErrorDetail] = error.get("details") or []
        self.required_scope: Optional[str] = error.get("required_scope")
        """The scope that the key lacks."""
        self.doc_url: Optional[str] = error.get("doc_url")
        """The page about this code: what it means and what to do."""
        self.retry_after: Optional[int] = seconds_of(headers.get("retry-after"))
        """Seconds to wait before the same request is sent again."""
        self.request_id: Optional[str] = headers.get("x-request-id")
        """To be named when you ask for help."""


def _in_brackets(details: List[ErrorDetail]) -> str:
    """What is wrong with the first fields, so that a log shows it."""
    pairs = [(one.get("field", ""), one.get("message", "")) for one in details[:5]]
    texts = [message if field in message else f"{field}: {message}" for field, message in pairs]
    return f" ({'; '.join(texts)}{'; …' if len(details) > 5 else ''})" if texts else ""


class Unauthorized(ApiError):
    pass


class NotAllowed(ApiError):
    pass


class NotFound(ApiError):
    pass


class Conflict(ApiError):
    pass


class InvalidRequest(ApiError):
    pass


class TooManyRequests(ApiError):
    pass


class NotTheApi(ApiError):
    """The reply is not the API's: a page of a proxy, of a login, of another server."""


_KINDS = {
    400: InvalidRequest,
    401: Unauthorized,
    402: NotAllowed,
    403: NotAllowed,
    404: NotFound,
    409: Conflict,
    412: Conflict,
    413: InvalidRequest,
    415: InvalidRequest,
    422: InvalidRequest,
    429: TooManyRequests,
}


def error_of(status: int, error: Mapping[str, Any], headers: Mapping[str, str]) -> ApiError:
    return _KINDS.get(status, ApiError)(status, error, headers)


def not_the_api(status: int, headers: Mapping[str, str], text: str) -> NotTheApi:
    """Names what was received instead of JSON, so that it is not taken for a fault of the API."""
    what = [headers.get("content-type", "no content type").split(";")[0]]
    title = re.search(r"<title>([^<]{1,100})", text, re.IGNORECASE)
    if title:
        what.append(f'"{title[1].strip()}"')
    if "location" in headers:
        what.append(f"to {headers['location']}")
    message = (
        f"the reply is not the API's ({', '.join(what)}); it probably comes from a proxy in between, or the address is wrong"
    )
    return NotTheApi(status, {"code": "unreadable_reply", "message": message}, headers)


def seconds_of(header: Optional[str]) -> Optional[int]:
    """Seconds, or a date."""
    if not header:
        return None
    if header.strip().isdigit():
        return int(header)
    try:
        return max(0, round(parsedate_to_datetime(header).timestamp() - time.time()))
    except (TypeError, ValueError):
        return None
