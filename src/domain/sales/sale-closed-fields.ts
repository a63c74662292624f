// Fields of a sale that can no longer change: a cancelled sale keeps its people and terms; a payment, a note or a restructuring
// fixes the terms. Sent or signed documents fix the terms too, a contract its own fields, a signed guarantee the guarantors.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { isLive } from '../installments/note-states.ts';
import { planFigures } from '../installments/totals.ts';
import { CONTRACT_NAMES, type PlanValues, type SaleEdit, TERM_NAMES } from './sale.ts';
import type { LockedSale } from './sale-money.ts';

const PEOPLE = ['salesperson_id', 'branch_id', 'delivered_at', 'guarantor_ids'] as const;

/** The edit without locked terms: their current values may be given and change nothing. */
export async function withoutClosedFields(work: Work, locked: LockedSale, edit: SaleEdit): Promise<SaleEdit> {
  const { sale } = locked;
  const namedIn = (names: readonly (keyof SaleEdit)[]) => names.filter((name) => edit[name] !== undefined);
  if (sale.status === 'İptal' && namedIn([...PEOPLE, ...CONTRACT_NAMES, ...TERM_NAMES]).length > 0) fail('sale_cancelled');
  if (edit.guarantor_ids !== undefined) refuseBoundGuarantors(locked, edit.guarantor_ids);
  const fields = [...namedIn(TERM_NAMES), ...namedIn(CONTRACT_NAMES)];
  if (fields.length === 0 && edit.guarantor_ids === undefined) return edit;
  const papers = await readDocumentLocks(work.db, sale.id);
  if (papers.bound.some((id) => edit.guarantor_ids !== undefined && !edit.guarantor_ids.includes(id))) fail('guarantor_bound');
  const terms =
    namedIn(TERM_NAMES).length > 0 && (papers.fixesTerms || (await areTermsLocked(work, locked))) ? namedIn(TERM_NAMES) : [];
  const closed = [...terms, ...(papers.fixesContract ? namedIn(CONTRACT_NAMES) : [])];
  if (!closed.every((name) => isPresent(locked, name, edit))) fail('sale_terms_locked');
  const names: ReadonlySet<string> = new Set(closed);
  return Object.fromEntries(Object.entries(edit).filter(([name]) => !names.has(name)));
}

async function areTermsLocked({ db }: Work, { sale: { id, restructured_at }, notes }: LockedSale): Promise<boolean> {
  if (restructured_at !== null || notes.length > 0) return true;
  return (await db.rows(sql`select id from ${own('collections')} where sale_id = ${id} limit 1`)).length > 0;
}

/** A customer or guarantor on a live note cannot be removed from its sale. */
function refuseBoundGuarantors({ sale, notes }: LockedSale, guarantorIds: readonly string[]): void {
  const removed = sale.guarantor_ids.filter((id) => !guarantorIds.includes(id));
  const isBound = (id: string) => notes.some(({ status, guarantor_ids }) => isLive(status) && guarantor_ids.includes(id));
  if (removed.some(isBound)) fail('guarantor_bound');
}

function isPresent({ sale, installments }: LockedSale, name: keyof SaleEdit, edit: SaleEdit): boolean {
  const { installment_count, first_due_date } = planFigures(installments, sale.sale_date, sale.status);
  if (name === 'installments') return isPresentPlan(installments, edit.installments!);
  if (name === 'installment_count') return sale.period !== null && edit.installment_count === installment_count;
  if (name === 'first_due_date') return edit.first_due_date === first_due_date;
  if (name === 'late_rate_yearly') return sale.late_rate_yearly_minor === (edit[name] === null ? null : Number(edit[name]));
  const minor = `${name}_minor`;
  return sale[minor in sale ? minor : name] === edit[name];
}

function isPresentPlan(installments: LockedSale['installments'], body: NonNullable<PlanValues['installments']>): boolean {
  const present = installments.filter(({ seq, status }) => seq > 0 && status !== 'Yapılandırıldı');
  return (
    present.length === body.length &&
    body.every(({ due_date, amount, kind = 'Taksit' }, index) => {
      const installment = present[index]!;
      return installment.due_date === due_date && installment.amount === amount && installment.kind === kind;
    })
  );
}

interface DocumentLocks {
  readonly fixesTerms: boolean;
  readonly fixesContract: boolean;
  readonly bound: readonly string[];
}

const readDocumentLocks = (db: Db, saleId: string): Promise<DocumentLocks> =>
  db.one<DocumentLocks>(sql`select
      coalesce(bool_or(status not in ('Taslak', 'İptal')), false) as "fixesTerms",
      coalesce(bool_or(template_code = 'satis_sozlesmesi' and status in ('Gönderildi', 'Görüntülendi', 'İmzalandı')), false) as "fixesContract",
      coalesce((select array_agg(distinct guarantor) from (select * from ${own('documents')}) signed, unnest(signed.guarantor_ids) guarantor
        where signed.sale_id = ${saleId} and signed.template_code = 'kefaletname' and signed.status = 'İmzalandı'), '{}') as bound
    from ${own('documents')} where sale_id = ${saleId} and origin = 'Üretildi'`);
