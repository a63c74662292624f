// An owner's dialogs for a member: change the role, disable or enable access, reset password or second factor. All need the password.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { ROLES, type Role } from '../../../../src/domain/identity/roles.ts';
import type { HandedLink, MemberLine } from '../../../../src/panel/account/members.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { RadioGroup } from '../../parts/input/choices.tsx';
import { ErrorSummary } from '../../parts/input/error-summary.tsx';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { Dialog } from '../../parts/overlay/dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { sessionQuery } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { shellTexts } from '../../texts/shell.ts';
import { LinkDialog } from './link-dialog.tsx';
import { usersTexts } from './users-texts.ts';

interface DialogProps {
  readonly member: MemberLine;
  readonly onClose: () => void;
}

export function RoleDialog({ member, own, onClose }: DialogProps & { readonly own: boolean }) {
  const t = useTexts(usersTexts);
  const p = useTexts(partsTexts);
  const client = useQueryClient();
  const [role, setRole] = useState<Role>(member.role);
  const save = useMutation({
    mutationFn: () => call('PATCH members/{member_id}', { params: { member_id: member.id }, body: { role } }),
    onSuccess: async () => {
      notify({ title: t.roleSaved });
      onClose();
      await Promise.all([
        client.invalidateQueries({ queryKey: ['staff'] }),
        ...(own ? [client.invalidateQueries({ queryKey: sessionQuery.queryKey })] : []),
      ]);
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
      title={t.roleTitle(member.full_name)}
      description={t.roleText}
      footer={
        <>
          <Button onClick={onClose}>{p.cancel}</Button>
          <Button look="primary" type="submit" form="role-form" busy={save.isPending} disabled={role === member.role}>
            {t.changeRole}
          </Button>
        </>
      }
    >
      <form id="role-form" onSubmit={submit} className="py-1">
        <ErrorSummary error={save.error} />
        <RoleChoice value={role} onChange={setRole} {...(own && role !== member.role ? { note: t.roleOwn } : {})} />
      </form>
    </Dialog>
  );
}

interface RoleChoiceProps {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
  readonly note?: string;
}

export function RoleChoice({ value, onChange, note }: RoleChoiceProps) {
  const t = useTexts(usersTexts);
  const shell = useTexts(shellTexts);
  const options = ROLES.map((role) => ({ value: role, label: shell.roles[role], hint: t.roleHints[role] }));
  return <RadioGroup label={t.role} value={value} options={options} onChange={onChange} note={note} />;
}

export function AccessDialog({ member, onClose }: DialogProps) {
  const t = useTexts(usersTexts);
  const client = useQueryClient();
  const { active, full_name } = member;
  const run = async () => {
    await call('PATCH members/{member_id}', { params: { member_id: member.id }, body: { active: !active } });
    notify({ title: active ? t.deactivated : t.activated });
    await client.invalidateQueries({ queryKey: ['staff'] });
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={active ? t.deactivateTitle(full_name) : t.activateTitle(full_name)}
      action={active ? t.deactivate : t.activate}
      danger={active}
      run={run}
    >
      {active ? t.deactivateText : t.activateText}
    </ConfirmDialog>
  );
}

export function ResetDialog({ member, onClose }: DialogProps) {
  const t = useTexts(usersTexts);
  const [made, setMade] = useState<HandedLink | null>(null);
  // The dialog closes itself after confirmation; the link dialog has replaced it by then.
  const answered = useRef(false);
  if (made !== null) return <LinkDialog link={made} onClose={onClose} />;
  const run = async () => {
    setMade(await call('POST members/{member_id}/password-reset', { params: { member_id: member.id } }));
    answered.current = true;
  };
  return (
    <ConfirmDialog
      open
      onClose={() => !answered.current && onClose()}
      title={t.resetTitle(member.full_name)}
      action={t.makeLink}
      danger={false}
      run={run}
    >
      {t.resetText}
    </ConfirmDialog>
  );
}

/** For a member who lost phone and recovery codes. */
export function TotpDialog({ member, onClose }: DialogProps) {
  const t = useTexts(usersTexts);
  const client = useQueryClient();
  const run = async () => {
    await call('DELETE members/{member_id}/totp', { params: { member_id: member.id } });
    notify({ title: t.totpRemoved });
    await client.invalidateQueries({ queryKey: ['staff'] });
  };
  return (
    <ConfirmDialog open onClose={onClose} title={t.removeTotpTitle(member.full_name)} action={t.removeTotp} run={run}>
      {t.removeTotpText}
    </ConfirmDialog>
  );
}
