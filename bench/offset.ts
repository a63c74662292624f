// Database time of a deep page: the service's own statement against the same list with plain OFFSET.
import { compile, type Sql, type Statement } from '../src/kit/sql.ts';
import { openSession, type Session } from '../src/postgres/database.ts';
import { vehicles } from '../src/resources/vehicles.ts';
import type { BenchData } from './data.ts';
import { median } from './scenarios.ts';

const PLAIN = `select row_to_json(item) from (select * from vehicles where account_id = $1 and deleted_at is null
  order by created_at desc, id desc limit 26 offset $2) item`;

/** Ratio of execution times at an offset, median of interleaved runs with the tenant role. */
export async function measureOffset({ connected, big }: BenchData, offset: number, runs: number): Promise<number> {
  const deep = await statementAt(big.id, offset);
  const plain = { text: PLAIN, values: [big.id, offset] };
  const session = await openSession(connected.urls.tenantUrl);
  try {
    await session.rows(`select set_config('app.account_id', $1, false)`, [big.id]);
    const times: { deep: number; plain: number }[] = [];
    for (let run = 0; run <= runs; run += 1) {
      times.push({ plain: await executionTime(session, plain), deep: await executionTime(session, deep) });
    }
    // The first run reads pages from disk.
    return median(times.slice(1).map((time) => time.deep / time.plain));
  } finally {
    await session.close();
  }
}

async function executionTime(session: Session, { text, values }: Statement): Promise<number> {
  const [row] = await session.rows<{ 'QUERY PLAN': [{ 'Execution Time': number }] }>(
    `explain (analyze, timing off, format json) ${text}`,
    values,
  );
  return row!['QUERY PLAN'][0]['Execution Time'];
}

/** Runs the endpoint's own body on a database object that only records. */
async function statementAt(account: string, offset: number): Promise<Statement> {
  const body = vehicles.endpoints.find((endpoint) => endpoint.id === 'GET vehicles')?.body;
  if (!body) throw new Error('GET vehicles has no body');
  let recorded: Sql | undefined;
  const listen = async (statement: Sql) => {
    recorded ??= statement;
    return { json: '[]', count: 0, seen: 0, version: 1n };
  };
  const db = { last: listen, one: listen, rows: async (statement: Sql) => [await listen(statement)], exec: async () => 0 };
  const context = {
    db,
    account: { id: account, timezone: 'UTC' },
    params: {},
    query: {},
    body: null,
    page: { limit: 25, offset },
    now: new Date(),
  };
  await body.run(context as unknown as Parameters<typeof body.run>[0]);
  if (recorded === undefined) throw new Error('GET vehicles sent no statement');
  return compile(recorded, account);
}
