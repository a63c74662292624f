// Adds or edits a branch.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { BranchLine } from '../../../../src/panel/account/branches.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorSummary, problemOf } from '../../parts/input/error-summary.tsx';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { Dialog } from '../../parts/overlay/dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { partsTexts } from '../../texts/parts.ts';
import { staffTexts } from './texts.ts';

interface BranchDialogProps {
  /** Null for a new branch. */
  readonly branch: BranchLine | null;
  readonly onClose: () => void;
}

export function BranchDialog({ branch, onClose }: BranchDialogProps) {
  const all = useTexts(staffTexts);
  const t = all.branches;
  const p = useTexts(partsTexts);
  const client = useQueryClient();
  const [name, setName] = useState(branch?.name ?? '');
  const [city, setCity] = useState(branch?.city ?? '');
  const [phone, setPhone] = useState(branch?.phone ?? '');
  const save = useMutation({
    mutationFn: () => {
      const body = { name, city, phone: phone.trim() === '' ? null : phone };
      return branch === null
        ? call('POST branches', { body })
        : call('PATCH branches/{branch_id}', { params: { branch_id: branch.id }, body });
    },
    onSuccess: async () => {
      notify({ title: all.saved });
      onClose();
      await client.invalidateQueries({ queryKey: ['branches'] });
      await client.invalidateQueries({ queryKey: ['staff'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={branch === null ? t.newTitle : t.editTitle}
      footer={
        <>
          <Button onClick={onClose}>{p.cancel}</Button>
          <Button look="primary" type="submit" form="branch-form" busy={save.isPending}>
            {all.save}
          </Button>
        </>
      }
    >
      <form id="branch-form" onSubmit={submit} noValidate className="flex flex-col gap-4 py-1">
        <ErrorSummary error={save.error} names={{ name: t.name, city: t.city, phone: t.phone }} />
        <Field id="name" label={t.name} error={problemOf(save.error, 'name', t.name)}>
          <TextInput value={name} onChange={setName} maxLength={80} autoComplete="off" />
        </Field>
        <Field id="city" label={t.city} error={problemOf(save.error, 'city', t.city)}>
          <TextInput value={city} onChange={setCity} maxLength={60} autoComplete="off" />
        </Field>
        <Field id="phone" label={t.phone} optional hint={t.phoneHint} error={problemOf(save.error, 'phone', t.phone)}>
          <TextInput type="tel" value={phone} onChange={setPhone} maxLength={40} autoComplete="off" />
        </Field>
      </form>
    </Dialog>
  );
}
