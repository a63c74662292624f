// Adds or edits a member of the staff.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ROLES, type Role } from '../../../../src/domain/identity/roles.ts';
import type { StaffLine } from '../../../../src/panel/account/branches.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorSummary, problemOf } from '../../parts/input/error-summary.tsx';
import { Field, Select, TextInput } from '../../parts/input/field.tsx';
import { Dialog } from '../../parts/overlay/dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { useBranches } from '../../records/branches.ts';
import { partsTexts } from '../../texts/parts.ts';
import { shellTexts } from '../../texts/shell.ts';
import { staffTexts } from './texts.ts';

interface StaffDialogProps {
  /** Null for a new member. */
  readonly member: StaffLine | null;
  readonly onClose: () => void;
}

export function StaffDialog({ member, onClose }: StaffDialogProps) {
  const t = useTexts(staffTexts);
  const p = useTexts(partsTexts);
  const client = useQueryClient();
  const branches = useBranches();
  const [fullName, setFullName] = useState(member?.full_name ?? '');
  const [role, setRole] = useState<Role>(member?.role ?? 'sales');
  const [branch, setBranch] = useState(member?.branch_id ?? '');
  const signsIn = member?.signs_in ?? false;
  const save = useMutation({
    mutationFn: () => {
      const fields = { full_name: fullName, branch_id: branch === '' ? null : branch };
      if (member === null) return call('POST staff', { body: { ...fields, role } });
      const body = { ...fields, ...(signsIn ? {} : { role }) };
      return call('PATCH staff/{member_id}', { params: { member_id: member.id }, body });
    },
    onSuccess: async () => {
      notify({ title: t.saved });
      onClose();
      await client.invalidateQueries({ queryKey: ['staff'] });
      await client.invalidateQueries({ queryKey: ['branches'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const names = { full_name: t.name, role: t.role, branch_id: t.branch };
  return (
    <Dialog
      open
      onClose={onClose}
      title={member === null ? t.newTitle : t.editTitle}
      {...(member === null ? { description: t.newText } : {})}
      footer={
        <>
          <Button onClick={onClose}>{p.cancel}</Button>
          <Button look="primary" type="submit" form="staff-form" busy={save.isPending}>
            {t.save}
          </Button>
        </>
      }
    >
      <form id="staff-form" onSubmit={submit} noValidate className="flex flex-col gap-4 py-1">
        <ErrorSummary error={save.error} names={names} />
        <Field id="full_name" label={t.name} error={problemOf(save.error, 'full_name', t.name)}>
          <TextInput value={fullName} onChange={setFullName} maxLength={120} autoComplete="off" />
        </Field>
        <RoleField role={role} signsIn={signsIn} error={save.error} onChange={setRole} />
        <Field id="branch_id" label={t.branch} error={problemOf(save.error, 'branch_id', t.branch)}>
          <Select
            value={branch}
            options={[{ value: '', label: t.noBranch }, ...branches.map(({ id, name }) => ({ value: id, label: name }))]}
            onChange={setBranch}
          />
        </Field>
      </form>
    </Dialog>
  );
}

interface RoleFieldProps {
  readonly role: Role;
  /** The role of a person who signs in is changed elsewhere. */
  readonly signsIn: boolean;
  readonly error: unknown;
  readonly onChange: (role: Role) => void;
}

function RoleField({ role, signsIn, error, onChange }: RoleFieldProps) {
  const t = useTexts(staffTexts);
  const { roles } = useTexts(shellTexts);
  return (
    <Field id="role" label={t.role} hint={signsIn ? t.roleElsewhere : undefined} error={problemOf(error, 'role', t.role)}>
      <Select
        value={role}
        disabled={signsIn}
        options={ROLES.map((value) => ({ value, label: roles[value] }))}
        onChange={(next) => onChange(ROLES.find((one) => one === next) ?? 'sales')}
      />
    </Field>
  );
}
