// The same script on two sandboxes gives the same records, except for ids, and the same events: the acceptance stories against the
// simulated side.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { resources } from '../../src/resources/index.ts';
import { storeRates } from '../support/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { eventsOfWorld, rowsOfWorld, timesApart } from '../support/world-rows.ts';
import { type Dealer, dealerWith, openAll } from '../support/writer.ts';
import { playS1, playS4, playS6, playS9, playS10, type Script, scriptOf } from './stories.ts';

const [HOUR, DAY] = [3_600_000, 86_400_000];
const every = resources.flatMap(({ endpoints }) => endpoints).map(({ id }) => id);

let api: TestService;
let admin: Session;
/** The day after tomorrow, so that both sandboxes begin before it. */
const first = new Date(Date.now() + 2 * DAY);
beforeAll(async () => {
  api = await testService({ env: { SANDBOX: 'isolated' } });
  await openAll(api);
  admin = await openSession(api.adminUrl);
  const today = new Date().toISOString().slice(0, 10);
  for (const source of ['KKTCMB', 'TCMB'] as const) await storeRates(api, source, today);
});
afterAll(async () => {
  await admin?.close();
  await api?.close();
});

interface Played {
  readonly records: Readonly<Record<string, readonly string[]>>;
  readonly events: readonly string[];
}

async function played(country: 'KKTC' | 'TR', play: (script: Script) => Promise<void>): Promise<Played> {
  const accountId = await api.account({ name: 'Deneme Oto', legal_name: 'Deneme Oto Ltd.', country });
  const { secret } = await api.key(accountId, { name: 'sandbox', endpoints: every, environment: 'sandbox' });
  const dealer: Dealer = dealerWith(api, accountId, secret);
  await play(scriptOf(api, dealer, first));
  const [world] = await admin.rows<{ id: string }>('select id from worlds where owner_id = $1 and removed_at is null', [
    accountId,
  ]);
  const query = (text: string, values: unknown[]) => admin.rows<{ row: Record<string, unknown> }>(text, values);
  const precision = { times: true };
  return {
    records: await rowsOfWorld(query, world!.id, precision),
    events: await eventsOfWorld(query, world!.id, precision),
  };
}

const STORIES = {
  'S1, S4, S6 and S10 in Northern Cyprus': [
    'KKTC',
    async (script: Script) => {
      for (const play of [playS1, playS4, playS6, playS10]) await play(script);
    },
  ],
  'S9 in Türkiye': ['TR', playS9],
} as const;

describe.each(Object.entries(STORIES))('%s', (_, [country, play]) => {
  test('two sandboxes end with the same records and the same events', async () => {
    const [one, other] = [await played(country, play), await played(country, play)];
    expect(one.events.length).toBeGreaterThan(20);
    for (const [name, rows] of Object.entries({ ...one.records, events: one.events })) {
      const [theirs, ours] = [timesApart({ ...other.records, events: other.events }[name]!), timesApart(rows)];
      expect.soft(theirs.texts, name).toEqual(ours.texts);
      // Sample data begins at the minute in which a sandbox is made, and requests take some of its time.
      const apart = ours.times.map((time, i) => Math.abs(time.getTime() - theirs.times[i]!.getTime()));
      expect.soft(Math.max(0, ...apart), `${name}: times`).toBeLessThan(HOUR);
    }
  });
});
