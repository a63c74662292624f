// Small parts of webhooks: states, events, results of deliveries.
import { CircleCheck, CircleX, Clock, type LucideIcon, OctagonX, PauseCircle } from 'lucide-react';
import type { Webhook } from '../../../../src/domain/webhooks/webhook.ts';
import type { Delivery } from '../../../../src/domain/webhooks/webhook-delivery.ts';
import { useTexts } from '../../language.ts';
import { Badge, HttpStatusBadge } from '../../parts/badges.tsx';
import { None } from '../../parts/values.tsx';
import { ALL } from './event-picker.tsx';
import { webhooksTexts } from './texts.ts';

type Tone = 'live' | 'soon' | 'dest' | 'write';

const WEBHOOKS: Readonly<Record<Webhook['status'], { tone: Tone; icon: LucideIcon }>> = {
  Aktif: { tone: 'live', icon: CircleCheck },
  Pasif: { tone: 'soon', icon: PauseCircle },
  'Otomatik Durduruldu': { tone: 'dest', icon: OctagonX },
};

export function WebhookBadge({ status }: { readonly status: Webhook['status'] }) {
  const t = useTexts(webhooksTexts);
  return <Badge {...WEBHOOKS[status]}>{t.statuses[status]}</Badge>;
}

const DELIVERIES: Readonly<Record<Delivery['status'], { tone: Tone; icon: LucideIcon }>> = {
  Bekliyor: { tone: 'write', icon: Clock },
  Başarılı: { tone: 'live', icon: CircleCheck },
  Başarısız: { tone: 'dest', icon: CircleX },
};

export function DeliveryBadge({ status }: { readonly status: Delivery['status'] }) {
  const t = useTexts(webhooksTexts);
  return <Badge {...DELIVERIES[status]}>{t.deliveryStatuses[status]}</Badge>;
}

/** The receiver's status, or why there is none. */
export function Answer({ delivery }: { readonly delivery: Pick<Delivery, 'response_status' | 'error'> }) {
  const { response_status, error } = delivery;
  const t = useTexts(webhooksTexts);
  if (response_status !== null) return <HttpStatusBadge status={response_status} />;
  if (error === null) return <None />;
  return <span className="whitespace-nowrap">{t.errors[error] ?? error}</span>;
}

const MAX_SHOWN = 3;

export function Events({ events }: { readonly events: readonly string[] }) {
  const t = useTexts(webhooksTexts);
  if (events.includes(ALL)) return <>{t.allEvents}</>;
  const rest = events.length - MAX_SHOWN;
  return (
    <span title={events.join(', ')} className="flex flex-wrap gap-1">
      {events.slice(0, MAX_SHOWN).map((event) => (
        <span key={event} className="code rounded-badge bg-soon-bg px-1.5 text-12 text-soon">
          {event}
        </span>
      ))}
      {rest > 0 && <span className="text-12 text-text-2">{t.moreEvents(rest)}</span>}
    </span>
  );
}
