// What a sale's papers would print as an empty line: the record and the field that lack it. No values, so that every reader may see it.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';

export type GapRecord = 'vehicle' | 'customer' | 'guarantor' | 'account';

export interface PaperGap {
  readonly record: GapRecord;
  /** The record whose page has the form: a guarantor is on the page of the customer. */
  readonly id: string;
  /** Of a guarantor. */
  readonly name: string | null;
  readonly field: string;
}

interface Checked {
  readonly record: GapRecord;
  readonly id: string;
  readonly name: string | null;
  readonly fields: readonly string[];
}

/** The names of the columns that are empty. */
const empty = (columns: Readonly<Record<string, Sql>>): Sql =>
  sql`array_remove(array[${Object.entries(columns)
    .map(([name, column]) => sql`case when ${column} is null then ${name}::text end`)
    .reduce((all, one) => sql`${all}, ${one}`)}], null)`;

const CAR = empty({ chassis_no: sql`chassis_no`, engine_no: sql`engine_no`, plate: sql`plate` });
const PERSON = { address: sql`address_encrypted` };
const CUSTOMER = empty({
  id_no: sql`case when kind = 'Kurumsal' then ''::bytea else id_no_encrypted end`,
  tax_no: sql`case when kind = 'Kurumsal' then tax_no_encrypted else ''::bytea end`,
  ...PERSON,
});
const GUARANTOR = empty({ id_no: sql`id_no_encrypted`, ...PERSON });
const DEALER = empty({ legal_name: sql`legal_name`, address: sql`address`, phone: sql`phone` });

export async function readPaperGaps(db: Db, saleId: string): Promise<PaperGap[]> {
  const [sale] = await db.rows<{ vehicle_id: string; customer_id: string; guarantor_ids: string[] }>(
    sql`select vehicle_id, customer_id, guarantor_ids from ${own('sales')} where id = ${saleId}`,
  );
  if (sale === undefined) return fail('not_found');
  const { vehicle_id, customer_id, guarantor_ids } = sale;
  const found =
    await db.rows<Checked>(sql`select 'vehicle' as record, id, null as name, ${CAR} as fields from ${own('vehicles')} where id = ${vehicle_id}
    union all select 'customer', id, null, ${CUSTOMER} from ${own('customers')} where id = ${customer_id}
    union all select 'guarantor', ${customer_id}::uuid, first_name || ' ' || last_name, ${GUARANTOR} from ${own('guarantors')} where id = any(${guarantor_ids}::uuid[])
    union all select 'account', id, null, ${DEALER} from ${own('accounts')}`);
  return found.flatMap(({ fields, ...of }) => fields.map((field) => ({ ...of, field })));
}
