// The logo on a dealer's papers: encoded again on upload, stored as a file for the panel and as bytes for the papers.
import { readFile } from 'node:fs/promises';
import type { Db } from '../../kit/db.ts';
import type { NewFile, UploadedFile } from '../../kit/file.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { dropFiles, keepFiles } from '../files/stored-files.ts';
import { redrawLogo } from '../media/image-worker-pool.ts';
import { updateAccount } from '../records/record.ts';
import { audit } from '../writes/audit.ts';

export const MAX_LOGO_BYTES: number = 1024 * 1024;

/** The store may move the file, so its bytes are read first. */
interface Logo extends NewFile {
  readonly bytes: Buffer;
}

export async function makeLogo(upload: UploadedFile): Promise<readonly Logo[]> {
  const file = await redrawLogo(upload, 'logo');
  return [{ ...file, bytes: await readFile(file.path) }];
}

/** Null removes it. Existing papers keep the logo that they were drawn with. */
export async function changeLogo(work: Work, logo: NewFile | null): Promise<void> {
  const { db, now, actor } = work;
  const { id, file_id: before } = await db.one<{ id: string; file_id: string | null }>(
    sql`select id, paper_logo_file_id as file_id from ${own('accounts')} for no key update`,
  );
  if (before === null && logo === null) return;
  if (logo !== null) await keepFiles(work, [logo.id]);
  const file_id = logo?.id ?? null;
  const bytes = logo === null ? null : (logo as Logo).bytes;
  await updateAccount(db, { paper_logo_file_id: file_id, paper_logo: bytes, updated_at: now });
  if (before !== null) await dropFiles(work, [before]);
  const [was, is] = [before, file_id].map((paper_logo_file_id) => ({ paper_logo_file_id }));
  await audit(db, actor, 'account.changed', id, { accountId: id, before: was!, after: is! });
}

export async function findLogoFile(db: Db): Promise<string | null> {
  return (await db.one<{ file_id: string | null }>(sql`select paper_logo_file_id as file_id from ${own('accounts')}`)).file_id;
}
