// K6: revokes a key after its name is typed.
import { useState } from 'react';
import type { KeyDetail } from '../../../../../src/panel/keys/key-views.ts';
import { call } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { Field, TextArea } from '../../../parts/input/field.tsx';
import { ConfirmDialog } from '../../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { UsageUnread } from '../../../parts/usage-unread.tsx';
import { useRefreshKeys } from '../key-data.ts';
import { keysTexts } from '../texts.ts';

interface RevokeProps {
  readonly shown: KeyDetail;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function RevokeDialog({ shown, open, onClose }: RevokeProps) {
  const t = useTexts(keysTexts);
  const refresh = useRefreshKeys();
  const [reason, setReason] = useState('');
  const revoke = async () => {
    await call('POST keys/{key_id}/revoke', {
      params: { key_id: shown.id },
      body: { typed_name: shown.name, reason: reason.trim() || null },
    });
    notify({ title: t.revokedNow });
    await refresh();
  };
  const { calls_24h: calls } = shown;
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={t.revokeTitle(shown.name)}
      action={t.revokeNow}
      typed={shown.name}
      run={revoke}
    >
      <p className="m-0">{t.revokeText}</p>
      <p className="mt-2 mb-3 font-medium text-text">
        {calls === null ? <UsageUnread /> : calls > 0 ? t.revokeCalls(calls) : t.revokeNoCalls}
      </p>
      <Field label={t.revokeReason} optional>
        <TextArea value={reason} onChange={setReason} rows={2} maxLength={500} />
      </Field>
    </ConfirmDialog>
  );
}
