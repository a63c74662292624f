// An administrator removes the second factor of someone who lost phone and recovery codes, after checking who they are.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { ConfirmDialog } from '../../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { adminTexts } from '../texts.ts';

export function DropTotp({ personId, name }: { readonly personId: string; readonly name: string }) {
  const t = useTexts(adminTexts);
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const run = async () => {
    await call('DELETE admin/people/{person_id}/totp', { params: { person_id: personId } });
    notify({ title: t.totpRemoved });
    await client.invalidateQueries({ queryKey: ['admin'] });
  };
  return (
    <>
      <Button onClick={() => setOpen(true)} aria-label={`${t.removeTotp}: ${name}`}>
        {t.removeTotp}
      </Button>
      <ConfirmDialog open={open} onClose={() => setOpen(false)} title={t.removeTotpTitle(name)} action={t.removeTotp} run={run}>
        {t.removeTotpText}
      </ConfirmDialog>
    </>
  );
}
