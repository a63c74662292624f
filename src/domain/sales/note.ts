// A promissory note (senet): its fields, its API representation, its list filters, and its locked row.
import type { Db } from '../../kit/db.ts';
import type { Context } from '../../kit/endpoint.ts';
import { CURRENCIES, type Currency } from '../../kit/money.ts';
import { listPage, type Page, type Paging } from '../../kit/page.ts';
import { momentParam, oneOfParam, trueParam, uuidParam } from '../../kit/params.ts';
import {
  arrayOf,
  columnsOf,
  currency,
  day,
  nullable as maybe,
  money,
  type Of,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../../kit/schema.ts';
import { own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { NOTE_STATUSES, type NoteStatus, OPEN_NOTE_STATUSES } from '../installments/note-states.ts';
import { MAX_INSTALLMENTS } from '../installments/sales-states.ts';
import {
  dayField,
  type Field,
  type Fields,
  flagField,
  listField,
  nullable,
  oneOfField,
  Refused,
  required,
  textField,
  uuidField,
  type Values,
  withDefault,
} from '../records/fields.ts';
import { daysBetween } from './sale-list.ts';

const MAX_GUARANTORS = 10;
const placeField = textField(120);

export const NOTE_FIELDS = {
  sale_id: required(uuidField),
  installment_ids: withDefault(
    listField(uuidField, 2 * MAX_INSTALLMENTS, 1),
    'every installment that is open and has no note',
    'açık olan ve senedi olmayan her taksit',
  ),
  issue_date: withDefault(dayField({ past: true }), 'today', 'bugün'),
  issue_place: required(placeField),
  payment_place: withDefault(placeField, 'the place of issue', 'düzenleme yeri'),
  guarantor_ids: withDefault(listField(uuidField, MAX_GUARANTORS), "the sale's", 'satışınkiler'),
} as const satisfies Fields;

/** Only true is accepted: printing cannot be undone. */
const printedField: Field<true> = {
  ...flagField,
  schema: { type: 'boolean', const: true },
  read: (value) =>
    value === true
      ? value
      : new Refused('not_allowed', { en: 'true (a printed note stays printed)', tr: 'true (basılmış senet basılmış kalır)' }),
};

export const NOTE_EDIT_FIELDS = {
  status: oneOfField(NOTE_STATUSES),
  bank_name: nullable(textField(120)),
  transferred_to: nullable(textField(200)),
  lawyer: nullable(textField(200)),
  protest_date: nullable(dayField({ past: true })),
  returned_on: nullable(dayField({ past: true })),
  printed: printedField,
  note: nullable(textField(2000, { lines: true })),
  payment_place: placeField,
} as const satisfies Fields;
/** The same for several at once, for the panel. */
export const NOTES_EDIT_FIELDS = {
  note_ids: required(listField(uuidField, 100, 1)),
  ...NOTE_EDIT_FIELDS,
} as const satisfies Fields;
export type NoteEdit = Values<typeof NOTE_EDIT_FIELDS>;

const paper = {
  id: uuid(),
  note_no: text('N-2026-00001'),
  sale_id: uuid(),
  installment_id: uuid(),
  customer_id: uuid(),
  guarantor_ids: arrayOf(uuid()),
  payee_name: text('Merkez Oto Ltd.'),
  amount: money(),
  amount_in_words: text('Dokuzyüzkırkbir İngiliz sterlini altmışaltı peni'),
  currency: currency(),
  issue_date: day(),
  issue_place: text('Lefkoşa'),
  due_date: day(),
  payment_place: text('Lefkoşa'),
  status: oneOf(NOTE_STATUSES),
  previous_status: maybe(oneOf(NOTE_STATUSES)),
};
const rest = {
  transferred_to: maybe(text('Akdeniz Faktoring A.Ş.')),
  lawyer: maybe(text('Av. Elif Kaya')),
  protest_date: maybe(day()),
  bank_name: maybe(text('Türkiye İş Bankası, Lefkoşa')),
  returned_on: maybe(day()),
  printed_at: maybe(timestamp()),
  note: maybe(text('Vadesinde bankaya verilecek.')),
  created_at: timestamp(),
  updated_at: timestamp(),
};

export const PromissoryNote = object({ ...paper, collected_amount: money(), ...rest });
export type PromissoryNote = Of<typeof PromissoryNote>;

/** For a note named `chosen`: the payments on its installment since its issue, until the note is no longer live. */
const SELECT_LIST: Sql = sql`${columnsOf(object(paper))}, money_text(coalesce(collected_amount_minor, (select greatest(0,
    paid_amount_minor - chosen.paid_at_issue_minor) from ${own('installments')} where installments.id = chosen.installment_id)))
  as collected_amount, ${columnsOf(object(rest))}`;

export const readNote = (db: Db, id: string): Promise<PromissoryNote> =>
  db.last<PromissoryNote>(sql`select ${SELECT_LIST} from (select * from ${own('promissory_notes')} where id = ${id}) chosen`);

/** In the order of the given ids. */
export const readNotes = (db: Db, ids: readonly string[]): Promise<PromissoryNote[]> =>
  db.rows<PromissoryNote>(sql`select ${SELECT_LIST} from (select * from ${own('promissory_notes')} where id = any(${ids}::uuid[])
    order by array_position(${ids}::uuid[], id)) chosen`);

export const NoteFilters = {
  status: oneOfParam(NOTE_STATUSES),
  sale_id: uuidParam,
  customer_id: uuidParam,
  currency: oneOfParam(CURRENCIES),
  from: momentParam,
  to: momentParam,
} as const;
/** The panel's register starts with unpaid notes. */
export const RegisterFilters = { ...NoteFilters, open: trueParam } as const;
type NoteQuery = Context<string, typeof NoteFilters>['query'] & { readonly open?: true | undefined };

const SOONEST_FIRST = rawSql('due_date, id');

export const listNotes = (db: Db, query: NoteQuery, timezone: string, page: Paging): Promise<Page> =>
  listPage(db, { table: 'promissory_notes', shows: SELECT_LIST, where: notesWhere(query, timezone), order: SOONEST_FIRST }, page);

export function notesWhere(query: NoteQuery, timezone: string): Sql[] {
  const where = daysBetween('due_date', query, timezone);
  for (const name of ['status', 'sale_id', 'customer_id', 'currency'] as const)
    if (query[name] !== undefined) where.push(sql`${rawSql(name)} = ${query[name]}`);
  if (query.open) where.push(sql`status = any(${OPEN_NOTE_STATUSES}::text[])`);
  return where;
}

/** The columns that decisions need. */
export interface StoredNote {
  readonly id: string;
  readonly note_no: string;
  readonly sale_id: string;
  readonly installment_id: string;
  readonly customer_id: string;
  readonly guarantor_ids: readonly string[];
  readonly amount: bigint;
  readonly currency: Currency;
  readonly due_date: string;
  readonly payment_place: string;
  readonly status: NoteStatus;
  readonly previous_status: NoteStatus | null;
  readonly paid_at_issue: bigint;
  readonly bank_name: string | null;
  readonly transferred_to: string | null;
  readonly lawyer: string | null;
  readonly protest_date: string | null;
  readonly returned_on: string | null;
  readonly printed_at: Date | null;
  readonly note: string | null;
}

/** The notes of a sale that are not cancelled, locked. The caller has locked the sale and its installments. */
export const lockNotes = (db: Db, saleId: string): Promise<StoredNote[]> =>
  db.rows<StoredNote>(sql`select id, note_no, sale_id, installment_id, customer_id, guarantor_ids, amount_minor as amount, currency, due_date,
      payment_place, status, previous_status, paid_at_issue_minor as paid_at_issue, bank_name, transferred_to, lawyer, protest_date,
      returned_on, printed_at, note
    from ${own('promissory_notes')} where sale_id = ${saleId} and status <> 'İptal' order by due_date, id for update`);

type Named = { readonly id: string; readonly sale_id: string; readonly installment_id: string; readonly customer_id: string };

/** Ids only, because a note contains personal data. */
export const emitNoteEvent = (
  work: Work,
  verb: string,
  { id, sale_id, installment_id, customer_id, guarantor_ids }: Named & { readonly guarantor_ids: readonly string[] },
): void =>
  work.emit({
    kind: `promissory_note.${verb}`,
    id,
    path: `promissory-notes/${id}`,
    object: { id, sale_id, installment_id, customer_id, guarantor_ids },
  });
