// Removes the demonstration: its people at once, then its dealers with all their rows and files. It can be interrupted anywhere
// and run again. The audit log keeps its entries, because nothing is ever deleted from it.
import { setTimeout as wait } from 'node:timers/promises';
import type { FileStore } from '../domain/files/file-store.ts';
import { sqlState } from '../kit/db.ts';
import { describe, qualifiedName } from '../postgres/backup.ts';
import { openSession, type Session } from '../postgres/database.ts';
import { foreignKeys, inOrder } from '../postgres/restore.ts';

export interface RemovedDemo {
  readonly accounts: number;
  readonly people: number;
  readonly rows: number;
  readonly files: number;
}

/** The demonstration shares data with real people or dealers. */
export class DemoInUse extends Error {}

export interface RemoveOptions {
  readonly adminUrl: string;
  /** Of the log, if it has its own. */
  readonly logAdminUrl?: string | null;
  /** Called only where there are files to delete. */
  readonly openStore: () => Promise<FileStore>;
  /** Also removes it if demonstration and real people or dealers are mixed. */
  readonly force: boolean;
  readonly progress?: (line: string) => void;
}

/** By then every process has learned of the removal and written its last lines of the request log. */
const LAST_LINES_MS = 1500;
const TRIES = 5;
/** Many dead rows would slow down foreign key checks, so the table is vacuumed. */
const MANY = 1000;

export async function removeDemo(options: RemoveOptions): Promise<RemovedDemo> {
  const session = await openSession(options.adminUrl, { deadlineMs: null });
  try {
    if (!options.force) await refuseInUse(session);
    const [accounts, people] = [await idsOf(session, 'accounts'), await idsOf(session, 'people')];
    await shutOut(session, accounts, people);
    if (accounts.length === 0) return { accounts: 0, people: people.length, rows: people.length, files: 0 };
    const sets = await session.rows<{ id: string }>('select id from data_sets where account_id = any($1)', [accounts]);
    const theirs = [...new Set([...accounts, ...sets.map(({ id }) => id)])];
    const files = new Set<string>();
    let rows = people.length;
    for (let tries = 1; ; tries += 1) {
      rows += await clear(session, theirs, files, options);
      const last = await removeAccounts(session, accounts, theirs);
      if (last !== null) {
        rows += last;
        break;
      }
      if (tries === TRIES) throw new Error('the demonstration is being written to; run demo remove again');
    }
    await wait(LAST_LINES_MS);
    rows += await clear(session, theirs, files, options);
    if (options.logAdminUrl) rows += await clearLog(options.logAdminUrl, theirs, options);
    return { accounts: accounts.length, people: people.length, rows, files: files.size };
  } finally {
    await session.close();
  }
}

async function idsOf(session: Session, table: 'accounts' | 'people'): Promise<string[]> {
  return (await session.rows<{ id: string }>(`select id from ${table} where is_demo`)).map(({ id }) => id);
}

async function refuseInUse(session: Session): Promise<void> {
  const [found] = await session.rows<{ email: string; account: string; is_demo: boolean }>(`
    select p.email, a.name as account, p.is_demo from members m join people p on p.id = m.person_id
    join data_sets d on d.id = m.account_id join accounts a on a.id = d.account_id
    where m.active and p.is_demo <> a.is_demo order by p.is_demo desc, a.name, p.email limit 1`);
  if (found === undefined) return;
  const { email, account } = found;
  throw new DemoInUse(
    found.is_demo
      ? `${email} is a demonstration user on the staff of ${account}; remove them there first, or use --force`
      : `${email} works in the demonstration dealer ${account}; --force removes ${account} with all its data`,
  );
}

/** First step: ends all sign-ins and keys of the demonstration, so that nothing more is written. */
async function shutOut(session: Session, accounts: string[], people: string[]): Promise<void> {
  await inTransaction(session, async () => {
    await session.rows(`update accounts set status = 'Askıda' where id = any($1)`, [accounts]);
    await session.rows('update api_keys set revoked_at = now() where account_id = any($1) and revoked_at is null', [accounts]);
    await session.rows('update sessions set current_account = null, look = false where current_account = any($1)', [accounts]);
    await session.rows('delete from sessions where person_id = any($1)', [people]);
    // Also links that these people made for others, which must not outlive them.
    await session.rows('delete from password_resets where person_id = any($1) or made_by = any($1)', [people]);
    await session.rows(
      'delete from mails where lower(recipient) in (select lower(email) from people where id = any($1)) and sent_at is null',
      [people],
    );
    // In a real dealer's account they remain as inactive staff.
    await session.rows('update members set person_id = null, active = false where person_id = any($1)', [people]);
    await session.rows('delete from people where id = any($1)', [people]);
    await session.rows(`update deployment set demo = 'none'`);
  });
}

/** Deletes table by table; tables that refer to others come first. */
async function clear(session: Session, theirs: string[], files: Set<string>, options: RemoveOptions): Promise<number> {
  await deleteFiles(session, theirs, files, options);
  let rows = 0;
  for (const table of await tablesOfAccounts(session)) {
    if (table === 'branches' || table === WITH_SALES) continue;
    const gone = await (table === 'sales' ? deleteSales(session, theirs) : deleteFrom(session, table, theirs, [...files]));
    rows += gone;
    if (gone > 0) options.progress?.(`${table}: ${gone} rows`);
    if (gone > MANY) await session.rows(`vacuum (analyze) ${qualifiedName({ name: table })}`);
  }
  return rows;
}

async function clearLog(url: string, theirs: string[], options: RemoveOptions): Promise<number> {
  const session = await openSession(url, { deadlineMs: null });
  try {
    return await clear(session, theirs, new Set(), options);
  } finally {
    await session.close();
  }
}

/** A sale and its rows must add up at COMMIT, so they are deleted together. */
const WITH_SALES = 'installments';

const deleteSales = (session: Session, theirs: string[]): Promise<number> =>
  inTransaction(
    session,
    async () => (await deleteFrom(session, WITH_SALES, theirs, [])) + (await deleteFrom(session, 'sales', theirs, [])),
  );

/** Deletes files before their rows, so that after an interruption the rows still name what has to be deleted. */
async function deleteFiles(session: Session, theirs: string[], files: Set<string>, { openStore }: RemoveOptions): Promise<void> {
  const named = await session.rows<{ name: string }>('select name from stored_files where account_id = any($1)', [theirs]);
  if (named.length === 0) return;
  const store = await openStore();
  for (const { name } of named) {
    await store.delete(name);
    files.add(name);
  }
}

/** Null if new rows appeared during the deletion; the caller then starts again. */
async function removeAccounts(session: Session, accounts: string[], theirs: string[]): Promise<number | null> {
  try {
    return await inTransaction(session, async () => {
      // The main branch can be deleted only with the data set.
      let rows = await deleteFrom(session, 'branches', theirs, []);
      rows += await count(session, 'delete from data_sets where account_id = any($1)', [accounts]);
      // Isolated sandboxes of demonstration dealers are demonstration accounts too.
      await session.rows('update accounts set world_id = null where id = any($1)', [accounts]);
      rows += await count(session, 'delete from worlds where owner_id = any($1)', [accounts]);
      return rows + (await count(session, 'delete from accounts where id = any($1)', [accounts]));
    });
  } catch (error) {
    if (['23503', '40P01'].includes(sqlState(error) ?? '')) return null;
    throw error;
  }
}

/** The row of a file is deleted only after the file. */
function deleteFrom(session: Session, table: string, theirs: string[], files: string[]): Promise<number> {
  const only = table === 'stored_files' ? ' and name = any($2)' : '';
  const values = table === 'stored_files' ? [theirs, files] : [theirs];
  return count(session, `delete from ${qualifiedName({ name: table })} where account_id = any($1)${only}`, values);
}

async function count(session: Session, statement: string, values: unknown[]): Promise<number> {
  const [row] = await session.rows<{ rows: number }>(
    `with gone as (${statement} returning 1) select count(*)::int as rows from gone`,
    values,
  );
  return row!.rows;
}

/** Every table with an account_id, including those of later versions; referring tables first. */
async function tablesOfAccounts(session: Session): Promise<string[]> {
  return inOrder(await describe(session), await foreignKeys(session))
    .filter(({ name, columns }) => columns.some((column) => column.name === 'account_id') && !KEPT.includes(name))
    .map(({ name }) => name)
    .reverse();
}

const KEPT = ['audit_log', 'data_sets'];

async function inTransaction<T>(session: Session, work: () => Promise<T>): Promise<T> {
  await session.rows('begin');
  try {
    const result = await work();
    await session.rows('commit');
    return result;
  } catch (error) {
    await session.rows('rollback').catch(() => {});
    throw error;
  }
}
