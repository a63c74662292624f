// What must hold before a dealer moves: two places of one version and one secret, no open deal with a dealer who stays, and nothing there
// that has the same name.
import { SEALED_COLUMNS } from '../../domain/reseal.ts';
import { type Secrets, vaultMark } from '../../domain/vault/secrets.ts';
import { sqlState } from '../../kit/db.ts';
import { appliedMigrations } from '../../postgres/backup.ts';
import { openSession, type Session } from '../../postgres/database.ts';
import { readIdentity } from '../../postgres/pooler.ts';
import { findServiceUrls } from '../../postgres/roles.ts';
import { UsageError } from '../command.ts';
import type { MovedTable } from './moved-tables.ts';

export interface Ends {
  readonly source: Session;
  readonly target: Session;
  readonly targetUrl: string;
}

/** Before the target is locked: both locks would be one. */
export async function refuseSamePlace({ source, target }: Pick<Ends, 'source' | 'target'>): Promise<void> {
  if ((await readIdentity(source)) === (await readIdentity(target)))
    throw new UsageError('--to must be the database of another deployment');
}

export async function checkPlaces({ source, target, targetUrl }: Ends, secrets: Secrets): Promise<void> {
  const [known] = await target.rows<{ is: boolean }>(`select to_regclass('public.account_moves') is not null as is`);
  const [here, there] = [await appliedMigrations(source), known!.is ? await appliedMigrations(target) : []];
  if (JSON.stringify(here) !== JSON.stringify(there))
    throw new UsageError(
      'the database at --to does not have the migrations of this version; run the same version of galeri at both places',
    );
  for (const session of [source, target]) await requireReplica(session, session === source ? 'DATABASE_URL' : '--to');
  await requireSameSecret(target, targetUrl, secrets);
}

/** Rows are copied and removed as they are, without the triggers that made them. */
async function requireReplica(session: Session, name: string): Promise<void> {
  try {
    await session.rows('begin; set local session_replication_role = replica; rollback');
  } catch (error) {
    await session.rows('rollback').catch(() => {});
    if (sqlState(error) !== '42501') throw error;
    throw new UsageError(
      `the role of ${name} cannot set session_replication_role; as a superuser, run: grant set on parameter session_replication_role to THAT_ROLE`,
    );
  }
}

/** The passwords of the service's roles are derived from the secret, so the server at the other place verifies it. */
async function requireSameSecret(target: Session, targetUrl: string, secrets: Secrets): Promise<void> {
  const { platformUrl } = await findServiceUrls(target, targetUrl, secrets.roles);
  const wrong = new URL(platformUrl);
  wrong.password = 'not-the-password';
  const opens = async (url: string): Promise<boolean> => {
    try {
      await (await openSession(url)).close();
      return true;
    } catch (error) {
      if (['28P01', '28000'].includes(sqlState(error) ?? '')) return false;
      throw error;
    }
  };
  if (await opens(wrong.href))
    throw new UsageError(
      'the server at --to accepts any password, so its GALERI_SECRET cannot be compared; require scram-sha-256 there',
    );
  if (!(await opens(platformUrl)))
    throw new UsageError(
      'the deployment at --to has a different GALERI_SECRET, so keys and encrypted values would not work there',
    );
  await requireSameVault(target, secrets);
}

async function requireSameVault(target: Session, secrets: Secrets): Promise<void> {
  const [there] = await target.rows<{ mark: string | null }>('select vault_mark as mark from deployment');
  if (!there?.mark)
    throw new UsageError('start the service at --to once with this version: it records which vault secret it has');
  if (there.mark !== vaultMark(secrets))
    throw new UsageError('the deployment at --to has a different GALERI_VAULT_SECRET, so encrypted values would not work there');
}

/** Values of an earlier vault secret, which the other place may not have. The first byte of a sealed value shows its secret. */
export async function refuseOldSeals(
  source: Session,
  tables: readonly MovedTable[],
  ids: readonly string[],
  secrets: Secrets,
): Promise<void> {
  const ofMembers = `id in (select person_id from members where account_id = any('{${ids.join()}}'::uuid[]))`;
  const parts = SEALED_COLUMNS.map((name) => {
    const [table, column] = name.split('.') as [string, string];
    const condition = table === 'people' ? ofMembers : tables.find((one) => one.name === table)!.condition;
    return `select substring(${column} from 1 for 1) as first from ${table} where ${column} is not null and ${condition}`;
  });
  const sealed = await source.rows<{ id: number }>(
    `select distinct get_byte(first, 0) as id from (${parts.join(' union all ')}) as found where length(first) = 1`,
  );
  if (sealed.some(({ id }) => id !== secrets.vaults[0].id))
    throw new UsageError('some values are encrypted with an earlier vault secret; run galeri vault reseal first');
}

const NAMED = 20;

/** $1: the accounts that move; $2: the dealer's own. */
const OPEN_DEALS = `
  select 'open offer' as kind, id, case when account_id = any($1) then buyer_id else account_id end as other from network_offers
    where status in ('Beklemede', 'Kabul Edildi') and (account_id = any($1)) <> (buyer_id = any($1))
  union all
  select 'open swap', id, case when account_id = any($1) then requester_id else account_id end from trade_requests
    where status in ('Beklemede', 'Kabul Edildi') and (account_id = any($1)) <> (requester_id = any($1))
  union all
  select 'reservation by agreement', id, case when account_id = any($1) then counterparty_id else account_id end from reservations
    where status = 'Aktif' and counterparty_id is not null and (account_id = any($1)) <> (counterparty_id = any($1))
  union all
  select 'auction', id, null from network_auctions where account_id = $2 and status in ('Planlandı', 'Canlı')
  union all
  select 'bid on an auction', auction.id, auction.account_id from network_auctions auction
    join auction_bidders bidder on bidder.item_id = auction.id and bidder.account_id = $2
    where auction.status = 'Canlı' and auction.account_id <> $2
  union all
  select 'live event', id, null from live_events where account_id = $2 and status in ('Planlandı', 'Canlı')
  union all
  select 'lot of a live event', id, operator_id from live_lots where account_id = $2 and status in ('Sırada', 'Açık')
  union all
  select 'bid on a lot', lot.id, lot.account_id from live_lots lot
    join auction_bidders bidder on bidder.item_id = lot.id and bidder.account_id = $2
    where lot.status = 'Açık' and lot.account_id <> $2
  union all
  select 'auction request', id, null from auction_requests where account_id = $2 and status = 'Beklemede'
  union all
  select 'decision of administrators', id, null from admin_decisions where dealer_id = $2 and status in ('pending', 'approved')
  union all
  select 'moving clock of the sandbox', id, null from worlds where owner_id = $2 and status = 'advancing'`;

export async function refuseOpenDeals(source: Session, account: string, ids: readonly string[]): Promise<void> {
  const open = await source.rows<{ kind: string; id: string; name: string | null; count: number }>(
    `select kind, deal.id, accounts.name, count(*) over ()::int as count from (${OPEN_DEALS}) as deal
    left join accounts on accounts.id = other order by kind, deal.id limit ${NAMED}`,
    [ids, account],
  );
  if (open.length === 0) return;
  const names = open.map(({ kind, id, name }) => `${kind} ${id}${name === null ? '' : ` with ${name}`}`);
  const more = open[0]!.count > open.length ? ` and ${open[0]!.count - open.length} more` : '';
  throw new UsageError(`complete or cancel these before the move: ${names.join(', ')}${more}`);
}

/** Names that are unique in a deployment. Ids are random; a collision would end the copy. */
export async function refuseTaken({ source, target }: Ends, ids: readonly string[]): Promise<void> {
  const there = await target.rows<{ id: string }>(
    'select id from accounts where id = any($1) union all select id from data_sets where account_id = any($1)',
    [ids],
  );
  if (there.length > 0) throw new UsageError(`the account ${there[0]!.id} is already in the deployment at --to`);
  const slugs = await source.rows<{ slug: string }>('select slug from showroom_slugs where account_id = any($1)', [ids]);
  const taken = await target.rows<{ slug: string }>('select slug from showroom_slugs where slug = any($1)', [
    slugs.map(({ slug }) => slug),
  ]);
  if (taken.length > 0)
    throw new UsageError(`the showroom address ${taken[0]!.slug} is taken in the deployment at --to; change it first`);
  const people = await source.rows<{ id: string; email: string }>(
    'select id, email from people where id in (select person_id from members where account_id = any($1))',
    [ids],
  );
  const others = await target.rows<{ email: string }>(
    `select p.email from people p join unnest($1::uuid[], $2::text[]) as mine (id, email)
      on lower(mine.email) = lower(p.email) where mine.id <> p.id order by 1`,
    [people.map(({ id }) => id), people.map(({ email }) => email)],
  );
  if (others.length > 0)
    throw new UsageError(
      `${others.map(({ email }) => email).join(', ')}: another person has this address in the deployment at --to`,
    );
}
