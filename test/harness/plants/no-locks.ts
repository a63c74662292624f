// Planted: rows are read without being locked, as if `for update` had been forgotten.
import pg from 'pg';

type Query = (this: unknown, ...given: unknown[]) => unknown;
const client = pg.Client.prototype as unknown as { query: Query };
const query = client.query;

client.query = function (this: unknown, ...[first, ...rest]: unknown[]) {
  const isStatement = typeof first === 'object' && first !== null && 'text' in first;
  const unlocked = isStatement ? Object.assign(first, { text: String(first.text).replace(/ for update$/, '') }) : first;
  return query.call(this, unlocked, ...rest);
};
