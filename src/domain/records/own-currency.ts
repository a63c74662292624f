import { own, type Sql, sql } from '../../kit/sql.ts';

/** An order of rows with a `currency`: the account's own first, the others by name. */
export const OWN_CURRENCY_FIRST: Sql = sql`currency <> (select default_currency from ${own('accounts')}), currency`;
