# Adds a task once, however often the request has to be sent: GALERI_KEY=gal_prod_… python3 retry.py
import json
import os
import time
import urllib.error
import urllib.request

API = "https://galeri.example/api/v1"


def write(method, path, body, headers):
    key = {"Authorization": f"Bearer {os.environ['GALERI_KEY']}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{API}/{path}", json.dumps(body).encode(), {**key, **headers}, method=method)
    for attempt in range(1, 7):
        # Without a reply it is unknown whether the task was added. The same key makes it safe to retry.
        status, answered, error = None, {}, "no reply"
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)["data"], "Idempotent-Replayed" in response.headers
        except urllib.error.HTTPError as refusal:
            status, answered = refusal.code, refusal.headers
            error = json.load(refusal)["error"]
            if status != 429 and status < 500 and error["code"] != "idempotency_in_progress":
                raise RuntimeError(error)
        except OSError:
            pass
        if attempt < 6:
            time.sleep(int(answered.get("Retry-After", 2**attempt)))
    raise RuntimeError(error)


task = {"title": "Ruhsatı iste", "priority": "Yüksek"}
write("POST", "tasks", task, {"X-Dry-Run": "true"})  # checks everything, changes nothing
made, replayed = write("POST", "tasks", task, {"Idempotency-Key": "order-1042-papers"})
print(made["id"], "was there already" if replayed else "added")
