// `include`: records that belong to those of a reply, so that a reader needs no second request for each.
import { readAt } from '../../domain/worlds/enter-world.ts';
import { allAnswers } from '../../kit/db.ts';
import type { Body, ReplyRecord } from '../../kit/endpoint.ts';
import { fail } from '../../kit/errors.ts';
import { contextOf, type EndpointCall, type EndpointRunner, type PathParams } from './endpoint-call.ts';

/** Each record may bring many others. */
export const MAX_WITH_INCLUDE = 50;

type Values = Readonly<Record<string, unknown>>;

export const includedNames = (query: Values): readonly string[] => (query.include ?? []) as readonly string[];

/** Refuses records that the caller has no right to read, and pages that would become too large. */
export function requireIncludes({ caller }: EndpointCall, { includes = {} }: Body, query: Values): void {
  const names = includedNames(query);
  for (const name of names) caller.requires(includes[name]!.of);
  if (names.length > 0 && ((query.limit ?? 0) as number) > MAX_WITH_INCLUDE) {
    const allowed = {
      en: `a whole number from 1 to ${MAX_WITH_INCLUDE} with include`,
      tr: `include ile birlikte 1–${MAX_WITH_INCLUDE} arasında bir tam sayı`,
    };
    fail('invalid_parameter', { param: 'limit', words: { allowed } });
  }
}

/** The fields that `fields` names, and what `include` adds. */
export function jsonWithFields(query: Values, json: string): string {
  const names = query.fields as readonly string[] | undefined;
  if (names === undefined) return json;
  const kept = [...names, ...includedNames(query)];
  const records = JSON.parse(json) as readonly ReplyRecord[];
  return JSON.stringify(records.map((record) => Object.fromEntries(kept.map((name) => [name, record[name]]))));
}

export const isFreshWith = ({ fresh, includes = {} }: Body, query: Values): boolean =>
  fresh === true || includedNames(query).some((name) => includes[name]!.fresh === true);

/** The records with what was asked for: one statement for each name. */
export async function withIncluded(
  runner: EndpointRunner,
  call: EndpointCall,
  { includes = {} }: Body,
  { params, query }: { readonly params: PathParams; readonly query: Record<string, unknown> },
  records: readonly ReplyRecord[],
): Promise<readonly ReplyRecord[]> {
  const names = includedNames(query);
  if (names.length === 0 || records.length === 0) return records;
  const { dataSetId, world } = call.caller;
  const found = await runner.database.inTenant(dataSetId, 'read', (db) => {
    if (world !== null) readAt(db, world);
    const context = contextOf(runner, call, { db, params, query });
    return allAnswers(names.map((name) => includes[name]!.read(context, records)));
  });
  return records.map((record, index) => ({
    ...record,
    ...Object.fromEntries(names.map((name, place) => [name, found[place]![index]])),
  }));
}
