// Senet bordrosu: the list of notes for a bank, a lawyer or another recipient.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { own, sql } from '../../kit/sql.ts';
import type { NoteSlip } from '../papers/paper.ts';
import { readPaperBase } from '../papers/paper-account.ts';

export const SLIP_PURPOSES = ['Tahsile', 'Teminata', 'Avukata', 'Devir'] as const satisfies readonly NoteSlip['purpose'][];

interface NoteSlipQuery {
  readonly ids: readonly string[];
  readonly handed_to: string | undefined;
  readonly purpose: NoteSlip['purpose'] | undefined;
  readonly now: Date;
  readonly today: string;
}

/** By due date, as the recipient checks them. */
export async function readNoteSlip(db: Db, { ids, handed_to, purpose, now, today }: NoteSlipQuery): Promise<NoteSlip> {
  const notes = await db.rows<
    NoteSlip['notes'][number]
  >(sql`select note_no, coalesce(company_name, first_name || ' ' || last_name) as maker, sale_no,
      due_date, payment_place, amount_minor as amount, promissory_notes.currency
    from ${own('promissory_notes')} join ${own('sales')} on sales.id = sale_id
      join ${own('customers')} on customers.id = promissory_notes.customer_id
    where promissory_notes.id = any(${ids}::uuid[]) order by due_date, promissory_notes.id`);
  if (notes.length < new Set(ids).size) fail('not_found');
  return {
    ...(await readPaperBase(db, 'senet_bordrosu', { created_at: now, day: today })),
    code: 'senet_bordrosu',
    handed_to: handed_to ?? null,
    purpose: purpose ?? null,
    notes,
  };
}
