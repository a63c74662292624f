"""The isolated sandbox of an account (/sandbox/v1)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Union

if TYPE_CHECKING:
    from .client import Galeri

# A move of the clock returns when everything that became due is done.
_TIMEOUT_S = 180


class Sandbox:
    def __init__(self, client: "Galeri"):
        self._client = client

    def world(self) -> Dict[str, Any]:
        """Its data, clock, and counts against the ceilings."""
        return self._get("")

    def reset(self, data: str = "sample", keep_webhooks: bool = True) -> Dict[str, Any]:
        """
        A new sandbox under the same keys. The old one cannot be reached any more, nor can its ids, cursors and links.

        data: `sample`: cars, customers, sales and more to begin with; `empty`: branches, staff, membership and wallet only.
        """
        return self._post("/reset", {"data": data, "keep_webhooks": keep_webhooks})

    def clock(self) -> Dict[str, Any]:
        return self._get("/clock")

    def advance(self, duration: str) -> Dict[str, Any]:
        """By a duration: `30d`, `6h`, `45m`. Returns when everything that was due on the way is committed."""
        return self._post("/clock", {"advance": duration})

    def advance_to(self, to: Union[str, datetime]) -> Dict[str, Any]:
        """To a day, which is its first moment in the dealer's time zone, or to an instant."""
        return self._post("/clock", {"to": to.isoformat() if isinstance(to, datetime) else to})

    def rules(self) -> List[Dict[str, Any]]:
        """How the simulated side answers."""
        return self._get("/rules")

    def messages(self, query: Optional[Dict[str, Any]] = None) -> List[Dict[str, Any]]:
        """Mail and messages that production would have sent, newest first; the sandbox keeps the last 500."""
        return self._get("/messages", query)

    def _get(self, path: str, query: Optional[Dict[str, Any]] = None) -> Any:
        return self._client.send("GET", f"/sandbox/v1{path}", query=query, timeout=_TIMEOUT_S).data

    def _post(self, path: str, body: Dict[str, Any]) -> Any:
        return self._client.send("POST", f"/sandbox/v1{path}", body=body, timeout=_TIMEOUT_S).data
