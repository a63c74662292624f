// `platform document`: what became of a sale document outside the signing page, such as a signature that another provider collected.
import { findDocument, type StoredDocument } from '../../domain/documents/document.ts';
import { declineDocument, signDocument, viewDocument } from '../../domain/documents/signing/sale-document-sign.ts';
import { audit } from '../../domain/writes/audit.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { type Command, integerOption, print, readOptions, required, UsageError } from '../command.ts';
import { command, type Owned, write } from './platform-write.ts';

type Act = (work: Work, documentId: string, recipientId: string) => Promise<void>;

const ACTS: Readonly<Record<string, Act>> = {
  viewed: viewDocument,
  signed: (work, id, recipientId) => signDocument(work, id, recipientId, null),
  declined: (work, id, recipientId) => declineDocument(work, id, recipientId, null),
};
const MAX_RECIPIENTS = 20;

export const documentCommand: Command = command(['platform document viewed|signed|declined ID --recipient N'], document);

const documentOwner = (id: string): Owned => ({
  ...{ what: 'document', id, statement: sql`select account_id from documents where id = ${id}` },
});

async function document([act = '', ...args]: string[]): Promise<void> {
  if (!Object.hasOwn(ACTS, act)) throw new UsageError(`platform document takes ${Object.keys(ACTS).join(', ')}`);
  const { words, recipient, json } = readOptions(args, { recipient: 'text' }, { min: 1, max: 1 });
  const id = words[0]!.toLowerCase();
  const position = integerOption(required(recipient, 'recipient'), 'recipient', 1, MAX_RECIPIENTS)!;
  const { recipients, status } = await write(documentOwner(id), (work) => report(work, act, id, position));
  const { name, status: theirs } = recipients[position - 1]!;
  print(json, { id, status, recipients }, `${name}: ${theirs}; the document: ${status}`);
}

/** The document is locked by the act, and the order of its recipients never changes. */
async function report(work: Work, act: string, id: string, position: number): Promise<StoredDocument> {
  const { db, actor, account } = work;
  const [recipient] = await db.rows<{ id: string }>(
    sql`select id from ${own('document_recipients')} where document_id = ${id} and "position" = ${position}`,
  );
  if (recipient === undefined) throw new UsageError(`document ${id} has no recipient ${position}`);
  await ACTS[act]!(work, id, recipient.id);
  await audit(db, actor, `sale_document.${act}_recorded`, id, { accountId: account.id, after: { recipient: position } });
  return findDocument(db, id);
}
