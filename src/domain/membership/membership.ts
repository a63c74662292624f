// The dealer's plan with the platform: its price, its limits, and how an administrator changes it (P7).
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import {
  columnsOf,
  currency,
  day,
  flag,
  integer,
  nullable as maybe,
  money,
  type Of,
  object,
  oneOf,
  timestamp,
  uuid,
} from '../../kit/schema.ts';
import { own, rawSql, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import {
  dayField,
  type Fields,
  flagField,
  integerField,
  moneyField,
  nullable,
  objectField,
  oneOfField,
  type Values,
} from '../records/fields.ts';
import { type Columns, changedColumns, columnsOfValues, updateAccount } from '../records/record.ts';
import { audit } from '../writes/audit.ts';
import { changedFields, emitChange } from '../writes/record-events.ts';
import { LIMITS, type LimitName, MEMBERSHIP_STATUSES, PLANS } from './membership-states.ts';

const limitShape = <T>(of: T) => Object.fromEntries(LIMITS.map((name) => [name, of])) as Record<LimitName, T>;

export const Membership = object({
  id: uuid(),
  plan: oneOf(PLANS),
  status: oneOf(MEMBERSHIP_STATUSES),
  period_start: day(),
  period_end: day(),
  price: money('1500.00'),
  currency: currency(),
  auto_renew: flag(),
  limits: object(limitShape(maybe(integer()))),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Membership = Of<typeof Membership>;

/** The column of each limit in the account's row, which every write reads anyway. */
export const LIMIT_COLUMNS = {
  vehicles: 'vehicle_limit',
  listings: 'listing_limit',
  staff: 'staff_limit',
  branches: 'branch_limit',
  api_keys: 'api_key_limit',
  monthly_api_requests: 'monthly_request_limit',
} as const satisfies Record<LimitName, string>;

const { limits: _, ...PLAIN } = Membership.shape;
const limitColumns = rawSql(LIMITS.map((name) => `'${name}', ${LIMIT_COLUMNS[name]}`).join(', '));

export const readMembership = (db: Db): Promise<Membership> =>
  db.last<Membership>(sql`select id, plan, status, period_start, period_end, price, currency, auto_renew, limits, created_at, updated_at
    from (select ${columnsOf(object(PLAIN))} from ${own('memberships')}) plan,
      (select json_build_object(${limitColumns}) as limits from ${own('accounts')}) allowed`);

export const MEMBERSHIP_FIELDS = {
  plan: oneOfField(PLANS),
  status: oneOfField(MEMBERSHIP_STATUSES),
  price: moneyField(),
  period_start: dayField(),
  period_end: dayField(),
  auto_renew: flagField,
  limits: objectField(limitShape(nullable(integerField(0, 1_000_000_000)))),
} as const satisfies Fields;

/** Limits that are not given stay unchanged; a limit below the current usage removes nothing. */
export async function setMembership(work: Work, body: Values<typeof MEMBERSHIP_FIELDS>): Promise<Membership> {
  const { db, now, actor, account } = work;
  const { limits = {}, ...fields } = body;
  const stored = await db.one<Columns>(sql`select plan, status, price_minor, period_start, period_end, auto_renew
    from ${own('memberships')} for update`);
  const before = await readMembership(db);
  const changed = changedColumns(stored, columnsOfValues(MEMBERSHIP_FIELDS, fields));
  const { period_start, period_end } = { ...stored, ...changed } as { period_start: string; period_end: string };
  if (period_end < period_start) refusePeriod();
  const allowed = Object.fromEntries(Object.entries(limits).map(([name, limit]) => [LIMIT_COLUMNS[name as LimitName], limit]));
  if (Object.keys(allowed).length > 0) await updateAccount(db, allowed);
  const { plan, status, price_minor, auto_renew } = { ...stored, ...changed } as Record<string, unknown>;
  await db.exec(sql`update memberships set plan = ${plan}, status = ${status}, price_minor = ${price_minor}, period_start = ${period_start},
    period_end = ${period_end}, auto_renew = ${auto_renew}, updated_at = ${now} where account_id = ${theAccount}`);
  const shown = await readMembership(db);
  emitChange(work, MEMBERSHIP_RESOURCE, 'updated', shown, before);
  const { changed: names, previous } = changedFields(before, shown);
  const after = Object.fromEntries(names.map((name) => [name, shown[name as keyof Membership]]));
  await audit(db, actor, 'membership.changed', shown.id, { accountId: account.id, before: previous, after });
  return shown;
}

export const MEMBERSHIP_RESOURCE = { kind: 'membership', path: 'membership' } as const;

function refusePeriod(): never {
  const message = { en: 'period_end must not be before period_start', tr: 'period_end, period_start tarihinden önce olamaz' };
  return fail('validation_failed', { details: [{ field: 'period_end', code: 'out_of_range', message }] });
}

/** Bids and offers need a membership that is not cancelled; earlier bids and offers stay. */
export async function requireMembership(db: Db): Promise<void> {
  const cancelled = await db.rows(sql`select from ${own('memberships')} where status = 'İptal'`);
  if (cancelled.length > 0) fail('membership_cancelled');
}
