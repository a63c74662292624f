// The values that a write on a sale or a car changed, stored with its entry in the audit log: events are deleted after a month,
// the log is not.
import type { NewEvent } from '../../kit/work.ts';
import type { AuditFacts } from './audit.ts';

const KINDS: readonly string[] = ['sale', 'installment', 'collection', 'payment_promise', 'vehicle'];

/** For a car, the fields of its listing; its cost is not logged. */
export const OF_A_CAR: readonly string[] = [
  ...['price', 'currency', 'status', 'plate', 'km', 'brand', 'model', 'trim', 'model_year', 'color', 'city', 'stock_date'],
  'is_marketplace_visible',
];

/** Free text, which may be about a person: the log, from which nothing is erased, has only the fields' names. */
const FREE_TEXT: readonly string[] = ['notes', 'note', 'reason', 'cancel_reason'];
export const WITHHELD = '•••';

/** They follow from the date and from other records. */
export const COMPUTED: readonly string[] = [
  ...['payoff', 'reversed_by_id', 'outstanding_amount', 'overdue_amount', 'is_overdue', 'days_overdue', 'late_interest'],
  ...['collected_amount', 'discounted_amount', 'paid_amount', 'remaining_amount', 'fulfilled_amount', 'created_at'],
];

/** `now`: business time, which a rehearsal can move; the log's own time is real time. */
export function changesToAudit(events: readonly NewEvent[], target: string | undefined, now: Date): AuditFacts {
  const event = events.find(({ id, kind }) => id === target && KINDS.includes(kind.split('.')[0]!));
  if (event === undefined) return {};
  const after = (event.object ?? {}) as Readonly<Record<string, unknown>>;
  const isCar = event.kind.startsWith('vehicle.');
  const changed = (event.changed ?? []).filter((name) => (isCar ? OF_A_CAR.includes(name) : !COMPUTED.includes(name)));
  if (isCar && changed.length === 0) return {};
  const loggedValues = (of: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(changed.map((name) => [name, FREE_TEXT.includes(name) ? WITHHELD : (of[name] ?? null)]));
  const promised = event.kind === 'payment_promise.created' ? { amount: after.amount, promised_date: after.promised_date } : {};
  const facts = { after: { ...loggedValues(after), ...promised, event: event.kind, at: now.toISOString() } };
  return changed.length === 0 ? facts : { ...facts, before: loggedValues(event.previous ?? {}) };
}
