// Planted: a write is acknowledged a moment before it is committed.
import pg from 'pg';

type Query = (this: object, ...given: unknown[]) => unknown;
const client = pg.Client.prototype as unknown as { query: Query };
const query = client.query;
const writing = new WeakSet<object>();

client.query = function (this: object, ...given: unknown[]) {
  const [first] = given;
  if (typeof first === 'string' && first.startsWith('begin')) {
    if (first.startsWith('begin read write')) writing.add(this);
    else writing.delete(this);
  }
  if (first !== 'commit' || !writing.has(this)) return query.apply(this, given);
  for (const text of ['select pg_sleep(0.05)', 'commit']) Promise.resolve(query.call(this, text)).catch(() => {});
  return Promise.resolve({ command: 'COMMIT', rows: [], rowCount: null });
};
