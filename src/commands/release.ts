// `release list|activate|deactivate`: which catalog rows are open on this deployment.
import { liveRows, setRelease } from '../domain/releases/releases.ts';
import type { Row, Status } from '../kit/endpoint.ts';
import { resources } from '../resources/index.ts';
import { CLI_ACTOR } from './actor.ts';
import { type Command, print, readOptions, table, UsageError, withDatabase } from './command.ts';

const rows: readonly Row[] = resources.flatMap((resource) => resource.rows);

export const releaseCommand: Command = {
  usage: ['release list', "release activate 'GET vehicles'…|--all", "release deactivate 'GET vehicles'…|--all"],
  async run([act, ...args]) {
    if (act !== 'list' && act !== 'activate' && act !== 'deactivate')
      throw new UsageError('release takes list, activate or deactivate');
    const { json, all, words } = readOptions(args, { all: 'flag' }, { max: rows.length });
    if (act === 'list') {
      await withDatabase(async ({ database }) => show(json, rows, await database.onPlatform('read', (db) => liveRows(db, rows))));
      return undefined;
    }
    if (all === words.length > 0) throw new UsageError(`name the rows (such as 'GET vehicles'), or use --all`);
    const chosen = all ? rows : words.map(findRow);
    const status: Status = act === 'activate' ? 'Aktif' : 'Yakında';
    await withDatabase(async ({ database }) => {
      const live = await database.onPlatform('write', async (db) => {
        await setRelease(db, chosen, status, CLI_ACTOR);
        return liveRows(db, rows);
      });
      show(json, chosen, live);
    });
    return undefined;
  },
};

export function findRow(text: string): Row {
  const [method = '', path = ''] = text.trim().split(/\s+/, 2);
  const id = `${method.toUpperCase()} ${path}`;
  const row = rows.find((one) => one.id === id);
  if (row === undefined)
    throw new UsageError(`"${text}" is not a catalog row; rows look like 'GET vehicles/{vehicle_id}' (see release list)`);
  return row;
}

function show(json: boolean, some: readonly Row[], live: ReadonlySet<string>): void {
  const listed = some.map(({ id, method, path }) => ({ method, path, status: live.has(id) ? 'Aktif' : 'Yakında' }));
  print(json, listed, table(listed.map(({ method, path, status }) => [method, path, status])));
}
