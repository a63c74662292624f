// The recipients of a sale's document: by default the customer and the sale's guarantors.
import { type Detail, fail } from '../../../kit/errors.ts';
import { newId } from '../../../kit/ids.ts';
import { own, sql, theAccount } from '../../../kit/sql.ts';
import { cutText } from '../../../kit/text.ts';
import type { Work } from '../../../kit/work.ts';
import {
  type Fields,
  listField,
  nullable,
  objectField,
  oneOfField,
  required,
  textField,
  type Values,
  withDefault,
} from '../../records/fields.ts';
import { emailField, phoneField } from '../../records/person-fields.ts';
import type { LockedDocument, StoredRecipient } from '../document.ts';
import { CHANNELS, type Channel, RECIPIENT_ROLES, type RecipientRole } from '../documents-states.ts';
import { personName, readCustomer, readGuarantors, type StoredPerson } from '../sale-paper.ts';

/** For a call, and for a document that is mailed. */
export const MAX_RECIPIENTS = 5;

const recipientField = objectField({
  role: required(oneOfField(RECIPIENT_ROLES)),
  name: required(textField(200)),
  email: nullable(emailField),
  phone: nullable(phoneField),
});

export const SEND_FIELDS = {
  channel: required(oneOfField(CHANNELS)),
  recipients: withDefault(
    listField(recipientField, MAX_RECIPIENTS, 1),
    'the customer and the sale’s guarantors',
    'müşteri ve satışın kefilleri',
  ),
  message: nullable(textField(1000, { lines: true })),
} as const satisfies Fields;
export type SendBody = Values<typeof SEND_FIELDS> & { readonly channel: Channel };

export interface NewRecipient {
  readonly role: RecipientRole;
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
}

/** The people of the sale as it names them now, in its order. */
export async function defaultRecipients({ db }: Work, { sale_id }: Pick<LockedDocument, 'sale_id'>): Promise<NewRecipient[]> {
  const { customer_id, guarantor_ids } = await db.one<{ customer_id: string; guarantor_ids: string[] }>(
    sql`select customer_id, guarantor_ids from ${own('sales')} where id = ${sale_id}`,
  );
  const of = (role: RecipientRole, person: StoredPerson): NewRecipient => ({
    role,
    name: cutText(personName(person), 200),
    email: person.email,
    phone: person.phone,
  });
  const guarantors = await readGuarantors(db, guarantor_ids);
  return [of('Müşteri', await readCustomer(db, customer_id)), ...guarantors.map((one) => of('Kefil', one))];
}

/** Checks that each can be reached by the channel; the dealer hands over links. */
export function requireContacts(recipients: readonly NewRecipient[], channel: Channel): void {
  if (channel === 'Bağlantı') return;
  const name = channel === 'E-posta' ? 'email' : 'phone';
  const missing = recipients.flatMap((one, index): Detail[] => {
    if (one[name] !== null) return [];
    const message = { en: `${one.name} has no ${name}`, tr: `${one.name} için ${name} kayıtlı değil` };
    return [{ field: `recipients[${index}].${name}`, code: 'recipient_contact_missing', message }];
  });
  if (missing.length > 0) fail('recipient_contact_missing', { details: missing });
}

/** In the given order. */
export async function addRecipients(
  { db, now }: Work,
  documentId: string,
  recipients: readonly NewRecipient[],
  status: 'Bekliyor' | 'İmzaladı',
): Promise<StoredRecipient[]> {
  const added = recipients.map((one, index) => ({ ...one, id: newId(now.getTime()), position: index + 1, status }));
  for (const { id, position, role, name, email, phone } of added)
    await db.exec(sql`insert into document_recipients (account_id, id, document_id, "position", role, name, email, phone, status, decided_at)
      values (${theAccount}, ${id}, ${documentId}, ${position}, ${role}, ${name}, ${email}, ${phone}, ${status},
        ${status === 'İmzaladı' ? now : null}::timestamptz)`);
  return added;
}
