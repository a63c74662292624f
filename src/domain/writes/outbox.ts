// Events in the transaction of their write: numbered without gaps, with fixed bytes, and a delivery for every subscribed webhook.
import { newEventId } from '../../kit/ids.ts';
import { own, type Sql, sql, theAccount } from '../../kit/sql.ts';
import type { NewEvent } from '../../kit/work.ts';
import { isEventKind } from './event-kinds.ts';

export interface Written {
  readonly accountId: string;
  readonly requestId: string | null;
  /** Of the span in which the write runs; its deliveries continue that trace. */
  readonly traceparent: string | null;
  /** The event's time; deliveries are scheduled in real time. */
  readonly now: Date;
  readonly realNow: Date;
}

/**
 * What a write has collected for one data set. `proposed`: the stamp of its records, to be checked. `isRaised`: the write has
 * raised its version already.
 */
export interface Ending {
  readonly events: readonly NewEvent[];
  readonly due: Date | null;
  readonly proposed: Date | null;
  readonly isRaised?: boolean;
}

/** Larger events are sent without the object, which can be read from `resource.path`. */
const MAX_BYTES = 20_000;

/**
 * The last statement of a write. It locks the data set's row, only for the length of the commit. The next write gets the next
 * numbers; a reader that sees a number can read all events before it.
 */
export function finishWrite(written: Written, { events, due, proposed, isRaised = false }: Ending): Sql {
  if (isRaised && events.length === 0 && due === null && proposed === null)
    return sql`select version, next_due_at from ${own('data_sets')}`;
  const dueAt = due === null ? sql`` : sql`, next_due_at = least(next_due_at, ${due}::timestamptz)`;
  const stampedAt = proposed === null ? sql`` : sql`, stamped_at = later_stamp(stamped_at, ${proposed})`;
  const raised = sql`update data_sets set version = version + 1, sequence = sequence + ${events.length}${dueAt}${stampedAt}
    where id = ${theAccount} returning version, next_due_at, sequence, kind`;
  if (events.length === 0) return raised;
  const unknown = events.find(({ kind }) => !isEventKind(kind));
  if (unknown !== undefined) throw new Error(`unknown event type: ${unknown.kind}`);
  const made = events.map((event) => ({ id: newEventId(written.now.getTime()), event }));
  return sql`
    with raised as (${raised}),
    given as (select *, sequence - ${events.length} + place as number
      from raised, ${made.length === 1 ? one(made[0]!, written) : many(made, written)} as event(id, type, resource_id, head, tail, place)),
    stored as (insert into events (account_id, id, sequence, kind, resource_kind, resource_id, payload, request_id, created_at,
        traceparent)
      select ${theAccount}, id, number, type, split_part(type, '.', 1), resource_id, head || kind || '","sequence":' || number || tail,
        ${written.requestId}, ${written.now}, ${written.traceparent} from given),
    sent as (${deliveriesOf(written.realNow)})
    select version, next_due_at from raised`;
}

/** The usual case: PostgreSQL treats a single row of values as constants, and sets up a function for a list. */
const one = (
  made: Made,
  written: Written,
): Sql => sql`(values (${made.id}::text, ${made.event.kind}::text, ${made.event.id}::uuid,
  ${headOf(made, written)}::text, ${tailOf(made, written)}::text, 1))`;

function many(made: readonly Made[], written: Written): Sql {
  const each = (pick: (one: Made) => string) => made.map(pick);
  return sql`unnest(${each(({ id }) => id)}::text[], ${each(({ event }) => event.kind)}::text[], ${each(({ event }) => event.id)}::uuid[],
    ${each((one) => headOf(one, written))}::text[], ${each((one) => tailOf(one, written))}::text[]) with ordinality`;
}

/** `*`, a kind by its name, or every kind of a resource: `vehicle.*` is not `vehicle_photo.*`. */
const deliveriesOf = (realNow: Date): Sql => sql`insert into webhook_deliveries (account_id, id, webhook_id, event_id, event_type,
    created_at, next_attempt_at)
  select ${theAccount}, gen_random_uuid(), webhooks.id, given.id, given.type, ${realNow}, ${realNow}
  from given join ${own('webhooks')} on status = 'Aktif' and deleted_at is null
    and events && array['*', given.type, split_part(given.type, '.', 1) || '.*']`;

type Made = { readonly id: string; readonly event: NewEvent };

/** Up to the environment and the number, which the database inserts between head and tail. */
const headOf = ({ id, event }: Made, { accountId, now }: Written): string =>
  `{"id":"${id}","type":"${event.kind}","timestamp":"${now.toISOString()}","api_version":"v1","account_id":"${accountId}","environment":"`;

const tailOf = ({ event }: Made, { requestId }: Written): string => eventTail(event, requestId);

export function eventTail(event: NewEvent, requestId: string | null): string {
  const [kind] = event.kind.split('.');
  const resource = JSON.stringify({ kind, id: event.id, path: `/api/v1/${event.path}` });
  const tail = (data: unknown) =>
    `,"resource":${resource},"data":${JSON.stringify(data)},"request_id":${JSON.stringify(requestId)}}`;
  const { object = { id: event.id }, changed = [], previous = {} } = event;
  return (
    [
      { object, changed, previous },
      { object, changed, previous: null },
    ]
      .map(tail)
      .find((text) => Buffer.byteLength(text) < MAX_BYTES) ?? tail({ object: { id: event.id }, changed, previous: null })
  );
}
