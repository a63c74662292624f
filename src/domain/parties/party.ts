// Another dealer's visible fields: id, name and city; the phone only between the two sides of an agreement. Read from the view
// `dealer_parties`, which has no other columns (docs/decisions/0047-dealers-see-each-other.md).
import { nullable, type Of, object, optional, text, uuid } from '../../kit/schema.ts';
import { rawSql, type Sql, sql } from '../../kit/sql.ts';

export const Party = object({
  account_id: uuid(),
  name: text('Girne Oto'),
  city: nullable(text('Girne')),
  phone: optional(nullable(text('+905338001122'))),
});
export type Party = Of<typeof Party>;

/**
 * A party as JSON; `alias` is a row of dealer_parties, joined with `join ${parties('seller')} on seller.account_id = …`.
 * `agreed`: this record is an agreement, so both sides see each other's phone; the view checks again that there is one. A dealer
 * without a phone has `phone: null` there.
 */
export function partyJson(alias: string, agreed: Sql): Sql {
  const shown = rawSql(`'account_id', ${alias}.account_id, 'name', ${alias}.name, 'city', ${alias}.city`);
  return sql`case when ${agreed} then json_build_object(${shown}, 'phone', ${rawSql(`${alias}.phone`)}) else json_build_object(${shown}) end`;
}

export const parties = (alias: string): Sql => rawSql(`dealer_parties ${alias}`);

/** For one dealer in a column: null if there is none. */
export const partyOf = (id: Sql, agreed: Sql): Sql =>
  sql`(select ${partyJson('party', agreed)} from ${parties('party')} where party.account_id = ${id})`;
