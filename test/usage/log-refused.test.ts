// Lines that PostgreSQL refuses: they are stored without the caller's texts, and never cost another dealer a line or a count.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePartitions } from '../../src/domain/usage/log-retention.ts';
import { createRequestLog, type FinishedCall, refusalText } from '../../src/http/api/request-log.ts';
import type { Database } from '../../src/kit/db.ts';
import { newId, newRequestId } from '../../src/kit/ids.ts';
import { createLog } from '../../src/kit/log.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { carConnector } from '../support/imports.ts';
import { until } from '../support/patience.ts';
import { type TestService, testService } from '../support/service.ts';
import { newDealer, openAll } from '../support/writer.ts';

const log = createLog('silent');

let service: TestService;
let admin: Session;
let accountId: string;
beforeAll(async () => {
  service = await testService();
  await openAll(service);
  admin = await openSession(service.adminUrl);
  accountId = await service.account();
});
afterAll(async () => {
  await admin?.close();
  await service?.close();
});

const newCall = (keyId: string, more: Partial<FinishedCall> = {}): FinishedCall => {
  const at = new Date();
  return {
    accountId,
    keyId,
    secretId: keyId,
    at,
    requestId: newRequestId(at.getTime()),
    method: 'GET',
    path: '/api/v1/vehicles',
    endpoint: 'GET vehicles',
    status: 200,
    errorCode: null,
    durationMs: 1.5,
    ip: '127.0.0.1',
    userAgent: null,
    responseBytes: 10,
    refusal: null,
    queryNames: null,
    via: null,
    client: null,
    ...more,
  };
};
/** As a text of which no check has thought. */
const UNSTORABLE = { path: '/api/v1/customers', refusal: '{"fields":[{"field":"\\ud83d"}]}' };
const UNKNOWN_TO_INTEGER = { responseBytes: 2 ** 40 };

const countOf = async (keyId: string) => {
  const [row] = await admin.rows(`select (select count(*)::int from request_logs where key_id = '${keyId}') as logged,
    (select coalesce(sum(calls), 0)::int from usage_calls where key_id = '${keyId}') as counted`);
  return row;
};
const both = (count: number) => ({ logged: count, counted: count });

describe('a text of a caller that ends in half a pair of surrogates', () => {
  const CUT = `${'a'.repeat(59)}😀`;
  const refusalOf = async (requestId: string) => {
    await service.logged();
    const [row] = await admin.rows<{ refusal: { fields: { field: string }[] } }>(
      `select refusal from request_logs where request_id = '${requestId}'`,
    );
    return row?.refusal.fields.map(({ field }) => field);
  };

  test('in the name of a parameter', async () => {
    const { secret } = await service.key(accountId);
    const { status, headers, json } = await service.call(`vehicles?${CUT}=1`, { key: secret });
    expect([status, json.error.param]).toEqual([400, 'a'.repeat(59)]);
    expect(await refusalOf(headers.get('x-request-id')!)).toEqual(['a'.repeat(59)]);
  });

  test('in the name of a field, and a NUL or half a pair in the name of a member', async () => {
    const dealer = await newDealer(service);
    const field = await dealer.post('vehicles', { [CUT]: 1 });
    expect(field.text.isWellFormed()).toBe(true);
    expect(field.text).not.toContain('\\ud83d');
    expect(await refusalOf(field.headers.get('x-request-id')!)).toContain('a'.repeat(59));
    const member = await dealer.post('import/connectors', carConnector({}, { 'a\u0000\ud83d': 1 }));
    expect(member.status).toBe(422);
    expect(await refusalOf(member.headers.get('x-request-id')!)).toContain('config.a??');
  });

  test('is stored for any refusal', async () => {
    const message = { en: 'half \ude00', tr: 'NUL \u0000' };
    const text = refusalText({ fields: [{ field: 'x\ud83d', code: 'unknown_field', message }] });
    const [row] = await admin.rows<{ value: unknown }>('select $1::jsonb as value', [text]);
    expect(row!.value).toEqual({
      fields: [{ field: 'x\ufffd', code: 'unknown_field', message: { en: 'half \ufffd', tr: 'NUL ?' } }],
    });
  });
});

describe('lines that are refused', () => {
  test('are stored without the texts, or dropped alone; any number of them in a batch costs no other line', async () => {
    const requestLog = createRequestLog(service.database, log);
    const [fine, unstorable, absurd] = [newId(), newId(), newId()];
    for (let time = 0; time < 60; time += 1) {
      requestLog.record(newCall(unstorable, { ...UNSTORABLE, queryNames: `x${time}`, userAgent: 'curl' }));
      for (let line = 0; line < 5; line += 1) requestLog.record(newCall(fine));
      if (time % 20 === 0) requestLog.record(newCall(absurd, UNKNOWN_TO_INTEGER));
    }
    await until(() => requestLog.flush(), 'all is written');
    expect(await countOf(fine)).toEqual(both(300));
    expect(await countOf(unstorable)).toEqual(both(60));
    expect(await countOf(absurd)).toEqual(both(0));
    expect(requestLog.dropped()).toBe(3);
    expect(
      await admin.rows(`select distinct path, endpoint, refusal, query_names, user_agent from request_logs where key_id = $1`, [
        unstorable,
      ]),
    ).toEqual([{ path: '?', endpoint: 'GET vehicles', refusal: null, query_names: null, user_agent: null }]);
    await requestLog.close();
  });

  test('are looked for in several turns, of which a stop waits for the last', async () => {
    const requestLog = createRequestLog(service.database, log);
    const [unstorable, fine] = [newId(), newId()];
    for (let time = 0; time < 300; time += 1) requestLog.record(newCall(unstorable, UNSTORABLE));
    for (let time = 0; time < 120; time += 1) requestLog.record(newCall(fine));
    expect(await requestLog.flush()).toBe(false);
    await requestLog.close();
    expect(await countOf(fine)).toEqual(both(120));
    expect(await countOf(unstorable)).toEqual(both(300));
    expect(requestLog.dropped()).toBe(0);
  });
});

describe('a fault of the whole database drops nothing', () => {
  test.each(['25006', '42P01', '42501', '40P01', 'XX000'])('%s', async (code) => {
    let isFaulty = true;
    const faulty: Database = {
      ...service.database,
      onPlatform: (access, work) =>
        isFaulty
          ? Promise.reject(Object.assign(new Error(`fault ${code}`), { code }))
          : service.database.onPlatform(access, work),
    };
    const requestLog = createRequestLog(faulty, log);
    const [stored, limited] = [newId(), newId()];
    for (let time = 0; time < 20; time += 1) {
      requestLog.record(newCall(stored));
      requestLog.record(newCall(limited, { status: 429, errorCode: 'rate_limit_exceeded' }));
    }
    expect(await requestLog.flush()).toBe(false);
    expect(requestLog.dropped()).toBe(0);
    isFaulty = false;
    expect(await requestLog.flush()).toBe(true);
    expect(await countOf(stored)).toEqual(both(20));
    expect(await countOf(limited)).toEqual({ logged: 10, counted: 20 });
    await requestLog.close();
  });

  test('counts of calls without a line', async () => {
    let isFaulty = false;
    const faulty: Database = {
      ...service.database,
      onPlatform: (access, work) =>
        isFaulty
          ? Promise.reject(Object.assign(new Error('read-only'), { code: '25006' }))
          : service.database.onPlatform(access, work),
    };
    const requestLog = createRequestLog(faulty, log);
    const limited = newId();
    const refuse = () => requestLog.record(newCall(limited, { status: 429, errorCode: 'rate_limit_exceeded' }));
    for (let time = 0; time < 10; time += 1) refuse();
    await requestLog.flush();
    isFaulty = true;
    for (let time = 0; time < 5; time += 1) refuse();
    expect(await requestLog.flush()).toBe(false);
    isFaulty = false;
    expect(await requestLog.flush()).toBe(true);
    expect(await countOf(limited)).toEqual({ logged: 10, counted: 15 });
    expect(requestLog.dropped()).toBe(0);
    await requestLog.close();
  });

  test('no partition for the day', async () => {
    const requestLog = createRequestLog(service.database, log);
    const keyId = newId();
    const days = await admin.rows<{ name: string }>(`select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'request_logs'::regclass`);
    for (const { name } of days) await admin.rows(`drop table ${name}`);
    for (let time = 0; time < 20; time += 1) requestLog.record(newCall(keyId));
    expect(await requestLog.flush()).toBe(false);
    await makePartitions(service.database, new Date());
    await until(() => requestLog.flush(), 'they are written');
    expect(await countOf(keyId)).toEqual(both(20));
    expect(requestLog.dropped()).toBe(0);
    await requestLog.close();
  });
});
