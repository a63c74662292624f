# What an integrator does, through the Python client; prints what was seen as one JSON value.
import base64
import json
import os

from galeri import ApiError, File, Galeri

KEY, URL = os.environ["GALERI_KEY"], os.environ["GALERI_URL"]
client = Galeri(key=KEY, url=URL)
seen = {"live": {}, "refused": {}, "limits": []}

for path in ("vehicles", "customers", "account", "developer/usage", "developer/request-logs", "developer/rate-limit"):
    seen["live"][path] = client.send("GET", path).status

car = {
    "brand": "Škoda", "model": "Octavia «Combi»", "model_year": 2020, "km": 0, "fuel_type": "Dizel", "transmission": "Otomatik",
    "body_type": "Station Wagon", "color": "Gümüş", "plate": "PY 1", "city": "Girne", "price": "10250.50", "currency": "STG",
}
seen["dry"] = client.post("vehicles", car, dry_run=True)["plate"]
made = client.send("POST", "vehicles", body=car, idempotency_key="py-1")
again = client.send("POST", "vehicles", body=car, idempotency_key="py-1")
seen["made"] = [made.status, made.is_replayed, again.is_replayed, made.data["id"] == again.data["id"], made.data["price"]]
vehicle = f"vehicles/{made.data['id']}"
seen["edited"] = client.patch(vehicle, {"km": 12})["km"]
seen["dry_form"] = client.delete(vehicle, dry_run=True)["id"] == made.data["id"]


def refusal(ask):
    try:
        ask()
        return "nothing"
    except ApiError as error:
        field = error.details[0]["field"] if error.details else None
        return [type(error).__name__, error.status, error.code, error.param, field, bool(error.request_id)]


seen["refused"] = {
    "conflict": refusal(lambda: client.post("vehicles", car)),
    "invalid": refusal(lambda: client.post("vehicles", {**car, "plate": ""})),
    "absent": refusal(lambda: client.get("vehicles/00000000-0000-4000-8000-000000000000")),
    "parameter": refusal(lambda: client.get("vehicles", {"limit": 1000})),
    "key": refusal(lambda: Galeri(key="wrong", url=URL).get("account")),
    "stale": refusal(lambda: client.patch(vehicle, {"km": 14}, if_match='"stale"')),
}

photo = {"file": File(base64.b64decode(os.environ["PICTURE"]), 'front "1".jpg', "image/jpeg"), "caption": "Ön"}
shot = client.send("POST", f"{vehicle}/photos", form=photo, idempotency_key="py-photo")
seen["photo"] = [shot.status, shot.data["caption"]]

read = client.send("GET", vehicle)
client.patch(vehicle, {"km": 13})
changed = client.get_if_changed(vehicle, read.etag)
seen["conditional"] = [changed.data["km"], client.get_if_changed(vehicle, changed.etag)]

limited = Galeri(key=os.environ["LIMITED_KEY"], url=URL, max_retries=0)
for path in ("vehicles", "account", "account"):
    try:
        limited.get(path)
        seen["limits"].append("ok")
    except ApiError as error:
        seen["limits"].append([error.code, error.required_scope, (error.retry_after or 0) > 0])

seen["walk"] = [one["plate"] for one in client.each("vehicles", {"limit": 3, "city": "Lefkoşa"})]
try:
    list(client.each("account"))
except Exception as error:
    seen["not_a_list"] = type(error).__name__
print(json.dumps(seen))
