import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { UsageError } from '../../src/commands/command.ts';
import { ratesCommand } from '../../src/commands/rates.ts';
import { readConfig } from '../../src/config.ts';
import { bankDay, daysBefore } from '../../src/domain/exchange-rates/bulletin-schedule.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type Bank, kktcmbXml, openBank, QUOTES, tcmbXml } from '../support/bulletins.ts';
import { TEST_SECRET, type TestDatabase, testDatabase } from '../support/database.ts';

const GALERI = fileURLToPath(new URL('../../bin/galeri', import.meta.url));

let base: TestDatabase;
let admin: Session;
let bank: Bank;
let folder = '';
beforeAll(async () => {
  base = await testDatabase();
  admin = await openSession(base.adminUrl);
  bank = await openBank();
  folder = await mkdtemp(join(tmpdir(), 'galeri-rates-'));
  Object.assign(process.env, settings());
});
beforeEach(async () => {
  await admin.rows('truncate exchange_rates, rate_looks, rate_news');
  bank.serves.clear();
  bank.paths.length = 0;
});
afterAll(async () => {
  await bank.close();
  await admin.close();
  await base.close();
  await rm(folder, { recursive: true, force: true });
});

const settings = () => ({ DATABASE_URL: base.adminUrl, GALERI_SECRET: TEST_SECRET, DATA_DIR: join(folder, 'data') });

const TODAY = bankDay('KKTCMB', new Date());
const YESTERDAY = daysBefore(TODAY, 1);

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary JSON
  readonly json: any;
}

function galeri(args: string[], more: Record<string, string> = {}): Promise<Result> {
  const env = { ...process.env, ...more };
  return new Promise((resolve) => {
    execFile(GALERI, ['rates', ...args], { env }, (error, stdout, stderr) => {
      const json = stdout.startsWith('{') || stdout.startsWith('[') ? JSON.parse(stdout) : undefined;
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr, json });
    });
  });
}
const banks = () => ({ ALLOW_LOOPBACK_TARGETS: 'on', RATES_TCMB_URL: bank.url.TCMB, RATES_KKTCMB_URL: bank.url.KKTCMB });

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}
const kept = async () =>
  (await admin.rows<{ kept: string }>(`select distinct source || ' ' || rate_date as kept from exchange_rates order by 1`)).map(
    (row) => row.kept,
  );

describe('rates load', () => {
  test('stores a bulletin from a file, with the fetch address empty; a second time it is already known', async () => {
    const path = await file('good.xml', tcmbXml({ day: YESTERDAY, number: '2026/211' }));
    const { code, json, stderr } = await galeri(['load', '--source', 'tcmb', '--file', path, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(json).toMatchObject({ source: 'TCMB', rate_date: YESTERDAY, bulletin_no: '2026/211', outcome: 'stored' });
    expect(json.pairs).toHaveLength(6);
    expect(json.pairs[0]).toEqual({ pair: 'STG-TL', buying: '64.726800', selling: '65.064300' });
    const again = await galeri(['load', '--source', 'TCMB', '--file', path]);
    expect(again.stdout).toMatch(
      new RegExp(`^TCMB ${YESTERDAY} \\(2026/211\\): unchanged\n +STG-TL +64\\.726800 +65\\.064300\n`),
    );
    expect(await kept()).toEqual([`TCMB ${YESTERDAY}`]);
    const logged = await admin.rows(
      `select actor_type, target, after from audit_log where action = 'rates.loaded' order by created_at`,
    );
    expect(logged).toEqual([
      { actor_type: 'cli', target: `TCMB ${YESTERDAY}`, after: { outcome: 'stored', forced: false } },
      { actor_type: 'cli', target: `TCMB ${YESTERDAY}`, after: { outcome: 'unchanged', forced: false } },
    ]);
  });

  test('holds back a large move, unless it is forced', async () => {
    const first = await file('first.xml', kktcmbXml({ day: YESTERDAY }));
    await galeri(['load', '--source', 'kktcmb', '--file', first]);
    const wild = await file('wild.xml', kktcmbXml({ day: TODAY, quotes: { ...QUOTES, GBP: ['84.7268', '85.0643', '', ''] } }));
    const held = await galeri(['load', '--source', 'kktcmb', '--file', wild, '--json']);
    expect(held).toMatchObject({ code: 1, stdout: '' });
    expect(held.stderr).toBe(
      `galeri: KKTCMB: nothing was written: its STG is at 84.726800, more than a fifth away from 64.726800 on ${YESTERDAY}; if it is correct, use --force to import it\n`,
    );
    expect(await kept()).toEqual([`KKTCMB ${YESTERDAY}`]);
    const forced = await galeri(['load', '--source', 'kktcmb', '--file', wild, '--force', '--json']);
    expect(forced.json).toMatchObject({ rate_date: TODAY, outcome: 'stored' });
  });

  test.each([
    ['an unknown act', ['guess'], 'rates takes fetch or load'],
    ['no source', ['load', '--file', 'x'], '--source is missing'],
    ['another bank', ['load', '--source', 'ecb', '--file', 'x'], '--source must be tcmb or kktcmb, not "ecb"'],
    ['no file', ['load', '--source', 'tcmb'], '--file is missing'],
    ['a missing file', ['load', '--source', 'tcmb', '--file', '/nowhere/x.xml'], 'there is no file /nowhere/x.xml'],
    ['a folder', ['load', '--source', 'tcmb', '--file', '/'], '/ is not a file'],
    ['a date that is none', ['fetch', '--date', '2026-02-30'], '--date must be a date such as 2026-11-13, not "2026-02-30"'],
    [
      'banks that are switched off',
      ['fetch'],
      'RATES_TCMB_URL and RATES_KKTCMB_URL are both empty: there is no bank to fetch from',
    ],
    [
      'one that is',
      ['fetch', '--source', 'tcmb'],
      'RATES_TCMB_URL is empty, so TCMB cannot be fetched; use rates load with a file',
    ],
  ])('%s is one line', async (_, args, expected) => {
    await expect(ratesCommand.run([...args, '--json'])).rejects.toThrow(new UsageError(expected));
  });

  test.each([
    ['junk', 'no XML', /junk\.xml: nothing was written: it is not well-formed XML/],
    [
      'partial',
      tcmbXml({ day: YESTERDAY, quotes: { USD: QUOTES.USD } }),
      /nothing was written: it is incomplete: STG, EUR missing/,
    ],
    ['future', tcmbXml({ day: daysBefore(TODAY, -3) }), /nothing was written: it is dated \S+, which has not come yet/],
    ["the other bank's", kktcmbXml({ day: YESTERDAY }), /nothing was written: it is not a bulletin of TCMB/],
  ])('a file that is %s writes nothing, forced or not', async (name, content, expected) => {
    const path = await file(`${name}.xml`, content);
    const { message } = await ratesCommand.run(['load', '--source', 'tcmb', '--file', path, '--force']).then(
      () => new Error('it was accepted'),
      (error: Error) => error,
    );
    expect(message).toMatch(expected);
    expect(message).not.toContain('\n');
    expect(await kept()).toEqual([]);
  });
});

describe('rates fetch', () => {
  test('queries the named bank, or each of them', async () => {
    bank.serves.set('/kurlar/today.xml', tcmbXml({ day: YESTERDAY }));
    bank.serves.set('/kur/gunluk.xml', kktcmbXml({ day: TODAY }));
    const one = await galeri(['fetch', '--source', 'TCMB', '--json'], banks());
    expect(one.json).toMatchObject({ source: 'TCMB', rate_date: YESTERDAY, outcome: 'stored' });
    expect(bank.paths).toEqual(['/kurlar/today.xml']);
    const both = await galeri(['fetch', '--json'], banks());
    expect(both.json).toMatchObject([
      { source: 'TCMB', outcome: 'unchanged' },
      { source: 'KKTCMB', rate_date: TODAY, outcome: 'stored' },
    ]);
  });

  test('requests a date, each bank at its own address', async () => {
    bank.serves.set('/kurlar/202601/15012026.xml', tcmbXml({ day: '2026-01-15' }));
    bank.serves.set('/kur/tarih/20260115', kktcmbXml({ day: '2026-01-15' }));
    const { code, json } = await galeri(['fetch', '--date', '2026-01-15', '--json'], banks());
    expect(code).toBe(0);
    expect(json.map(({ rate_date }: { rate_date: string }) => rate_date)).toEqual(['2026-01-15', '2026-01-15']);
    expect([...bank.paths].sort()).toEqual(['/kur/tarih/20260115', '/kurlar/202601/15012026.xml']);
    const none = await galeri(['fetch', '--source', 'tcmb', '--date', '2026-01-18', '--json'], banks());
    expect(none).toMatchObject({ code: 1, stderr: 'galeri: TCMB: nothing was written: TCMB has no bulletin of 2026-01-18\n' });
  });

  test('reports one bank’s result although the other failed', async () => {
    bank.serves.set('/kur/gunluk.xml', kktcmbXml({ day: TODAY }));
    const { code, json, stderr } = await galeri(['fetch', '--json'], banks());
    expect(code).toBe(1);
    expect(json).toMatchObject([{ source: 'KKTCMB', outcome: 'stored' }]);
    expect(stderr).toBe('galeri: TCMB: nothing was written: TCMB answered 404\n');
  });

  test('an unreachable bank prints one line; a forbidden address is refused at the start', async () => {
    const gone = await galeri(['fetch', '--source', 'tcmb'], { ...banks(), RATES_TCMB_URL: 'http://127.0.0.1:1/today.xml' });
    expect(gone.code).toBe(1);
    expect(gone.stderr).toMatch(/^galeri: TCMB: nothing was written: 127\.0\.0\.1:1 could not be reached \(.*\)\n$/);
    const off = { ALLOW_LOOPBACK_TARGETS: 'off' };
    for (const url of ['http://127.0.0.1:1/x', 'http://tcmb.example.com/x', 'ftp://tcmb.gov.tr/x', 'https://10.0.0.1/x', 'x']) {
      expect(() => readConfig({ ...off, RATES_TCMB_URL: url }), url).toThrow(/^RATES_TCMB_URL must be a public https address/);
    }
  });
});
