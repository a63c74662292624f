// Two deployments of one secret, and what tests of `account move` compare: every row of a dealer, wherever it is.
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { vaultMark } from '../../src/domain/vault/secrets.ts';
import { newId } from '../../src/kit/ids.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { TEST_SECRET } from '../support/database.ts';
import { type TestService, testService } from '../support/service.ts';
import { openAll } from '../support/writer.ts';

export interface Place {
  readonly api: TestService;
  readonly admin: Session;
  close(): Promise<void>;
}

export async function newPlace(): Promise<Place> {
  const api = await testService();
  await openAll(api);
  const admin = await openSession(api.adminUrl);
  // As the first start does.
  await admin.rows(
    `insert into deployment (demo, vault_mark) values ('none', $1)
      on conflict (only_row) do update set demo = 'none', vault_mark = excluded.vault_mark`,
    [vaultMark(api.secrets)],
  );
  const close = async () => {
    await admin.close();
    await api.close();
  };
  return { api, admin, close };
}

export const settingsOf = ({ api }: Place): Record<string, string> => ({
  DATABASE_URL: api.adminUrl,
  GALERI_SECRET: TEST_SECRET,
  DATA_DIR: dirname(api.filesDir),
});

export const moveTo = ({ api }: Place): string[] => ['--to', api.adminUrl, '--files', api.filesDir];

/** Every row that names one of the accounts in a column of ids, as text; `data_sets.written_in` counts transactions of its server. */
export async function rowsOf({ admin }: Place, accounts: readonly string[]): Promise<Record<string, string[]>> {
  await admin.rows(`set timezone = 'UTC'`);
  const columns = await admin.rows<{
    name: string;
    columns: string[];
  }>(`select c.relname as name, array_agg(a.attname::text) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and not a.attisdropped
      and a.atttypid = 'uuid'::regtype and a.attnum > 0
      and (a.attname in ('account_id', 'wallet_of', 'dealer_id', 'owner_id', 'data_set', 'turn_of') or c.relname = 'accounts' and a.attname = 'id')
    group by 1 order by 1`);
  const found: Record<string, string[]> = {};
  for (const { name, columns: owners } of columns) {
    if (name === 'live_lots' || name === 'audit_log') continue;
    const owned = owners.filter((owner) => name !== 'enquiries' || owner !== 'owner_id').map((owner) => `"${owner}" = any($1)`);
    const rows = await admin.rows<{ row: string }>(
      `select (to_jsonb(t) - 'written_in')::text as row from "${name}" t where ${owned.join(' or ')} order by 1`,
      [accounts],
    );
    if (rows.length > 0) found[name] = rows.map(({ row }) => row);
  }
  return found;
}

/** Without triggers, as the command itself. */
export async function unchecked({ admin }: Place, ...statements: string[]): Promise<void> {
  await admin.rows(['begin; set local session_replication_role = replica', ...statements, 'commit'].join(';'));
}

/** Ends or deletes everything that keeps dealers from moving. */
export const closeDeals = (place: Place): Promise<void> =>
  unchecked(
    place,
    `update network_offers set status = 'Süresi Doldu' where status = 'Beklemede'`,
    `update network_offers set status = 'Tamamlandı' where status = 'Kabul Edildi'`,
    `update trade_requests set status = 'Süresi Doldu' where status = 'Beklemede'`,
    `update trade_requests set status = 'Bozuldu' where status = 'Kabul Edildi'`,
    `update reservations set status = 'Serbest' where status = 'Aktif' and counterparty_id is not null`,
    `delete from auction_bids where item_id in (select id from network_auctions where status <> 'Bitti' union select id from live_lots)`,
    `delete from auction_bidders where item_id in (select id from network_auctions where status <> 'Bitti' union select id from live_lots)`,
    `delete from network_auctions where status in ('Planlandı', 'Canlı')`,
    'delete from live_lots',
    'delete from auction_requests',
    `delete from live_events where status in ('Planlandı', 'Canlı')`,
    `update admin_decisions set status = 'withdrawn', ended_at = now() where status in ('pending', 'approved')`,
  );

/** A file of the dealer that is in the store. */
export async function addFile({ api, admin }: Place, accountId: string, content: string): Promise<string> {
  const name = createHash('md5').update(content).digest('hex').replace(/^(..)/, '$1/');
  const path = join(api.filesDir, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  await admin.rows(
    `insert into stored_files (account_id, id, name, content_type, size_bytes, sha256, state, created_at, state_at)
    values ($1, $2, $3, 'text/plain', $4, sha256($5::bytea), 'kept', now(), now())`,
    [accountId, newId(), name, content.length, Buffer.from(content)],
  );
  return name;
}
