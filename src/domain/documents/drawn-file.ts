// The PDF of a paper, as a file that the write keeps: drawn outside of its transaction, of what the transaction decided, with a code on it
// by which whoever holds the paper can check it.
import { createHash } from 'node:crypto';
import { sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { keepFiles } from '../files/stored-files.ts';
import { type DrawnPaper, drawPaper } from '../papers/drawing/paper-drawing.ts';
import { type Paper, paperText } from '../papers/paper.ts';
import { keepVerification, newVerification, type Verifiable } from '../papers/verification.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

interface KeptPaper extends DrawnPaper {
  /** As it was drawn: with its code. */
  readonly paper: Paper;
}

/** The copy that bears the signatures is another file, so it has a code of its own. */
export type PaperCopy = 'signed';

/** Kept, marked as one that names people, and found by the code on it. */
export async function storePaper(work: Work, id: string, given: Paper, copy?: PaperCopy): Promise<KeptPaper> {
  const { publicUrl, db } = work;
  // The code is made with the file: a write that is tried again finds the file that it has drawn, and its code with it.
  const file = work.generateFile(digest(paperText({ ...given, verification: null })), async (folder) => {
    const paper = given.code === 'senet' ? given : { ...given, verification: newVerification(publicUrl) };
    return { ...(await drawPaper(paper, work.account.id, folder)), paper };
  });
  await keepFiles(work, [file.id]);
  await db.exec(sql`update stored_files set is_sensitive = true where account_id = ${theAccount} and id = ${file.id}`);
  const { verification } = file.paper;
  if (verification !== null) await keepVerification(work, verification.code, verificationOf(file.paper, id, copy), file.sha256);
  return file;
}

/** What its page says: nothing about people. */
export function verificationOf(paper: Paper, id: string, copy?: PaperCopy): Verifiable {
  const { code: kind, day } = paper;
  const sale = 'sale' in paper ? paper.sale : null;
  const number = sale?.sale_no ?? ('sale_no' in paper ? paper.sale_no : null) ?? '–';
  const money = sale === null ? { amount: null, currency: null } : { amount: sale.total_receivable, currency: sale.currency };
  return { kind, record_id: id, ...(copy === undefined ? {} : { variant: copy }), number, day, ...money };
}
