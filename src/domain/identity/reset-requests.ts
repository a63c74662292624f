// A person who has forgotten their password asks for a link by mail. With the platform role.
import type { Db } from '../../kit/db.ts';
import { newId } from '../../kit/ids.ts';
import { sql } from '../../kit/sql.ts';
import { type Mail, queueMail } from '../mail/mail-queue.ts';
import type { KeyRing } from '../vault/vault.ts';
import { type Actor, audit } from '../writes/audit.ts';
import { lockPerson, RESET_WITHIN_MS, RESETS_A_DAY, resetsOfDay } from './invitations.ts';
import { personByEmail } from './people.ts';
import { newToken } from './sessions.ts';

export interface ResetRequest {
  readonly email: string;
  readonly from: Omit<Actor, 'type' | 'name' | 'personId'>;
  mailOf(token: string): Omit<Mail, 'to'>;
}

/**
 * Queues the mail, at most five a day. Every address takes the same statements, so that the response time does not reveal whether
 * it is known: for an unknown one, and beyond the five, the change is rolled back.
 */
export async function requestReset(db: Db, vault: KeyRing, { email, from, mailOf }: ResetRequest, realNow: Date): Promise<void> {
  const person = await personByEmail(db, email);
  const id = person?.id ?? newId();
  await lockPerson(db, id);
  const isSent = (await resetsOfDay(db, id, false, realNow)) < RESETS_A_DAY && person !== null;
  const { token, digest } = newToken();
  await db.exec(sql`insert into password_resets (id, digest, person_id, expires_at, created_at)
    select ${newId(realNow.getTime())}::uuid, ${digest}::bytea, ${id}::uuid, ${new Date(realNow.getTime() + RESET_WITHIN_MS)}::timestamptz,
      ${realNow}::timestamptz where ${isSent}::boolean`);
  await db.exec(sql`savepoint mail`);
  const actor: Actor = { type: 'panel', name: person?.email ?? '', ...(person === null ? {} : { personId: id }), ...from };
  await queueMail(db, vault, { to: person?.email ?? email, ...mailOf(token) }, realNow);
  await audit(db, actor, 'password.reset_made', id);
  await db.exec(isSent ? sql`release savepoint mail` : sql`rollback to savepoint mail`);
}
