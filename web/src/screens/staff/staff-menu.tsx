// What an owner may do with a person: edit, and give, change or close the sign-in.
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { KeyRound, Pencil, ShieldOff, UserCog, UserPlus, UserRoundCheck, UserRoundX } from 'lucide-react';
import { useState } from 'react';
import type { MemberLine } from '../../../../src/panel/account/members.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { Menu, MenuHeading, MenuItem } from '../../parts/overlay/menu.tsx';
import { RowMenuButton } from '../../parts/overlay/row-menu-button.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { useSession } from '../../session.ts';
import { AccessDialog, ResetDialog, RoleDialog, TotpDialog } from './member-dialogs.tsx';
import type { StaffPerson } from './staff-person.ts';
import { staffTexts } from './texts.ts';
import { usersTexts } from './users-texts.ts';

type Act = 'role' | 'access' | 'reset' | 'totp' | 'left';

interface StaffMenuProps {
  readonly person: StaffPerson;
  readonly onEdit: () => void;
}

export function StaffMenu({ person, onEdit }: StaffMenuProps) {
  const t = useTexts(staffTexts);
  const [act, setAct] = useState<Act | null>(null);
  const { id, active, full_name, role, member } = person;
  const own = useSession().person.email;
  const close = () => setAct(null);
  return (
    <>
      <Menu trigger={<RowMenuButton label={t.actions(full_name)} />}>
        <MenuItem icon={Pencil} onSelect={onEdit}>
          {t.edit}
        </MenuItem>
        {member ? (
          <SignInItems member={member} isOwn={member.email === own} onPick={setAct} />
        ) : (
          !person.signs_in && (
            <>
              {active && (
                <MenuItem icon={UserPlus} render={<Link to="/ekip" search={{ davet: id, ad: full_name, rol: role }} />}>
                  {t.invite}
                </MenuItem>
              )}
              <MenuItem icon={active ? UserRoundX : UserRoundCheck} onSelect={() => setAct('left')}>
                {active ? t.deactivate : t.activate}
              </MenuItem>
            </>
          )
        )}
      </Menu>
      {member && act === 'role' && <RoleDialog member={member} own={member.email === own} onClose={close} />}
      {member && act === 'access' && <AccessDialog member={member} onClose={close} />}
      {member && act === 'reset' && <ResetDialog member={member} onClose={close} />}
      {member && act === 'totp' && <TotpDialog member={member} onClose={close} />}
      {act === 'left' && <ToggleDialog person={person} onClose={close} />}
    </>
  );
}

interface SignInItemsProps {
  readonly member: MemberLine;
  readonly isOwn: boolean;
  readonly onPick: (act: Act) => void;
}

function SignInItems({ member: { active, works_elsewhere, has_totp }, isOwn, onPick }: SignInItemsProps) {
  const u = useTexts(usersTexts);
  return (
    <>
      <MenuItem icon={UserCog} disabled={!active} onSelect={() => onPick('role')}>
        {u.changeRole}
      </MenuItem>
      <MenuItem icon={KeyRound} disabled={!active || works_elsewhere} onSelect={() => onPick('reset')}>
        {u.resetLink}
      </MenuItem>
      {has_totp && !isOwn && (
        <MenuItem icon={ShieldOff} disabled={works_elsewhere} onSelect={() => onPick('totp')}>
          {u.removeTotp}
        </MenuItem>
      )}
      <MenuItem icon={active ? UserRoundX : UserRoundCheck} danger={active} onSelect={() => onPick('access')}>
        {active ? u.deactivate : u.activate}
      </MenuItem>
      {works_elsewhere && <MenuHeading>{<span className="block max-w-64">{u.resetElsewhere}</span>}</MenuHeading>}
    </>
  );
}

function ToggleDialog({ person, onClose }: { readonly person: StaffPerson; readonly onClose: () => void }) {
  const t = useTexts(staffTexts);
  const client = useQueryClient();
  const { id, active, full_name } = person;
  const run = async () => {
    await call('PATCH staff/{member_id}', { params: { member_id: id }, body: { active: !active } });
    notify({ title: t.saved });
    await client.invalidateQueries({ queryKey: ['staff'] });
    await client.invalidateQueries({ queryKey: ['branches'] });
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
