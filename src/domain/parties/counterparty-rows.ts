// Conditions for records with two sides (docs/decisions/0047-dealers-see-each-other.md), as own() is for records with one: the
// second safeguard besides the policies of the database.
import { rawSql, type Sql, sql, theAccount } from '../../kit/sql.ts';
import { OTHER_SIDE, type SharedTable } from '../../kit/tenant-tables.ts';

/** The records to which the account is the other side: it can read but not write them. */
export const counterpartyRows = (table: SharedTable): Sql =>
  sql`(select * from ${rawSql(table)} where ${rawSql(OTHER_SIDE[table])} = ${theAccount}) ${rawSql(table)}`;

/** The records to which the account is either side. Two halves, so that each is read in the order of its own index. */
export const eitherPartyRows = (table: SharedTable): Sql =>
  sql`(select * from ${rawSql(table)} where account_id = ${theAccount} union all select * from ${rawSql(table)} where ${rawSql(OTHER_SIDE[table])} = ${theAccount}) ${rawSql(table)}`;
