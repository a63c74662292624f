// Requests for the exchange rates: a bulletin of each bank is stored before they are read.
import { bankDay } from '../../src/domain/exchange-rates/bulletin-schedule.ts';
import { RATE_SOURCES } from '../../src/domain/exchange-rates/rates.ts';
import { storeBulletinFor } from '../support/bulletins.ts';
import type { RequestBuilder, World } from './requests.ts';

/** Today where it starts last: in winter one bank's day is an hour ahead of the other's. Storing it again changes nothing. */
async function withRates({ api }: World): Promise<string> {
  const now = api.clock.now();
  const [day] = RATE_SOURCES.map((source) => bankDay(source, now)).sort() as [string];
  for (const source of RATE_SOURCES) await storeBulletinFor(api.database, source, { day }, now);
  return day;
}

export const RATE_REQUESTS: Readonly<Record<string, RequestBuilder>> = {
  'GET exchange-rates': async (world) => ({ path: 'exchange-rates', query: `date=${await withRates(world)}` }),
  'GET exchange-rates/history': async (world) => {
    const day = await withRates(world);
    return { path: 'exchange-rates/history', query: `pair=STG-TL&from=${day}&to=${day}` };
  },
  'GET exchange-rates/{currency_pair}': async (world) => ({
    path: 'exchange-rates/TL-USD',
    query: `date=${await withRates(world)}`,
  }),
};
