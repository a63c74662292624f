// A new webhook, then its secret, shown once.
import { useNavigate } from '@tanstack/react-router';
import type { NewWebhook } from '../../../../src/domain/webhooks/webhook.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { RecordForm } from '../../parts/form/form.tsx';
import { useWrite } from '../../parts/form/form-write.ts';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { BackLink } from '../../parts/page/record.tsx';
import { useSecret } from '../../parts/secret-once.tsx';
import { useWebhooksChanged } from './data.ts';
import { WebhookSecret } from './secret-once.tsx';
import { webhooksTexts } from './texts.ts';
import { useNeedsEvents, useWebhookForm, WebhookFields } from './webhook-fields.tsx';

export function NewWebhookScreen() {
  const t = useTexts(webhooksTexts);
  const navigate = useNavigate();
  const changed = useWebhooksChanged();
  const [made, setMade] = useSecret<NewWebhook>();
  const back = <BackLink to="/webhooks">{t.title}</BackLink>;
  if (made === null)
    return (
      <>
        <PageHeader title={t.newTitle} above={back} />
        <NewWebhookForm onMade={setMade} />
      </>
    );
  const done = async () => {
    await changed();
    await navigate({ to: '/webhooks/$webhookId/teslimatlar', params: { webhookId: made.id } });
  };
  return (
    <>
      <PageHeader title={t.made} description={made.url} />
      <WebhookSecret secret={made.secret} doneLabel={t.toWebhook} onDone={done} />
    </>
  );
}

function NewWebhookForm({ onMade }: { readonly onMade: (made: NewWebhook) => void }) {
  const t = useTexts(webhooksTexts);
  const navigate = useNavigate();
  const of = useWebhookForm({ url: '', description: '', events: [] });
  const [missing, hasEvents] = useNeedsEvents();
  const write = useWrite({
    send: (body: typeof of.body, headers) => call('POST v1/webhooks', { body, headers }),
    onDone: (webhook) => {
      of.form.release();
      onMade(webhook);
    },
  });
  const error = missing ?? write.error;
  return (
    <RecordForm
      form={of.form}
      names={t.names}
      error={error}
      isBusy={write.isPending}
      onSubmit={() => hasEvents(of.events) && write.run(of.body)}
      onCancel={() => navigate({ to: '/webhooks' })}
      action={t.create}
    >
      <WebhookFields of={of} error={error} />
    </RecordForm>
  );
}
