// Deliveries checked with the two libraries that receivers use: what we send verifies, and any change makes it fail.
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWebhookSender } from '../../../src/jobs/deliver-webhooks.ts';
import { createLog } from '../../../src/kit/log.ts';
import { openReceiver, type Received, type Receiver } from '../../jobs/receiver.ts';
import { type TestService, testService } from '../../support/service.ts';
import { aCar, newDealer, openAll } from '../../support/writer.ts';

let api: TestService;
let receiver: Receiver;
let received: Received;
let secrets: { readonly now: string; readonly before: string };

beforeAll(async () => {
  api = await testService({ env: { ALLOW_LOOPBACK_TARGETS: 'on' } });
  await openAll(api);
  receiver = await openReceiver();
  const { clock } = api;
  const { writer } = api.service.parts;
  const sender = startWebhookSender({ writer, clock, log: createLog('silent'), outbound: { loopback: true } });
  const dealer = await newDealer(api);
  const { id, secret } = (await dealer.post('webhooks', { url: receiver.url, events: ['*'] })).json.data;
  const rotated = (await dealer.post(`webhooks/${id}/rotate-secret`, { overlap_seconds: 3600 })).json.data;
  secrets = { now: rotated.secret, before: secret };
  await dealer.post('vehicles', aCar({ color: 'Gümüş ışıltı' }));
  await sender.drain();
  await sender.close();
  received = receiver.got[0]!;
});
afterAll(async () => {
  await receiver.close();
  await api.close();
});

const LIBRARIES = [
  ['standardwebhooks', Webhook],
  ['svix', SvixWebhook],
] as const;

interface Sent {
  readonly body: string | Buffer;
  readonly headers: Record<string, string>;
}

/** Each part separately: a bit of the body, every letter of every header, one missing, one extra. */
function mutantsOf({ headers, body }: Sent, at: number): Sent[] {
  const bytes = Buffer.from(body);
  const bodies = Array.from({ length: bytes.length }, (_, index) => {
    const flipped = Buffer.from(bytes);
    flipped[index]! ^= 1 << ((index + at) & 7);
    return { headers, body: flipped };
  });
  const heads = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].flatMap((name) => {
    const value = headers[name]!;
    const changed = [...value].map((letter, index) => value.slice(0, index) + other(letter) + value.slice(index + 1));
    return [...changed, `${value}0`, value.slice(1), ''].map((input) => ({ body, headers: { ...headers, [name]: input } }));
  });
  return [...bodies, ...heads];
}

const other = (letter: string): string => (letter === 'A' ? 'B' : 'A');

test.each(LIBRARIES)('%s verifies what we sent, with either secret of a rotation', (_, Library) => {
  const sent = { body: received.body, headers: received.headers as Record<string, string> };
  for (const secret of Object.values(secrets)) expect(() => new Library(secret).verify(sent.body, sent.headers)).not.toThrow();
  expect(() => new Library(`whsec_${Buffer.alloc(32, 7).toString('base64')}`).verify(sent.body, sent.headers)).toThrow();
});

test.each(LIBRARIES)('%s rejects a mutant of any part', (_, Library) => {
  // One signature only: of two, a change in one leaves the other valid, as it should.
  const [signature] = String(received.headers['webhook-signature']).split(' ');
  const headers = { ...(received.headers as Record<string, string>), 'webhook-signature': signature! };
  const library = new Library(secrets.now);
  const passes = ({ body, headers }: Sent): boolean => {
    try {
      library.verify(body, headers);
      return true;
    } catch {
      return false;
    }
  };
  expect(passes({ body: received.body, headers })).toBe(true);
  const mutants = [1, 4].flatMap((at) => mutantsOf({ body: received.body, headers }, at));
  expect(mutants.length).toBeGreaterThan(1500);
  expect(mutants.filter(passes)).toEqual([]);
});
