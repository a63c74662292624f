// A deployment that has never fetched a bulletin, such as a demonstration without internet: the reference documents the replies
// of its samples there.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { categorySlugOf } from '../../src/domain/catalog/catalog.ts';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { endpointAnchor } from '../../src/http/docs/parts/docs-endpoint.ts';
import type { Locale } from '../../src/kit/errors.ts';
import { resources } from '../../src/resources/index.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, newDealer, openAll } from '../support/writer.ts';
import { printedOn, rowOf } from './printed.ts';

const endpoints = apiEndpoints(resources);
const endpointOfId = (id: string) => endpoints.find((endpoint) => endpoint.id === id)!;
const REFUSED = ['GET exchange-rates', 'GET exchange-rates/{currency_pair}'];
const HISTORY = 'GET exchange-rates/history';

let api: TestService;
let dealer: Dealer;

beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
});
afterAll(() => api?.close());

const pageIn = async (locale: Locale): Promise<string> =>
  (await api.call(`/docs/${categorySlugOf(endpointOfId(HISTORY).category)}?lang=${locale}`)).text;

const aboutOf = (page: string, id: string): string =>
  page
    .split(/(?=<section )/)
    .find((part) => part.includes(`id="${endpointAnchor(endpointOfId(id))}"`))!
    .split('<div class="codes">')[0]!
    .split('<dl class="facts">')[0]!;

describe('rates without a bulletin', () => {
  it.each(REFUSED)('%s shows its refusal', async (id) => {
    const answer = await dealer.get(id.slice(4).replace('{currency_pair}', 'STG-TL'));
    expect(answer.status).toBe(409);
    for (const [locale, label] of [
      ['en', 'Response 409'],
      ['tr', 'Yanıt 409'],
    ] as const) {
      const shown = printedOn('', await pageIn(locale)).find((one) => rowOf(one) === id && one.label === label);
      const { error } = JSON.parse(shown?.text ?? 'null') ?? {};
      expect(error?.code, `${id} ${locale}`).toBe(answer.json.error.code);
      expect(Object.keys(error)).toEqual(Object.keys(answer.json.error));
    }
  });

  it.each([
    ['en', 'Until the deployment has fetched a bulletin, for example offline', 'because the deployment is offline'],
    ['tr', 'Kurulum henüz bülten almamışsa', 'kurulum henüz bülten almamışsa'],
  ] as const)('is documented for each of their endpoints in %s', async (locale, ...texts) => {
    const page = await pageIn(locale);
    for (const id of REFUSED) {
      expect(
        texts.some((words) => aboutOf(page, id).includes(words)),
        id,
      ).toBe(true);
      expect(aboutOf(page, id)).toContain('>rate_not_available</code>');
    }
    expect(aboutOf(page, HISTORY)).toContain(texts[0]);
  });

  it('the history of a pair is an empty list', async () => {
    const { status, json } = await dealer.get('exchange-rates/history?pair=STG-TL&from=2026-10-01&to=2026-10-02');
    expect([status, json.data]).toEqual([200, []]);
  });
});
