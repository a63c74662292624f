// Rows with two sides (docs/decisions/0047-dealers-see-each-other.md), as own() is for those of one: the second safeguard beside the
// policies of the database.
import { rawSql, type Sql, sql, theAccount } from '../../kit/sql.ts';
import { OTHER_SIDE, type SharedTable } from '../../kit/tenant-tables.ts';

/** The rows to which the account is the other side: it reads them, and never writes. */
export const counterpartyRows = (table: SharedTable): Sql =>
  sql`(select * from ${rawSql(table)} where ${rawSql(OTHER_SIDE[table])} = ${theAccount}) ${rawSql(table)}`;

/** The rows to which the account is either side. Two halves, so that each is read in the order of its own index. */
export const eitherPartyRows = (table: SharedTable): Sql =>
  sql`(select * from ${rawSql(table)} where account_id = ${theAccount} union all select * from ${rawSql(table)} where ${rawSql(OTHER_SIDE[table])} = ${theAccount}) ${rawSql(table)}`;
