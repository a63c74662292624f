// Writes on promissory notes: issue for the installments of a sale, transfer, print, return, cancel.
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { own, rawSql, type Sql, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { logActivity } from '../customers/activity.ts';
import { amountInWords } from '../formats/amount-in-words.ts';
import { factOf, isLive, mayMoveNote, NOTE_FACTS, type NoteFact, type NoteStatus } from '../installments/note-states.ts';
import { remainingOf } from '../installments/plan-installment.ts';
import type { CreateBody } from '../records/body.ts';
import { nextNumbers } from '../records/number-series.ts';
import { type Columns, changedColumns } from '../records/record.ts';
import type { StoredInstallment } from './installment.ts';
import {
  emitNoteEvent,
  type NOTE_FIELDS,
  type NoteEdit,
  type PromissoryNote,
  readNote,
  readNotes,
  type StoredNote,
} from './note.ts';
import { endNotes, liveNoteOf } from './note-reactions.ts';
import { badField, requirePeople, type StoredSale, unknownReference } from './sale.ts';
import { type LockedSale, lockSaleWithInstallments } from './sale-money.ts';

type CreateNoteBody = CreateBody<typeof NOTE_FIELDS>;

export async function issueNotes(work: Work, body: CreateNoteBody): Promise<PromissoryNote[]> {
  const { db, today } = work;
  const locked = (await lockSaleWithInstallments(db, body.sale_id)) ?? unknownReference('sale_id');
  const { sale } = locked;
  const { legal_name: payee } = await db.one<{ legal_name: string | null }>(sql`select legal_name from ${own('accounts')}`);
  if (payee === null) return fail('legal_name_missing');
  if (sale.status === 'İptal') fail('sale_cancelled');
  const issue_date = body.issue_date ?? today;
  if (issue_date < sale.sale_date)
    badField('issue_date', 'out_of_range', 'issue_date must not be before the sale date', 'issue_date satıştan önce');
  const guarantor_ids = body.guarantor_ids ?? sale.guarantor_ids;
  if (body.guarantor_ids !== undefined) await requirePeople(work, sale.customer_id, { guarantor_ids });
  const installments = installmentsWithoutNote(locked, body.installment_ids);
  if (installments.length === 0) fail('nothing_to_issue');
  const { issue_place, payment_place = issue_place } = body;
  const ids = await insertNotes(work, sale, installments, { payee, guarantor_ids, issue_date, issue_place, payment_place });
  const shown = await readNotes(db, ids);
  for (const note of shown) emitNoteEvent(work, 'created', note);
  return shown;
}

/** The named installments, or every open one without a note. The down payment gets none. */
function installmentsWithoutNote({ installments, notes }: LockedSale, ids: readonly string[] | undefined): StoredInstallment[] {
  if (ids === undefined)
    return installments.filter(
      (installment) => installment.seq > 0 && remainingOf(installment) > 0n && liveNoteOf(notes, installment.id) === null,
    );
  if (new Set(ids).size < ids.length)
    badField(
      'installment_ids',
      'not_allowed',
      'installment_ids must name each installment once',
      'installment_ids her taksiti bir kez içermeli',
    );
  const chosen = ids.map(
    (id) => installments.find((installment) => installment.id === id) ?? unknownReference('installment_ids'),
  );
  if (chosen.some(({ seq }) => seq === 0))
    badField('installment_ids', 'not_allowed', 'A down payment has no note', 'Peşinat için senet düzenlenmez');
  if (chosen.some(({ id }) => liveNoteOf(notes, id) !== null)) fail('note_exists');
  if (chosen.some((installment) => remainingOf(installment) === 0n)) fail('installment_paid');
  return chosen;
}

interface OnPaper {
  readonly payee: string;
  readonly guarantor_ids: readonly string[];
  readonly issue_date: string;
  readonly issue_place: string;
  readonly payment_place: string;
}

/** For the open amount of each installment. */
async function insertNotes(
  work: Work,
  sale: StoredSale,
  installments: readonly StoredInstallment[],
  on: OnPaper,
): Promise<string[]> {
  const { db, now } = work;
  const numbers = await nextNumbers(work, 'N', installments.length);
  const notes = installments.map((installment, index) => ({
    id: newId(now.getTime()),
    note_no: numbers[index]!.text,
    words: amountInWords(remainingOf(installment), sale.currency),
    installment,
  }));
  const each = (value: (note: (typeof notes)[number]) => string | bigint): string[] => notes.map((note) => String(value(note)));
  db.send(sql`insert into promissory_notes (account_id, id, note_no, sale_id, installment_id, customer_id, guarantor_ids, payee_name, amount_minor,
      amount_in_words, currency, issue_date, issue_place, due_date, payment_place, paid_at_issue_minor, created_at, updated_at)
    select ${theAccount}, id, note_no, ${sale.id}, row_id, ${sale.customer_id}, ${on.guarantor_ids}::uuid[], ${on.payee}, amount, words,
      ${sale.currency}, ${on.issue_date}, ${on.issue_place}, due_date, ${on.payment_place}, paid, ${now}, ${work.updatedAt()}
    from unnest(${each(({ id }) => id)}::uuid[], ${each(({ note_no }) => note_no)}::text[], ${each(({ installment }) => installment.id)}::uuid[],
      ${each(({ installment }) => remainingOf(installment))}::bigint[], ${each(({ words }) => words)}::text[], ${each(({ installment }) => installment.due_date)}::date[],
      ${each(({ installment }) => installment.paid_amount)}::bigint[]) as given(id, note_no, row_id, amount, words, due_date, paid)`);
  return notes.map(({ id }) => id);
}

export async function editNote(work: Work, id: string, edit: NoteEdit): Promise<PromissoryNote> {
  const { db } = work;
  const { sale_id, status: seen } = await db.one<{ sale_id: string; status: NoteStatus }>(
    sql`select sale_id, status from ${own('promissory_notes')} where id = ${id}`,
  );
  const { installments, notes } = (await lockSaleWithInstallments(db, sale_id))!;
  const note = notes.find((one) => one.id === id);
  if (note === undefined) return editCancelled(work, id, seen, edit);
  const to = edit.status ?? note.status;
  if (to !== note.status) requireMove(note, to, edit, installments);
  const columns = newColumns(work, note, to, edit);
  const changed = changedColumns({ ...note }, columns);
  if (to === note.status && Object.keys(changed).length === 0) return readNote(db, id);
  const ends = to !== note.status && (to === 'İptal' || to === 'İade Edildi') ? to : null;
  const set = assigned(ends === null ? { ...changed, status: to } : changed);
  db.send(
    sql`update promissory_notes set ${set} updated_at = ${work.updatedAt()} where account_id = ${theAccount} and id = ${id}`,
  );
  if (ends !== null) endNotes(work, [note], ends);
  announceEdit(work, note, to, Object.keys(changed));
  return readNote(db, id);
}

/** All of them or none. Locked sale by sale, like every write on several sales. */
export async function editNotes(
  work: Work,
  { note_ids: ids, ...edit }: NoteEdit & { readonly note_ids: readonly string[] },
): Promise<void> {
  const found = await work.db.rows<{ id: string }>(
    sql`select id from ${own('promissory_notes')} where id = any(${ids}::uuid[]) order by sale_id, due_date, id`,
  );
  if (found.length < new Set(ids).size) unknownReference('note_ids');
  for (const { id } of found) await editNote(work, id, edit);
}

const assigned = (columns: Columns): Sql =>
  Object.entries(columns).reduce<Sql>((all, [column, value]) => sql`${all}${rawSql(`"${column}"`)} = ${value}, `, sql``);

/** A cancelled note cannot change its status; its remarks can be corrected. */
async function editCancelled(work: Work, id: string, seen: NoteStatus, edit: NoteEdit): Promise<PromissoryNote> {
  const { db } = work;
  const before = await readNote(db, id);
  const { status = before.status, note = before.note, payment_place, ...others } = edit;
  if (status !== before.status || others.printed) fail('invalid_transition', { words: { from: seen, to: edit.status ?? seen } });
  requirePlaceOpen(before, payment_place);
  for (const name of Object.keys(others)) refuseFact(name);
  if (note === before.note) return before;
  if (note === null)
    badField(
      'note',
      'required',
      'note is required: it holds the reason of the cancellation',
      'İptal edilen senedin nedeni yazılı kalır',
    );
  db.send(
    sql`update promissory_notes set note = ${note}, updated_at = ${work.updatedAt()} where account_id = ${theAccount} and id = ${id}`,
  );
  emitNoteEvent(work, 'updated', before);
  return readNote(db, id);
}

function requireMove(note: StoredNote, to: NoteStatus, edit: NoteEdit, installments: readonly StoredInstallment[]): void {
  if (to === 'Tahsil Edildi') fail('status_not_settable', { status: 409 });
  const refuse = () => fail('invalid_transition', { words: { from: note.status, to } });
  if (!mayMoveNote(note.status, to)) refuse();
  if (to === 'İptal') {
    if (!edit.note) badField('note', 'required', 'Say in note why it is cancelled', 'İptal nedenini note alanına yazın');
    // Payments for this paper would remain without it.
    if (installments.find(({ id }) => id === note.installment_id)!.paid_amount !== note.paid_at_issue) refuse();
  }
}

/** The columns in the edit, changed or not. */
function newColumns({ now, today }: Work, note: StoredNote, to: NoteStatus, edit: NoteEdit): Columns {
  const { status: _, printed, note: words, payment_place, ...facts } = edit;
  if (printed && !isLive(note.status)) fail('invalid_transition', { words: { from: note.status, to: note.status } });
  requirePlaceOpen(note, payment_place);
  return {
    ...factColumns(note, to, facts, today),
    ...(printed && note.printed_at === null ? { printed_at: now } : {}),
    ...(words === undefined ? {} : { note: words }),
    ...(payment_place === undefined ? {} : { payment_place }),
  };
}

/** The place of payment can change only while the dealer has the paper. */
function requirePlaceOpen(
  { status, payment_place }: Pick<PromissoryNote, 'status' | 'payment_place'>,
  requested: string | undefined,
): void {
  if (requested === undefined || requested === payment_place || status === 'Portföyde') return;
  const message = {
    en: 'payment_place changes only while the note is «Portföyde»',
    tr: 'payment_place yalnızca senet «Portföyde» iken değişir',
  };
  fail('invalid_transition', {
    words: { from: status, to: status },
    details: [{ field: 'payment_place', code: 'not_allowed', message }],
  });
}

type Facts = Omit<NoteEdit, 'status' | 'printed' | 'note' | 'payment_place'>;

/** Fields that belong to the note's location: the bank, the assignee, the lawyer, a day. */
function factColumns(note: StoredNote, to: NoteStatus, facts: Facts, today: string): Columns {
  const required = factOf(to);
  for (const name of Object.keys(facts)) if (name !== required) refuseFact(name);
  if (required === null) return {};
  const isMoved = to !== note.status;
  const fact = facts[required];
  const value = fact ?? (required === 'returned_on' && isMoved ? today : null);
  if (value === null && (isMoved || fact === null))
    badField(required, 'required', `${required} is required`, `${required} zorunludur`);
  if (required === 'protest_date' && value !== null && value <= note.due_date) fail('note_not_due');
  return value === null ? {} : { [required]: value };
}

function refuseFact(name: string): never {
  const statuses = Object.entries(NOTE_FACTS).filter(([, fact]) => fact === (name as NoteFact));
  const words = statuses.map(([status]) => `«${status}»`).join(', ');
  return badField(
    name,
    'not_allowed',
    `${name} is allowed only with the status ${words || 'it belongs to'}`,
    `${name} yalnızca ${words || 'başka bir'} durumuyla verilir`,
  );
}

const VERBS: Partial<Record<NoteStatus, string>> = { Protestolu: 'protested', 'İade Edildi': 'returned', İptal: 'cancelled' };

function announceEdit(work: Work, note: StoredNote, to: NoteStatus, changed: readonly string[]): void {
  const isMoved = to !== note.status;
  if (isMoved) emitNoteEvent(work, 'status_changed', note);
  const verb = isMoved ? VERBS[to] : undefined;
  if (verb !== undefined) emitNoteEvent(work, verb, note);
  const fact = isMoved ? factOf(to) : null;
  const others = changed.filter((column) => column !== fact && !(to === 'İptal' && isMoved && column === 'note'));
  if (others.length > 0) emitNoteEvent(work, 'updated', note);
  if (isMoved && to === 'Protestolu') logProtest(work, note);
}

const logProtest = (work: Work, { id, customer_id, note_no }: StoredNote): void =>
  logActivity(work, customer_id, {
    note: { en: `Note ${note_no} protested`, tr: `${note_no} numaralı senet protesto edildi` },
    resource_type: 'promissory_note',
    resource_id: id,
  });
