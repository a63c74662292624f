"""The log of an auction's or a lot's bids: each bid is chained to the one before it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence

if TYPE_CHECKING:
    from .client import Galeri


def read_lot_bids(client: "Galeri", lot_id: str) -> Dict[str, Any]:
    """All bids of a lot, page by page, and the `chain_head` that belongs to the last of them: what `first_broken_bid` takes."""
    bids: List[Dict[str, Any]] = []
    cursor: Optional[str] = "0"
    lot: Dict[str, Any] = {}
    while cursor is not None:
        lot = client.get(f"live-auctions/lots/{lot_id}", {"bids_cursor": cursor})
        bids += lot["bids"]
        cursor = lot["bids_cursor"]
    return {"id": lot_id, "bids": bids, "chain_head": lot["chain_head"]}


def first_broken_bid(id: str, bids: Sequence[Mapping[str, Any]], chain_head: Optional[str] = None) -> Optional[int]:
    """
    The number of the first bid that was inserted, changed or removed; None where the log is whole.

    id: of the auction or lot.
    bids: all of them, in any order.
    chain_head: read after the bids: with it, bids that are missing at the end are found too.
    """
    link = _sha256(id.lower())
    for index, bid in enumerate(sorted(bids, key=lambda one: one["bid_seq"]), 1):
        link = _sha256("\n".join(str(part) for part in (link, *(bid[name] for name in _CHAINED))))
        if bid["bid_seq"] != index or bid["chain"] != link:
            return index
    return None if chain_head in (None, link) else len(bids) + 1


_CHAINED = ("bid_seq", "amount", "bidder_alias", "placed_at")


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
