// A receiver in Node without dependencies: GALERI_WEBHOOK_SECRET=whsec_… PORT=8080 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const key = Buffer.from((process.env.GALERI_WEBHOOK_SECRET ?? '').replace('whsec_', ''), 'base64');
if (key.length === 0) throw new Error('GALERI_WEBHOOK_SECRET is not set'); // anyone can sign with an empty key
const seen = new Set(); // keep these ids in your database

function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given = '' } = headers;
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false; // older than five minutes
  const expected = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest();
  // While a secret is being rotated there are two signatures; one of them is enough.
  return given.split(' ').some((one) => {
    const sent = Buffer.from(one.replace('v1,', ''), 'base64');
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  });
}

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts).toString(); // verify these bytes, not the parsed object
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  const event = JSON.parse(body);
  if (!seen.has(event.id)) {
    seen.add(event.id); // the same event may come more than once
    console.log(event.sequence, event.type, event.resource.path);
  }
  response.writeHead(204).end(); // within 15 seconds, or it is sent again
}).listen(Number(process.env.PORT ?? 8080), '127.0.0.1');
