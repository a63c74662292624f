// The platform's administrators: list, invite by a link, disable.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, Clock, ShieldCheck, ShieldOff, UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { AdministratorInvitation, AdministratorLine } from '../../../../src/panel/admin/people.ts';
import { ApiError, call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { ErrorState, SkeletonRows } from '../../parts/page/states.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useSession } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { DropTotp } from './accounts/drop-totp.tsx';
import { InviteDialog } from './accounts/invite-dialog.tsx';
import { LinkDialog } from './accounts/link-dialog.tsx';
import { OnlyAdmins } from './only-admins.tsx';
import { adminTexts } from './texts.ts';

export function AdministratorsScreen() {
  const t = useTexts(adminTexts);
  const client = useQueryClient();
  const [inviting, setInviting] = useState(false);
  const [made, setMade] = useState<AdministratorInvitation | null>(null);
  const [removing, setRemoving] = useState<AdministratorLine | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['admin', 'administrators'] });
  const invite = async (email: string, full_name: string) => {
    setMade(await call('POST admin/administrators', { body: { email, full_name } }));
    refresh();
  };
  const remove = async () => {
    if (removing === null) return;
    await call('DELETE admin/administrators/{person_id}', { params: { person_id: removing.id } });
    refresh();
    notify({ title: t.removed });
  };
  return (
    <OnlyAdmins>
      <PageHeader
        title={t.peopleTitle}
        description={t.peopleHint}
        actions={
          <Button look="primary" icon={UserPlus} onClick={() => setInviting(true)}>
            {t.inviteAdmin}
          </Button>
        }
      />
      <AdministratorTable onLink={setMade} onRemove={setRemoving} />
      <InviteDialog
        open={inviting}
        title={t.inviteAdmin}
        fields={{ email: 'email', name: 'full_name' }}
        onClose={() => setInviting(false)}
        invite={invite}
      />
      <LinkDialog made={made} onClose={() => setMade(null)} />
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={t.removeTitle(removing?.full_name ?? '')}
        action={t.remove}
        run={remove}
      >
        {t.removeText}
      </ConfirmDialog>
    </OnlyAdmins>
  );
}

interface AdministratorTableProps {
  readonly onLink: (made: AdministratorInvitation) => void;
  readonly onRemove: (who: AdministratorLine) => void;
}

function AdministratorTable({ onLink, onRemove }: AdministratorTableProps) {
  const t = useTexts(adminTexts);
  const administrators = useQuery({
    queryKey: ['admin', 'administrators'],
    queryFn: ({ signal }) => call('GET admin/administrators', { signal }),
  });
  const columns = useColumns({ onLink, onRemove });
  if (administrators.isPending) return <SkeletonRows rows={4} />;
  if (administrators.isError)
    return (
      <div className="card">
        <ErrorState error={administrators.error} onRetry={administrators.refetch} />
      </div>
    );
  return <Table label={t.peopleTitle} rows={administrators.data} rowKey={({ id }) => id} columns={columns} />;
}

function useColumns({ onLink, onRemove }: AdministratorTableProps): readonly Column<AdministratorLine>[] {
  const t = useTexts(adminTexts);
  const p = useTexts(partsTexts);
  const { person } = useSession();
  const newLink = (who: AdministratorLine) =>
    call('POST admin/administrators/{person_id}/link', { params: { person_id: who.id } })
      .then(onLink)
      .catch((error) => notify({ title: error instanceof ApiError ? error.message : p.offline, failed: true }));
  return [
    {
      id: 'person',
      head: t.person,
      onCard: 'title',
      cell: ({ id, full_name, email }) => (
        <span className="block py-1">
          <span className="block font-medium wrap-anywhere">
            {full_name}
            {id === person.id && <span className="font-normal text-text-2"> ({t.you})</span>}
          </span>
          <span className="block text-12 text-text-2 wrap-anywhere">{email}</span>
        </span>
      ),
    },
    {
      id: 'state',
      head: t.status,
      cell: ({ waiting }) => (
        <Badge tone={waiting ? 'write' : 'live'} icon={waiting ? Clock : CircleCheck}>
          {waiting ? t.waiting : t.active}
        </Badge>
      ),
    },
    {
      id: 'totp',
      head: t.secondFactor,
      cell: ({ has_totp }) => (
        <Badge tone={has_totp ? 'live' : 'write'} icon={has_totp ? ShieldCheck : ShieldOff}>
          {has_totp ? t.yes : t.no}
        </Badge>
      ),
    },
    { id: 'seen', head: t.lastSeen, cell: ({ last_seen_at }) => <DateTime at={last_seen_at} show="relative" /> },
    {
      id: 'acts',
      head: t.acts,
      headHidden: true,
      align: 'end',
      cell: (who) =>
        who.id !== person.id && (
          <span className="flex flex-wrap justify-end gap-1">
            {who.waiting && (
              <Button onClick={() => newLink(who)} aria-label={`${t.newLink}: ${who.full_name}`}>
                {t.newLink}
              </Button>
            )}
            {who.has_totp && <DropTotp personId={who.id} name={who.full_name} />}
            <Button onClick={() => onRemove(who)} aria-label={`${t.remove}: ${who.full_name}`}>
              {t.remove}
            </Button>
          </span>
        ),
    },
  ];
}
