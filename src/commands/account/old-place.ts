// The old place of a dealer that moves: closed for writes by triggers of the database, so that no process can write past them; then its
// keys get the new address, and its rows are removed.
import type { FileStore } from '../../domain/files/file-store.ts';
import { qualifiedName } from '../../postgres/backup.ts';
import type { Session } from '../../postgres/database.ts';
import { inTransaction } from '../../postgres/migrate.ts';
import { isOwnedBy, type MovedTable } from './moved-tables.ts';

export interface MoveRow {
  readonly move_id: string;
  readonly state: 'copying' | 'closed' | 'moved' | 'arrived';
  readonly other_server: string;
  readonly other_database: string;
  readonly file_store: string | null;
  readonly public_url: string | null;
}

export async function findMove(session: Session, account: string): Promise<MoveRow | null> {
  const [row] = await session.rows<MoveRow>(
    'select move_id, state, other_server, other_database, file_store, public_url from account_moves where id = $1',
    [account],
  );
  return row ?? null;
}

/** Jobs change rows of many dealers in these tables with one statement, which must not fail because of one of them. */
const LEFT_OUT_BY_JOBS = [
  'data_sets',
  'import_connectors',
  'import_runs',
  'listing_visits',
  'mails',
  'request_logs',
  'stored_files',
  'usage_calls',
  'usage_latency',
  'usage_secrets',
  'webhook_attempts',
  'webhook_deliveries',
  'worlds',
];

/** The name of a trigger that runs before others. */
const triggerOf = (account: string, when: 'in' | 'out'): string => `a_moving_${account.replaceAll('-', '')}_${when}`;

/**
 * A trigger is made once no running transaction writes to its table, so afterwards the dealer's rows are final. Each table has a
 * transaction of its own with the short locks of a migration.
 */
export async function closeForWrites(
  session: Session,
  account: string,
  ids: readonly string[],
  tables: readonly MovedTable[],
): Promise<void> {
  await session.rows(`update account_moves set state = 'closed', closed_at = now() where id = $1`, [account]);
  for (const table of tables) {
    const argument = LEFT_OUT_BY_JOBS.includes(table.name) ? `'skip'` : '';
    const make = (when: 'in' | 'out', events: string, row: string) =>
      `create or replace trigger ${triggerOf(account, when)} before ${events} on ${qualifiedName(table)} for each row
        when (${isOwnedBy(table.owners, ids, row)}) execute function refuse_moving(${argument})`;
    await inTransaction(session, [make('in', 'insert or update', 'new.'), make('out', 'delete', 'old.')]);
  }
}

/** Drops the triggers from all tables, also those that an interrupted command has left. */
export async function removeTriggers(session: Session, account: string): Promise<void> {
  const left = await session.rows<{ name: string; relation: string }>(
    `select t.tgname as name, c.relname as relation from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and not c.relispartition and t.tgname = any($1) order by 2, 1`,
    [[triggerOf(account, 'in'), triggerOf(account, 'out')]],
  );
  for (const { name, relation } of left)
    await inTransaction(session, [`drop trigger ${name} on ${qualifiedName({ name: relation })}`]);
}

/** The dealer stays at the old place. Nothing of the move is left there. */
export async function reopen(session: Session, account: string): Promise<void> {
  await removeTriggers(session, account);
  await session.rows(`delete from account_moves where id = $1 and state in ('copying', 'closed')`, [account]);
}

/** From here on the keys of the dealer get the new address. */
export async function redirectKeys(session: Session, account: string): Promise<void> {
  await inTransaction(session, [
    `insert into moved_keys (digest, account, key_id) select digest, account_id, key_id from key_secrets where account_id = '${account}'
      on conflict (digest) do update set account = excluded.account, key_id = excluded.key_id`,
    `delete from key_secrets where account_id = '${account}'`,
    `update sessions set current_account = null, look = false where current_account = '${account}'`,
    `update account_moves set state = 'moved', moved_at = now() where id = '${account}'`,
  ]);
}

interface OldStore {
  readonly from: FileStore;
  readonly isCopied: (file: { readonly name: string; readonly sha256: string }) => Promise<boolean>;
}

/**
 * Without `store` the files stay, because the new place uses the same store. Files that the new store does not have as they should be
 * stay too; returns their names.
 */
export async function removeRows(
  session: Session,
  account: string,
  ids: readonly string[],
  tables: readonly MovedTable[],
  store: OldStore | null,
): Promise<string[]> {
  const files = await session.rows<{ name: string; sha256: string; state: string }>(
    `select name, encode(sha256, 'hex') as sha256, state from stored_files where account_id = any($1)`,
    [ids],
  );
  const left: string[] = [];
  // Files first, so that after an interruption the rows still name what has to be deleted.
  for (const file of store === null ? [] : files)
    if (file.state !== 'kept' || (await store!.isCopied(file))) await store!.from.delete(file.name);
    else left.push(file.name);
  await session.rows('begin; set local session_replication_role = replica');
  try {
    const people = await session.rows<{ id: string }>(
      `select distinct person_id as id from members
      where account_id = any($1) and person_id is not null`,
      [ids],
    );
    for (const table of tables) await session.rows(`delete from ${qualifiedName(table)} where ${table.removed}`);
    await removePeople(
      session,
      people.map(({ id }) => id),
      ids,
    );
    await leaveAccounts(session, ids);
    // Triggers, which would notify the nodes, do not run in this transaction.
    await session.rows(`select pg_notify('galeri_changes', 'account:' || $1)`, [account]);
    await session.rows('commit');
  } catch (error) {
    await session.rows('rollback').catch(() => {});
    throw error;
  }
  // One may have opened the dealer until the rows were gone.
  await leaveAccounts(session, ids);
  return left;
}

/** Foreign keys do not run here, and a backup with such a session could not be restored. */
const leaveAccounts = (session: Session, ids: readonly string[]): Promise<unknown> =>
  session.rows('update sessions set current_account = null, look = false where current_account = any($1)', [ids]);

/** Those who work nowhere else here and administer nothing. */
async function removePeople(session: Session, people: readonly string[], ids: readonly string[]): Promise<void> {
  const left = await session.rows<{ id: string }>(
    `select id from people where id = any($1) and not is_admin and not exists (select from members where person_id = people.id)`,
    [people],
  );
  const theirs = [left.map(({ id }) => id)];
  await session.rows('delete from sessions where person_id = any($1)', theirs);
  await session.rows('delete from password_resets where person_id = any($1) or made_by = any($1)', theirs);
  await session.rows('delete from password_resets where made_as_owner_of = any($1)', [ids]);
  await session.rows('delete from people where id = any($1)', theirs);
}

/** The keys get no answer but 401 any more. False if the dealer has not moved. */
export async function forgetMove(session: Session, account: string): Promise<boolean> {
  const gone = await session.rows(`delete from account_moves where id = $1 and state = 'moved' returning id`, [account]);
  return gone.length > 0;
}
