// Open invitations, and those that expired lately.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleSlash, Hourglass } from 'lucide-react';
import { useState } from 'react';
import type { InvitationLine } from '../../../../src/panel/account/members.ts';
import { call, callPage } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useSession } from '../../session.ts';
import { shellTexts } from '../../texts/shell.ts';
import { usersTexts } from './users-texts.ts';

export function Invitations() {
  const t = useTexts(usersTexts);
  const waiting = useQuery({
    queryKey: ['invitations'],
    queryFn: ({ signal }) => callPage('GET invitations', { query: { limit: 100 }, signal }),
  });
  return (
    <section aria-label={t.invitations}>
      <h2 className="mt-0 mb-2 text-16 font-semibold">{t.invitations}</h2>
      <Loaded query={waiting} rows={1}>
        {(data) => <InvitationTable lines={data.items} />}
      </Loaded>
    </section>
  );
}

function InvitationTable({ lines }: { readonly lines: readonly InvitationLine[] }) {
  const t = useTexts(usersTexts);
  const client = useQueryClient();
  const [revoking, setRevoking] = useState<InvitationLine | null>(null);
  const columns = useColumns(setRevoking);
  const revoke = async () => {
    if (revoking === null) return;
    await call('DELETE invitations/{invitation_id}', { params: { invitation_id: revoking.id } });
    notify({ title: t.revoked });
    await client.invalidateQueries({ queryKey: ['invitations'] });
  };
  return (
    <>
      <Table
        label={t.invitations}
        rows={lines}
        rowKey={({ id }) => id}
        columns={columns}
        empty={<p className="m-0 px-4 py-5 text-text-2">{t.noInvitations}</p>}
      />
      <ConfirmDialog
        open={revoking !== null}
        onClose={() => setRevoking(null)}
        title={t.revokeTitle(revoking?.full_name ?? '')}
        action={t.revoke}
        run={revoke}
      >
        {t.revokeText}
      </ConfirmDialog>
    </>
  );
}

function useColumns(onRevoke: (line: InvitationLine) => void): readonly Column<InvitationLine>[] {
  const t = useTexts(usersTexts);
  const shell = useTexts(shellTexts);
  const { look } = useSession();
  return [
    {
      id: 'person',
      head: t.person,
      onCard: 'title',
      cell: ({ full_name, email }) => (
        <div className="min-w-0 py-0.5">
          <span className="font-medium">{full_name}</span>
          <span className="block text-13 wrap-anywhere text-text-2">{email}</span>
        </div>
      ),
    },
    { id: 'role', head: t.role, cell: ({ role }) => shell.roles[role] },
    { id: 'by', head: t.invitedBy, cell: ({ invited_by }) => invited_by },
    { id: 'expires', head: t.expires, cell: ({ expires_at }) => <DateTime at={expires_at} /> },
    {
      id: 'state',
      head: t.state,
      cell: ({ expired }) =>
        expired ? (
          <Badge tone="soon" icon={CircleSlash}>
            {t.expired}
          </Badge>
        ) : (
          <Badge tone="write" icon={Hourglass}>
            {t.waiting}
          </Badge>
        ),
    },
    ...(look
      ? []
      : [
          {
            id: 'revoke',
            head: t.actionsHead,
            headHidden: true,
            align: 'end' as const,
            cell: (line: InvitationLine) => (
              <Button look="quiet" onClick={() => onRevoke(line)} aria-label={t.revokeTitle(line.full_name)}>
                {t.revoke}
              </Button>
            ),
          },
        ]),
  ];
}
