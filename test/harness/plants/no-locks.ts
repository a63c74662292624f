// Planted: rows are read without being locked, as if `for update` had been forgotten.
import pg from 'pg';

type Parse = (this: unknown, statement: { text: string }, ...rest: unknown[]) => unknown;
const connection = (pg as unknown as { Connection: { prototype: { parse: Parse } } }).Connection.prototype;
const parse = connection.parse;

connection.parse = function (this: unknown, statement, ...rest) {
  return parse.call(this, { ...statement, text: statement.text.replace(/ for (no key )?update$/, '') }, ...rest);
};
