// The PDF of a paper, as a file that the write keeps: drawn outside of its transaction, of what the transaction decided.
import { createHash } from 'node:crypto';
import { sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { keepFiles } from '../files/stored-files.ts';
import { type Paper, paperText } from '../papers/paper.ts';
import { type DrawnPaper, drawPaper } from '../papers/paper-drawing.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Kept, and marked as one that names people. */
export async function keepDrawn(work: Work, paper: Paper): Promise<DrawnPaper> {
  const file = work.fileOf(digest(paperText(paper)), (folder) => drawPaper(paper, folder));
  await keepFiles(work, [file.id]);
  await work.db.exec(sql`update stored_files set is_sensitive = true where account_id = ${theAccount} and id = ${file.id}`);
  return file;
}
