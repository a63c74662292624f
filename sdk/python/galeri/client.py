"""The client: requests with retries, walks of lists, uploads."""

from __future__ import annotations

import http.client
import json
import mimetypes
import os
import random
import re
import secrets
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Callable, Dict, Iterator, Mapping, NamedTuple, Optional, Tuple, Union

from .errors import ApiError, ConnectionFailed, error_of, not_the_api
from .sandbox import Sandbox
from .version import VERSION

Query = Mapping[str, Any]
Body = Mapping[str, Any]

_RETRIED = (429, 500, 502, 503, 504)
_MAX_WAIT_S = 60


@dataclass(frozen=True)
class File:
    """A file to upload: `form={"file": File.at("front.jpg"), "caption": "Ön"}`."""

    content: bytes
    name: str
    type: str = "application/octet-stream"
    """The media type; the service also looks at the content."""

    @classmethod
    def at(cls, path: Union[str, "os.PathLike[str]"]) -> "File":
        name = os.path.basename(os.fspath(path))
        with open(path, "rb") as file:
            return cls(file.read(), name, mimetypes.guess_type(name)[0] or "application/octet-stream")


@dataclass(frozen=True)
class Reply:
    status: int
    data: Any
    meta: Mapping[str, Any]
    headers: Mapping[str, str]
    """By names in lower case."""

    @property
    def etag(self) -> Optional[str]:
        return self.headers.get("etag")

    @property
    def is_replayed(self) -> bool:
        """True where the key had been answered before: this is the first reply once more."""
        return self.headers.get("idempotent-replayed") == "true"

    @property
    def request_id(self) -> Optional[str]:
        return self.headers.get("x-request-id")

    @property
    def next_cursor(self) -> Optional[str]:
        """Of the next page of a walk; None at its end."""
        found = re.search(r'<([^<>]+)>;\s*rel="next"', self.headers.get("link", ""))
        if found is None:
            return None
        return urllib.parse.parse_qs(urllib.parse.urlsplit(found[1]).query).get("cursor", [None])[0]


class Attempt(NamedTuple):
    """What the hooks are called with. The key is in none of them."""

    method: str
    url: str
    number: int
    """From 1."""
    status: Optional[int] = None
    failure: Optional[Exception] = None
    seconds: Optional[float] = None
    """How long the reply took, or how long the client waits before the next attempt."""


Hook = Callable[[Attempt], None]
# Takes the request and the time limit in seconds; answers status, headers and content.
Transport = Callable[[urllib.request.Request, float], Tuple[int, Mapping[str, str], bytes]]


class Galeri:
    """
    >>> galeri = Galeri(key="gal_prod_…", url="https://galeri.example")
    >>> for vehicle in galeri.each("vehicles", {"status": "Stokta"}): print(vehicle["plate"])
    """

    def __init__(
        self,
        key: str,
        url: str,
        *,
        language: str = "en",
        timeout: float = 30,
        max_retries: int = 4,
        user_agent: str = "",
        transport: Optional[Transport] = None,
        on_request: Optional[Hook] = None,
        on_reply: Optional[Hook] = None,
        on_retry: Optional[Hook] = None,
    ):
        """
        url: `https://galeri.example`, with or without `/api/v1`.
        timeout: seconds for each attempt.
        max_retries: how often a request is sent again after a 429, a 500, 502, 503 or 504, or a broken connection.
        user_agent: named before the client itself: `our-erp/4.2`.
        transport: instead of urllib: with a proxy, with a pool of connections, in a test.
        """
        if not key:
            raise ValueError("the key is empty")
        # http.client would print the key in its own error.
        if re.search(r"\s", key):
            raise ValueError("the key contains a space or line break")
        if not re.match(r"https?://", url):
            raise ValueError("url begins with http:// or https://")
        self._key = key
        # The documentation shows the base URL with the path of the API.
        self._url = re.sub(r"/api/v1$", "", url.rstrip("/"))
        self._language = language
        self._timeout = timeout
        self._max_retries = max_retries
        self._user_agent = f"{user_agent} galeri-python/{VERSION}".lstrip()
        self._transport = transport or _send
        self._on_request, self._on_reply, self._on_retry = on_request, on_reply, on_retry
        self.sandbox = Sandbox(self)
        """The isolated sandbox of the account. Only with a sandbox key, on services that have it."""

    def __repr__(self) -> str:
        return f"Galeri(url={self._url!r})"

    def get(self, path: str, query: Optional[Query] = None, *, timeout: Optional[float] = None) -> Any:
        return self.send("GET", path, query=query, timeout=timeout).data

    def get_if_changed(
        self, path: str, etag: Optional[str], query: Optional[Query] = None, *, timeout: Optional[float] = None
    ) -> Optional[Reply]:
        """A conditional read: None while the reply still has this ETag."""
        headers = {} if etag is None else {"If-None-Match": etag}
        reply = self.send("GET", path, query=query, headers=headers, timeout=timeout)
        return None if reply.status == 304 else reply

    def each(self, path: str, query: Optional[Query] = None, *, timeout: Optional[float] = None) -> Iterator[Any]:
        """
        Every record of a list, page by page, by a cursor: records that exist during the whole walk come exactly once.
        With `updated_since`: every record that changed since, oldest change first, at least once.
        """
        cursor: Optional[str] = "start"
        while cursor is not None:
            # Records with others in them come on shorter pages.
            page = {"limit": 50 if "include" in (query or {}) else 100, **(query or {}), "cursor": cursor}
            reply = self.send("GET", path, query=page, timeout=timeout)
            if not isinstance(reply.data, list):
                raise TypeError(f"{path} is not a list")
            yield from reply.data
            cursor = reply.next_cursor

    def post(self, path: str, body: Optional[Body] = None, **options: Any) -> Any:
        """Options as of `send`: form, query, idempotency_key, dry_run, if_match, timeout."""
        return self.send("POST", path, body=body, **options).data

    def patch(self, path: str, body: Body, **options: Any) -> Any:
        return self.send("PATCH", path, body=body, **options).data

    def delete(self, path: str, **options: Any) -> Any:
        return self.send("DELETE", path, **options).data

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Query] = None,
        body: Optional[Body] = None,
        form: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        dry_run: bool = False,
        if_match: Optional[str] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Reply:
        """
        One request with its whole reply. A write carries an Idempotency-Key, the same for every try, so that it happens once however
        often it is sent.

        path: of the API (`vehicles`), or of another part of the service from its beginning (`/sandbox/v1/clock`).
        form: instead of a body, for endpoints that take a `File`.
        idempotency_key: your own name for the operation, where it must survive the end of your program.
        dry_run: every check is made and the would-be result answered; nothing is written.
        if_match: the ETag of the record as it was read: a record that has changed since is refused with 412.
        """
        sent: Dict[str, str] = {
            "Authorization": f"Bearer {self._key}",
            "Accept": "application/json",
            "Accept-Language": self._language,
            "User-Agent": self._user_agent,
            **(headers or {}),
        }
        if method != "GET":
            sent["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        if dry_run:
            sent["X-Dry-Run"] = "true"
        if if_match is not None:
            sent["If-Match"] = if_match
        kind, content = _encoded(body, form)
        if kind is not None:
            sent["Content-Type"] = kind
        url = self._address(path, query)
        return self._until_answered(lambda: urllib.request.Request(url, content, sent, method=method), timeout)

    def _address(self, path: str, query: Optional[Query]) -> str:
        begin = path if path.startswith("/sandbox/v1") else "/api/v1/" + path.lstrip("/")
        pairs = [(name, _text(value)) for name, value in (query or {}).items() if value is not None]
        return self._url + begin + ("?" + urllib.parse.urlencode(pairs) if pairs else "")

    def _until_answered(self, made: Callable[[], urllib.request.Request], timeout: Optional[float]) -> Reply:
        number = 0
        while True:
            number += 1
            request = made()
            wait = 2 ** (number - 1) * random.uniform(0.05, 0.1)
            failure: Exception
            try:
                return self._once(request, number, self._timeout if timeout is None else timeout)
            except ApiError as error:
                if error.status not in _RETRIED and error.code != "idempotency_in_progress":
                    raise
                failure = error
                if error.retry_after is not None:
                    wait = min(_MAX_WAIT_S, max(1, error.retry_after))
            except (OSError, http.client.HTTPException, _Truncated) as error:
                failure = ConnectionFailed(f"no answer from {self._url}")
                failure.__cause__ = error
            if number > self._max_retries:
                raise failure
            if self._on_retry:
                self._on_retry(Attempt(request.get_method(), request.full_url, number, failure=failure, seconds=wait))
            time.sleep(wait)

    def _once(self, request: urllib.request.Request, number: int, timeout: float) -> Reply:
        about = Attempt(request.get_method(), request.full_url, number)
        if self._on_request:
            self._on_request(about)
        began = time.monotonic()
        status, given, content = self._transport(request, timeout)
        headers = {name.lower(): value for name, value in given.items()}
        if self._on_reply:
            self._on_reply(about._replace(status=status, seconds=time.monotonic() - began))
        if status == 304:
            return Reply(status, None, {}, headers)
        if not re.match(r"application/json\b", headers.get("content-type", ""), re.IGNORECASE):
            raise not_the_api(status, headers, content.decode("utf-8", "replace"))
        try:
            envelope = json.loads(content)
        except ValueError:
            raise _Truncated() from None
        if 200 <= status < 300:
            return Reply(status, envelope.get("data"), envelope.get("meta") or {}, headers)
        raise error_of(status, envelope.get("error") or {}, headers)


class _Truncated(Exception):
    """A truncated reply counts as no reply."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """A redirect would carry the key to another address."""


def _send(request: urllib.request.Request, timeout: float) -> Tuple[int, Mapping[str, str], bytes]:
    opener = urllib.request.build_opener(_NoRedirect, urllib.request.HTTPSHandler(context=ssl.create_default_context()))
    try:
        with opener.open(request, timeout=timeout) as response:
            return response.status, _joined(response.headers), response.read()
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, _joined(refusal.headers), refusal.read()


def _joined(headers: Any) -> Dict[str, str]:
    """A header that is sent twice has both values."""
    return {name.lower(): ", ".join(headers.get_all(name)) for name in headers.keys()}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError("a datetime needs a time zone")
        return value.astimezone(timezone.utc).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
    return ",".join(_text(one) for one in value) if isinstance(value, (list, tuple)) else str(value)


def _encoded(body: Optional[Body], form: Optional[Mapping[str, Any]]) -> Tuple[Optional[str], Optional[bytes]]:
    if form is None:
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        return ("application/json", content) if content is not None else (None, None)
    if body is not None:
        raise ValueError("give either body or form")
    boundary = "galeri-" + secrets.token_hex(16)
    parts = b"".join(_part(boundary, name, value) for name, value in form.items() if value is not None)
    return f"multipart/form-data; boundary={boundary}", parts + f"--{boundary}--\r\n".encode()


def _part(boundary: str, name: str, value: Any) -> bytes:
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="{_quoted(name)}"'
    if not isinstance(value, File):
        if name == "file" or hasattr(value, "read"):
            raise TypeError("a file is sent as File.at(path) or File(content, name)")
        return f"{head}\r\n\r\n{_text(value)}\r\n".encode()
    if "\r" in value.type or "\n" in value.type:
        raise ValueError("a media type is one line")
    return f'{head}; filename="{_quoted(value.name)}"\r\nContent-Type: {value.type}\r\n\r\n'.encode() + value.content + b"\r\n"


def _quoted(name: str) -> str:
    """As browsers write names in forms."""
    return name.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
