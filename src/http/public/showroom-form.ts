// The form about a car: the reply is the same whether the enquiry was kept or not, so that programs learn nothing from it.
import type { IncomingMessage } from 'node:http';
import { PERSON_FIELDS } from '../../domain/enquiries/enquiry.ts';
import { receiveShown } from '../../domain/enquiries/enquiry-receive.ts';
import { addressGroups } from '../../domain/net/address.ts';
import { fieldContext, missingFields, readFields } from '../../domain/records/fields.ts';
import type { Semaphore } from '../../domain/sharing/semaphore.ts';
import type { Writer } from '../../domain/writes/write.ts';
import { isUnavailable } from '../../kit/db.ts';
import { Failure, type Locale } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { Actor } from '../../kit/work.ts';
import type { Worlds } from '../api/worlds.ts';
import { createMemoryLimiter, type MemoryLimiter } from '../rate-limits/rate-limit.ts';
import type { Budgets } from '../wire/budgets.ts';
import { isOwnPage } from '../wire/own-page.ts';
import { readBody } from '../wire/request-body.ts';
import type { Finder } from './showroom-finder.ts';

const HOUR_MS = 3_600_000;
/** For an IPv4 address or an IPv6 /64, for a /56 and for a /48, so that no single customer uses up a dealer's enquiries of a day. */
const MAX_AN_HOUR = [5, 10, 20] as const;
const MAX_A_DAY = [10, 20, 40] as const;
/** A message of 500 letters, each of them nine bytes in a form. */
const MAX_FORM_BYTES = 16 * 1024;

export interface FormLimiter {
  /** Counts the form if every limit of its networks has room. */
  admit(ip: string): boolean;
  close(): Promise<void>;
}

export function createFormLimiter(now?: () => number): FormLimiter {
  const limits: readonly (readonly [MemoryLimiter, readonly number[]])[] = [
    [createMemoryLimiter(now, HOUR_MS), MAX_AN_HOUR],
    [createMemoryLimiter(now, 24 * HOUR_MS), MAX_A_DAY],
  ];
  return {
    admit: (ip) => {
      const windows = limits.flatMap(([limiter, max]) =>
        addressGroups(ip).map((network, size) => [limiter, network, max[size]!] as const),
      );
      if (!windows.every(([limiter, network, max]) => limiter.look(network, max).admitted)) return false;
      for (const [limiter, network, max] of windows) limiter.admit(network, max);
      return true;
    },
    close: async () => {
      await Promise.all(limits.map(([limiter]) => limiter.close()));
    },
  };
}

export interface FormParts {
  readonly finder: Finder;
  readonly writer: Writer;
  readonly worlds: Worlds | null;
  readonly turns: Semaphore;
  readonly budgets: Budgets;
  readonly limiter: FormLimiter;
  readonly publicUrl: () => string;
  readonly log: Log;
}

export interface FormCall {
  readonly id: string;
  readonly now: Date;
  readonly request: IncomingMessage;
  readonly network: string;
  readonly ip: string;
  readonly locale: Locale;
  readonly query: URLSearchParams;
}

/** Whether the enquiry was kept. Fails only if the service is unavailable. */
export async function receiveForm(parts: FormParts, call: FormCall, slug: string, listingId: string): Promise<boolean> {
  const { budgets, limiter, publicUrl } = parts;
  const { request, ip } = call;
  try {
    const text = await budgets.forms.during(ip, request, async () =>
      (await readBody(request, MAX_FORM_BYTES, () => {})).toString('utf8'),
    );
    const form = new URLSearchParams(text);
    if (!isOwnPage(request, publicUrl()) || form.get('website') || form.get('consent') !== 'yes') return false;
    const person = readPerson(form, call.now);
    if (person === null || !limiter.admit(ip)) return false;
    return await keep(parts, call, slug, { ...person, listingId });
  } catch (error) {
    if (isUnavailable(error) || (error instanceof Failure && error.code === 'service_unavailable')) throw error;
    parts.log.warn('an enquiry was not kept', { request_id: call.id, reason: String(error) });
    return false;
  }
}

function readPerson(form: URLSearchParams, now: Date) {
  const typed = Object.fromEntries(
    Object.keys(PERSON_FIELDS).map((name) => [name, (form.get(name) ?? '').replaceAll('\r\n', '\n').trim()]),
  );
  const input = { ...typed, message: typed.message === '' ? null : typed.message };
  const { values, errors } = readFields(PERSON_FIELDS, input, fieldContext(now, 'UTC'));
  if (errors.length > 0 || missingFields(PERSON_FIELDS, values).length > 0) return null;
  return { name: values.name!, phone: values.phone!, message: values.message ?? null };
}

type Asked = Parameters<typeof receiveShown>[1];

async function keep({ finder, writer, worlds, turns }: FormParts, call: FormCall, slug: string, asked: Asked): Promise<boolean> {
  const found = await finder.find(slug, call);
  if (found === null || found.showroom.slug !== slug) return false;
  const { dataSet, showroom, world } = found;
  const actor: Actor = {
    type: 'system',
    name: 'showroom',
    ip: call.ip,
    userAgent: call.request.headers['user-agent']?.replace(/[^\x20-\x7e]/g, '?').slice(0, 300) ?? null,
    requestId: call.id,
  };
  const account = { id: showroom.account_id, timezone: showroom.timezone };
  const write = { dataSet, account, actor, requestId: call.id, now: found.now };
  const received = await turns.take(call.network, () =>
    world === null
      ? writer.write(write, (work) => receiveShown(work, asked))
      : worlds!.write(world, (now) => writer.write({ ...write, now: now.now, world: now }, (work) => receiveShown(work, asked))),
  );
  return received !== null;
}
