"""Verifies a received webhook as defined by Standard Webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Mapping, Sequence, Union, cast

from .types import Event


class WebhookRefused(Exception):
    """Answer 400."""


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, str],
    secrets: Union[str, Sequence[str]],
    tolerance_seconds: int = 300,
) -> Event:
    """
    The event, or `WebhookRefused`: then answer 400.

    body: as received, before it is parsed.
    secrets: `whsec_…`; two while a secret is being changed.
    """
    content = body.encode() if isinstance(body, str) else body
    by_name = {name.lower(): value for name, value in headers.items()}
    event_id, timestamp, given = (by_name.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not event_id or not given or not (timestamp.isascii() and timestamp.isdigit()):
        raise WebhookRefused("headers are missing")
    if abs(time.time() - int(timestamp)) > tolerance_seconds:
        raise WebhookRefused("the timestamp is too far from now")
    signed = f"{event_id}.{timestamp}.".encode() + content
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        expected = b"v1," + base64.b64encode(hmac.new(_bytes_of(secret), signed, hashlib.sha256).digest())
        for one in given.split(" "):
            if hmac.compare_digest(expected, one.encode("utf-8", "replace")):
                return cast(Event, json.loads(content))
    raise WebhookRefused("no signature matches")


def _bytes_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[6:] if secret.startswith("whsec_") else secret, validate=True)
    except binascii.Error:
        key = b""
    # Anyone can sign with an empty key.
    if not key:
        raise ValueError("a secret is whsec_ and base64")
    return key
