// The form for a new account: the dealer's data and the owner.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { OwnerInvitation } from '../../../../../src/panel/admin/owners.ts';
import { call } from '../../../api.ts';
import type { RawBody } from '../../../endpoints.ts';
import { useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { filled } from '../../../parts/form/form-body.ts';
import { ErrorSummary, problemOf } from '../../../parts/input/error-summary.tsx';
import { Field, Select, TextInput } from '../../../parts/input/field.tsx';
import { Dialog } from '../../../parts/overlay/dialog.tsx';
import { adminTexts } from '../texts.ts';

interface NewAccountProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onMade: (invitation: OwnerInvitation) => void;
}

const FORM = 'new-account';
const EMPTY = {
  name: '',
  legal_name: '',
  city: '',
  country: 'KKTC',
  currency: 'STG',
  phone: '',
  email: '',
  owner_email: '',
  owner_full_name: '',
};
type Draft = typeof EMPTY;

export function NewAccountDialog({ open, onClose, onMade }: NewAccountProps) {
  const t = useTexts(adminTexts);
  const client = useQueryClient();
  const make = useMutation({
    mutationFn: (draft: Draft) => call('POST admin/accounts', { rawBody: accountBody(draft) }),
    onSuccess: (invitation) => {
      client.invalidateQueries({ queryKey: ['admin', 'accounts'] });
      onMade(invitation);
    },
  });
  const close = () => {
    make.reset();
    onClose();
  };
  return (
    <Dialog
      wide
      open={open}
      onClose={close}
      title={t.newAccount}
      footer={
        <>
          <Button onClick={close}>{t.cancel}</Button>
          <Button look="primary" type="submit" form={FORM} busy={make.isPending}>
            {t.create}
          </Button>
        </>
      }
    >
      {open && <NewAccountForm error={make.error} onSubmit={(draft) => make.mutate(draft)} />}
    </Dialog>
  );
}

export const accountBody = (draft: Draft): RawBody<'POST admin/accounts'> => ({
  name: filled(draft.name),
  legal_name: filled(draft.legal_name),
  city: filled(draft.city),
  country: draft.country,
  currency: draft.currency,
  phone: filled(draft.phone),
  email: filled(draft.email),
  owner_email: filled(draft.owner_email),
  owner_full_name: filled(draft.owner_full_name),
});

interface FormProps {
  readonly error: Error | null;
  readonly onSubmit: (draft: Draft) => void;
}

function NewAccountForm({ error, onSubmit }: FormProps) {
  const t = useTexts(adminTexts);
  const [draft, setDraft] = useState(EMPTY);
  const names: Readonly<Record<keyof Draft, string>> = {
    name: t.name,
    legal_name: t.legalName,
    city: t.city,
    country: t.country,
    currency: t.currency,
    phone: t.phone,
    email: t.email,
    owner_email: t.ownerEmail,
    owner_full_name: t.ownerName,
  };
  const field = (name: keyof Draft, props: { optional?: boolean; type?: string; max: number }) => (
    <Field id={name} label={names[name]} optional={props.optional ?? false} error={problemOf(error, name, names[name])}>
      <TextInput
        type={props.type ?? 'text'}
        value={draft[name]}
        onChange={(value) => setDraft({ ...draft, [name]: value })}
        maxLength={props.max}
        autoComplete="off"
      />
    </Field>
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(draft);
  };
  return (
    <form id={FORM} onSubmit={submit} noValidate className="flex flex-col gap-4 pb-2">
      <ErrorSummary error={error} names={names} />
      <div className="grid gap-3 sm:grid-cols-2">
        {field('name', { max: 120 })}
        {field('legal_name', { max: 200, optional: true })}
        {field('city', { max: 60, optional: true })}
        <Field id="country" label={t.country}>
          <Select
            value={draft.country}
            onChange={(country) => setDraft({ ...draft, country, currency: country === 'TR' ? 'TL' : 'STG' })}
            options={[
              { value: 'KKTC', label: 'KKTC' },
              { value: 'TR', label: 'Türkiye' },
            ]}
          />
        </Field>
        <Field id="currency" label={t.currency}>
          <Select
            value={draft.currency}
            onChange={(currency) => setDraft({ ...draft, currency })}
            options={['TL', 'STG', 'USD', 'EUR'].map((value) => ({ value, label: value }))}
          />
        </Field>
        {field('phone', { max: 30, optional: true, type: 'tel' })}
        {field('email', { max: 254, optional: true, type: 'email' })}
      </div>
      <fieldset className="m-0 min-w-0 border-0 border-t border-line p-0 pt-3">
        <legend className="p-0 pr-2 text-13 font-semibold">{t.ownerSection}</legend>
        <div className="grid gap-3 sm:grid-cols-2">
          {field('owner_full_name', { max: 120 })}
          {field('owner_email', { max: 254, type: 'email' })}
        </div>
      </fieldset>
    </form>
  );
}
