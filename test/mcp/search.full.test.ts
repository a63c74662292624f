// Finding endpoints by words: every row of the catalog by ten wordings, and questions as dealers and integrators ask them.
import { describe, expect, test } from 'vitest';
import { type ApiEndpoint, apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { createEndpointIndex } from '../../src/http/mcp/search.ts';
import { resources } from '../../src/resources/index.ts';

const endpoints = apiEndpoints(resources);
const index = createEndpointIndex(endpoints);
const found = (query: string): string[] =>
  index
    .find(query, () => true)
    .slice(0, 3)
    .map(({ id }) => id);

const withoutMarks = (text: string): string =>
  text.toLocaleLowerCase('tr').normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ı', 'i');
const turned = (text: string): string => text.split(' ').reverse().join(' ');

/** Five wordings in each language. */
const WORDINGS: readonly ((endpoint: ApiEndpoint) => string)[] = [
  ({ name }) => name.en,
  ({ name }) => name.en.toUpperCase(),
  ({ name }) => turned(name.en),
  ({ name }) => `how do I ${name.en.toLowerCase()}?`,
  ({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '').replace(/[/-]+/g, ' ')}`,
  ({ name }) => name.tr,
  ({ name }) => withoutMarks(name.tr),
  ({ name }) => turned(name.tr),
  ({ name }) => `${name.tr.toLocaleLowerCase('tr')} nasıl yapılır`,
  ({ name, path }) => `${withoutMarks(name.tr)} ${path.split('/')[0]}`,
];

test('each of the 185 endpoints is among the first three, by 95 % of its wordings', () => {
  const misses = endpoints.flatMap((endpoint) =>
    WORDINGS.map((wording) => wording(endpoint))
      .filter((query) => !found(query).includes(endpoint.id))
      .map((query) => `${endpoint.id}: ${query}`),
  );
  expect(misses.length / (endpoints.length * WORDINGS.length), misses.join('\n')).toBeLessThan(0.05);
});

describe('questions', () => {
  test.each([
    ['reserve a car', 'POST vehicles/{vehicle_id}/reserve'],
    ['arabayı ayır', 'POST vehicles/{vehicle_id}/reserve'],
    ['upload photo', 'POST vehicles/{vehicle_id}/photos'],
    ['fotograf yukle', 'POST vehicles/{vehicle_id}/photos'],
    ['sell a car', 'POST sales'],
    ['satış yap', 'POST sales'],
    ['tahsilat gir', 'POST collections'],
    ['refund a payment', 'POST collections/{collection_id}/reverse'],
    ['geciken taksitler', 'GET installments/overdue'],
    ['postpone installment', 'POST installments/{installment_id}/postpone'],
    ['musteri ekle', 'POST customers'],
    ['cosigner', 'POST customers/{customer_id}/guarantors'],
    ['kefil ekle', 'POST customers/{customer_id}/guarantors'],
    ['senet oluştur', 'POST promissory-notes'],
    ['açık artırmada pey ver', 'POST network-auctions/{auction_id}/bid'],
    ['döviz kuru', 'GET exchange-rates'],
    ['wallet balance', 'GET wallet'],
    ['bakiye yükle', 'POST wallet/topup-requests'],
    ['ilanı öne çıkar', 'POST boost-orders'],
    ['create webhook', 'POST webhooks'],
    ['kâr zarar', 'GET reports/profit-loss'],
    ['araçları excel indir', 'GET vehicles/export'],
    ['what can my key do', 'GET account/capabilities'],
    ['satışı iptal et', 'POST sales/{sale_id}/cancel'],
  ])('%s', (query, id) => {
    expect(found(query)).toContain(id);
  });
});

test('words that fit nothing find nothing', () => {
  expect(found('qqqq zzzz')).toEqual([]);
});
