# Passes what programs commonly pass; prints the errors as JSON.
import json
import os
from datetime import datetime, timedelta, timezone
from io import BytesIO

from galeri import Galeri, verify_webhook

url = os.environ["GALERI_URL"]
galeri = Galeri(key="gal_prod_x", url=f"{url}/api/v1/", max_retries=0)
given = json.loads(os.environ["DELIVERY"])


def refusal(work):
    try:
        work()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


at = datetime(2026, 11, 15, 12, 0, 0, 250000, tzinfo=timezone(timedelta(hours=3)))
galeri.get("vehicles", {"updated_since": at, "include": ["photos", "videos"]})
print(
    json.dumps(
        {
            "naive": refusal(lambda: galeri.get("vehicles", {"updated_since": datetime(2026, 11, 15)})),
            "key": refusal(lambda: Galeri(key="gal_prod_x\n", url=url)),
            "path": refusal(lambda: galeri.post("vehicles/1/photos", form={"file": "front.jpg"})),
            "stream": refusal(lambda: galeri.post("vehicles/1/photos", form={"file": BytesIO(b"x")})),
            "invalid": refusal(lambda: galeri.post("tasks", {"prioriti": "x"})),
            "empty": refusal(lambda: verify_webhook(given["body"], given["headers"], "")),
            "prefix": refusal(lambda: verify_webhook(given["body"], given["headers"], "whsec_")),
        }
    )
)
