// The pure parts of the sandbox in the panel: addresses of the two environments, rules beside fields, names of what the clock brings.
import { globSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { outcomeOfAmount, outcomeOfRecipient, SANDBOX_RULES, type SandboxRule } from '../../src/sandbox/people/rules.ts';
import { WORLD_TRANSITIONS } from '../../src/sandbox/world-transitions.ts';
import { addressOf } from '../../web/src/api.ts';
import { addressIn, apiPath, basePath, isSandbox } from '../../web/src/environment.ts';
import { outcomeOf } from '../../web/src/records/sandbox/rule-outcome.ts';
import { sandboxTexts } from '../../web/src/records/sandbox/texts.ts';
import { monthFrom, shareOf } from '../../web/src/records/sandbox/world.ts';
import { textParts } from '../../web/src/screens/sandbox/message-text.ts';

const ID = '0192f3a4-5b6c-7d8e-9fa0-b1c2d3e4f506';

afterEach(() => vi.unstubAllGlobals());

describe('the address decides the environment', () => {
  it.each([
    ['/panel', false],
    ['/panel/araclar', false],
    ['/panel/sandboxes', false],
    ['/panel/sandbox', true],
    ['/panel/sandbox/araclar', true],
  ])('%s', (pathname, sandbox) => {
    vi.stubGlobal('location', { pathname });
    expect(isSandbox()).toBe(sandbox);
    expect([basePath(), apiPath()]).toEqual(sandbox ? ['/panel/sandbox', '/panel/api/sandbox'] : ['/panel', '/panel/api']);
    expect(addressOf('GET logs/export', { query: { status: 'errors' } })).toBe(`${apiPath()}/logs/export?status=errors`);
  });

  it.each([
    ['sandbox', '/panel', '/panel/sandbox'],
    ['sandbox', '/panel/araclar', '/panel/sandbox/araclar'],
    ['sandbox', `/panel/satislar/${ID}/duzenle`, '/panel/sandbox/satislar'],
    ['sandbox', `/panel/ag/teklifler/${ID}`, '/panel/sandbox/ag/teklifler'],
    ['sandbox', '/panel/yonetim/hesaplar', '/panel/sandbox'],
    ['sandbox', '/panel/sandbox/araclar', '/panel/sandbox/araclar'],
    ['production', '/panel/sandbox', '/panel'],
    ['production', '/panel/sandbox/ayarlar/denetim', '/panel/ayarlar/denetim'],
    ['production', `/panel/sandbox/araclar/${ID}`, '/panel/araclar'],
    ['production', '/panel/sandbox/kontrol/mesajlar', '/panel'],
  ] as const)('in %s, %s is %s', (environment, from, to) => expect(addressIn(environment, from)).toBe(to));
});

describe('rules beside fields', () => {
  it.each(SANDBOX_RULES.filter(({ act }) => !['sale_document', 'charge'].includes(act)))(
    '$act: an amount leads where the server decides',
    (rule: SandboxRule) => {
      for (let kurus = 0; kurus < 100; kurus++) {
        const amount = `11500.${String(kurus).padStart(2, '0')}`;
        expect(outcomeOf(rule, amount).outcome).toBe(outcomeOfAmount(rule.act as 'network_offer', amount));
      }
      expect(outcomeOf(rule, '11500')).toBe(rule.outcomes.at(-1));
    },
  );

  it('an address leads where the server decides', () => {
    const rule = SANDBOX_RULES.find(({ act }) => act === 'sale_document')!;
    for (const email of ['imzalar@x.com', 'IMZALAR1@x.com', 'gec.kalan@x.com', 'reddeder@x.com', 'ayse@x.com'])
      expect(outcomeOf(rule, email).outcome).toBe(outcomeOfRecipient({ email, phone: null }));
    for (const phone of ['05331234561', '05331234562', '05331234563', '05331234560'])
      expect(outcomeOf(rule, phone).outcome).toBe(outcomeOfRecipient({ email: null, phone }));
  });

  it('are shown beside the field of every rule, by the names that the rules have', () => {
    const texts = globSync('web/src/**/*.tsx')
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n');
    const missing = SANDBOX_RULES.filter(({ fields }) => fields.length > 0).filter(
      ({ fields }) => !fields.some(({ endpoint, field }) => texts.includes(endpoint) && texts.includes(`field="${field}"`)),
    );
    expect(missing.map(({ act }) => act)).toEqual([]);
  });
});

describe('the clock', () => {
  it('names every kind that can happen on the way', () => {
    const kinds = WORLD_TRANSITIONS.map(({ kind }) => kind).sort();
    for (const { kinds: names } of [sandboxTexts.tr, sandboxTexts.en]) expect(Object.keys(names).sort()).toEqual(kinds);
  });

  it('moves by a month of the calendar', () => {
    expect(monthFrom('2027-01-31')).toEqual({ advance: '28d' });
    expect(monthFrom('2027-03-15')).toEqual({ advance: '31d' });
  });

  it('says how far it is', () => {
    const clock = { now: '2027-01-16T00:00:00Z', status: 'advancing', started_at: '', latest: '', failure: null } as const;
    const move = { from: '2027-01-01T00:00:00Z', to: '2027-01-31T00:00:00Z', transitions: {} };
    expect(shareOf({ ...clock, move })).toBe(0.5);
    expect(shareOf({ ...clock, now: '2028-01-01T00:00:00Z', move })).toBe(1);
    expect(shareOf({ ...clock, move: null })).toBe(0);
  });
});

it('only links of the service itself can be opened in a message', () => {
  const text = 'Belge: https://galeri.example/sign/abc. Bilgi: https://elsewhere.example/x';
  expect(textParts(text, 'https://galeri.example').filter(({ href }) => href !== null)).toEqual([
    { text: 'https://galeri.example/sign/abc', href: 'https://galeri.example/sign/abc' },
  ]);
  expect(
    textParts(text, 'https://galeri.example')
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});
