// SQL as text with parameters apart: a value in a template becomes $1, $2 …, never text.
import type { TenantTable } from './tenant-tables.ts';

const ACCOUNT = Symbol('the account of the transaction');

export class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }
}

export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  const texts: string[] = [strings[0]!];
  const kept: unknown[] = [];
  values.forEach((value, index) => {
    if (value instanceof Sql) {
      const [head, ...rest] = value.strings;
      texts.push(`${texts.pop()}${head}`, ...rest);
      texts.push(`${texts.pop()}${strings[index + 1]}`);
      kept.push(...value.values);
    } else {
      texts.push(strings[index + 1]!);
      kept.push(value);
    }
  });
  return new Sql(texts, kept);
}

/** Text that the kit itself generates (column lists, checked numbers). Never from a request. */
export const rawSql = (text: string): Sql => new Sql([text], []);

export function joined(parts: readonly Sql[], separator: string): Sql {
  return parts.reduce((all, part, index) => (index === 0 ? part : sql`${all}${rawSql(separator)}${part}`), rawSql(''));
}

/** `and …` for each condition. */
export const allOf = (conditions: readonly Sql[]): Sql =>
  joined(
    conditions.map((one) => sql` and ${one}`),
    '',
  );

/**
 * The account's own rows of a tenant table: a second safeguard besides row-level security. Endpoint bodies name tenant tables
 * only this way; PostgreSQL flattens the subquery, so indexes are used as with a plain condition.
 */
export function own(table: TenantTable): Sql {
  const column = table === 'data_sets' || table === 'accounts' ? 'id' : 'account_id';
  return new Sql([`(select * from ${table} where ${column} = `, `) ${table}`], [ACCOUNT]);
}

/** The account itself as a value, for inserts. */
export const theAccount: Sql = new Sql(['', ''], [ACCOUNT]);

/** The value that `work.stamp()` has set. */
export const STAMP: Sql = new Sql(['(select stamped_at from data_sets where id = ', ')'], [ACCOUNT]);

export interface Statement {
  text: string;
  values: unknown[];
}

export function compile(statement: Sql, account: string | null): Statement {
  let text = statement.strings[0]!;
  const values: unknown[] = [];
  let accountIndex = 0;
  statement.values.forEach((value, index) => {
    if (value === ACCOUNT) {
      if (account === null) throw new Error('a tenant table was named outside a tenant transaction');
      if (accountIndex === 0) accountIndex = values.push(account);
      text += `$${accountIndex}`;
    } else {
      text += `$${values.push(value)}`;
    }
    text += statement.strings[index + 1];
  });
  return { text, values };
}
