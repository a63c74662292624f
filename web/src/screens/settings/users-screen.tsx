// Members who sign in: the list, open invitations, and the rights of each role.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import {
  CircleCheck,
  CircleSlash,
  KeyRound,
  ShieldCheck,
  ShieldOff,
  UserCog,
  UserPlus,
  UserRoundCheck,
  UserRoundX,
} from 'lucide-react';
import { useState } from 'react';
import type { MemberLine } from '../../../../src/panel/account/members.ts';
import { callPage } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { Button } from '../../parts/button.tsx';
import { Menu, MenuHeading, MenuItem } from '../../parts/overlay/menu.tsx';
import { RowMenuButton } from '../../parts/overlay/row-menu-button.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { useShortcut } from '../../parts/table/row-keys.ts';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useSession } from '../../session.ts';
import { shellTexts } from '../../texts/shell.ts';
import { SettingsFrame } from './frame.tsx';
import { Invitations } from './invitations.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { AccessDialog, ResetDialog, RoleDialog, TotpDialog } from './member-dialogs.tsx';
import { OwnerRequests } from './owner-requests.tsx';
import { RoleWords } from './role-words.tsx';
import { usersTexts } from './users-texts.ts';

export type MemberAct = 'role' | 'access' | 'reset' | 'totp';

export function UsersScreen() {
  const t = useTexts(usersTexts);
  const search = useSearch({ from: '/shell/ayarlar/kullanicilar' });
  const navigate = useNavigate({ from: '/ayarlar/kullanicilar' });
  const { look } = useSession();
  const offset = search.offset ?? '';
  const members = useQuery({
    queryKey: ['members', offset],
    queryFn: ({ signal }) => callPage('GET members', { query: { limit: 50, offset }, signal }),
  });
  const invite = () => navigate({ search: { davet: 'yeni' } });
  useShortcut('c', () => !look && invite());
  return (
    <SettingsFrame
      title={t.title}
      description={t.description}
      actions={
        !look && (
          <Button look="primary" icon={UserPlus} onClick={invite}>
            {t.invite}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-6">
        <OwnerRequests />
        <Loaded query={members} rows={4}>
          {(page) => (
            <MembersTable
              members={page.items}
              footer={
                (page.hasMore || page.offset > 0) && (
                  <Pagination page={page} onMove={(next) => navigate({ search: next === 0 ? {} : { offset: String(next) } })} />
                )
              }
            />
          )}
        </Loaded>
        <Invitations />
        <RoleWords />
      </div>
      <InviteDialog
        open={search.davet !== undefined}
        memberId={search.davet === 'yeni' ? null : (search.davet ?? null)}
        name={search.ad ?? ''}
        role={search.rol ?? ''}
        onClose={() => navigate({ search: {}, replace: true })}
      />
    </SettingsFrame>
  );
}

interface MembersTableProps {
  readonly members: readonly MemberLine[];
  readonly footer: React.ReactNode;
}

function MembersTable({ members, footer }: MembersTableProps) {
  const t = useTexts(usersTexts);
  const shell = useTexts(shellTexts);
  const { person, look } = useSession();
  const [act, setAct] = useState<{ member: MemberLine; what: MemberAct } | null>(null);
  const columns: readonly Column<MemberLine>[] = [
    {
      id: 'person',
      head: t.person,
      onCard: 'title',
      cell: ({ full_name, email }) => (
        <div className="min-w-0 py-0.5">
          <span className="font-medium">{full_name}</span>
          {email === person.email && <span className="text-text-2"> ({t.you})</span>}
          <span className="block text-13 wrap-anywhere text-text-2">{email}</span>
        </div>
      ),
    },
    { id: 'role', head: t.role, cell: ({ role }) => shell.roles[role] },
    {
      id: 'totp',
      head: t.totp,
      cell: ({ has_totp }) =>
        has_totp ? (
          <Badge tone="live" icon={ShieldCheck}>
            {t.totpOn}
          </Badge>
        ) : (
          <Badge tone="soon" icon={ShieldOff}>
            {t.totpOff}
          </Badge>
        ),
    },
    {
      id: 'seen',
      head: t.lastSeen,
      cell: ({ last_seen_at }) =>
        last_seen_at === null ? <span className="text-text-2">{t.notSeen}</span> : <DateTime at={last_seen_at} show="relative" />,
    },
    { id: 'state', head: t.state, cell: ({ active }) => <AccessBadge active={active} /> },
    ...(look
      ? []
      : [
          {
            id: 'actions',
            head: t.actionsHead,
            headHidden: true,
            onCard: 'corner' as const,
            width: 'w-12',
            cell: (member: MemberLine) => <MemberMenu member={member} onPick={(what) => setAct({ member, what })} />,
          },
        ]),
  ];
  const close = () => setAct(null);
  return (
    <>
      <Table label={t.list} rows={members} rowKey={({ id }) => id} columns={columns} footer={footer} />
      {act?.what === 'role' && <RoleDialog member={act.member} own={act.member.email === person.email} onClose={close} />}
      {act?.what === 'access' && <AccessDialog member={act.member} onClose={close} />}
      {act?.what === 'reset' && <ResetDialog member={act.member} onClose={close} />}
      {act?.what === 'totp' && <TotpDialog member={act.member} onClose={close} />}
    </>
  );
}

function AccessBadge({ active }: { readonly active: boolean }) {
  const t = useTexts(usersTexts);
  return (
    <Badge tone={active ? 'live' : 'soon'} icon={active ? CircleCheck : CircleSlash}>
      {active ? t.active : t.inactive}
    </Badge>
  );
}

function MemberMenu({ member, onPick }: { readonly member: MemberLine; readonly onPick: (what: MemberAct) => void }) {
  const t = useTexts(usersTexts);
  const { active, works_elsewhere, full_name, has_totp } = member;
  const own = member.email === useSession().person.email;
  return (
    <Menu trigger={<RowMenuButton label={t.actions(full_name)} />}>
      <MenuItem icon={UserCog} disabled={!active} onSelect={() => onPick('role')}>
        {t.changeRole}
      </MenuItem>
      <MenuItem icon={KeyRound} disabled={!active || works_elsewhere} onSelect={() => onPick('reset')}>
        {t.resetLink}
      </MenuItem>
      {has_totp && !own && (
        <MenuItem icon={ShieldOff} disabled={works_elsewhere} onSelect={() => onPick('totp')}>
          {t.removeTotp}
        </MenuItem>
      )}
      <MenuItem icon={active ? UserRoundX : UserRoundCheck} danger={active} onSelect={() => onPick('access')}>
        {active ? t.deactivate : t.activate}
      </MenuItem>
      {works_elsewhere && <MenuHeading>{<span className="block max-w-64">{t.resetElsewhere}</span>}</MenuHeading>}
    </Menu>
  );
}
