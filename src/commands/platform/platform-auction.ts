// `platform auction-request`, `event`, `lot`: decides requests for a live event; plans, reschedules and cancels events; withdraws lots.
import { APPROVAL_FIELDS, approveRequest, DECISION_FIELDS, rejectRequest } from '../../domain/auctions/auction-request-writes.ts';
import { MAX_LOT_NO } from '../../domain/auctions/auction-states.ts';
import type { LiveEvent } from '../../domain/auctions/live-event.ts';
import {
  cancelEvent,
  EVENT_FIELDS,
  MOVE_FIELDS,
  moveEvent,
  planEvent,
  REASON_FIELDS,
  withdrawLot,
} from '../../domain/auctions/live-event-writes.ts';
import { readCreateBody } from '../../domain/records/body.ts';
import { type Fields, fieldContext } from '../../domain/records/fields.ts';
import { sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { accountId, type Command, integerOption, print, readOptions, required, UsageError } from '../command.ts';
import { command, type Owned, write } from './platform-write.ts';

export const AUCTION_NOUNS: Readonly<Record<string, Command>> = {
  'auction-request': command(
    [
      'platform auction-request approve ID --event ID --lot-no N [--min-increment A] [--note T]',
      'platform auction-request reject ID [--note T]',
    ],
    auctionRequest,
  ),
  event: command(
    [
      'platform event create --title T --starts-at ISO --operator ACCOUNT',
      'platform event reschedule ID --starts-at ISO',
      'platform event cancel ID [--reason T]',
    ],
    event,
  ),
  lot: command(['platform lot withdraw ID [--reason T]'], lot),
};

const requestOwner = (id: string): Owned => ({
  what: 'auction request',
  id,
  statement: sql`select account_id from auction_requests where id = ${id}`,
});
/** An event belongs to its operator, who also acts on lots of other dealers in it. */
const eventOwner = (id: string): Owned => ({
  what: 'event',
  id,
  statement: sql`select account_id from live_events where id = ${id}`,
});
const lotOperator = (id: string): Owned => ({
  what: 'lot',
  id,
  statement: sql`select operator_id as account_id from live_lots where id = ${id}`,
});

/** Omits options that were not given; the field's rule decides about missing values. */
function read<F extends Fields>({ now, account }: Work, fields: F, values: Readonly<Record<string, unknown>>) {
  const named = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  return readCreateBody(fields, named, fieldContext(now, account.timezone));
}

async function auctionRequest([act, ...args]: string[]): Promise<void> {
  if (act !== 'approve' && act !== 'reject') throw new UsageError('platform auction-request takes approve or reject');
  const options = { event: 'text', 'lot-no': 'text', 'min-increment': 'text', note: 'text' } as const;
  const { words, event: event_id, note, json, ...values } = readOptions(args, options, { min: 1, max: 1 });
  const id = words[0]!.toLowerCase();
  const approval = () => ({
    event_id: required(event_id, 'event'),
    lot_no: integerOption(required(values['lot-no'], 'lot-no'), 'lot-no', 1, MAX_LOT_NO),
    min_increment: values['min-increment'],
    note,
  });
  const named = act === 'approve' ? approval() : { note };
  const decided = await write(requestOwner(id), (work) =>
    act === 'approve'
      ? approveRequest(work, id, read(work, APPROVAL_FIELDS, named))
      : rejectRequest(work, id, read(work, DECISION_FIELDS, named).note ?? null),
  );
  print(json, decided, decided.lot_id === null ? decided.status : `${decided.status}: lot ${decided.lot_id}`);
}

const EVENT_ACTS: Readonly<Record<string, (args: string[]) => Promise<void>>> = { create, reschedule, cancel };

async function event([act = '', ...args]: string[]): Promise<void> {
  if (!Object.hasOwn(EVENT_ACTS, act)) throw new UsageError('platform event takes create, reschedule or cancel');
  return EVENT_ACTS[act]!(args);
}

const printEvent = (json: boolean, shown: LiveEvent): void =>
  print(json, shown, `${shown.title} (${shown.id}): ${shown.status}, ${shown.starts_at}, ${shown.lot_count} lots`);

async function create(args: string[]): Promise<void> {
  const options = readOptions(args, { title: 'text', 'starts-at': 'text', operator: 'text' });
  const operator = accountId(required(options.operator, 'operator'));
  const fields = { title: required(options.title, 'title'), starts_at: required(options['starts-at'], 'starts-at') };
  const shown = await write(operator, (work) => planEvent(work, read(work, EVENT_FIELDS, fields)));
  printEvent(options.json, shown);
}

async function reschedule(args: string[]): Promise<void> {
  const { words, json, ...values } = readOptions(args, { 'starts-at': 'text' }, { min: 1, max: 1 });
  const id = words[0]!.toLowerCase();
  const starts_at = required(values['starts-at'], 'starts-at');
  const shown = await write(eventOwner(id), (work) => moveEvent(work, id, read(work, MOVE_FIELDS, { starts_at }).starts_at));
  printEvent(json, shown);
}

async function cancel(args: string[]): Promise<void> {
  const { words, reason, json } = readOptions(args, { reason: 'text' }, { min: 1, max: 1 });
  const id = words[0]!.toLowerCase();
  const shown = await write(eventOwner(id), (work) =>
    cancelEvent(work, id, read(work, REASON_FIELDS, { reason }).reason ?? null),
  );
  printEvent(json, shown);
}

async function lot([act, ...args]: string[]): Promise<void> {
  if (act !== 'withdraw') throw new UsageError('platform lot takes withdraw');
  const { words, reason, json } = readOptions(args, { reason: 'text' }, { min: 1, max: 1 });
  const id = words[0]!.toLowerCase();
  const shown = await write(lotOperator(id), (work) =>
    withdrawLot(work, id, read(work, REASON_FIELDS, { reason }).reason ?? null),
  );
  print(json, shown, `lot ${shown.lot_no}: ${shown.status}`);
}
