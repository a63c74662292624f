// A dealer's choices about the showroom: whether it is on, its address, and what it shows.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import type { Currency } from '../../kit/money.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { type FieldError, type Fields, flagField, nullable, textField, type Values } from '../records/fields.ts';
import { violatedConstraint } from '../records/record.ts';
import { audit } from '../writes/audit.ts';
import { isSlug, REDIRECT_DAYS, SANDBOX_PREFIX, SOLD_DAYS } from './showroom-states.ts';

const slugField = textField(40, {
  min: 3,
  tidy: (text) => {
    const slug = text.trim().toLowerCase();
    return isSlug(slug) ? slug : null;
  },
  allowed: { en: '3 to 40 characters of a-z, 0-9 and hyphens', tr: 'a-z, 0-9 ve tireden oluşan 3 ile 40 karakter' },
});

export const SHOWROOM_FIELDS = {
  is_on: flagField,
  slug: nullable(slugField),
  shows_plate: flagField,
  shows_sold: flagField,
} as const satisfies Fields;

export interface ShowroomSettings {
  readonly is_on: boolean;
  readonly slug: string | null;
  readonly shows_plate: boolean;
  readonly shows_sold: boolean;
}

const OFF: ShowroomSettings = { is_on: false, slug: null, shows_plate: false, shows_sold: false };

export async function readShowroomSettings(db: Db): Promise<ShowroomSettings> {
  const [found] = await db.rows<ShowroomSettings>(sql`select is_on, slug, shows_plate, shows_sold from ${own('showrooms')}`);
  return found ?? OFF;
}

/** A new address takes effect at once; the one before leads to it. */
export async function changeShowroom(work: Work, values: Values<typeof SHOWROOM_FIELDS>): Promise<ShowroomSettings> {
  const { db, now, actor, account } = work;
  await db.exec(sql`insert into showrooms (account_id, created_at, updated_at) values (${theAccount}, ${now}, ${now})
    on conflict (account_id) do nothing`);
  const before = await db.one<ShowroomSettings>(
    sql`select is_on, slug, shows_plate, shows_sold from ${own('showrooms')} for update`,
  );
  const after = { ...before, ...values };
  if (after.is_on && after.slug === null) fail('validation_failed', { details: [NO_SLUG] });
  if (after.slug !== before.slug) await moveSlug(work, before.slug, after.slug);
  await db.exec(sql`update showrooms set is_on = ${after.is_on}, slug = ${after.slug}, shows_plate = ${after.shows_plate},
    shows_sold = ${after.shows_sold}, updated_at = ${now} where account_id = ${theAccount}`);
  await audit(db, actor, 'showroom.changed', account.id, { accountId: account.id, before: { ...before }, after: { ...after } });
  return after;
}

/** Addresses that a dealer gave up within the year and still holds, because they lead to the showroom. */
const MAX_RETIRED = 5;

async function requireMayTake({ db, realNow }: Work, to: string): Promise<void> {
  const since = new Date(realNow.getTime() - REDIRECT_DAYS * 86_400_000);
  const { kind, retired, is_own } = await db.one<{ kind: string; retired: number; is_own: boolean }>(sql`select kind,
      (select count(*)::int from ${own('showroom_slugs')} where retired_at > ${since}) as retired,
      exists (select from ${own('showroom_slugs')} where slug = ${to}) as is_own from ${own('data_sets')}`);
  if (is_own) return;
  if (kind === 'sandbox' && !to.startsWith(SANDBOX_PREFIX)) fail('validation_failed', { details: [NOT_OF_SANDBOX] });
  if (retired >= MAX_RETIRED) fail('validation_failed', { details: [TOO_MANY] });
}

async function moveSlug(work: Work, from: string | null, to: string | null): Promise<void> {
  const { db, realNow } = work;
  if (to !== null) await requireMayTake(work, to);
  if (from !== null)
    await db.exec(sql`update showroom_slugs set retired_at = ${realNow} where account_id = ${theAccount} and slug = ${from}`);
  if (to === null) return;
  await db
    .exec(sql`insert into showroom_slugs (account_id, slug) values (${theAccount}, ${to})
      on conflict (account_id, slug) do update set retired_at = null`)
    .catch((error) => {
      if (violatedConstraint(error) === 'showroom_slugs_slug') fail('validation_failed', { details: [TAKEN] });
      throw error;
    });
}

const NO_SLUG: FieldError = {
  field: 'slug',
  code: 'required',
  message: { en: 'slug is required to switch the showroom on', tr: 'Vitrini açmak için bir adres seçin' },
};

const TOO_MANY: FieldError = {
  field: 'slug',
  code: 'too_many',
  message: {
    en: `The address was changed ${MAX_RETIRED} times within a year; take one of the earlier addresses again or wait`,
    tr: `Adres bir yıl içinde ${MAX_RETIRED} kez değişti; eski adreslerden birine dönün ya da bekleyin`,
  },
};

const NOT_OF_SANDBOX: FieldError = {
  field: 'slug',
  code: 'invalid',
  message: {
    en: `The address of a sandbox's showroom begins with ${SANDBOX_PREFIX}`,
    tr: `Sandbox vitrininin adresi ${SANDBOX_PREFIX} ile başlar`,
  },
};

const TAKEN: FieldError = {
  field: 'slug',
  code: 'duplicate',
  message: { en: 'This address belongs to another dealer', tr: 'Bu adres başka bir galerinin' },
};

/** A showroom as its visitors see it: the dealer's face and choices. */
export interface Showroom extends ShowroomSettings {
  readonly slug: string;
  readonly account_id: string;
  readonly timezone: string;
  readonly name: string;
  readonly city: string | null;
  readonly phone: string | null;
  readonly has_logo: boolean;
  readonly default_currency: Currency;
  readonly kind: 'production' | 'sandbox';
  readonly is_demo: boolean;
  readonly version: bigint;
  /** Listings of sold cars that are still shown. */
  readonly sold: readonly string[];
  /** When the first of them leaves the page. */
  readonly sold_until: Date | null;
}

/** Null while it is off, its dealer is suspended, or the marketplace is off for the dealer. */
export async function readShowroom(db: Db, now: Date): Promise<Showroom | null> {
  const since = new Date(now.getTime() - SOLD_DAYS * 86_400_000);
  const [found] = await db.rows<Omit<Showroom, 'sold' | 'sold_until'> & { sold: string[]; oldest: Date | null }>(
    sql`select showrooms.is_on, showrooms.slug, showrooms.shows_plate, showrooms.shows_sold, accounts.id as account_id, accounts.timezone,
        accounts.name, accounts.city, accounts.phone, accounts.paper_logo is not null as has_logo,
        accounts.default_currency, accounts.is_demo, data_sets.kind, data_sets.version, coalesce(sold.ids, '{}') as sold, sold.oldest
      from ${own('showrooms')} cross join ${own('accounts')} cross join ${own('data_sets')}
      cross join lateral (select array_agg(ended.id) as ids, min(ended.closed_at) as oldest
        from (select id, vehicle_id, closed_at from ${own('listings')} where close_reason = 'satıldı' and closed_at > ${since}
          and showrooms.shows_sold) ended
        where exists (select from ${own('vehicles')} where vehicles.id = ended.vehicle_id and status = 'Satıldı' and deleted_at is null)
          and not exists (select from ${own('listings')} where listings.vehicle_id = ended.vehicle_id
            and (listings.status <> 'Kapandı' or listings.closed_at > ended.closed_at))) sold
      where showrooms.is_on and accounts.marketplace and accounts.status = 'Aktif'`,
  );
  if (found === undefined) return null;
  const { oldest, ...showroom } = found;
  return { ...showroom, sold_until: oldest && new Date(oldest.getTime() + SOLD_DAYS * 86_400_000) };
}

export async function readLogo(db: Db): Promise<Buffer | null> {
  const { logo } = await db.one<{ logo: Buffer | null }>(sql`select paper_logo as logo from ${own('accounts')}`);
  return logo;
}
