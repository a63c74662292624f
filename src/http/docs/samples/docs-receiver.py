# A receiver in Python without dependencies: GALERI_WEBHOOK_SECRET=whsec_… PORT=8080 python3 receiver.py
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

key = base64.b64decode(os.environ.get("GALERI_WEBHOOK_SECRET", "").replace("whsec_", "", 1))
if not key:
    raise SystemExit("GALERI_WEBHOOK_SECRET is not set")  # anyone can sign with an empty key
seen = set()  # keep these ids in your database


def is_genuine(headers, body):
    event_id, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not sent_at.isdigit() or abs(time.time() - int(sent_at)) > 300:  # older than five minutes
        return False
    signed = f"{event_id}.{sent_at}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # While a secret is being rotated there are two signatures; one of them is enough.
    given = headers.get("webhook-signature", "").encode().split()
    return any([hmac.compare_digest(one, expected) for one in given])


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))  # verify these bytes, not the parsed object
        if is_genuine(self.headers, body):
            event = json.loads(body)
            if event["id"] not in seen:
                seen.add(event["id"])  # the same event may come more than once
                print(event["sequence"], event["type"], event["resource"]["path"], flush=True)
            self.send_response(204)  # within 15 seconds, or it is sent again
        else:
            self.send_response(401)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8080))), Receiver).serve_forever()
