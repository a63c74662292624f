// Two spans for each attempt: how long the delivery was due in the outbox, and the attempt itself. Both belong to the trace of the write.
import { inSpan, type Tracer } from '../tracing/spans.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import type { Attempt } from './send-delivery.ts';

export async function tracedAttempt(
  tracer: Tracer | null,
  delivery: ClaimedDelivery,
  realNow: Date,
  send: () => Promise<Attempt | null>,
): Promise<Attempt | null> {
  if (tracer === null) return send();
  const attributes = {
    'galeri.account_id': delivery.account_id,
    'galeri.event_type': delivery.event_type,
    'galeri.attempt': delivery.attempt_count + 1,
  };
  const waited = Math.max(0, realNow.getTime() - delivery.next_attempt_at.getTime());
  const startedAt = performance.now() - waited;
  const outbox = tracer.begin('outbox', delivery.traceparent, { attributes, startedAt });
  outbox.end();
  const span = outbox.begin('delivery', { kind: 'client', attributes });
  let attempt: Attempt | null = null;
  try {
    attempt = await inSpan(span, send);
    if (attempt?.status) span.describe({ 'http.response.status_code': attempt.status });
    return attempt;
  } finally {
    span.end(attempt?.outcome !== 'delivered');
  }
}
