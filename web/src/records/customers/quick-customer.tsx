// Adds a customer within another form: a name and a phone are enough.
import { useRef } from 'react';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { FormLayer } from '../../parts/form/form.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { notify } from '../../parts/overlay/toast.tsx';
import type { AddLayer } from '../../parts/page/record-picker.tsx';
import { customerTexts } from './customer-texts.ts';
import { fullName, useCustomersChanged } from './customers.ts';
import { ContactFields, usePersonNames } from './person-fields.tsx';
import { contactBody } from './person-values.ts';

export function QuickCustomer({ typed, onMade, onClose, box }: AddLayer) {
  const t = useTexts(customerTexts);
  const names = usePersonNames();
  const changed = useCustomersChanged();
  const form = useForm(beginWith(typed));
  const isMade = useRef(false);
  const write = useWrite({
    send: (typed: RawBody<'POST v1/customers'>, headers) => call('POST v1/customers', { rawBody: typed, headers }),
    onDone: (customer) => {
      isMade.current = true;
      notify({ title: t.created(fullName(customer)) });
      onClose();
      onMade(customer.id);
      return changed(customer);
    },
  });
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(contactBody(form.values))}
      onClose={onClose}
      finalFocus={() => (isMade.current ? false : box())}
      title={t.newTitle}
      action={t.create}
    >
      <ContactFields of={{ form, error: write.error, names }} isNew />
    </FormLayer>
  );
}

/** Digits become the phone; the last word of a name becomes the last name. */
export function beginWith(typed: string) {
  const text = typed.trim();
  const empty = { first_name: '', last_name: '', phone: '', email: '' };
  if (text.includes('@')) return { ...empty, email: text };
  if (/\d/.test(text)) return { ...empty, phone: text };
  const [, first = text, last = ''] = /^(.*\S)\s+(\S+)$/.exec(text) ?? [];
  return { ...empty, first_name: first, last_name: last };
}
