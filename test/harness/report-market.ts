// Listings of the random books, and the expected report figures for them and for platform spending: computed from single rows,
// day by day.
import type { Session } from '../../src/postgres/database.ts';
import { dayNumber, daysLater } from './civil-days.ts';
import type { Random } from './random.ts';
import { cents, type Figures, nearest } from './report-reference.ts';

interface Listing {
  readonly id: string;
  readonly car: string;
  readonly brand: string;
  readonly published: Date;
  /** Start and end of each period; null: still active. */
  readonly lived: readonly (readonly [string, string | null])[];
}

interface Visit {
  readonly listing: string;
  readonly day: string;
  readonly views: bigint;
  readonly favorites: bigint;
  readonly contacts: bigint;
}

interface Market {
  readonly zone: string;
  readonly listings: readonly Listing[];
  readonly visits: readonly Visit[];
  readonly offers: readonly {
    readonly listing: string;
    readonly at: Date;
    readonly answered: Date | null;
    readonly status: string;
  }[];
  readonly boosts: readonly { readonly listing: string; readonly at: Date; readonly price: bigint; readonly status: string }[];
  readonly spent: readonly { readonly at: Date; readonly type: string; readonly amount: bigint }[];
  readonly sold: readonly { readonly car: string; readonly day: string }[];
}

/** Moments around the midnights of a year, which the service's clock would never give; written without its rules. */
export async function keepMarket(session: Session, accountId: string, random: Random): Promise<void> {
  const cars = await session.rows<{ id: string }>('select id from vehicles where account_id = $1 order by id', [accountId]);
  const at = () => `${daysLater('2034-04-01', random.below(350))}T${random.pick(['20:59', '21:30', '22:30', '09:00'])}:00Z`;
  const run = (text: string, values: unknown[]) => session.rows(text, [accountId, ...values]);
  await session.rows('set session_replication_role = replica');
  // Some vehicles have had two.
  for (const [place, { id: car }] of [...cars, ...cars].filter(() => random.chance(0.4)).entries()) {
    const [listing, order] = [crypto.randomUUID(), crypto.randomUUID()];
    const [published, pause, again] = [at(), at(), at()].toSorted() as [string, string, string];
    await run(
      `insert into listings (account_id, id, vehicle_id, title, status, published_at, closed_at, live)
       select $1::uuid, $2::uuid, $3::uuid, 'Golf', case when $7::bool then 'Yayında' else 'Kapandı' end, $4::timestamptz, case when not $7 then now() end,
         tstzmultirange(tstzrange($4, $5::timestamptz), tstzrange($6::timestamptz, case when not $7 then $6 + interval '36 hours' end))
       where not $7 or not exists (select from listings where account_id = $1 and vehicle_id = $3 and status <> 'Kapandı')`,
      [listing, car, published, pause, again, place % 3 === 0],
    );
    for (let number = 0; number < 4; number += 1)
      await run(
        `insert into listing_visits (account_id, listing_id, day, slot, views, favorites, contacts) values ($1, $2, $3, $4, $5, $6, $7)`,
        [listing, at().slice(0, 10), number, random.below(90), random.below(5), random.below(9)],
      );
    const status = random.pick(['Beklemede', 'Tamamlandı', 'Bozuldu', 'Reddedildi']);
    await run(
      `insert into marketplace_offers (account_id, id, listing_id, vehicle_id, buyer_name, buyer_phone, amount_minor, currency, status, created_at, responded_at, expires_at)
       values ($1, $2, $3, $4, 'Mehmet', '+905330000001', 1, 'STG', $5, $6, $7, now())`,
      [crypto.randomUUID(), listing, car, status, at(), status === 'Beklemede' ? null : at()],
    );
    await run(
      `insert into boost_orders (account_id, id, listing_id, vehicle_id, package, kind, days, price_minor, currency, starts_at, ends_at, status, charge_transaction_id,
         refund_transaction_id, cancelled_at, created_at, updated_at)
       select $1::uuid, $2::uuid, $3::uuid, $4::uuid, 'Acil-7', 'Acil', 7, $5::bigint, 'TL', $6::timestamptz, $6::timestamptz + interval '168 hours', $7::text, $2, back, case when back is not null then now() end,
         $6, now() from (select case when $7 = 'İptal' then $2::uuid end as back) refund`,
      [order, listing, car, 1 + random.below(90_000), at(), random.pick(['Tamamlandı', 'İptal'])],
    );
  }
  for (let number = 1; number < 7; number += 1) {
    const type = random.pick(['Boost', 'Boost İadesi', 'Üyelik', 'Düzeltme']);
    const amount = (1 + random.below(90_000)) * (type === 'Boost' || type === 'Üyelik' ? -1 : 1);
    const reference = type === 'Düzeltme' ? null : type === 'Üyelik' ? 'membership_invoice' : 'boost_order';
    await run(
      `insert into wallet_transactions (account_id, id, number, type, amount_minor, currency, balance_after_minor, reference_type, reference_id, reverses_id, description, created_at)
       values ($1, $2, 1000 + $3::int, $4, $5, 'TL', 0, $6, case when $6::text is not null then $2::uuid end, case when $4 = 'Boost İadesi' then $2::uuid end, 'x', $7)`,
      [crypto.randomUUID(), number, type, amount, reference, at()],
    );
  }
  await session.rows('set session_replication_role = default');
}

export async function readMarket(session: Session, accountId: string): Promise<Market> {
  const of = <T>(text: string) => session.rows<T & object>(text, [accountId]);
  const [account] = await of<{ timezone: string }>('select timezone from accounts where id = $1');
  return {
    zone: account!.timezone,
    listings: (await of<Listing>(`select listings.id, vehicle_id as car, brand, published_at as published,
      (select coalesce(json_agg(json_build_array(lower(one), upper(one))), '[]') from unnest(live) one where not isempty(one)) as lived
      from listings join vehicles on vehicles.id = vehicle_id where listings.account_id = $1`)) as Listing[],
    visits: (await of<Visit>(
      'select listing_id as listing, day, views, favorites, contacts from listing_visits where account_id = $1',
    )) as Visit[],
    offers: (await of(
      'select listing_id as listing, created_at as at, responded_at as answered, status from marketplace_offers where account_id = $1',
    )) as never,
    boosts: (await of(
      'select listing_id as listing, created_at as at, price_minor as price, status from boost_orders where account_id = $1',
    )) as never,
    spent: (await of(
      'select created_at as at, type, amount_minor as amount from wallet_transactions where account_id = $1',
    )) as never,
    sold: (await of(`select vehicle_id as car, sale_date as day from sales where account_id = $1 and status <> 'İptal'
      union all select id, sold_at from vehicles where account_id = $1 and deleted_at is null and status = 'Satıldı' and sold_via = 'Harici'`)) as never,
  };
}

const MEASURES = 9;
type Measures = bigint[];

export class MarketReference {
  private readonly market: Market;
  private readonly today: string;
  private readonly format: Intl.DateTimeFormat;
  constructor(market: Market, today: string) {
    this.market = market;
    this.today = today;
    this.format = new Intl.DateTimeFormat('en-CA', { timeZone: market.zone });
  }

  private dayOf(at: Date | string): string {
    return this.format.format(new Date(at));
  }

  /** The days of the range on which it was active, until today. */
  private daysLive({ lived }: Listing, from: string, to: string): string[] {
    const last = to < this.today ? to : this.today;
    const days = new Set<string>();
    for (const [begin, end] of lived) {
      const until = end === null ? last : this.dayOf(new Date(Date.parse(end) - 1));
      for (let day = this.dayOf(begin); day <= until && day <= last; day = daysLater(day, 1)) if (day >= from) days.add(day);
    }
    return [...days];
  }

  performance(from: string, to: string, by: 'listing' | 'day'): Figures {
    const groups = new Map<string, Measures>();
    const all: Measures = Array.from({ length: MEASURES }, () => 0n);
    const add = (listing: string, day: string, place: number, amount: bigint) => {
      const name = by === 'day' ? day : listing;
      const sums = groups.get(name) ?? Array.from({ length: MEASURES }, () => 0n);
      groups.set(name, sums);
      for (const one of [sums, all]) one[place] = one[place]! + amount;
    };
    const inRange = (day: string) => day >= from && day <= to;
    const chosen = this.market.listings.filter((one) => this.daysLive(one, from, to).length > 0);
    const ids = new Set(chosen.map(({ id }) => id));
    for (const one of chosen) for (const day of this.daysLive(one, from, to)) add(one.id, day, 5, 1n);
    for (const { listing, day, views, favorites, contacts } of this.market.visits)
      if (ids.has(listing) && inRange(day))
        for (const [place, count] of [views, favorites, contacts].entries()) add(listing, day, place, count);
    for (const { listing, at, answered, status } of this.market.offers) {
      if (!ids.has(listing)) continue;
      if (inRange(this.dayOf(at))) add(listing, this.dayOf(at), 3, 1n);
      const isAccepted = ['Kabul Edildi', 'Tamamlandı', 'Bozuldu'].includes(status);
      if (isAccepted && inRange(this.dayOf(answered!))) add(listing, this.dayOf(answered!), 4, 1n);
    }
    for (const { car, day } of this.market.sold.filter((one) => inRange(one.day))) {
      const [newest] = chosen
        .filter((one) => one.car === car)
        .toSorted((a, b) => b.published.getTime() - a.published.getTime() || (a.id < b.id ? 1 : -1));
      if (newest === undefined) continue;
      add(newest.id, day, 6, 1n);
      add(newest.id, day, 7, BigInt(Math.max(0, dayNumber(day) - dayNumber(this.dayOf(newest.published)))));
    }
    for (const { listing, at, price, status } of this.market.boosts)
      if (ids.has(listing) && status !== 'İptal' && inRange(this.dayOf(at))) add(listing, this.dayOf(at), 8, price);
    const out: Figures = { totals: `${chosen.length} ${shown(all)}` };
    for (const [name, sums] of groups) out[name] = shown(sums);
    return out;
  }

  customListings(from: string, to: string): Figures {
    const out: Figures = {};
    const dated = this.market.listings.filter(({ published }) => this.dayOf(published) >= from && this.dayOf(published) <= to);
    for (const brand of new Set(dated.map((one) => one.brand))) {
      const ids = new Set(dated.filter((one) => one.brand === brand).map(({ id }) => id));
      const visits = this.market.visits.filter(({ listing }) => ids.has(listing));
      const sum = (of: (one: Visit) => bigint) => visits.reduce((all, one) => all + of(one), 0n);
      out[brand] = `${ids.size} ${sum(({ views }) => views)} ${sum(({ contacts }) => contacts)}`;
    }
    return out;
  }

  platformExpense(from: string, to: string): string {
    const counted = this.market.spent.filter(
      ({ type, at }) => ['Boost', 'Boost İadesi', 'Üyelik'].includes(type) && this.dayOf(at) >= from && this.dayOf(at) <= to,
    );
    return cents(counted.reduce((all, { amount }) => all - amount, 0n));
  }
}

const scaled = (part: bigint, whole: bigint, digits: number): string => {
  if (whole === 0n) return 'null';
  const found = String(nearest(part * 10n ** BigInt(digits), whole)).padStart(digits + 1, '0');
  return `${found.slice(0, -digits)}.${found.slice(-digits)}`;
};

function shown([views, favorites, contacts, offers, accepted, days, sold, waited, spent]: Measures): string {
  const rates = [scaled(contacts!, views!, 4), scaled(offers!, views!, 4)];
  return [views, favorites, contacts, offers, accepted, ...rates, days, sold, scaled(waited!, sold!, 1), cents(spent!)].join(' ');
}
