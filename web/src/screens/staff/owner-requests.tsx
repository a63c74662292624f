// A new owner whom an administrator proposes; nothing is shown where there is none.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import type { OwnerRequest } from '../../../../src/domain/identity/owner-requests.ts';
import type { OwnerInvitation } from '../../../../src/panel/admin/owners.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useSession } from '../../session.ts';
import { LinkDialog } from './link-dialog.tsx';
import { usersTexts } from './users-texts.ts';

type Act = { readonly request: OwnerRequest; readonly approves: boolean } | null;

export function OwnerRequests() {
  const t = useTexts(usersTexts);
  const client = useQueryClient();
  const { look } = useSession();
  const [act, setAct] = useState<Act>(null);
  const [made, setMade] = useState<OwnerInvitation | null>(null);
  const requests = useQuery({ queryKey: ['owner-requests'], queryFn: ({ signal }) => call('GET owner-requests', { signal }) });
  const run = async () => {
    const params = { request_id: act!.request.id };
    if (act!.approves) setMade(await call('POST owner-requests/{request_id}/approve', { params }));
    else {
      await call('POST owner-requests/{request_id}/refuse', { params });
      notify({ title: t.ownerRefused });
    }
    for (const key of ['owner-requests', 'invitations', 'notices']) await client.invalidateQueries({ queryKey: [key] });
  };
  const open = requests.data ?? [];
  const name = act?.request.full_name ?? '';
  return (
    <>
      {open.length > 0 && (
        <section aria-labelledby="owner-requests" className="card border-write p-4">
          <h2 id="owner-requests" className="mt-0 mb-3 text-16 font-semibold">
            {t.ownerRequests}
          </h2>
          {open.map((request) => (
            <div key={request.id} className="flex flex-wrap items-start gap-3">
              <div className="min-w-0 flex-1 basis-60 text-13">
                <strong className="font-semibold wrap-anywhere">{request.full_name}</strong>
                <span className="block wrap-anywhere text-text-2">{request.email}</span>
                <p className="mt-1 mb-0">{t.ownerRequestText(request.proposed_by)}</p>
                <p className="m-0 text-12 text-text-2">
                  <DateTime at={request.proposed_at} show="relative" />
                </p>
              </div>
              {!look && (
                <div className="flex flex-wrap gap-2">
                  <Button look="primary" icon={Check} onClick={() => setAct({ request, approves: true })}>
                    {t.ownerApprove}
                  </Button>
                  <Button icon={X} onClick={() => setAct({ request, approves: false })}>
                    {t.ownerRefuse}
                  </Button>
                </div>
              )}
            </div>
          ))}
        </section>
      )}
      <ConfirmDialog
        open={act !== null}
        onClose={() => setAct(null)}
        title={act?.approves ? t.ownerApproveTitle(name) : t.ownerRefuseTitle(name)}
        action={act?.approves ? t.ownerApprove : t.ownerRefuse}
        danger={act?.approves === false}
        run={run}
      >
        {act && <p className="m-0">{act.approves ? t.ownerRequestText(act.request.proposed_by) : t.ownerRefuseText}</p>}
      </ConfirmDialog>
      {made?.link && (
        <LinkDialog
          link={{ link: made.link, expires_at: made.expires_at!, email: made.email, mailed: made.mailed }}
          onClose={() => setMade(null)}
        />
      )}
    </>
  );
}
