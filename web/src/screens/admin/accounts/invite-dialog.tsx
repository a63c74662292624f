import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { ErrorSummary, problemOf } from '../../../parts/input/error-summary.tsx';
import { Field, TextInput } from '../../../parts/input/field.tsx';
import { Dialog } from '../../../parts/overlay/dialog.tsx';
import { adminTexts } from '../texts.ts';

interface InviteDialogProps {
  readonly open: boolean;
  readonly title: string;
  /** The server's names of the two fields. */
  readonly fields: { readonly email: string; readonly name: string };
  readonly onClose: () => void;
  readonly invite: (email: string, fullName: string) => Promise<unknown>;
}

/** Asks for the name and e-mail address of the invited person. */
export function InviteDialog({ open, title, fields, onClose, invite }: InviteDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      {open && <InviteForm fields={fields} onClose={onClose} invite={invite} />}
    </Dialog>
  );
}

function InviteForm({ fields, onClose, invite }: Pick<InviteDialogProps, 'fields' | 'onClose' | 'invite'>) {
  const t = useTexts(adminTexts);
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const send = useMutation({ mutationFn: () => invite(email, name), onSuccess: onClose });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3 pb-2">
      <ErrorSummary error={send.error} names={{ [fields.name]: t.fullName, [fields.email]: t.email }} />
      <Field id={fields.name} label={t.fullName} error={problemOf(send.error, fields.name, t.fullName)}>
        <TextInput value={name} onChange={setName} maxLength={120} autoComplete="off" />
      </Field>
      <Field id={fields.email} label={t.email} error={problemOf(send.error, fields.email, t.email)}>
        <TextInput type="email" value={email} onChange={setEmail} maxLength={254} autoComplete="off" />
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button look="primary" type="submit" busy={send.isPending} disabled={email.trim() === '' || name.trim() === ''}>
          {t.invite}
        </Button>
      </div>
    </form>
  );
}
