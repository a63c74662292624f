// Two years of sales of the demonstration: the same at every load, with every state.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoDealer } from '../../../src/demo/demo-dealer.ts';
import { demoBuyers, newDemoSales } from '../../../src/demo/demo-sales.ts';
import { SOLD } from '../../../src/demo/demo-stories.ts';
import { readAging } from '../../../src/domain/receivables/aging.ts';
import { readBoard } from '../../../src/domain/receivables/board.ts';
import { readCalendar } from '../../../src/domain/receivables/calendar.ts';
import { readCashFlow } from '../../../src/domain/receivables/cash-flow.ts';
import { previewTill } from '../../../src/domain/receivables/till-closing.ts';
import { deriveSecrets } from '../../../src/domain/vault/secrets.ts';
import { sealingKeys } from '../../../src/domain/vault/vault.ts';
import { sum } from '../../../src/kit/money.ts';
import { own, sql } from '../../../src/kit/sql.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import type { Shown } from '../../support/books.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { DEALERS, loadAll, ZONES } from './load-all.ts';

const TABLES = [
  ...['vehicles', 'sales', 'installments', 'collections', 'collection_allocations', 'payment_promises', 'reservations'],
  ...['customer_activity', 'number_series', 'till_closings'],
];

/** A digest of each table, without the main branch's id, which differs in every deployment. */
async function contentOf(admin: Session): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {};
  for (const table of TABLES) {
    const rows = `select (to_jsonb(t) - 'branch_id')::text as row from ${table} t`;
    content[table] = await admin.rows(
      `select count(*)::int as count, md5(string_agg(row, ' ' order by row)) as digest from (${rows}) content`,
    );
  }
  return content;
}

describe('loaded', () => {
  const now = new Date('2026-11-16T09:30:00Z');
  let base: TestDatabase;
  let admin: Session;
  beforeAll(async () => {
    base = await testDatabase();
    admin = await openSession(base.adminUrl);
    expect(await loadAll(base, now)).toBe(DEALERS.length * SOLD.length);
  });
  afterAll(async () => {
    await admin?.close();
    await base?.close();
  });

  it('are the same bytes in another deployment, and a second load adds nothing', async () => {
    const before = await contentOf(admin);
    expect(await loadAll(base, new Date('2027-03-01T09:00:00Z'))).toBe(0);
    expect(await contentOf(admin)).toEqual(before);
    const other = await testDatabase();
    const session = await openSession(other.adminUrl);
    try {
      await loadAll(other, now);
      expect(await contentOf(session)).toEqual(before);
    } finally {
      await session.close();
      await other.close();
    }
  });

  const seen = async (table: string, column: string, dealer: DemoDealer): Promise<string[]> =>
    (
      await admin.rows<{ value: string }>(`select distinct ${column}::text as value from ${table} where account_id = $1`, [
        dealer.id,
      ])
    )
      .map(({ value }) => value)
      .sort();

  it.each(DEALERS)('have every state at $name', async (dealer) => {
    expect(await seen('sales', 'status', dealer)).toEqual(['Aktif', 'Tamamlandı', 'İptal'].sort());
    expect(await seen('sales', 'payment_type', dealer)).toEqual(['Peşin', 'Taksitli']);
    const rows = ['Bekliyor', 'Kısmi Ödendi', 'Yapılandırıldı', 'Ödendi', 'İptal'].sort();
    expect(await seen('installments', 'status', dealer)).toEqual(rows);
    expect(await seen('installments', 'kind', dealer)).toEqual(['Ara Ödeme', 'Peşinat', 'Taksit']);
    const types = ['Kapora', 'Mahsup', 'Tahsilat', 'Ters Kayıt', 'İade', 'İndirim'].sort();
    expect(await seen('collections', 'type', dealer)).toEqual(types);
    expect(await seen('collections', 'discount_reason', dealer)).toEqual(expect.arrayContaining(['Erken Ödeme', 'Küsurat']));
    const deposits = ['Açık', 'Gelir', 'Mahsup Edildi', 'İade Edildi'].sort();
    expect((await seen('collections', 'deposit_status', dealer)).filter((one) => one !== null).sort()).toEqual(deposits);
    expect(await seen('payment_promises', 'status', dealer)).toEqual(
      expect.arrayContaining(['Bekliyor', 'Tutuldu', 'Tutulmadı']),
    );
    expect(await seen('reservations', 'status', dealer)).toEqual(['Aktif', 'Serbest', 'Süresi Doldu', 'Tamamlandı']);
    const [more] = await admin.rows<Shown>(
      `select bool_or(postpone_count > 0) as postponed, (select bool_or(trade_in_vehicle_id is not null) from sales where account_id = $1) as traded,
        (select bool_or(restructured_at is not null) from sales where account_id = $1) as restructured,
        (select bool_or(retained_amount_minor > 0) from sales where account_id = $1) as retained,
        (select bool_or(late_interest_amount_minor > 0) from collections where account_id = $1) as late
      from installments where account_id = $1`,
      [dealer.id],
    );
    expect(more).toMatchObject({ postponed: true, traded: true, restructured: true, late: true });
  });

  it('have money in another currency at agreed rates, without a bulletin of a bank', async () => {
    const rates = await admin.rows(
      'select distinct rate_source, sale_currency <> currency as foreign from collections where rate_source is not null',
    );
    expect(rates).toEqual([{ rate_source: 'manuel', foreign: true }]);
    expect(await admin.rows('select count(*)::int as bulletins from exchange_rates')).toEqual([{ bulletins: 0 }]);
  });

  it.each(DEALERS)('fill every screen of $name', async ({ id }) => {
    const today = '2026-11-16';
    await base.database.inTenant(id, 'read', async (db) => {
      const board = await readBoard(db, { today, masked: false }, { limit: 12, offset: 0 });
      for (const lane of ['overdue', 'due_today', 'promised_today', 'collected_today'] as const)
        expect(board[lane].cards.length, lane).toBeGreaterThan(0);
      const aging = await readAging(db, { today, sort: 'total', limit: 100, offset: 0 });
      for (const bucket of ['d1_30', 'd31_60', 'd61_90', 'd91'])
        expect(JSON.stringify(aging), bucket).toMatch(new RegExp(`"${bucket}":"[1-9]`));
      expect((await readCalendar(db, '2026-11')).length).toBeGreaterThan(10);
      const months = (await readCashFlow(db, today)).flatMap((flow) => flow.months);
      expect(months.filter(({ due }) => due !== '0.00').length).toBeGreaterThan(12);
      const { branch } = await db.one<{ branch: string }>(sql`select id as branch from ${own('branches')} where is_main`);
      expect((await previewTill(db, branch, today)).lines.length).toBeGreaterThan(0);
    });
  });

  it('close the till with the sums of the records', async () => {
    const off = await admin.rows(`select c.account_id, c.day from till_closings c,
        jsonb_to_recordset(c.lines) as line(currency text, method text, cash_in numeric, cash_out numeric, expected numeric, opening numeric),
        lateral (select max(day) as day from till_closings e where e.account_id = c.account_id and e.day < c.day) last,
        lateral (select coalesce(sum(cash_in), 0) as cash_in, coalesce(sum(cash_out), 0) as cash_out from till_moved(c.account_id, c.branch_id, last.day, c.day) m
          where m.currency = line.currency and m.method = line.method) moved
      where (line.cash_in * 100, line.cash_out * 100) is distinct from (moved.cash_in, moved.cash_out)
        or line.expected <> line.opening + line.cash_in - line.cash_out or line.method = 'Nakit' and line.expected < 0`);
    expect(off).toEqual([]);
    const [closings] = await admin.rows<Shown>(
      'select count(*)::int as number, count(reason)::int as reasons from till_closings',
    );
    expect(closings!.number).toBeGreaterThan(250);
    expect(closings!.reasons).toBe(3);
  });
});

describe('on any day', () => {
  const secrets = deriveSecrets('a secret of at least thirty-two characters');
  const DAYS = [
    ...[
      '2026-01-01',
      '2026-01-31',
      '2026-02-28',
      '2026-03-30',
      '2026-03-31',
      '2026-05-31',
      '2026-12-31',
      '2027-02-28',
      '2028-02-29',
    ],
    ...Array.from({ length: 12 }, (_, week) => new Date(Date.UTC(2026, 5, 3 + week * 31)).toISOString().slice(0, 10)),
  ];

  it.each(DAYS)('%s: nothing is refused, installments add up, and nothing is in the future', (day) => {
    for (const [hour, dealer] of [
      ['00:05', DEALERS[0]!],
      ['23:30', DEALERS[1]!],
    ] as const) {
      const now = new Date(`${day}T${hour}:00Z`);
      const keys = sealingKeys(secrets, dealer.id);
      const made = newDemoSales(dealer, keys, {
        now,
        timezone: ZONES[dealer.country],
        buyers: demoBuyers(dealer, keys, 40, now),
      });
      for (const { book, story } of made.sales) {
        const { terms, installments, collections } = book;
        const total = terms.sale_price - terms.trade_in_amount + book.finance_charge;
        expect(sum(installments.map(({ amount }) => amount)), story).toBe(total);
        expect(sum(installments.map(({ paid_amount }) => paid_amount)), story).toBe(
          book.collected + (book.cancelled?.refunded ?? 0n),
        );
        expect(sum(installments.map(({ discounted_amount }) => discounted_amount)), story).toBe(book.discounted);
        for (const one of collections)
          expect(one.at <= now && one.on <= book.day.today && one.on >= (terms.deposit?.on ?? terms.sale_date), story).toBe(true);
        for (const [n, act] of book.acts.entries()) expect(n === 0 || act.at >= book.acts[n - 1]!.at, story).toBe(true);
      }
    }
  });
});
