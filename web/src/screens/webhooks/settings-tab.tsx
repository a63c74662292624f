// The settings of a webhook: address and events, rotating the secret, deleting it.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { KeyRound, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Webhook } from '../../../../src/domain/webhooks/webhook.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { RecordForm } from '../../parts/form/form.tsx';
import { picked } from '../../parts/form/form-body.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Facts } from '../../parts/page/facts.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { useWebhooksChanged, webhookQuery } from './data.ts';
import { RotateDrawer } from './rotate-drawer.tsx';
import { webhooksTexts } from './texts.ts';
import { useNeedsEvents, useWebhookForm, WebhookFields } from './webhook-fields.tsx';
import { Events } from './webhook-parts.tsx';

export function SettingsTab() {
  const { webhookId } = useParams({ from: '/shell/webhooks/$webhookId' });
  const may = useMay('webhooks:write');
  const webhook = useQuery(webhookQuery(webhookId)).data;
  const [saves, setSaves] = useState(0);
  if (webhook === undefined) return null;
  return (
    <div className="flex flex-col gap-6">
      {/* Mounted again after saving, so that changes start from the saved values. */}
      {may ? <EditForm key={saves} webhook={webhook} onSaved={() => setSaves(saves + 1)} /> : <ReadOnly webhook={webhook} />}
      <Secret webhook={webhook} />
      {may && <Remove webhook={webhook} />}
    </div>
  );
}

function ReadOnly({ webhook }: { readonly webhook: Webhook }) {
  const t = useTexts(webhooksTexts);
  return (
    <Facts
      title={t.tabs.settings}
      facts={[
        { name: t.names.url, value: <span className="code">{webhook.url}</span> },
        { name: t.names.description, value: webhook.description },
        { name: t.names.events, value: <Events events={webhook.events} /> },
        { name: t.lastSuccess, value: <DateTime at={webhook.last_success_at} /> },
      ]}
    />
  );
}

function EditForm({ webhook, onSaved }: { readonly webhook: Webhook; readonly onSaved: () => void }) {
  const t = useTexts(webhooksTexts);
  const changed = useWebhooksChanged();
  const of = useWebhookForm({ url: webhook.url, description: webhook.description ?? '', events: webhook.events });
  const [missing, hasEvents] = useNeedsEvents();
  const write = useWrite({
    send: (body: Partial<typeof of.body>, headers) =>
      call('PATCH v1/webhooks/{webhook_id}', { params: { webhook_id: webhook.id }, body, headers }),
    onDone: async () => {
      notify({ title: t.savedNow });
      await changed();
      onSaved();
    },
  });
  const error = missing ?? write.error;
  const submit = () => {
    if (!hasEvents(of.events) || !of.form.isDirty) return;
    write.run(picked(of.body, of.form.changed));
  };
  return (
    <RecordForm form={of.form} names={t.names} error={error} isBusy={write.isPending} onSubmit={submit} onCancel={of.form.clear}>
      <WebhookFields of={of} error={error} />
    </RecordForm>
  );
}

function Secret({ webhook }: { readonly webhook: Webhook }) {
  const t = useTexts(webhooksTexts);
  const may = useMay('webhooks:write', 'sensitive');
  const [open, setOpen] = useState(false);
  return (
    <section className="card max-w-[960px] p-4" aria-label={t.secret}>
      <h2 className="m-0 mb-1 text-14 font-semibold">{t.secret}</h2>
      <p className="mt-0 mb-3 text-13 text-text-2">{t.hint(webhook.secret_hint)}</p>
      {may ? (
        <Button icon={KeyRound} onClick={() => setOpen(true)}>
          {t.rotate}
        </Button>
      ) : (
        <p className="m-0 text-13 text-text-2">{t.ownerOnly}</p>
      )}
      <RotateDrawer webhook={webhook} open={open} onClose={() => setOpen(false)} />
    </section>
  );
}

function Remove({ webhook }: { readonly webhook: Webhook }) {
  const t = useTexts(webhooksTexts);
  const navigate = useNavigate();
  const changed = useWebhooksChanged();
  const [asks, setAsks] = useState(false);
  const remove = async () => {
    await call('DELETE v1/webhooks/{webhook_id}', { params: { webhook_id: webhook.id } });
    notify({ title: t.deleted });
    await navigate({ to: '/webhooks' });
    void changed();
  };
  return (
    <div>
      <Button look="quiet" icon={Trash2} className="text-danger!" onClick={() => setAsks(true)}>
        {t.delete}
      </Button>
      <ConfirmDialog open={asks} onClose={() => setAsks(false)} title={t.deleteTitle} action={t.delete} run={remove}>
        <span className="code block wrap-anywhere">{webhook.url}</span>
        {t.deleteText}
      </ConfirmDialog>
    </div>
  );
}
