// A receipt as a PDF. It always has the same verification code; the hash of its latest PDF is stored with the code.
import type { Database } from '../../kit/db.ts';
import type { Work } from '../../kit/work.ts';
import { type DrawnPaper, drawPaper } from '../papers/drawing/paper-drawing.ts';
import { findVerification, issueVerification, recordVerifiedFile } from '../papers/verification.ts';
import type { AnyReceipt } from './receipt-paper.ts';

interface Drawing {
  readonly database: Database;
  readonly dataSet: string;
  readonly publicUrl: string;
  readonly write: <T>(run: (work: Work) => Promise<T>) => Promise<T>;
}

export interface ReceiptFile {
  readonly drawn: DrawnPaper;
  readonly number: string;
  /** The page on which anyone may verify it. */
  readonly checkedAt: string;
}

export async function drawReceipt(
  { database, dataSet, publicUrl, write }: Drawing,
  id: string,
  receipt: AnyReceipt,
  /** Copies that differ have a code of their own, because the hash of one would not confirm the other. */
  variant: string = receipt.size,
): Promise<ReceiptFile> {
  const { code: kind, receipt_no: number, day, amount, currency } = receipt;
  const subject = { kind, record_id: id, variant };
  const known = await database.inTenant(dataSet, 'read', (db) => findVerification(db, publicUrl, subject));
  const { code, url } =
    known ?? (await write((work) => issueVerification(work, publicUrl, { ...subject, number, day, amount, currency })));
  const drawn = await drawPaper({ ...receipt, verification: { code, url } }, dataSet);
  try {
    if (known?.sha256 !== drawn.sha256) await write((work) => recordVerifiedFile(work, code, drawn.sha256));
  } catch (error) {
    await drawn.remove();
    throw error;
  }
  return { drawn, number, checkedAt: url };
}
