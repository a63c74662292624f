// Invites a person into the account with a role, then shows the link.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ROLES, type Role } from '../../../../src/domain/identity/roles.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorSummary, problemOf } from '../../parts/input/error-summary.tsx';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { Dialog } from '../../parts/overlay/dialog.tsx';
import { partsTexts } from '../../texts/parts.ts';
import { LinkDialog } from './link-dialog.tsx';
import { RoleChoice } from './member-dialogs.tsx';
import { usersTexts } from './users-texts.ts';

interface InviteProps {
  readonly open: boolean;
  /** A member of the staff who gets a sign-in; null for a new person. */
  readonly memberId: string | null;
  readonly name: string;
  readonly role: string;
  readonly onClose: () => void;
}

export function InviteDialog(props: InviteProps) {
  // Mounted each time it opens, so that nothing of the previous invitation is left.
  return props.open ? <InviteForm key={props.memberId ?? 'new'} {...props} /> : null;
}

function InviteForm({ memberId, name, role: initialRole, onClose }: InviteProps) {
  const t = useTexts(usersTexts);
  const p = useTexts(partsTexts);
  const client = useQueryClient();
  const [fullName, setFullName] = useState(name);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>(ROLES.find((known) => known === initialRole) ?? 'sales');
  const invite = useMutation({
    mutationFn: () =>
      call('POST invitations', {
        body: {
          full_name: fullName,
          email,
          role,
          ...(memberId === null ? {} : { member_id: memberId }),
        },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['invitations'] }),
  });
  if (invite.data) return <LinkDialog link={invite.data} onClose={onClose} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.inviteTitle}
      description={t.inviteText}
      footer={
        <>
          <Button onClick={onClose}>{p.cancel}</Button>
          <Button look="primary" type="submit" form="invite-form" busy={invite.isPending}>
            {t.makeLink}
          </Button>
        </>
      }
    >
      <form id="invite-form" onSubmit={submit} noValidate className="flex flex-col gap-4 py-1">
        <ErrorSummary error={invite.error} names={{ full_name: t.fullName, email: t.email }} />
        <Field id="full_name" label={t.fullName} error={problemOf(invite.error, 'full_name', t.fullName)}>
          <TextInput value={fullName} onChange={setFullName} maxLength={120} autoComplete="off" />
        </Field>
        <Field id="email" label={t.email} error={problemOf(invite.error, 'email', t.email)}>
          <TextInput type="email" value={email} onChange={setEmail} maxLength={254} autoComplete="off" spellCheck={false} />
        </Field>
        <RoleChoice value={role} onChange={setRole} />
      </form>
    </Dialog>
  );
}
