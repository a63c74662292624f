# Reads a delivery as JSON from stdin; prints the type of its event, or why it was refused.
import json
import sys

from galeri import WebhookRefused, verify_webhook

given = json.load(sys.stdin)
try:
    print(verify_webhook(given["body"], given["headers"], given["secrets"])["type"], end="")
except WebhookRefused as refused:
    print(refused, end="")
