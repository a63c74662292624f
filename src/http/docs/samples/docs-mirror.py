# Keeps a copy of the stock in mirror.json: the first run reads everything, each later one what has changed since.
# It may be stopped at any time; the next run continues where it stopped: GALERI_KEY=gal_prod_… python3 mirror.py
import json
import os
import re
import time
import urllib.error
import urllib.parse
import urllib.request

API = "https://galeri.example/api/v1"
FILE = "mirror.json"

mirror = {"since": {"changed": "2000-01-01", "deleted": "2000-01-01"}, "vehicles": {}}
if os.path.exists(FILE):
    with open(FILE) as file:
        mirror = json.load(file)


def get(url):
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {os.environ['GALERI_KEY']}"})
    try:
        with urllib.request.urlopen(request) as response:
            following = re.search(r'<([^<>]+)>; rel="next"', response.headers.get("Link", ""))
            return json.load(response)["data"], following and following[1]
    except urllib.error.HTTPError as refusal:
        if refusal.code not in (429, 503):
            raise RuntimeError(json.load(refusal)["error"])
        time.sleep(int(refusal.headers.get("Retry-After", 5)))
    return get(url)


def walk(kind, query, apply):
    first = {**query, "updated_since": mirror["since"][kind], "cursor": "start", "limit": 100}
    url = f"{API}/vehicles?{urllib.parse.urlencode(first)}"
    while url:
        vehicles, url = get(url)
        for vehicle in vehicles:
            apply(vehicle)
            mirror["since"][kind] = vehicle["updated_at"]  # the walk goes by updated_at
        with open(f"{FILE}.new", "w") as file:
            json.dump(mirror, file)
        os.replace(f"{FILE}.new", FILE)  # whole or not at all


walk("changed", {}, lambda vehicle: mirror["vehicles"].update({vehicle["id"]: vehicle}))
walk("deleted", {"deleted": "true"}, lambda vehicle: mirror["vehicles"].pop(vehicle["id"], None))
print(len(mirror["vehicles"]), "vehicles")
