// The audit log in words: names instead of ids, what changed, and no act without a sentence.
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BRANCH_FIELDS } from '../../src/domain/accounts/branches.ts';
import { SETTING_FIELDS } from '../../src/domain/accounts/settings.ts';
import { STAFF_FIELDS } from '../../src/domain/accounts/staff.ts';
import { MEMBERSHIP_FIELDS } from '../../src/domain/membership/membership.ts';
import { PAPER_SETTING_FIELDS } from '../../src/domain/papers/paper-settings.ts';
import { Installment } from '../../src/domain/sales/installment.ts';
import { PaymentPromise } from '../../src/domain/sales/promise.ts';
import { Sale } from '../../src/domain/sales/sale-view.ts';
import { COMPUTED, OF_A_CAR } from '../../src/domain/writes/audit-changes.ts';
import { resources } from '../../src/resources/index.ts';
import { formatFor } from '../../web/src/format.ts';
import { fieldTexts } from '../../web/src/records/field-texts.ts';
import { type AuditEntry, actOf, sentenceOf, subjectOf } from '../../web/src/screens/audit/sentence.ts';
import { sentenceTexts } from '../../web/src/screens/audit/sentence-texts.ts';
import { valueWords } from '../../web/src/screens/audit/value-words.ts';

const root = join(import.meta.dirname, '../..');
const line: AuditEntry = {
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
  names: {},
};
const tr = (overrides: Partial<AuditEntry>) => sentenceOf({ ...line, ...overrides }, 'tr', formatFor('tr', 'UTC'));
const en = (overrides: Partial<AuditEntry>) => sentenceOf({ ...line, ...overrides }, 'en', formatFor('en', 'UTC'));

test('a change of price or state says from what to what', () => {
  expect(tr({})).toBe('Defne Aksoy, GK 482 plakalı aracın fiyatını 14.250 → 13.900 yaptı');
  expect(en({})).toBe('Defne Aksoy changed the price of GK 482: 14,250 → 13,900');
  const both = { before: { price: '14250.00', km: 84000 }, after: { price: '13777.50', km: 84123 } };
  expect(tr(both)).toBe('Defne Aksoy, GK 482 plakalı aracın fiyatını 14.250 → 13.777,50 yaptı, 1 bilgisini daha değiştirdi');
  expect(en(both)).toBe('Defne Aksoy changed the price of GK 482: 14,250 → 13,777.50, and 1 other detail');
  // As the log keeps it: with the event and its time.
  expect(tr({ after: { price: '13900.00', event: 'vehicle.price_changed', at: '2026-11-17T09:00:00.000Z' } })).toMatch(
    /13\.900 yaptı$/,
  );
  expect(tr({ before: { status: 'Stokta' }, after: { status: 'Rezerve' } })).toMatch(/durumunu Stokta → Rezerve yaptı$/);
});

test('what has no name any more, or one that is not ours to know, is spoken of without one', () => {
  const bare = (action: string) => {
    const one = { about: null, before: null, action };
    return [tr(one), en(one)].map((shown) => shown.replace(/^Defne Aksoy,? /, ''));
  };
  expect(bare('PATCH vehicles/{vehicle_id}')).toEqual(['bir aracı düzenledi', 'edited a vehicle']);
  expect(bare('key.policy_changed')).toEqual(['bir anahtarın kapsamını değiştirdi', 'changed the scope of a key']);
  expect(bare('key.created')).toEqual(['bir anahtar oluşturdu', 'created a key']);
  expect(bare('POST collections')).toEqual(['tahsilat yaptı', 'collected money']);
  expect(bare('invitation.created')).toEqual(['bir adrese davet gönderdi', 'invited someone']);
  expect(bare('admin.removed')).toEqual(['bir yöneticiyi kaldırdı', 'removed an administrator']);
  expect(tr({ action: 'etwas.neu', about: null })).toBe('Defne Aksoy: etwas.neu');
  // No act may show its placeholder.
  for (const locale of ['tr', 'en'] as const)
    for (const action of Object.keys(sentenceTexts[locale].acts))
      expect(actOf({ action, about: null, target: '' }, locale)).not.toMatch(/[{}«»“”]/);
});

test('beside the name of the person only the action is shown; an indirect change is shown as an event', () => {
  expect(actOf(line, 'tr')).toBe('GK 482 plakalı aracı düzenledi');
  expect(actOf({ ...line, about: null }, 'en')).toBe('Edited a vehicle');
  const invited = { action: 'invitation.created', about: { ...line.about!, name: 'ali@ornek.com' }, target: 'b' };
  expect(actOf(invited, 'tr')).toBe('ali@ornek.com adresine davet gönderdi');
  expect(actOf({ action: 'release.activated', about: null, target: 'GET sales' }, 'tr')).toBe(
    'GET sales uç noktasını yayına aldı',
  );
  const befell = { action: 'network_offer.fell_through', about: null };
  expect([tr(befell), en(befell)]).toEqual(['Defne Aksoy: Ağ teklifi gerçekleşmedi', 'Defne Aksoy: Network offer fell through']);
  expect(subjectOf('key', 'tr')).toBe('API anahtarları');
  expect(subjectOf('POST sales', 'en')).toBe('Made a sale');
});

test('every act that is audited by name has a sentence in both languages', async () => {
  const files = await Array.fromAsync(glob('src/**/*.ts', { cwd: root }));
  const sources = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
  const acts = sources.flatMap((source) =>
    source.split('\n').flatMap((text) => (/\baudit\w*\(/.test(text) ? (text.match(/'[a-z_]+\.[a-z_]+'/g) ?? []) : [])),
  );
  expect(acts.length).toBeGreaterThan(60);
  for (const locale of ['tr', 'en'] as const)
    expect(acts.map((act) => act.slice(1, -1)).filter((act) => sentenceTexts[locale].acts[act] === undefined)).toEqual([]);
});

test('every endpoint that writes has a sentence in both languages', () => {
  const writes = resources.flatMap(({ endpoints }) => endpoints).filter(({ method }) => method !== 'GET');
  expect(writes.length).toBeGreaterThan(80);
  for (const locale of ['tr', 'en'] as const)
    expect(writes.filter(({ id }) => sentenceTexts[locale].acts[id] === undefined).map(({ id }) => id)).toEqual([]);
});

test('every value that the log keeps of a change has a name in both languages', () => {
  // Given once and never changed, so that no entry has them.
  const fixed = ['id', 'sale_no', 'vehicle_id', 'customer_id', 'sale_id'];
  const ofSales = [Sale, Installment, PaymentPromise].flatMap(({ shape }) => Object.keys(shape));
  const forms = [SETTING_FIELDS, STAFF_FIELDS, BRANCH_FIELDS, MEMBERSHIP_FIELDS, PAPER_SETTING_FIELDS].flatMap(Object.keys);
  const kept = [...ofSales.filter((name) => !COMPUTED.includes(name) && !fixed.includes(name)), ...OF_A_CAR, ...forms];
  for (const locale of ['tr', 'en'] as const) expect(kept.filter((name) => !(name in fieldTexts[locale]))).toEqual([]);
});

test('values are written as people write them', () => {
  const shown = (value: unknown) => [valueWords(value, formatFor('tr', 'UTC')), valueWords(value, formatFor('en', 'UTC'))];
  expect(shown('13900.00')).toEqual(['13.900,00', '13,900.00']);
  expect(shown('2026-03-12')).toEqual(['12.03.2026', '12/03/2026']);
  expect(shown(true)).toEqual(['Evet', 'Yes']);
  expect(shown('Rezerve')).toEqual([null, 'Reserved']);
  expect(shown('finance')).toEqual(['Finans', 'Finance']);
  // A plate, a year, an address: as they are.
  for (const plain of ['GK 482', 2019, '203.0.113.7']) expect(shown(plain)).toEqual([null, null]);
});
