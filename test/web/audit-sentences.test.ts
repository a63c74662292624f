// The audit log in words: names instead of ids, what changed, and no act without a sentence.
import { expect, test } from 'vitest';
import { resources } from '../../src/resources/index.ts';
import { formatFor } from '../../web/src/format.ts';
import { actOf, sentenceOf, type Told } from '../../web/src/screens/audit/sentence.ts';
import { sentenceTexts } from '../../web/src/screens/audit/sentence-texts.ts';

const line: Told = {
  id: 'a',
  created_at: '2026-11-17T09:00:00.000Z',
  actor_type: 'panel',
  actor: 'defne@example.com',
  actor_name: 'Defne Aksoy',
  person_id: null,
  role: 'owner',
  action: 'PATCH vehicles/{vehicle_id}',
  target: 'b',
  about: { kind: 'vehicle', id: 'b', name: 'GK 482' },
  before: { price: '14250.00' },
  after: { price: '13900.00' },
  ip: null,
  user_agent: null,
  request_id: null,
  outcome: 'done',
};
const tr = (given: Partial<Told>) => sentenceOf({ ...line, ...given }, 'tr', formatFor('tr', 'UTC'));
const en = (given: Partial<Told>) => sentenceOf({ ...line, ...given }, 'en', formatFor('en', 'UTC'));

test('a change of price or state says from what to what', () => {
  expect(tr({})).toBe('Defne Aksoy, GK 482 plakalı aracın fiyatını 14.250 → 13.900 yaptı');
  expect(en({})).toBe('Defne Aksoy changed the price of GK 482: 14,250 → 13,900');
  const both = { before: { price: '14250.00', km: 84000 }, after: { price: '13777.50', km: 84123 } };
  expect(tr(both)).toBe('Defne Aksoy, GK 482 plakalı aracın fiyatını 14.250 → 13.777,50 yaptı, 1 bilgisini daha değiştirdi');
  expect(en(both)).toBe('Defne Aksoy changed the price of GK 482: 14,250 → 13,777.50, and 1 other detail');
  expect(tr({ before: { status: 'Stokta' }, after: { status: 'Rezerve' } })).toMatch(/durumunu Stokta → Rezerve yaptı$/);
});

test('what has no name any more is spoken of without one', () => {
  expect(tr({ about: null, before: null })).toBe('Defne Aksoy, aracı düzenledi');
  expect(en({ about: null, before: null })).toBe('Defne Aksoy edited (deleted)');
  expect(tr({ action: 'etwas.neu', about: null })).toBe('Defne Aksoy: etwas.neu');
});

test('the platform says what was done without a name it does not know', () => {
  expect(actOf({ action: 'PATCH vehicles/{vehicle_id}' }, 'tr')).toBe('Aracı düzenledi');
  expect(actOf({ action: 'PATCH vehicles/{vehicle_id}' }, 'en')).toBe('Edited a record');
  expect(actOf({ action: 'session.began' }, 'tr')).toBe('Giriş yapıldı');
  expect(actOf({ action: 'etwas.neu' }, 'tr')).toBe('etwas.neu');
  const { about: _, ...unnamed } = { ...line, before: null };
  expect(sentenceOf(unnamed, 'en', formatFor('en', 'UTC'))).toBe('Defne Aksoy edited a record');
});

test('every row that writes has a sentence in both languages', () => {
  const writes = resources.flatMap(({ rows }) => rows).filter(({ method }) => method !== 'GET');
  expect(writes.length).toBeGreaterThan(80);
  for (const locale of ['tr', 'en'] as const)
    expect(writes.filter(({ id }) => sentenceTexts[locale].acts[id] === undefined).map(({ id }) => id)).toEqual([]);
});
