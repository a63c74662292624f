// What a write to a sale changed, kept with its line in the audit log: events are deleted after a month, a sale's history is not.
import type { NewEvent } from '../../kit/work.ts';
import type { AuditFacts } from './audit.ts';

const KINDS: readonly string[] = ['sale', 'installment', 'collection', 'payment_promise'];

/** Written by a person and perhaps about one: the log, which nothing is erased from, has their names only. */
const FREE_TEXT: readonly string[] = ['notes', 'note', 'reason', 'cancel_reason'];
export const WITHHELD = '•••';

/** They follow from the day and from other records. */
const COMPUTED: readonly string[] = [
  ...['payoff', 'reversed_by_id', 'outstanding_amount', 'overdue_amount', 'is_overdue', 'days_overdue', 'late_interest'],
  ...['collected_amount', 'discounted_amount', 'paid_amount', 'remaining_amount', 'fulfilled_amount', 'created_at'],
];

/** `now`: business time, which a rehearsal moves; the log's own time is the real one. */
export function changesToAudit(events: readonly NewEvent[], target: string | undefined, now: Date): AuditFacts {
  const event = events.find(({ id, kind }) => id === target && KINDS.includes(kind.split('.')[0]!));
  if (event === undefined) return {};
  const after = (event.object ?? {}) as Readonly<Record<string, unknown>>;
  const told = (of: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      (event.changed ?? [])
        .filter((name) => !COMPUTED.includes(name))
        .map((name) => [name, FREE_TEXT.includes(name) ? WITHHELD : (of[name] ?? null)]),
    );
  const promised = event.kind === 'payment_promise.created' ? { amount: after.amount, promised_date: after.promised_date } : {};
  const facts = { after: { ...told(after), ...promised, event: event.kind, at: now.toISOString() } };
  return (event.changed ?? []).length === 0 ? facts : { ...facts, before: told(event.previous ?? {}) };
}
