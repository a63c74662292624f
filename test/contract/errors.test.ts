// The list of error codes is closed: no code is missing or added silently, and each has a message in both languages.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { get, resource } from '../../src/kit/endpoint.ts';
import { ERRORS, type ErrorCode, type FailureFacts, fail, type Locale, messageOf } from '../../src/kit/errors.ts';
import { object, text } from '../../src/kit/schema.ts';
import { type TestService, testService } from '../support/service.ts';
import { CONTRACT_ERRORS, DOMAIN_ERRORS } from './error-list.ts';
import { messageFault, refusalFault } from './expect.ts';

const codes = Object.keys(ERRORS) as ErrorCode[];
const LOCALES = ['en', 'tr'] as const;
const wordsOf = (template: string): string[] => [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);

describe('the list of codes', () => {
  test("equals the contract's and the domain's, with their statuses, and nothing else", () => {
    const statuses = Object.fromEntries(codes.map((code) => [code, ERRORS[code].status]));
    expect(statuses).toEqual({ ...CONTRACT_ERRORS, ...DOMAIN_ERRORS });
  });

  test('gives no domain code a name of the contract', () => {
    expect(Object.keys(DOMAIN_ERRORS).filter((code) => code in CONTRACT_ERRORS)).toEqual([]);
  });

  test.each(codes)('%s has a message in English and in Turkish, with the same facts', (code) => {
    const { en, tr } = ERRORS[code];
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    for (const message of [en, tr]) expect(message).toMatch(/^\S.*[^\s.]$/);
    expect(tr).not.toBe(en);
    expect(wordsOf(tr).sort()).toEqual(wordsOf(en).sort());
  });
});

const facts = (code: ErrorCode): FailureFacts => {
  const words = Object.fromEntries(
    wordsOf(ERRORS[code].en).map((word) => [word, { en: `«${word}» here`, tr: `«${word}» burada` }]),
  );
  return code === 'insufficient_scope' ? { words, required_scope: 'tasks:read' } : { words, param: 'some_param' };
};

test.each(codes)('%s replaces every placeholder of its message, in both languages', (code) => {
  for (const locale of LOCALES) expect(messageFault(messageOf(code, facts(code), locale), ERRORS[code][locale])).toBeNull();
});

describe('over HTTP', () => {
  let api: TestService;
  let key: string;
  beforeAll(async () => {
    const Nothing = object({ nothing: text() });
    const endpoints = codes.map((code) =>
      get(`refuse/${code}`, 'tasks:read', 'read', 'Aktif', [code, `${code} (tr)`], {
        returns: Nothing,
        run: async (): Promise<{ nothing: string }> =>
          fail(code, { ...facts(code), ...(ERRORS[code].status === 405 ? { headers: { Allow: 'GET' } } : {}), ...retry(code) }),
      }),
    );
    api = await testService({ resources: [resource('Refusals', 'Retler', endpoints)] });
    key = (await api.key(await api.account(), { endpoints: endpoints.map((endpoint) => endpoint.id) })).secret;
  });
  afterAll(() => api.close());

  const retry = (code: ErrorCode) => (ERRORS[code].status === 429 ? { headers: { 'Retry-After': '1' } } : {});

  test.each(codes)('%s returns its status, its code and its message in the envelope', async (code) => {
    for (const locale of LOCALES) {
      const headers: Record<Locale, Record<string, string>> = { en: {}, tr: { 'accept-language': 'tr-TR' } };
      const answer = await api.call(`refuse/${code}`, { key, headers: headers[locale] });
      expect(refusalFault(answer, code, { locale })).toBeNull();
      if (code === 'service_unavailable') expect(answer.headers.get('retry-after')).toBe('1');
    }
  });

  test('field details are part of the refusal', async () => {
    const detail = { field: 'price', code: 'invalid_amount', message: 'price must be an amount' };
    const one = get('detailed', 'tasks:read', 'read', 'Aktif', ['Detailed', 'Ayrıntılı'], {
      returns: object({ nothing: text() }),
      run: async (): Promise<{ nothing: string }> => fail('validation_failed', { details: [detail] }),
    });
    const other = await testService({ resources: [resource('Detailed', 'Ayrıntılı', [one])] });
    try {
      const secret = (await other.key(await other.account(), { endpoints: [one.id] })).secret;
      const answer = await other.call('detailed', { key: secret });
      expect(answer.json.error).toEqual({ code: 'validation_failed', message: ERRORS.validation_failed.en, details: [detail] });
    } finally {
      await other.close();
    }
  });
});
