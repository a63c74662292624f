// One webhook: its state, actions and tabs.
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { Pause, Play, Send, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { Webhook } from '../../../../src/domain/webhooks/webhook.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { BackLink, RecordError, RecordSkeleton } from '../../parts/page/record.tsx';
import { TabLink, TabLinks } from '../../parts/page/tabs.tsx';
import { useMay } from '../../permissions.ts';
import { useWebhooksChanged, webhookQuery } from './data.ts';
import { webhooksTexts } from './texts.ts';
import { WebhookBadge } from './webhook-parts.tsx';

export function WebhookScreen() {
  const t = useTexts(webhooksTexts);
  const { webhookId } = useParams({ from: '/shell/webhooks/$webhookId' });
  const webhook = useQuery(webhookQuery(webhookId));
  const back = <BackLink to="/webhooks">{t.title}</BackLink>;
  if (webhook.isPending) return <RecordSkeleton cards={{ one: 'h-48' }} />;
  if (webhook.data === undefined) {
    const action = (
      <Link to="/webhooks" className={buttonLook()}>
        {t.toList}
      </Link>
    );
    const gone = { title: t.gone, text: t.goneText, action };
    return <RecordError error={webhook.error} onRetry={webhook.refetch} back={back} title={t.title} gone={gone} />;
  }
  const shown = webhook.data;
  const params = { webhookId };
  return (
    <>
      <PageHeader
        title={shown.url}
        {...(shown.description ? { description: shown.description } : {})}
        above={back}
        beside={<WebhookBadge status={shown.status} />}
        actions={<Acts webhook={shown} />}
      />
      <Condition webhook={shown} />
      <TabLinks label={t.title}>
        <TabLink to="/webhooks/$webhookId/teslimatlar" params={params}>
          {t.tabs.deliveries}
        </TabLink>
        <TabLink to="/webhooks/$webhookId/ayarlar" params={params}>
          {t.tabs.settings}
        </TabLink>
        <TabLink to="/webhooks/$webhookId/dogrulama" params={params}>
          {t.tabs.check}
        </TabLink>
      </TabLinks>
      <Outlet />
    </>
  );
}

/** Problems of the webhook in words. */
function Condition({ webhook: { status, stopped_because, consecutive_failures: n } }: { readonly webhook: Webhook }) {
  const t = useTexts(webhooksTexts);
  const message = stopped_because ? t.stopped[stopped_because] : status === 'Pasif' ? t.pausedNote : n > 0 ? t.failing(n) : null;
  if (message === null) return null;
  const tone = status === 'Otomatik Durduruldu' ? 'bg-dest-bg text-dest' : 'bg-write-bg text-write';
  return (
    <div role="status" className={`mb-4 flex items-start gap-2 rounded-card px-3 py-2 text-13 ${tone}`}>
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {message}
    </div>
  );
}

function Acts({ webhook: { id, status } }: { readonly webhook: Webhook }) {
  const t = useTexts(webhooksTexts);
  const may = useMay('webhooks:write');
  const navigate = useNavigate();
  const changed = useWebhooksChanged();
  const [busy, setBusy] = useState<'test' | 'move' | null>(null);
  if (!may) return null;
  const act = async (name: 'test' | 'move', run: () => Promise<void>) => {
    setBusy(name);
    try {
      await run();
      await changed();
    } catch (error) {
      notify({ title: t.failed, text: (error as Error).message, failed: true });
    } finally {
      setBusy(null);
    }
  };
  const test = () =>
    act('test', async () => {
      const delivery = await call('POST v1/webhooks/{webhook_id}/test', { params: { webhook_id: id } });
      await navigate({
        to: '/webhooks/$webhookId/teslimatlar',
        params: { webhookId: id },
        search: { teslimat: delivery.id },
      });
    });
  const isOn = status === 'Aktif';
  const move = () =>
    act('move', async () => {
      await call('PATCH v1/webhooks/{webhook_id}', { params: { webhook_id: id }, body: { status: isOn ? 'Pasif' : 'Aktif' } });
      notify({ title: isOn ? t.paused : t.resumed });
    });
  return (
    <>
      <Button icon={isOn ? Pause : Play} busy={busy === 'move'} onClick={move}>
        {isOn ? t.pause : t.resume}
      </Button>
      <Button look="primary" icon={Send} busy={busy === 'test'} onClick={test}>
        {t.test}
      </Button>
    </>
  );
}
