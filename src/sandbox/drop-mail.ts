// A mail of a world: kept in its drop, never sent.
import type { Mail } from '../domain/mail/mail-queue.ts';
import { seal } from '../domain/vault/vault.ts';
import { newId } from '../kit/ids.ts';
import { sql, theAccount } from '../kit/sql.ts';
import type { Work } from '../kit/work.ts';

export async function dropMail(work: Work, { to, subject, text }: Mail, about: { kind: string; id: string }): Promise<void> {
  const { db, keys, now } = work;
  const id = newId(now.getTime());
  const cell = { account: keys.account, table: 'sandbox_messages', column: 'text_encrypted', row: id };
  await db.exec(sql`insert into sandbox_messages (account_id, id, channel, recipient, subject, text_encrypted, about_kind, about_id, created_at)
    values (${theAccount}, ${id}, 'E-posta', ${to}, ${subject}, ${seal(keys.ring, cell, text)}, ${about.kind}, ${about.id}, ${now})`);
}
