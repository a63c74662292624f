# Keeps a copy of a dealer's vehicles, sales with their installments, or collections in a file. Run it as often as you like, for
# example from cron; it can be killed at any time.
#   GALERI_KEY=… GALERI_URL=https://galeri.example python3 mirror.py vehicles.json [vehicles|sales|collections]
import json
import os
import sys

from galeri import Galeri

file = sys.argv[1] if len(sys.argv) > 1 else "vehicles.json"
kind = sys.argv[2] if len(sys.argv) > 2 else "vehicles"
# A change of an installment changes its sale.
only = {"include": "installments"} if kind == "sales" else {}
galeri = Galeri(key=os.environ["GALERI_KEY"], url=os.environ["GALERI_URL"])
copies = {}
if os.path.exists(file):
    with open(file, encoding="utf-8") as stored:
        copies = json.load(stored)


def newest_change(deleted):
    """Where to go on: changes come oldest first, so nothing older than the newest copy is missing."""
    return max((copy["updated_at"] for copy in copies.values() if copy["deleted"] == deleted), default="2000-01-01T00:00:00Z")


def save():
    """Whole or not at all. In a database of your own, a record is one row and saving it one statement."""
    with open(f"{file}.new", "w", encoding="utf-8") as stored:
        json.dump(copies, stored, ensure_ascii=False)
    os.replace(f"{file}.new", file)


# Sales and collections are never deleted.
for deleted in (False, True) if kind == "vehicles" else (False,):
    since = newest_change(deleted)
    read = 0
    for record in galeri.each(kind, {"updated_since": since, **only, **({"deleted": True} if deleted else {})}):
        # A record may come more than once, and may have been deleted or restored between the two walks: the newest state is kept.
        known = copies.get(record["id"])
        if known is None or known["updated_at"] <= record["updated_at"]:
            copies[record["id"]] = {**record, "deleted": deleted}
        read += 1
        if read % 100 == 0:
            save()
    save()
    print(f"{read} {'deleted' if deleted else 'live'} {kind} changed since {since}")
