// The person's sessions, each with a button to end it.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, LogOut } from 'lucide-react';
import { useState } from 'react';
import type { SessionListLine } from '../../../../src/panel/account/session.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { Button } from '../../parts/button.tsx';
import { useDeviceName } from '../../parts/device-name.ts';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime, None } from '../../parts/values.tsx';
import { signOutEverywhere } from '../../sign-out.ts';
import { SettingsFrame } from './frame.tsx';
import { settingsTexts } from './texts.ts';

export function SessionsScreen() {
  const t = useTexts(settingsTexts).sessions;
  const [leaving, setLeaving] = useState(false);
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => call('GET sessions', { signal }),
  });
  return (
    <SettingsFrame
      title={t.title}
      description={t.description}
      actions={
        <Button icon={LogOut} onClick={() => setLeaving(true)}>
          {t.everywhere}
        </Button>
      }
    >
      <Loaded query={sessions} rows={2}>
        {(data) => <SessionsTable sessions={data} />}
      </Loaded>
      <ConfirmDialog
        open={leaving}
        onClose={() => setLeaving(false)}
        title={t.everywhereTitle}
        action={t.everywhere}
        run={signOutEverywhere}
      >
        {t.everywhereText}
      </ConfirmDialog>
    </SettingsFrame>
  );
}

function SessionsTable({ sessions }: { readonly sessions: readonly SessionListLine[] }) {
  const t = useTexts(settingsTexts).sessions;
  const client = useQueryClient();
  const deviceName = useDeviceName();
  const [busy, setBusy] = useState<string | null>(null);
  const end = async (id: string) => {
    setBusy(id);
    try {
      await call('DELETE sessions/{session_id}', { params: { session_id: id } });
      notify({ title: t.ended });
    } catch (error) {
      notify({ title: (error as Error).message, failed: true });
    }
    setBusy(null);
    await client.invalidateQueries({ queryKey: ['sessions'] });
  };
  const columns: readonly Column<SessionListLine>[] = [
    {
      id: 'device',
      head: t.device,
      onCard: 'title',
      cell: ({ user_agent, current }) => (
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium" title={user_agent ?? undefined}>
            {deviceName(user_agent)}
          </span>
          {current && (
            <Badge tone="live" icon={CircleCheck}>
              {t.current}
            </Badge>
          )}
        </span>
      ),
    },
    { id: 'address', head: t.address, cell: ({ ip }) => (ip === null ? <None /> : <span className="code">{ip}</span>) },
    { id: 'account', head: t.account, cell: ({ account }) => account ?? <None /> },
    { id: 'begun', head: t.begun, cell: ({ created_at }) => <DateTime at={created_at} /> },
    { id: 'seen', head: t.lastSeen, cell: ({ last_seen_at }) => <DateTime at={last_seen_at} show="relative" /> },
    {
      id: 'end',
      head: t.end,
      headHidden: true,
      align: 'end',
      cell: ({ id, current, user_agent }) =>
        // The current session is ended by signing out in the person menu.
        current ? null : (
          <Button look="quiet" busy={busy === id} onClick={() => end(id)} aria-label={t.endOf(deviceName(user_agent))}>
            {t.end}
          </Button>
        ),
    },
  ];
  return <Table label={t.list} rows={sessions} rowKey={({ id }) => id} columns={columns} />;
}
