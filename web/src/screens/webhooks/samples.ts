// How a receiver checks that a call comes from here: with the libraries of Standard Webhooks, in three languages.

export const SECRET_NAME = 'GALERI_WEBHOOK_SECRET';

export const SAMPLES = {
  Node: `// npm install standardwebhooks express
import express from 'express';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.${SECRET_NAME});
const app = express();

// The body as it came: parsed and written again it has another signature.
app.post('/galeri', express.raw({ type: 'application/json' }), (request, response) => {
  let event;
  try {
    event = webhook.verify(request.body, request.headers);
  } catch {
    return response.sendStatus(401);
  }
  // The same event may come twice: its id tells.
  console.log(event.id, event.type, event.resource.path);
  response.sendStatus(204);
});

app.listen(8080);
`,
  Python: `# pip install standardwebhooks flask
import os
from flask import Flask, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["${SECRET_NAME}"])
app = Flask(__name__)

@app.post("/galeri")
def receive():
    try:
        # The body as it came: parsed and written again it has another signature.
        event = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError:
        return "", 401
    # The same event may come twice: its id tells.
    print(event["id"], event["type"], event["resource"]["path"])
    return "", 204
`,
  PHP: `<?php // composer require standard-webhooks/standard-webhooks:dev-main
require 'vendor/autoload.php';

$webhook = new \\StandardWebhooks\\Webhook(getenv('${SECRET_NAME}'));

// The body as it came: parsed and written again it has another signature.
$body = file_get_contents('php://input');
$headers = array_change_key_case(getallheaders(), CASE_LOWER);
try {
    $event = $webhook->verify($body, $headers);
} catch (\\StandardWebhooks\\Exception\\WebhookVerificationException $error) {
    http_response_code(401);
    exit;
}
// The same event may come twice: its id tells.
error_log($event['id'] . ' ' . $event['type'] . ' ' . $event['resource']['path']);
http_response_code(204);
`,
} as const;
