// The tool `read`: one GET of the API. A long answer is cut, with a cursor for its rest.

import { cutText } from '../../kit/text.ts';
import { type AgentRequest, callApi } from './own-call.ts';
import { isObject, type Json } from './protocol.ts';
import { answered, dataFrom, failedWith, refusalOf, type ToolResult } from './tool-result.ts';

/** About 6,000 tokens. */
const MAX_CHARS = 24_000;
const MAX_FIELDS = 50;

export interface ReadArguments {
  readonly path: string;
  readonly query: string;
  readonly fields: readonly string[] | null;
  readonly cursor: string | null;
}

/** The path after /api/v1/, also where it was sent with the prefix. */
export const pathOfArgument = (path: string): string => path.replace(/^\/?(api\/v1\/)?/, '');

/** A query of plain values; null for anything else. */
export function queryOfArgument(value: unknown): string | null {
  if (value === undefined) return '';
  if (!isObject(value)) return null;
  const pairs = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
  const plain = pairs.map(([name, one]) => [name, Array.isArray(one) ? one.join(',') : one] as const);
  if (plain.some(([, one]) => !['string', 'number', 'boolean'].includes(typeof one))) return null;
  return new URLSearchParams(Object.fromEntries(plain.map(([name, one]) => [name, String(one)]))).toString();
}

export async function read(request: AgentRequest, { path, query, fields, cursor }: ReadArguments): Promise<ToolResult> {
  const place = cursor === null ? { query, skip: 0 } : placeOf(cursor);
  if (place === null)
    return failedWith({ code: 'invalid_parameter', param: 'cursor', message: 'cursor must be next_cursor of the same read' });
  const reply = await callApi(request, { method: 'GET', path, query: place.query });
  if (reply.status >= 400) return refusalOf(reply);
  const { data } = reply.json;
  const source = `GET ${path}`;
  if (!Array.isArray(data)) return answered(oneRecord(source, pick(data, fields)));
  const next = nextQuery(reply.headers.get('link'));
  return answered(
    listed(
      source,
      data.slice(place.skip).map((item) => pick(item, fields)),
      place,
      next,
    ),
  );
}

interface Place {
  readonly query: string;
  /** Items of that page that were answered before. */
  readonly skip: number;
}

function listed(source: string, items: readonly unknown[], { query, skip }: Place, next: string | null): Json {
  let chars = 0;
  let count = 0;
  for (const item of items) {
    chars += JSON.stringify(item).length + 1;
    if (count > 0 && chars > MAX_CHARS) break;
    count += 1;
  }
  const isCut = count < items.length;
  const shown = items.slice(0, count).map((item) => shortened(item));
  const rest = isCut ? { query, skip: skip + count } : next === null ? null : { query: next, skip: 0 };
  return {
    ...dataFrom(source, shown),
    count,
    ...(rest === null ? {} : { next_cursor: Buffer.from(JSON.stringify(rest)).toString('base64url') }),
    ...(isCut ? { hint: 'The answer was cut. Repeat with cursor for the rest, or name the fields that you need.' } : {}),
  };
}

/** Fields of a long record are left out from its end, and named. */
function oneRecord(source: string, record: unknown): Json {
  const left: string[] = [];
  const shown = shortened(record, left);
  return {
    ...dataFrom(source, shown),
    ...(left.length === 0 ? {} : { left_out: left, hint: 'The record was cut. Read the fields in left_out with fields.' }),
  };
}

/** A field that does not fit is left out; one that alone is too long is cut. */
function shortened(record: unknown, left: string[] = []): unknown {
  if (!isObject(record) || JSON.stringify(record).length <= MAX_CHARS) return record;
  const entries = Object.entries(record);
  if (entries.length === 1) return { [entries[0]![0]]: cutValue(entries[0]![1]) };
  let chars = 0;
  return Object.fromEntries(
    entries.filter(([name, value]) => {
      const size = (JSON.stringify(value)?.length ?? 0) + name.length + 4;
      const isKept = chars + size <= MAX_CHARS;
      if (isKept) chars += size;
      else left.push(name);
      return isKept;
    }),
  );
}

/** At most as long as an answer may be: fields that do not fit are left out, lists and texts are cut. */
export function cutValue(value: unknown): unknown {
  if (typeof value === 'string') return value.length <= MAX_CHARS ? value : `${cutText(value, MAX_CHARS)}…`;
  if (!Array.isArray(value)) return shortened(value);
  let chars = 0;
  return value.filter((item) => {
    chars += JSON.stringify(item).length;
    return chars <= MAX_CHARS;
  });
}

function pick(record: unknown, fields: readonly string[] | null): unknown {
  if (fields === null || !isObject(record)) return record;
  return Object.fromEntries(
    fields.slice(0, MAX_FIELDS).flatMap((field) => (Object.hasOwn(record, field) ? [[field, record[field]]] : [])),
  );
}

/** The query of the next page, from the Link header. */
function nextQuery(link: string | undefined): string | null {
  const next = link?.split(', <').find((one) => one.endsWith('rel="next"'));
  return next === undefined ? null : next.slice(next.indexOf('?') + 1, next.indexOf('>'));
}

function placeOf(cursor: string): Place | null {
  try {
    const { query, skip } = JSON.parse(Buffer.from(cursor.slice(0, 4000), 'base64url').toString('utf8')) as Place;
    return typeof query === 'string' && Number.isSafeInteger(skip) && skip >= 0 ? { query, skip } : null;
  } catch {
    return null;
  }
}
