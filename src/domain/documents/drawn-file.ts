// The PDF of a paper, as a file that the write keeps (domain/writes/generated-files.ts). A code on it lets every holder of the
// paper verify it.
import { createHash } from 'node:crypto';
import { sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { keepFiles } from '../files/stored-files.ts';
import { type DrawnPaper, drawPaper } from '../papers/drawing/paper-drawing.ts';
import { type Paper, paperText } from '../papers/paper.ts';
import { keepVerification, newVerification, type Verifiable } from '../papers/verification.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

interface KeptPaper extends DrawnPaper {
  /** The paper as drawn, with its code. */
  readonly paper: Paper;
}

/** The signed copy is another file, so it has its own code. */
export type PaperCopy = 'signed';

/** Marks the file as kept and as containing personal data, and stores its verification code. */
export async function storePaper(work: Work, id: string, content: Paper, copy?: PaperCopy): Promise<KeptPaper> {
  const { publicUrl, db } = work;
  // The code is generated with the file: a repeated write finds the file and its code.
  const file = work.generateFile(digest(paperText({ ...content, verification: null })), async (folder) => {
    const paper = content.code === 'senet' ? content : { ...content, verification: newVerification(publicUrl) };
    return { ...(await drawPaper(paper, work.account.id, folder)), paper };
  });
  await keepFiles(work, [file.id]);
  await db.exec(sql`update stored_files set is_sensitive = true where account_id = ${theAccount} and id = ${file.id}`);
  const { verification } = file.paper;
  if (verification !== null) await keepVerification(work, verification.code, verificationOf(file.paper, id, copy), file.sha256);
  return file;
}

/** The content of the verification page: no personal data. */
export function verificationOf(paper: Paper, id: string, copy?: PaperCopy): Verifiable {
  const { code: kind, day } = paper;
  const sale = 'sale' in paper ? paper.sale : null;
  const number = sale?.sale_no ?? ('sale_no' in paper ? paper.sale_no : null) ?? '–';
  const money = sale === null ? { amount: null, currency: null } : { amount: sale.total_receivable, currency: sale.currency };
  return { kind, record_id: id, ...(copy === undefined ? {} : { variant: copy }), number, day, ...money };
}
