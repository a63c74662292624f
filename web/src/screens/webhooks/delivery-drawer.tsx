// One delivery: its result, request and answer, and a button to send it again once it has ended.
import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { Webhook } from '../../../../src/domain/webhooks/webhook.ts';
import type { DeliveryDetail } from '../../../../src/domain/webhooks/webhook-delivery.ts';
import { ApiError, call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Drawer } from '../../parts/overlay/dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { type Fact, Facts } from '../../parts/page/facts.tsx';
import { PanelLink } from '../../parts/page/panel-link.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { useFormat } from '../../session.ts';
import { attemptsQuery, deliveryQuery, useWebhooksChanged, webhookQuery } from './data.ts';
import { webhooksTexts } from './texts.ts';
import { Answer, DeliveryBadge } from './webhook-parts.tsx';

interface DeliveryDrawerProps {
  readonly webhookId: string;
  /** In the address; undefined while none is open. */
  readonly id: string | undefined;
  readonly onClose: () => void;
}

export function DeliveryDrawer({ webhookId, id, onClose }: DeliveryDrawerProps) {
  const t = useTexts(webhooksTexts);
  const delivery = useQuery({ ...deliveryQuery(webhookId, id ?? ''), enabled: id !== undefined });
  const webhook = useQuery(webhookQuery(webhookId));
  return (
    <Drawer wide open={id !== undefined} onClose={onClose} title={t.delivery}>
      {delivery.data !== undefined ? (
        <Shown delivery={delivery.data} status={webhook.data?.status} />
      ) : delivery.isError ? (
        <NotShown error={delivery.error} onRetry={delivery.refetch} />
      ) : (
        <div className="flex flex-col gap-3 py-2">
          <Skeleton className="h-64" />
          <Skeleton className="h-72" />
        </div>
      )}
    </Drawer>
  );
}

function NotShown({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const t = useTexts(webhooksTexts);
  const status = error instanceof ApiError ? error.status : null;
  if (status === 404) return <EmptyState title={t.deliveryGone} />;
  // The role may know of the delivery and not what the event says.
  if (status === 403) return <EmptyState title={t.payloadHidden}>{error.message}</EmptyState>;
  return <ErrorState error={error} onRetry={onRetry} />;
}

function Shown({ delivery, status }: { readonly delivery: DeliveryDetail; readonly status: Webhook['status'] | undefined }) {
  const t = useTexts(webhooksTexts);
  const { error, payload, response_excerpt } = delivery;
  return (
    <div className="flex flex-col gap-4 pb-4">
      <div role="status" className="flex flex-wrap items-center gap-2">
        <DeliveryBadge status={delivery.status} />
        <Answer delivery={delivery} />
        {error !== null && t.errorTexts[error] && <span className="basis-full text-13 text-text-2">{t.errorTexts[error]}</span>}
      </div>
      <Retry delivery={delivery} status={status} />
      <DeliveryFacts delivery={delivery} />
      <Attempts delivery={delivery} />
      {response_excerpt !== null && response_excerpt !== '' && (
        <section>
          <h3 className="m-0 mb-1 text-13 font-semibold">{t.response}</h3>
          <CodeBlock label={t.response} text={response_excerpt} wrap />
        </section>
      )}
      <section>
        <h3 className="m-0 mb-1 text-13 font-semibold">{t.payload}</h3>
        <CodeBlock label={t.payload} text={JSON.stringify(payload, null, 2)} tall />
      </section>
    </div>
  );
}

/** All attempts; the facts above describe only the last one. */
function Attempts({ delivery }: { readonly delivery: DeliveryDetail }) {
  const t = useTexts(webhooksTexts);
  const format = useFormat();
  const attempts = useQuery(attemptsQuery(delivery.webhook_id, delivery.id));
  if (attempts.isError) return <ErrorState error={attempts.error} onRetry={attempts.refetch} />;
  if (attempts.data === undefined || attempts.data.length < 2) return null;
  return (
    <section aria-label={t.attemptList} className="min-w-0">
      <h3 className="m-0 mb-1 text-13 font-semibold">{t.attemptList}</h3>
      <ol className="m-0 list-none divide-y divide-line rounded-card border border-line p-0">
        {attempts.data.map((attempt) => (
          <li key={attempt.number} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-13">
            <span className="tabular w-8 text-text-2">{attempt.number}.</span>
            <span className="min-w-24">
              <Answer delivery={attempt} />
            </span>
            <DateTime at={attempt.created_at} />
            <span className="tabular ml-auto text-text-2">{format.milliseconds(attempt.duration_ms)}</span>
            {attempt.response_excerpt && (
              <span className="code basis-full truncate text-12 text-text-2" title={attempt.response_excerpt}>
                {attempt.response_excerpt}
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function DeliveryFacts({ delivery }: { readonly delivery: DeliveryDetail }) {
  const t = useTexts(webhooksTexts);
  const format = useFormat();
  const mayRead = useMay('developer:read');
  const request = delivery.payload.request_id;
  const facts: readonly Fact[] = [
    { name: t.kind, value: <span className="code">{delivery.event_type}</span> },
    {
      name: t.eventId,
      value: (
        <span className="inline-flex flex-wrap items-center gap-1">
          <span className="code wrap-anywhere">{delivery.event_id}</span>
          <CopyButton text={delivery.event_id} />
        </span>
      ),
    },
    { name: t.attempts, value: format.number(delivery.attempt_count) },
    { name: t.created, value: <DateTime at={delivery.created_at} /> },
    { name: t.lastAttempt, value: <DateTime at={delivery.last_attempt_at} /> },
    { name: t.next, value: <DateTime at={delivery.next_attempt_at} /> },
    { name: t.duration, value: delivery.duration_ms === null ? null : format.milliseconds(delivery.duration_ms) },
    {
      name: t.request,
      value:
        request && mayRead ? (
          <PanelLink to={`/loglar?request_id=${encodeURIComponent(request)}`} className="code link wrap-anywhere">
            {request}
          </PanelLink>
        ) : (
          request && <span className="code wrap-anywhere">{request}</span>
        ),
    },
  ];
  return <Facts title={t.delivery} facts={facts} />;
}

function Retry({ delivery, status }: { readonly delivery: DeliveryDetail; readonly status: Webhook['status'] | undefined }) {
  const t = useTexts(webhooksTexts);
  const may = useMay('webhooks:write');
  const changed = useWebhooksChanged();
  const [busy, setBusy] = useState(false);
  if (!may || delivery.status === 'Bekliyor') return null;
  const run = async () => {
    setBusy(true);
    try {
      await call('POST v1/webhooks/{webhook_id}/deliveries/{delivery_id}/retry', {
        params: { webhook_id: delivery.webhook_id, delivery_id: delivery.id },
      });
      notify({ title: t.retried });
    } catch (error) {
      notify({ title: t.failed, text: (error as Error).message, failed: true });
    } finally {
      await changed();
      setBusy(false);
    }
  };
  const isOn = status === 'Aktif';
  return (
    <div>
      <Button
        look={delivery.status === 'Başarısız' ? 'primary' : 'secondary'}
        icon={RotateCw}
        busy={busy}
        disabled={!isOn}
        onClick={run}
      >
        {t.retry}
      </Button>
      {!isOn && <p className="mt-1 mb-0 text-12 text-text-2">{t.retryPassive}</p>}
    </div>
  );
}
