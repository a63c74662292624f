// The database cell that holds the sealed paper of a generated document.
import type { CellAddress } from '../vault/vault.ts';

export const paperCell = (account: string, id: string): CellAddress => ({
  account,
  table: 'documents',
  column: 'paper_encrypted',
  row: id,
});
