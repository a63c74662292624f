// The history of a sale: entries of the audit log about the sale, its installments, payments, promises and documents.
import type { Db } from '../../kit/db.ts';
import type { Paging } from '../../kit/page.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';
import { WITHHELD } from '../writes/audit-changes.ts';

export type SaleChange =
  | { readonly field: string; readonly old: unknown; readonly new: unknown }
  | { readonly field: string; readonly withheld: true };

export interface SaleHistoryLine {
  readonly id: string;
  /** Business time. */
  readonly at: string;
  /** `sale.restructured`, or the catalog endpoint of the request. */
  readonly what: string;
  readonly actor: { readonly type: 'cli' | 'panel' | 'api_key' | 'system'; readonly name: string } | null;
  readonly installment_id: string | null;
  /** The number of a receipt or a note, the title of a document. */
  readonly receipt_no: string | null;
  readonly type: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  /** The discount with a collection. */
  readonly discount: string | null;
  /** The given reason; the customer's activity has it in a sentence. */
  readonly note: string | null;
  readonly changes: readonly SaleChange[];
}

type AuditValues = Readonly<Record<string, unknown>>;
type HistoryRecord = Omit<SaleHistoryLine, 'changes' | 'what'> & {
  readonly action: string;
  readonly before: AuditValues | null;
  readonly after: AuditValues | null;
};

/** The records of a sale that the log may name. */
const parts = (saleId: string): Sql => sql`
  select id::text as target, null::uuid as installment_id, null::text as receipt_no, null::text as type, null::text as amount, null::text as currency,
    null::text as discount, null::text as reason from ${own('sales')} where id = ${saleId}
  union all select id::text, id, null, null, null, null, null, null from ${own('installments')} where sale_id = ${saleId}
  union all select id::text, null, receipt_no, type, money_text(amount_minor), currency,
    (select money_text(amount_minor) from (select * from ${own('collections')}) pair where pair.id = collections.paired_id and pair.type = 'İndirim'),
    (select reversal_reason from (select * from ${own('collections')}) reversal where reversal.reverses_id = collections.id)
    from ${own('collections')} where sale_id = ${saleId}
  union all select id::text, null, null, null, money_text(amount_minor), currency, null, null from ${own('payment_promises')} where sale_id = ${saleId}
  union all select id::text, null, title, null, null, null, null, null from ${own('documents')} where sale_id = ${saleId}
  union all select id::text, null, note_no, null, money_text(amount_minor), currency, null, null from ${own('promissory_notes')} where sale_id = ${saleId}`;

/** People by their names; the log has their addresses. */
const ACTOR = sql`json_build_object('type', actor_type, 'name', coalesce((select full_name from ${own('members')}
  where members.person_id = log.person_id limit 1), actor))`;

/** Newest first; one more than the page size if there is a next page. Imported sales have no entry for their creation. */
export async function readSaleHistory(db: Db, saleId: string, { limit, offset }: Paging): Promise<SaleHistoryLine[]> {
  const { customer_id } = await db.one<{ customer_id: string }>(
    sql`select customer_id from ${own('sales')} where id = ${saleId}`,
  );
  const activityNote = sql`(select note from ${own('customer_activity')} where customer_activity.customer_id = ${customer_id} and source = 'system'
    and occurred_at = (log.after->>'at')::timestamptz and resource_id = part.target::uuid limit 1)`;
  const found = await db.rows<HistoryRecord>(sql`
    select log.id, utc_text(coalesce((log.after->>'at')::timestamptz, log.created_at)) as at,
      action, ${ACTOR} as actor, installment_id, receipt_no, type, coalesce(log.after->>'amount', amount) as amount, currency, discount, before, after,
      case log.after->>'event' when 'collection.reversed' then reason
        when 'sale.restructured' then ${activityNote} when 'sale.cancelled' then ${activityNote} when 'installment.postponed' then ${activityNote} end as note
    from (${parts(saleId)}) part join (select * from ${own('audit_log')}) log on log.target = part.target and log.outcome = 'done'
      and log.action not like '%.opened'
    order by log.created_at desc, log.id desc limit ${limit + 1} offset ${offset}`);
  return found.map(({ action, before, after, ...line }) => ({
    ...line,
    what: typeof after?.event === 'string' ? after.event : action,
    changes: changesOf(before ?? {}, after ?? {}),
  }));
}

const changesOf = (before: AuditValues, after: AuditValues): SaleChange[] =>
  Object.keys(before)
    .filter((field) => field in after)
    .map((field) => (after[field] === WITHHELD ? { field, withheld: true } : { field, old: before[field], new: after[field] }));
