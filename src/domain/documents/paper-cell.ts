// The database cells that hold sealed data of a generated document: its paper, and the signatures on it.
import type { CellAddress } from '../vault/vault.ts';

/** The signature that a recipient drew or typed. */
export const signatureCell = (account: string, recipient: string): CellAddress => ({
  account,
  table: 'document_recipients',
  column: 'signature_encrypted',
  row: recipient,
});

export const paperCell = (account: string, id: string): CellAddress => ({
  account,
  table: 'documents',
  column: 'paper_encrypted',
  row: id,
});
