// Someone who is not in the list yet, taken in where they are needed: how to reach them is enough, the rest can wait.
import { useRef } from 'react';
import type { CustomerDetail } from '../../../src/resources/customers.ts';
import { post } from '../api.ts';
import { useTexts } from '../language.ts';
import { FormLayer } from '../parts/form/form.tsx';
import { useForm } from '../parts/form/form-state.ts';
import { useWrite } from '../parts/form/form-write.ts';
import { notify } from '../parts/toast.tsx';
import { fullName, useCustomersChanged } from '../screens/customers/data.ts';
import { ContactFields, usePersonNames } from '../screens/customers/form.tsx';
import { createBody } from '../screens/customers/form-values.ts';
import { customerWriteTexts } from '../screens/customers/write-texts.ts';

interface QuickCustomerProps {
  /** What was looked for: a name or a number. */
  readonly typed: string;
  readonly onMade: (id: string) => void;
  readonly onClose: () => void;
  /** Back there without one; with one the field has the focus by itself. */
  readonly box: () => HTMLElement | null;
}

export function QuickCustomer({ typed, onMade, onClose, box }: QuickCustomerProps) {
  const w = useTexts(customerWriteTexts);
  const names = usePersonNames();
  const changed = useCustomersChanged();
  const form = useForm(beginWith(typed));
  const isMade = useRef(false);
  const write = useWrite({
    send: (body: Record<string, unknown>, headers) => post<CustomerDetail>('v1/customers', body, headers),
    onDone: (customer) => {
      isMade.current = true;
      notify({ title: w.created(fullName(customer)) });
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
      onSubmit={() => write.run(createBody(form.values))}
      onClose={onClose}
      finalFocus={() => (isMade.current ? false : box())}
      title={w.newTitle}
      action={w.create}
    >
      <ContactFields of={{ form, error: write.error, names }} isNew />
    </FormLayer>
  );
}

/** Digits are a phone; of a name the last word is the family's. */
export function beginWith(typed: string) {
  const text = typed.trim();
  const empty = { first_name: '', last_name: '', phone: '', email: '' };
  if (text.includes('@')) return { ...empty, email: text };
  if (/\d/.test(text)) return { ...empty, phone: text };
  const [, first = text, last = ''] = /^(.*\S)\s+(\S+)$/.exec(text) ?? [];
  return { ...empty, first_name: first, last_name: last };
}
