// `release list|activate|deactivate`: which catalog endpoints are open on this deployment.
import { liveEndpoints, setRelease } from '../domain/releases/releases.ts';
import type { Endpoint, Status } from '../kit/endpoint.ts';
import { resources } from '../resources/index.ts';
import { CLI_ACTOR } from './actor.ts';
import { type Command, print, readOptions, table, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

const endpoints: readonly Endpoint[] = resources.flatMap((resource) => resource.endpoints);

export const releaseCommand: Command = {
  usage: ['release list', "release activate 'GET vehicles'…|--all", "release deactivate 'GET vehicles'…|--all"],
  async run([act, ...args]) {
    if (act !== 'list' && act !== 'activate' && act !== 'deactivate')
      throw new UsageError('release takes list, activate or deactivate');
    const { json, all, words } = readOptions(args, { all: 'flag' }, { max: endpoints.length });
    if (act === 'list') {
      await withDatabase(async ({ database }) =>
        show(json, endpoints, await database.onPlatform('read', (db) => liveEndpoints(db, endpoints))),
      );
      return undefined;
    }
    if (all === words.length > 0) throw new UsageError(`name the endpoints (such as 'GET vehicles'), or use --all`);
    const chosen = all ? endpoints : words.map(findEndpoint);
    const status: Status = act === 'activate' ? 'Aktif' : 'Yakında';
    await withDatabase(async ({ database }) => {
      const live = await database.onPlatform('write', async (db) => {
        await setRelease(db, chosen, status, CLI_ACTOR);
        return liveEndpoints(db, endpoints);
      });
      show(json, chosen, live);
    });
    return undefined;
  },
};

export function findEndpoint(text: string): Endpoint {
  const [method = '', path = ''] = text.trim().split(/\s+/, 2);
  const id = `${method.toUpperCase()} ${path}`;
  const endpoint = endpoints.find((one) => one.id === id);
  if (endpoint === undefined)
    throw new UsageError(
      `"${text}" is not an endpoint of the catalog; endpoints look like 'GET vehicles/{vehicle_id}' (see release list)`,
    );
  return endpoint;
}

function show(json: boolean, some: readonly Endpoint[], live: ReadonlySet<string>): void {
  const listed = some.map(({ id, method, path }) => ({ method, path, status: live.has(id) ? 'Aktif' : 'Yakında' }));
  print(json, listed, table(listed.map(({ method, path, status }) => [method, path, status])));
}
