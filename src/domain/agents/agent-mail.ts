// Mail to those who decide a write of an agent. It names the key and the endpoint, and nothing that a record contains.
import type { Db } from '../../kit/db.ts';
import type { Text } from '../../kit/errors.ts';
import { sql } from '../../kit/sql.ts';
import { queueMail } from '../mail/mail-queue.ts';
import type { KeyRing } from '../vault/vault.ts';

export interface ApprovalMail {
  readonly accountId: string;
  /** Empty: the owners. */
  readonly approvers: readonly string[];
  readonly keyName: string;
  readonly endpointName: Text;
  readonly url: string;
}

/** With the platform role. */
export async function notifyApprovers(db: Db, vault: KeyRing, mail: ApprovalMail, realNow: Date): Promise<void> {
  const people = await db.rows<{ email: string }>(sql`select p.email from members m join people p on p.id = m.person_id
    where m.account_id = ${mail.accountId} and m.active and p.disabled_at is null
      and (m.person_id = any(${mail.approvers}::uuid[]) or (cardinality(${mail.approvers}::uuid[]) = 0 and m.role = 'owner'))
    order by p.email limit 50`);
  const { en, tr } = mail.endpointName;
  const text = `Bir ajan onayınızı bekliyor: ${tr} (anahtar: ${mail.keyName}).
Önizleme ve karar: ${mail.url}/panel/ajanlar
Bir saat içinde karar verilmezse hiçbir şey yapılmaz.

An agent is waiting for your approval: ${en} (key: ${mail.keyName}).
Preview and decision: ${mail.url}/panel/ajanlar
Without a decision within an hour nothing is done.
`;
  for (const { email } of people)
    await queueMail(
      db,
      vault,
      { to: email, subject: 'Galeri: ajan onayı bekliyor / an agent waits for approval', text },
      realNow,
    );
}
