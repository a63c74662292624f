# One write through the Python client; prints the reply's id, or how it failed, and what the hooks saw.
import os
import sys

from galeri import ApiError, ConnectionFailed, Galeri, NotTheApi

attempts = []
client = Galeri(
    key="key",
    url=os.environ["GALERI_URL"],
    max_retries=int(os.environ.get("RETRIES", "8")),
    user_agent="erp/4.2",
    on_request=lambda attempt: attempts.append(f"{attempt.method} {attempt.number}"),
    on_reply=lambda attempt: attempts.append(str(attempt.status)),
    on_retry=lambda attempt: attempts.append(type(attempt.failure).__name__),
)
try:
    print(client.post("vehicles", {"plate": "ŞĞ 1"}, timeout=float(os.environ.get("TIMEOUT", "30")))["id"], end="")
except ConnectionFailed:
    print("no answer", end="")
except NotTheApi as error:
    print(error, end="")
except ApiError as error:
    print(error.code, end="")
print(" ".join(attempts), end="", file=sys.stderr)
