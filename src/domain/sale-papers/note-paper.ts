// The content of a printed promissory note, with the sealed data of its people, and its file: drawn on request, if the note has
// changed since the last drawing.
import { createHash } from 'node:crypto';
import { type Db, Unavailable } from '../../kit/db.ts';
import type { FileLink } from '../../kit/endpoint.ts';
import { fail } from '../../kit/errors.ts';
import { integer, nullable, type Of, object, text, timestamp } from '../../kit/schema.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { SealingKeys, Work } from '../../kit/work.ts';
import type { Preparation } from '../files/preparation.ts';
import { dropFiles, keepFiles } from '../files/stored-files.ts';
import type { NoteStatus } from '../installments/note-states.ts';
import { drawPaper } from '../papers/drawing/paper-drawing.ts';
import { type Country, type NotesPaper, type PaperHead, type Party, paperText, TEMPLATE_VERSION } from '../papers/paper.ts';
import { PAPER_HEAD, specimenOf } from '../papers/paper-account.ts';
import type { Columns } from '../records/record.ts';
import { openField } from '../vault/sealed-fields.ts';
import { audit } from '../writes/audit.ts';

/** A caller who sees masked personal data gets no link, because a note contains it. */
export const NoteDocument = object({
  url: nullable(text('https://galeri.example.com/files/AZqL3kQ…')),
  expires_at: nullable(timestamp()),
  content_type: text('application/pdf'),
  size_bytes: integer(),
  sha256: text('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'),
});
export type NoteDocument = Of<typeof NoteDocument>;

interface Written {
  readonly id: string;
  readonly status: NoteStatus;
  readonly note_no: string;
  readonly payee_name: string;
  readonly amount: bigint;
  readonly currency: NotesPaper['notes'][number]['currency'];
  readonly issue_date: string;
  readonly issue_place: string;
  readonly due_date: string;
  readonly payment_place: string;
  readonly customer_id: string;
  readonly guarantor_ids: readonly string[];
  readonly is_copy: boolean;
  readonly created_at: Date;
  readonly is_erased: boolean;
}

/** In the order of the ids. An «İptal» note is no longer printed. */
export async function readNotesPaper(db: Db, keys: SealingKeys, ids: readonly string[]): Promise<NotesPaper> {
  const notes =
    await db.rows<Written>(sql`select id, status, note_no, payee_name, amount_minor as amount, currency, issue_date, issue_place,
      due_date, payment_place, customer_id, guarantor_ids, printed_at is not null as is_copy, created_at,
      erased_at is not null as is_erased from ${own('promissory_notes')} where id = any(${ids}::uuid[]) order by array_position(${ids}::uuid[], id)`);
  // A note that was erased with its sale's documents is not drawn again.
  if (notes.length < ids.length || notes.length === 0 || notes.some(({ is_erased }) => is_erased)) fail('not_found');
  if (notes.some(({ status }) => status === 'İptal')) fail('note_cancelled');
  const { country, is_sandbox, ...head } = await db.one<PaperHead & { country: Country; is_sandbox: boolean }>(
    sql`select ${PAPER_HEAD}, country, world_id is not null as is_sandbox from ${own('accounts')}`,
  );
  const makers = await partiesOf(
    db,
    keys,
    'customers',
    notes.map(({ customer_id }) => customer_id),
  );
  const guarantors = await partiesOf(
    db,
    keys,
    'guarantors',
    notes.flatMap(({ guarantor_ids }) => guarantor_ids),
  );
  const [first] = notes as [Written];
  return {
    code: 'senet',
    version: TEMPLATE_VERSION,
    country,
    language: 'tr',
    created_at: first.created_at,
    day: first.issue_date,
    head,
    clauses: null,
    verification: null,
    ...specimenOf(is_sandbox),
    notes: notes.map(({ id: _, status: __, created_at: ___, is_erased: ____, customer_id, guarantor_ids, ...note }) => ({
      ...note,
      maker: makers.get(customer_id)!,
      guarantors: guarantor_ids.flatMap((id) => guarantors.get(id) ?? []),
    })),
  };
}

/** For printing, three to a sheet. They contain personal data, so each download is audited. */
export async function openNotes({ db, keys, actor, account }: Work, ids: readonly string[]): Promise<NotesPaper> {
  const paper = await readNotesPaper(db, keys, ids);
  for (const [at, { note_no, is_copy }] of paper.notes.entries())
    await audit(db, actor, 'promissory_note.opened', ids[at]!, { accountId: account.id, after: { note_no, is_copy } });
  return paper;
}

interface Person extends Columns {
  readonly id: string;
  readonly kind: Party['kind'];
  readonly company_name: string | null;
  readonly first_name: string;
  readonly last_name: string;
  readonly tax_office: string | null;
  readonly phone: string | null;
}

const OF = {
  customers: sql`kind, company_name, tax_office, tax_no_encrypted`,
  guarantors: sql`'Bireysel' as kind, null as company_name, null as tax_office, null::bytea as tax_no_encrypted`,
} as const;

/** Deleted people too: they signed. */
async function partiesOf(
  db: Db,
  keys: SealingKeys,
  table: 'customers' | 'guarantors',
  ids: readonly string[],
): Promise<Map<string, Party>> {
  const people =
    await db.rows<Person>(sql`select id, first_name, last_name, phone, id_no_encrypted, address_encrypted, ${OF[table]}
    from ${own(table)} where id = any(${[...new Set(ids)]}::uuid[])`);
  return new Map(people.map((person) => [person.id, partyOf(keys, table, person)]));
}

function partyOf(keys: SealingKeys, table: 'customers' | 'guarantors', person: Person): Party {
  const { kind, company_name, first_name, last_name, tax_office, phone } = person;
  const sealed = (name: string) => openField(keys, table, person, name);
  const named = `${first_name} ${last_name}`;
  return {
    kind,
    name: kind === 'Kurumsal' && company_name !== null ? company_name : named,
    representative: kind === 'Kurumsal' ? named : null,
    id_no: sealed('id_no'),
    tax_office,
    tax_no: table === 'customers' ? sealed('tax_no') : null,
    address: sealed('address'),
    phone,
  };
}

const digestOf = (paper: NotesPaper): Buffer => createHash('sha256').update(paperText(paper)).digest();

interface Drawn {
  readonly file_id: string | null;
  readonly drawn_from: Buffer | null;
}

/**
 * Before the read: stores the paper as it is now. Of two concurrent requests the first one is kept, and an original cannot be
 * drawn again once it was printed.
 */
export async function prepareNoteDocument(preparation: Preparation): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) if (await isDrawn(preparation)) return;
  throw new Unavailable('what a note shows kept changing while it was drawn');
}

const MAX_TRIES = 4;

/** Whether the stored file matches the note; if not, it is drawn, and the check is repeated. */
async function isDrawn({ params, keys, folder, read, store }: Preparation): Promise<boolean> {
  const id = params.note_id!;
  const { paper, drawn_from } = await read(async (db) => ({
    drawn_from: (await findDrawn(db, id)).drawn_from,
    paper: await readNotesPaper(db, keys, [id]),
  }));
  const digest = digestOf(paper);
  if (drawn_from?.equals(digest)) return true;
  const file = await drawPaper(paper, keys.account, folder);
  try {
    await store(file, async (work) => {
      const { db } = work;
      const [before] = await db.rows<Drawn>(
        sql`select file_id, drawn_from from ${own('promissory_notes')} where id = ${id} for update`,
      );
      const isCurrent = digestOf(await readNotesPaper(db, keys, [id])).equals(digest);
      if (!isCurrent || before!.drawn_from?.equals(digest)) return false;
      await keepFiles(work, [file.id]);
      await db.exec(sql`update stored_files set is_sensitive = true where account_id = ${theAccount} and id = ${file.id}`);
      await db.exec(
        sql`update promissory_notes set file_id = ${file.id}, drawn_from = ${digest} where account_id = ${theAccount} and id = ${id}`,
      );
      if (before!.file_id !== null) await dropFiles(work, [before!.file_id]);
      return true;
    });
  } finally {
    await file.remove();
  }
  return false;
}

const findDrawn = (db: Db, id: string): Promise<Drawn> =>
  db.one<Drawn>(sql`select file_id, drawn_from from ${own('promissory_notes')} where id = ${id}`);

export async function readNoteDocument(
  db: Db,
  id: string,
  { linkTo, masked }: { readonly linkTo: (fileId: string) => FileLink; readonly masked: boolean },
): Promise<NoteDocument> {
  const { file_id, status, ...file } = await db.last<{
    file_id: string | null;
    status: NoteStatus;
    content_type: string;
    size_bytes: number;
    sha256: string;
  }>(sql`select file_id, status, content_type, size_bytes, encode(sha256, 'hex') as sha256 from
      (select id as note_id, file_id, status from ${own('promissory_notes')} where id = ${id}) notes
    left join ${own('stored_files')} on stored_files.id = file_id`);
  if (status === 'İptal') return fail('note_cancelled');
  return { ...(masked ? { url: null, expires_at: null } : linkTo(file_id!)), ...file };
}
