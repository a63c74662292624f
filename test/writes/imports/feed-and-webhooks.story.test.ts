// Acceptance story S7, complete and twice: a feed and its webhooks, through HTTP, with a real importer, sender and receiver.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startWebhookSender, type WebhookSender } from '../../../src/jobs/deliver-webhooks.ts';
import type { Importer } from '../../../src/jobs/run-imports.ts';
import { createLog } from '../../../src/kit/log.ts';
import { openReceiver, type Receiver, status, verify } from '../../jobs/receiver.ts';
import { carConnector, csvOf, feedCar, newImporter } from '../../support/imports.ts';
import { type Answer, type TestService, testService } from '../../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../../support/writer.ts';

let api: TestService;
let sender: WebhookSender;
let importer: Importer;
let receiver: Receiver;
beforeAll(async () => {
  api = await testService({ env: { ALLOW_LOOPBACK_TARGETS: 'on' } });
  await openAll(api);
  const { clock } = api;
  const { writer } = api.service.parts;
  const pollMs = 1_000_000_000;
  sender = startWebhookSender({ writer, clock, log: createLog('silent'), outbound: { loopback: true }, pollMs });
  importer = newImporter(api);
});
afterEach(() => receiver.close());
afterAll(async () => {
  await importer.close();
  await sender.close();
  await api.close();
});

const SECRET = 'CREDENTIALS7KEPT';

/** Three vehicles of the dealer: one that the feed changes, one it leaves unchanged, one that is sold. */
async function newStock(dealer: Dealer): Promise<void> {
  const car = { transmission: 'Manuel', city: 'Lefkoşa', color: 'Gümüş' };
  for (const plate of ['AB 103', 'AB 105', 'AB 106']) {
    const added = await dealer.post('vehicles', aCar({ ...car, plate, km: plate === 'AB 103' ? 80_000 : 84_000 }));
    expect(added.status, added.text).toBe(201);
    if (plate === 'AB 106') expect((await dealer.post(`vehicles/${added.json.data.id}/mark-sold`)).status).toBe(200);
  }
}

const FEED = csvOf([
  feedCar('AB 101'),
  feedCar('AB 102'),
  feedCar('AB 103'),
  feedCar('AB 104', { 'Model Yılı': '20I9' }),
  feedCar('AB 105'),
  feedCar('AB 106'),
]);

async function runFeed(dealer: Dealer, connector: string): Promise<{ reply: Answer; run: Answer; errors: Answer }> {
  const reply = await dealer.post(`import/connectors/${connector}/run`, { content: FEED });
  await importer.drain();
  const path = `import/runs/${reply.json.data.id}`;
  return { reply, run: await dealer.get(path), errors: await dealer.get(`${path}/errors`) };
}

/** Moves the clock and makes every attempt when it falls due. */
async function tryOut(dealer: Dealer, hook: string): Promise<void> {
  for (;;) {
    await sender.drain();
    const [next] = (await dealer.get(`webhooks/${hook}/deliveries?status=Bekliyor`)).json.data;
    if (next === undefined) return;
    api.clock.advance(Date.parse(next.next_attempt_at) - api.clock.now().getTime() + 1);
  }
}

describe.each(['first', 'second'])('S7, the %s time', () => {
  test('a feed of six rows, and its webhooks', async () => {
    const dealer = await newDealer(api);
    receiver = await openReceiver();
    const seen: Answer[] = [];
    await newStock(dealer);

    const hooked = await dealer.post('webhooks', { url: receiver.url, events: ['vehicle.created', 'import_run.finished'] });
    const { id: hook, secret } = hooked.json.data;
    expect(secret).toMatch(/^whsec_/);
    expect((await dealer.get(`webhooks/${hook}`)).text).not.toContain(secret);
    expect((await dealer.post('webhooks', { url: receiver.url, events: ['vehicle.exploded'] })).json.error.code).toBe(
      'unknown_event',
    );
    const ping = await dealer.post(`webhooks/${hook}/test`);
    await sender.drain();
    expect((await dealer.get(`webhooks/${hook}/deliveries/${ping.json.data.id}`)).json.data.status).toBe('Başarılı');
    expect(receiver.got.map(({ json }) => json.type)).toEqual(['test.ping']);
    receiver.got.length = 0;

    const made = await dealer.post('import/connectors', carConnector({ credentials: { token: SECRET } }));
    expect(made.status, made.text).toBe(201);
    expect(made.json.data).toMatchObject({ has_credentials: true, key_field: 'plate', last_run_status: null });
    const { id: connector } = made.json.data;

    const { reply, run, errors } = await runFeed(dealer, connector);
    expect(reply.status, reply.text).toBe(202);
    expect(reply.json.data).toMatchObject({ status: 'Sırada', trigger: 'Elle', dry_run: false, total_rows: 0 });
    expect(run.json.data).toMatchObject({
      status: 'Kısmen Tamamlandı',
      total_rows: 6,
      created_count: 2,
      updated_count: 1,
      unchanged_count: 1,
      error_count: 2,
      failure_code: null,
    });
    expect(errors.json.data).toMatchObject([
      { row_number: 4, key: 'AB 104', field: 'model_year', code: 'invalid' },
      { row_number: 6, key: 'AB 106', code: 'vehicle_locked' },
    ]);
    seen.push(
      made,
      reply,
      run,
      errors,
      await dealer.get('import/connectors'),
      await dealer.get(`import/connectors/${connector}`),
    );

    await sender.drain();
    expect(receiver.got.map(({ json }) => json.type).sort()).toEqual([
      'import_run.finished',
      'vehicle.created',
      'vehicle.created',
    ]);
    for (const got of receiver.got) verify(secret, got);
    const finished = receiver.got.find(({ json }) => json.type === 'import_run.finished')!;
    expect(finished.json.data.object).toMatchObject({ id: reply.json.data.id, total_rows: 6, created_count: 2, error_count: 2 });

    receiver.answer = status(500);
    const again = await runFeed(dealer, connector);
    expect(again.run.json.data).toMatchObject({
      status: 'Kısmen Tamamlandı',
      total_rows: 6,
      created_count: 0,
      updated_count: 0,
      unchanged_count: 4,
      error_count: 2,
    });
    await tryOut(dealer, hook);
    const [failed] = (await dealer.get(`webhooks/${hook}/deliveries`)).json.data;
    expect(failed).toMatchObject({ status: 'Başarısız', event_type: 'import_run.finished' });
    receiver.answer = status(200);
    receiver.got.length = 0;
    // Re-enables the webhook, whether or not days of failures have disabled it.
    await dealer.patch(`webhooks/${hook}`, { status: 'Aktif' });
    expect((await dealer.post(`webhooks/${hook}/deliveries/${failed.id}/retry`)).status).toBe(202);
    await sender.drain();
    expect((await dealer.get(`webhooks/${hook}/deliveries/${failed.id}`)).json.data.status).toBe('Başarılı');
    expect(receiver.got.map(({ json }) => json.id)).toEqual([failed.event_id]);

    const rotated = await dealer.post(`webhooks/${hook}/rotate-secret`);
    receiver.got.length = 0;
    await dealer.post('vehicles', aCar());
    await sender.drain();
    const [twice] = receiver.got;
    expect(String(twice!.headers['webhook-signature']).split(' ')).toHaveLength(2);
    verify(secret, twice!);
    verify(rotated.json.data.secret, twice!);
    expect(Date.parse(rotated.json.data.previous_valid_until) - api.clock.now().getTime()).toBeGreaterThan(23.9 * 3_600_000);

    seen.push(again.reply, again.run, again.errors, await dealer.get('import/runs'));
    for (const { text } of seen) expect(text).not.toContain(SECRET);
    for (const { body } of receiver.got) expect(body).not.toContain(SECRET);
  });
});
