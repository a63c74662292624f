// The request log while the database does not accept it: kept, bounded, written afterwards, each line once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRequestLog, type FinishedCall, type RequestLog } from '../../src/http/api/request-log.ts';
import { rotateRequestLog } from '../../src/jobs/rotate-request-log.ts';
import type { Database } from '../../src/kit/db.ts';
import { newId, newRequestId } from '../../src/kit/ids.ts';
import type { Log } from '../../src/kit/log.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { deadline, until } from '../support/patience.ts';
import { type TestService, testService } from '../support/service.ts';

const lines: string[] = [];
const keep = (message: string) => void lines.push(message);
const log: Log = { debug: keep, info: keep, warn: keep, error: keep };

let service: TestService;
let admin: Session;
let accountId: string;
beforeAll(async () => {
  service = await testService({ log });
  admin = await openSession(service.adminUrl);
  accountId = await service.account();
});
afterAll(async () => {
  await admin?.close();
  await service?.close();
});

const countOf = async (keyId: string) => {
  const [row] = await admin.rows(`select (select count(*)::int from request_logs where key_id = '${keyId}') as logged,
    (select coalesce(sum(calls), 0)::int from usage_calls where key_id = '${keyId}') as counted,
    (select coalesce(sum(calls), 0)::int from usage_latency where key_id = '${keyId}') as measured`);
  return row;
};

function newCall(keyId: string, at = new Date()): FinishedCall {
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
  };
}

test('a flush writes what waited when it started: calls that finish during it do not prolong it', async () => {
  const keyId = newId();
  let turns = 0;
  const busy: Database = {
    ...service.database,
    onPlatform: (access, work) => {
      turns += 1;
      requestLog.record(newCall(keyId));
      return service.database.onPlatform(access, work);
    },
  };
  const requestLog: RequestLog = createRequestLog(busy, log);
  requestLog.record(newCall(keyId));
  const before = turns;
  await requestLog.flush();
  expect(turns - before).toBeLessThanOrEqual(2);
  await requestLog.close();
});

describe('a table that cannot be written', () => {
  test('requests are still answered; their lines are written afterwards, each once', async () => {
    const { id, secret } = await service.key(accountId);
    await service.call('vehicles', { key: secret });
    await service.logged();
    lines.splice(0);
    await admin.rows('begin; lock table request_logs in access exclusive mode');
    try {
      const isOver = deadline();
      let calls = 1;
      while (!lines.some((line) => line.includes('kept in memory')) && !isOver()) {
        expect((await service.call('vehicles', { key: secret })).status).toBe(200);
        calls += 1;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      expect(lines.join('\n')).toContain('the request log cannot be written; it is kept in memory');
      await admin.rows('commit');
      await until(() => lines.some((line) => line.includes('written again')), 'it is written again');
      await service.logged();
      expect(await countOf(id)).toEqual({ logged: calls, counted: calls, measured: calls });
      expect(service.service.parts.requestLog.dropped()).toBe(0);
    } finally {
      await admin.rows('rollback');
    }
  });
});

describe('a separate log', () => {
  let failWith: 'nothing' | 'before' | 'after commit' = 'nothing';
  let requestLog: RequestLog;
  beforeAll(() => {
    const flaky: Database = {
      ...service.database,
      onPlatform: async (access, work) => {
        if (failWith === 'before') throw new Error('Connection terminated unexpectedly');
        const value = await service.database.onPlatform(access, work);
        if (failWith === 'after commit') {
          failWith = 'nothing';
          throw new Error('Connection terminated unexpectedly');
        }
        return value;
      },
    };
    requestLog = createRequestLog(flaky, log);
  });
  afterAll(() => requestLog.close());

  test('while nothing can be written memory is bounded: the oldest lines are dropped, and counted', async () => {
    const keyId = newId();
    failWith = 'before';
    for (let time = 0; time < 120_000; time += 1) requestLog.record(newCall(keyId));
    await requestLog.flush();
    const dropped = requestLog.dropped();
    expect(dropped).toBeGreaterThanOrEqual(70_000);
    expect(dropped).toBeLessThanOrEqual(75_000);
    failWith = 'nothing';
    await until(async () => {
      await requestLog.flush();
      return (await countOf(keyId))!.logged === 120_000 - dropped;
    }, 'all is written');
    expect(await countOf(keyId)).toEqual({ logged: 120_000 - dropped, counted: 120_000 - dropped, measured: 120_000 - dropped });
  });

  test('after a lost reply to a commit the following lines are still written, and nothing is counted twice', async () => {
    const keyId = newId();
    for (let time = 0; time < 10; time += 1) requestLog.record(newCall(keyId));
    failWith = 'after commit';
    await requestLog.flush();
    for (let time = 0; time < 5; time += 1) requestLog.record(newCall(keyId));
    for (let time = 0; time < 3; time += 1) await requestLog.flush();
    expect(await countOf(keyId)).toEqual({ logged: 15, counted: 15, measured: 15 });
  });

  test.each(['before', 'after commit'] as const)('calls without a line are counted once, for any loss: %s', async (failure) => {
    const keyId = newId();
    const refuse = (times: number) => {
      for (let time = 0; time < times; time += 1)
        requestLog.record({ ...newCall(keyId), status: 429, errorCode: 'rate_limit_exceeded' });
    };
    refuse(10);
    await requestLog.flush();
    refuse(40);
    const droppedBefore = requestLog.dropped();
    failWith = failure;
    await requestLog.flush();
    refuse(5);
    failWith = 'nothing';
    for (let time = 0; time < 3; time += 1) await requestLog.flush();
    expect(await countOf(keyId)).toEqual({ logged: 10, counted: 55, measured: 55 });
    expect(requestLog.dropped()).toBe(droppedBefore);
  });
});

test('a line without a partition does not block the others', async () => {
  const requestLog = createRequestLog(service.database, log);
  const keyId = newId();
  await rotateRequestLog(service.database, new Date());
  // As after a clock that was far off for a moment: there is no partition for that day.
  requestLog.record(newCall(keyId, new Date(Date.now() - 60 * 86_400_000)));
  for (let time = 0; time < 5; time += 1) requestLog.record(newCall(keyId));
  for (let time = 0; time < 3; time += 1) await requestLog.flush();
  expect(await countOf(keyId)).toMatchObject({ logged: 5 });
});

test('an unavailable database does not block a stop', async () => {
  const away: Database = { ...service.database, onPlatform: () => Promise.reject(new Error('Connection terminated')) };
  const requestLog = createRequestLog(away, log);
  requestLog.record(newCall(newId()));
  await expect(requestLog.close()).resolves.toBeUndefined();
});
