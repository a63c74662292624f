// What integrators type into the search of the reference, and what they look for: it is among the first three results.
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { DOCS_JS, renderSearch } from '../../src/http/docs/pages/docs-page.ts';
import type { Locale } from '../../src/kit/errors.ts';
import { resources } from '../../src/resources/index.ts';

interface Found {
  readonly at: string;
  readonly title: string;
}
interface Search {
  readonly readIndex: (json: unknown) => unknown;
  readonly find: (question: string, index: unknown) => readonly Found[] | null;
}

const FILE = new URL('../../src/http/docs/pages/docs-find.js', import.meta.url);
const { readIndex, find } = runInNewContext(`${readFileSync(FILE, 'utf8')};docsSearch`) as Search;
const endpoints = apiEndpoints(resources);
const indexOf = (locale: Locale): unknown => {
  const options = { publicUrl: 'https://galeri.test', isLive: () => true, locale, today: '2026-10-02' };
  return readIndex(JSON.parse(renderSearch(endpoints, options)));
};
const INDEX = { en: indexOf('en'), tr: indexOf('tr') };

/** Without `/docs` and the language. */
const placesOf = (locale: Locale, question: string): string[] =>
  (find(question, INDEX[locale]) ?? []).map(({ at }) => at.replace('/docs', '').replace(/\?lang=\w+/, ''));

const QUESTIONS: readonly (readonly [locale: Locale, question: string, place: string])[] = [
  ['en', 'pagination', '#paging'],
  ['en', 'next page', '#paging'],
  ['en', 'verify signature', '#webhooks'],
  ['en', 'upload photo', '#files'],
  ['en', 'upload a photo of a car', '/vehicle-photos#post-vehicles-vehicle_id-photos'],
  ['en', 'sort', '#paging'],
  ['en', 'optimistic locking', '#writing'],
  ['en', 'reserve a car', '/vehicles#post-vehicles-vehicle_id-reserve'],
  ['en', 'release the reservation of a vehicle', '/vehicles#patch-vehicles-vehicle_id'],
  ['en', 'rate limit', '#limits'],
  ['en', 'too many requests', '#limits'],
  ['en', 'how do I authenticate', '#authentication'],
  ['en', 'api key in header', '#authentication'],
  ['en', 'retry a request safely', '#idempotent-retries'],
  ['en', 'idempotency key', '#idempotent-retries'],
  ['en', 'sync changes since yesterday', '#synchronising'],
  ['en', 'caching', '#conditional-requests'],
  ['en', 'etag 304', '#conditional-requests'],
  ['en', 'dry run', '#writing'],
  ['en', 'error handling', '#errors'],
  ['en', 'postman collection', '#clients'],
  ['en', 'python sdk', '#clients'],
  ['en', 'swagger', '#clients'],
  ['en', 'CORS', '#cors'],
  ['en', 'deprecation', '#versioning'],
  ['en', 'server-sent events', '#event-stream'],
  ['en', 'getting started', '#first-request'],
  ['en', 'add a car to stock', '/vehicles#post-vehicles'],
  ['en', 'delete a vehicle', '/vehicles#delete-vehicles-vehicle_id'],
  ['en', 'undelete a car', '/vehicles#post-vehicles-vehicle_id-restore'],
  ['en', 'overdue installments', '/installment-plans#get-installments-overdue'],
  ['en', 'postpone an installment', '/installment-plans#post-installments-installment_id-postpone'],
  ['en', 'record a payment', '/collections#post-collections'],
  ['en', 'reverse a collection', '/collections#post-collections-collection_id-reverse'],
  ['en', 'sell on installments', '/sales#post-sales'],
  ['en', 'cancel a sale', '/sales#post-sales-sale_id-cancel'],
  ['en', 'currency conversion rate', '/exchange-rates#get-exchange-rates-currency_pair'],
  ['en', 'top up the wallet', '/wallet#post-wallet-topup-requests'],
  ['en', 'profit and loss', '/reports-and-analytics#get-reports-profit-loss'],
  ['en', 'import a feed', '/import-center#post-import-connectors'],
  ['en', 'export stock to csv', '/vehicles#get-vehicles-export'],
  ['en', 'request logs', '/api-usage#get-developer-request-logs'],
  ['en', 'plate already exists', '/errors#error-plate_in_use'],
  ['en', 'insufficient scope', '/errors#error-insufficient_scope'],
  ['en', 'vehicle sold event', '/events#vehicle.sold'],
  ['tr', 'sayfalama', '#paging'],
  ['tr', 'sıralama', '#paging'],
  ['tr', 'imza doğrulama', '#webhooks'],
  ['tr', 'fotoğraf yükleme', '#files'],
  ['tr', 'aracı rezerve et', '/vehicles#post-vehicles-vehicle_id-reserve'],
  ['tr', 'kimlik doğrulama', '#authentication'],
  ['tr', 'limit aşımı', '#limits'],
  ['tr', 'eşitleme', '#synchronising'],
  ['tr', 'aynı isteği yeniden dene', '#idempotent-retries'],
  ['tr', 'önbellek', '#conditional-requests'],
  ['tr', 'hata kodları', '#errors'],
  ['tr', 'istemci kütüphanesi', '#clients'],
  ['tr', 'tarayıcıdan çağırmak', '#cors'],
  ['tr', 'geciken taksitler', '/installment-plans#get-installments-overdue'],
  ['tr', 'taksit ertele', '/installment-plans#post-installments-installment_id-postpone'],
  ['tr', 'tahsilat gir', '/collections#post-collections'],
  ['tr', 'tahsilatı geri al', '/collections#post-collections-collection_id-reverse'],
  ['tr', 'araç ekle', '/vehicles#post-vehicles'],
  ['tr', 'satışı iptal et', '/sales#post-sales-sale_id-cancel'],
  ['tr', 'döviz kuru', '/exchange-rates#get-exchange-rates'],
  ['tr', 'cüzdana bakiye yükle', '/wallet#post-wallet-topup-requests'],
  ['tr', 'senet oluştur', '/promissory-notes#post-promissory-notes'],
  ['tr', 'belgeyi imzaya gönder', '/documents#post-sale-documents-document_id-send'],
  ['tr', 'takas teklifi', '/trade-requests#post-trade-requests'],
  ['tr', 'webhook ekle', '/webhook-management#post-webhooks'],
  ['tr', 'kâr zarar raporu', '/reports-and-analytics#get-reports-profit-loss'],
  ['tr', 'müşteri ara', '/customers#get-customers'],
];

describe('the search of the reference', () => {
  test.each(QUESTIONS)('%s: %s', (locale, question, place) => {
    expect(placesOf(locale, question).slice(0, 3)).toContain(place);
  });

  test('is asked sixty questions and more', () => {
    expect(QUESTIONS.length).toBeGreaterThanOrEqual(60);
  });

  test('puts a field that is typed by its name first', () => {
    expect(placesOf('tr', 'deleted_at vehicles/{vehicle_id}')[0]).toBe('/vehicles#get-vehicles-vehicle_id.deleted_at');
    expect(placesOf('en', 'rate_limit_ex')[0]).toBe('/errors#error-rate_limit_exceeded');
  });

  test('finds nothing for what the reference does not have, and asks nothing for an empty question', () => {
    expect(find('zzzz', INDEX.en)).toEqual([]);
    expect(find('  ', INDEX.en)).toBeNull();
  });

  test('runs in the page as it is tested', () => {
    expect(DOCS_JS).toContain(readFileSync(FILE, 'utf8'));
  });
});
