// The requests of the import center's endpoints.
import { newId } from '../../src/kit/ids.ts';
import { sql, theAccount } from '../../src/kit/sql.ts';
import type { EndpointRequest, RequestBuilder, World } from './requests.ts';

/** A connector as a dealer with a Turkish spreadsheet would enter it. */
export const aConnector = (overrides: Record<string, unknown> = {}) => ({
  name: 'Stok dosyası',
  type: 'csv',
  transport: 'inline',
  target: 'customers',
  key_field: 'phone',
  config: { mapping: { first_name: 'Ad', last_name: 'Soyad', phone: 'Telefon' }, delimiter: ';' },
  ...overrides,
});

/** For reads: their record is created on first use. */
function onceMade(build: RequestBuilder): RequestBuilder {
  const known = new WeakMap<World, EndpointRequest | Promise<EndpointRequest>>();
  return (world) => {
    const request = known.get(world) ?? build(world);
    known.set(world, request);
    return request;
  };
}

export const IMPORT_REQUESTS: Readonly<Record<string, RequestBuilder>> = {
  'GET import/connectors': onceMade(async (world) => {
    await newConnector(world);
    return { path: 'import/connectors' };
  }),
  'POST import/connectors': () => ({
    path: 'import/connectors',
    body: aConnector({
      transport: 'url',
      config: { url: 'https://example.com/m.csv', mapping: aConnector().config.mapping },
      credentials: { username: 'galeri', password: 'CREDENTIALS7KEPT' },
      schedule: 'Günlük',
    }),
  }),
  'GET import/connectors/{connector_id}': onceMade(async (world) => ({ path: await newConnector(world) })),
  'PATCH import/connectors/{connector_id}': async (world) => ({ path: await newConnector(world), body: { name: 'Müşteriler' } }),
  'DELETE import/connectors/{connector_id}': async (world) => ({ path: await newConnector(world) }),
  'POST import/connectors/{connector_id}/run': async (world) => ({
    path: `${await newConnector(world)}/run`,
    body: { content: 'Ad;Soyad;Telefon\nAyşe;Yılmaz;0533 123 45 67\n', dry_run: true },
  }),
  'GET import/runs': onceMade(async (world) => {
    await newRun(world);
    return { path: 'import/runs' };
  }),
  'GET import/runs/{run_id}': onceMade(async (world) => ({ path: await newRun(world) })),
  'GET import/runs/{run_id}/errors': onceMade(async (world) => ({ path: `${await newRun(world)}/errors` })),
};

async function newConnector({ api, key }: World): Promise<string> {
  const body = JSON.stringify(aConnector());
  const headers = { 'content-type': 'application/json' };
  const { status, text, json } = await api.call('import/connectors', { key, method: 'POST', headers, body });
  if (status !== 201) throw new Error(text);
  return `import/connectors/${json.data.id}`;
}

/** A run that has ended, with a row error. */
async function newRun(world: World): Promise<string> {
  const connector = (await newConnector(world)).split('/').at(-1)!;
  const id = newId();
  const now = world.api.clock.now();
  await world.api.database.inTenant(world.accountId, 'write', async (db) => {
    await db.exec(sql`insert into import_runs (account_id, id, connector_id, trigger, dry_run, status, total_rows, error_count, started_at,
        finished_at, created_at, updated_at, failure_code, failure_message, actor_type, actor_name)
      values (${theAccount}, ${id}, ${connector}, 'Elle', false, 'Başarısız', 1, 1, ${now}, ${now}, ${now}, ${now}, 'every_row_failed', 'x', 'system', 'x')`);
    await db.exec(sql`insert into import_row_errors (account_id, id, run_id, row_number, key, field, code, message, created_at)
      values (${theAccount}, ${newId()}, ${id}, 1, 'AB 1', 'km', 'invalid', 'km must be a whole number', ${now})`);
  });
  return `import/runs/${id}`;
}
