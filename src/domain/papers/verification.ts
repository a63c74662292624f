// The code on a receipt or document with which every holder of the paper can verify it: its number, day, amount and the hash of
// its file.
import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../../kit/db.ts';
import type { Currency } from '../../kit/money.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import type { PaperCode, PaperVerification } from './paper.ts';

/** Letters and digits that are not confused with each other (Crockford). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const CODE_LENGTH = 26;

const spell = (bytes: Uint8Array): string => [...bytes.subarray(0, CODE_LENGTH)].map((byte) => ALPHABET[byte % 32]).join('');

/** 130 random bits, which cannot be guessed. */
const newCode = (): string => spell(randomBytes(CODE_LENGTH));

/** The demonstration's papers are the same at every load, so their codes are derived from their records. */
export function demoVerification(publicUrl: string, seed: string): PaperVerification {
  const code = spell(createHash('sha256').update(seed).digest());
  return { code, url: verificationUrl(publicUrl, code) };
}

export interface Verifiable {
  readonly kind: PaperCode;
  /** The collection or document of the paper. */
  readonly record_id: string;
  /** For a record with several files, such as the sizes of a receipt. */
  readonly variant?: string;
  /** `T-2026-00007`, `S-2026-00001` */
  readonly number: string;
  readonly day: string;
  readonly amount: bigint | null;
  readonly currency: Currency | null;
}

export const verificationUrl = (publicUrl: string, code: string): string => `${publicUrl}/dogrula/${code}`;

/** A code that is not in use yet. */
export function newVerification(publicUrl: string): PaperVerification {
  const code = newCode();
  return { code, url: verificationUrl(publicUrl, code) };
}

/** If the record's paper has a code already, that one is kept. */
export async function keepVerification(
  { db, now }: Pick<Work, 'db' | 'now'>,
  code: string,
  { kind, record_id, variant = '', number, day, amount, currency }: Verifiable,
  sha256: string | null,
): Promise<void> {
  await db.exec(sql`insert into paper_verifications (account_id, code, kind, record_id, variant, number, day, amount_minor, currency, sha256,
      created_at)
    values (${theAccount}, ${code}, ${kind}, ${record_id}, ${variant}, ${number}, ${day}, ${amount}, ${currency},
      ${sha256 === null ? null : Buffer.from(sha256, 'hex')}, ${now})
    on conflict (account_id, record_id, kind, variant) do nothing`);
}

/** The code of this record's paper, always the same one. Draw the paper with it, then record the file's hash. */
export async function issueVerification(work: Work, publicUrl: string, paper: Verifiable): Promise<PaperVerification> {
  const { db } = work;
  const { kind, record_id, variant = '' } = paper;
  await keepVerification(work, newCode(), paper, null);
  const { code } = await db.one<{ code: string }>(sql`select code from ${own('paper_verifications')}
    where record_id = ${record_id} and kind = ${kind} and variant = ${variant}`);
  return { code, url: verificationUrl(publicUrl, code) };
}

/** The code that was issued before, if any. */
export async function findVerification(
  db: Db,
  publicUrl: string,
  { kind, record_id, variant = '' }: Pick<Verifiable, 'kind' | 'record_id' | 'variant'>,
): Promise<(PaperVerification & { readonly sha256: string | null }) | null> {
  const [found] = await db.rows<{ code: string; sha256: string | null }>(sql`select code, encode(sha256, 'hex') as sha256
    from ${own('paper_verifications')} where record_id = ${record_id} and kind = ${kind} and variant = ${variant}`);
  return found === undefined ? null : { ...found, url: verificationUrl(publicUrl, found.code) };
}

export async function recordVerifiedFile({ db }: Pick<Work, 'db'>, code: string, sha256: string): Promise<void> {
  await db.exec(sql`update paper_verifications set sha256 = ${Buffer.from(sha256, 'hex')}
    where account_id = ${theAccount} and code = ${code} and sha256 is distinct from ${Buffer.from(sha256, 'hex')}`);
}

/** Reversed and withdrawn papers are found too, and shown as void. */
export async function voidVerifications({ db, now }: Pick<Work, 'db' | 'now'>, recordIds: readonly string[]): Promise<void> {
  await db.exec(sql`update paper_verifications set voided_at = ${now}
    where account_id = ${theAccount} and record_id = any(${recordIds}::uuid[]) and voided_at is null`);
}
