// Mail and messages of a world. They are never sent: they stay in the world, where its dealer and tests read them.
import type { Db } from '../../kit/db.ts';
import { newId } from '../../kit/ids.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import { cutText } from '../../kit/text.ts';
import type { SealingKeys } from '../../kit/work.ts';
import { type CellAddress, seal, unseal } from '../vault/vault.ts';

export const MESSAGE_CHANNELS = ['E-posta', 'WhatsApp', 'SMS'] as const;
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number];

export interface MessageAttachment {
  readonly name: string;
  readonly type: string;
  readonly size_bytes: number;
}

export interface NewMessage {
  readonly channel: MessageChannel;
  /** An e-mail address or a phone number. */
  readonly to: string;
  /** Only of mail. */
  readonly subject?: string;
  readonly text: string;
  /** The record that it is about, such as a document or an installment. */
  readonly about?: { readonly kind: string; readonly id: string };
  /** The files themselves are not kept. */
  readonly attachments?: readonly MessageAttachment[];
}

export interface SandboxMessage {
  readonly id: string;
  readonly channel: MessageChannel;
  readonly to: string;
  readonly subject: string | null;
  readonly text: string;
  readonly about: { readonly kind: string; readonly id: string } | null;
  readonly attachments: readonly MessageAttachment[];
  /** Business time of the world. */
  readonly created_at: string;
}

export const MAX_MESSAGES = 500;
const MAX_SUBJECT = 300;

const textCell = (account: string, row: string): CellAddress => ({
  account,
  table: 'sandbox_messages',
  column: 'text_encrypted',
  row,
});

/** In a world's data set. Its links and codes are secrets, so the text is encrypted. Older messages than the newest 500 are deleted. */
export async function dropMessage(db: Db, keys: SealingKeys, message: NewMessage, now: Date): Promise<void> {
  const id = newId(now.getTime());
  const { channel, to, subject = null, text, about = null, attachments = [] } = message;
  await db.exec(sql`insert into sandbox_messages (account_id, id, channel, recipient, subject, text_encrypted, about_kind, about_id,
      attachments, created_at)
    values (${theAccount}, ${id}, ${channel}, ${to}, ${subject === null ? null : cutText(subject, MAX_SUBJECT)},
      ${seal(keys.ring, textCell(keys.account, id), text)}, ${about?.kind ?? null}, ${about?.id ?? null},
      ${JSON.stringify(attachments)}, ${now})`);
  db.send(sql`delete from sandbox_messages where account_id = ${theAccount} and number <= (select number from ${own('sandbox_messages')}
    order by number desc offset ${MAX_MESSAGES} limit 1)`);
}

export interface MessagePage {
  readonly limit: number;
  readonly offset: number;
  readonly channel?: MessageChannel | undefined;
  readonly to?: string | undefined;
}

interface StoredMessage extends Omit<SandboxMessage, 'text' | 'about'> {
  readonly text_encrypted: Buffer;
  readonly about_kind: string | null;
  readonly about_id: string | null;
}

/** Newest first; one more than the page size if there is a next page. */
export async function listMessages(
  db: Db,
  keys: SealingKeys,
  { limit, offset, channel, to }: MessagePage,
): Promise<SandboxMessage[]> {
  const found =
    await db.rows<StoredMessage>(sql`select id, channel, recipient as "to", subject, text_encrypted, about_kind, about_id,
      attachments::json as attachments, utc_text(created_at) as created_at from ${own('sandbox_messages')}
    where (${channel ?? null}::text is null or channel = ${channel ?? null})
      and (${to ?? null}::text is null or lower(recipient) = lower(${to ?? null}))
    order by number desc limit ${limit + 1} offset ${offset}`);
  return found.map(({ text_encrypted, about_kind, about_id, ...message }) => ({
    ...message,
    text: unseal(keys.ring, textCell(keys.account, message.id), text_encrypted),
    about: about_kind === null || about_id === null ? null : { kind: about_kind, id: about_id },
  }));
}

/** On the tenant's connection: whether the data set belongs to a world. */
export async function isInWorld(db: Db): Promise<boolean> {
  return (await db.one<{ is: boolean }>(sql`select world_id is not null as is from ${own('accounts')}`)).is;
}
