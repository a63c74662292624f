// Mails the people who manage an account's keys, in their language, that an endpoint of a key is now open.
import type { Db } from '../../kit/db.ts';
import type { Locale, Text } from '../../kit/errors.ts';
import { sql } from '../../kit/sql.ts';
import { unlinked } from '../formats/unlinked.ts';
import { type Mail, queueMail } from '../mail/mail-queue.ts';
import type { KeyRing } from '../vault/vault.ts';

export interface OpenedEndpoint {
  readonly id: string;
  readonly name: Text;
  /** The endpoint's page in the panel. */
  readonly link: string;
}

const WORDS: Readonly<Record<Locale, (endpoint: OpenedEndpoint, account: string, keys: string) => Omit<Mail, 'to'>>> = {
  tr: ({ id, name, link }, account, keys) => ({
    subject: `${account}: anahtarlarınız artık “${name.tr}” uç noktasını kullanabilir`,
    text: `Merhaba,\n\n${id} (${name.tr}) yayına alındı. Bu uç noktayı içeren anahtarlarınız onu artık kullanabilir: ${keys}.\n\n${link}\n`,
  }),
  en: ({ id, name, link }, account, keys) => ({
    subject: `${account}: your keys can now use “${name.en}”`,
    text: `Hello,\n\n${id} (${name.en}) is live. Your keys that include it can use it now: ${keys}.\n\n${link}\n`,
  }),
};

/** With the platform role. Called only if the service sends mail. */
export async function mailOpened(
  db: Db,
  vault: KeyRing,
  endpoint: OpenedEndpoint,
  { accountId, keys }: { readonly accountId: string; readonly keys: readonly string[] },
  realNow: Date,
): Promise<void> {
  const people = await db.rows<{ email: string; locale: Locale; account: string }>(sql`
    select p.email, coalesce(p.locale, a.locale) as locale, a.name as account
    from members m join people p on p.id = m.person_id and p.disabled_at is null and not p.is_demo
      join accounts a on a.id = m.account_id
    where m.account_id = ${accountId} and m.active and m.role in ('owner', 'developer') order by p.email`);
  for (const { email, locale, account } of people)
    await queueMail(
      db,
      vault,
      { to: email, ...WORDS[locale](endpoint, unlinked(account), keys.map(unlinked).join(', ')) },
      realNow,
    );
}
