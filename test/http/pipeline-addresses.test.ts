// Allowed addresses, and which header determines the client address.
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseRange } from '../../src/domain/net/address.ts';
import { expectRefusal } from '../contract/expect.ts';
import { send } from '../contract/wire.ts';
import { type TestService, testService } from '../support/service.ts';

const opened: TestService[] = [];
afterAll(async () => {
  for (const api of opened) await api.close();
});

async function open(env: Record<string, string>) {
  const api = await testService({ env });
  opened.push(api);
  const accountId = await api.account();
  return {
    api,
    keyFor: async (...ranges: string[]) => {
      const allowedIps = ranges.map((range) => parseRange(range)!);
      return (await api.key(accountId, { allowedIps })).secret;
    },
    ask: (key: string, forwardedFor?: string | string[], url = api.service.url) =>
      send(url, {
        target: '/api/v1/account',
        key,
        headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
      }),
  };
}

describe('with a trusted proxy', () => {
  let service: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    service = await open({ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' });
  });

  const CASES: readonly [ranges: string[], inside: string[], outside: string[]][] = [
    [['203.0.113.9'], ['203.0.113.9', '::ffff:203.0.113.9', '::ffff:cb00:7109'], ['203.0.113.8', '203.0.113.90', '2001:db8::1']],
    [['203.0.113.0/24'], ['203.0.113.0', '203.0.113.255'], ['203.0.112.255', '203.0.114.0']],
    [['203.0.113.128/25'], ['203.0.113.128'], ['203.0.113.127']],
    [['0.0.0.0/0'], ['1.2.3.4', '255.255.255.255'], ['2001:db8::1']],
    [['::/0'], ['2001:db8::1', '::2'], []],
    [['2001:db8::/32'], ['2001:db8::1', '2001:DB8:ffff:0:0:0:0:1'], ['2001:db9::1', '203.0.113.9']],
    [['2001:db8::5'], ['2001:0db8:0000:0000:0000:0000:0000:0005'], ['2001:db8::6']],
    [['::ffff:203.0.113.0/120'], ['203.0.113.7'], ['203.0.114.7']],
    [
      ['198.51.100.1', '2001:db8:1::/48'],
      ['198.51.100.1', '2001:db8:1::9'],
      ['198.51.100.2', '2001:db8:2::9'],
    ],
  ];

  test.each(CASES)('a key limited to %j accepts %j and refuses %j', async (ranges, inside, outside) => {
    const { keyFor, ask } = service;
    const key = await keyFor(...ranges);
    for (const address of inside) expect((await ask(key, address)).status, address).toBe(200);
    for (const address of outside) {
      const answer = await ask(key, address);
      expectRefusal(answer, 'ip_not_allowed');
      expect(answer.json.error.message).toContain(address);
    }
  });

  test('a key without a list accepts every address', async () => {
    const { keyFor, ask } = service;
    const key = await keyFor();
    for (const address of ['203.0.113.9', '2001:db8::1', undefined]) expect((await ask(key, address)).status).toBe(200);
  });

  test('the nearest hop that is not a proxy counts; what a caller wrote before it does not', async () => {
    const { keyFor, ask } = service;
    const key = await keyFor('203.0.113.9');
    for (const chain of [
      '203.0.113.9',
      '6.6.6.6, 203.0.113.9',
      '203.0.113.9, 10.1.2.3',
      '6.6.6.6,203.0.113.9 , 10.1.2.3,10.3.2.1',
      '203.0.113.9:55123',
      ['6.6.6.6', '203.0.113.9'],
    ]) {
      expect((await ask(key, chain)).status, String(chain)).toBe(200);
    }
    for (const [chain, seen] of [
      ['203.0.113.9, 6.6.6.6', '6.6.6.6'],
      ['203.0.113.9, unknown', '127.0.0.1'],
      ['203.0.113.9, 010.0.0.1', '127.0.0.1'],
      ['', '127.0.0.1'],
    ] as const) {
      const answer = await ask(key, chain);
      expectRefusal(answer, 'ip_not_allowed');
      expect(answer.json.error.message).toContain(` ${seen}`);
    }
  });

  test('the log has the address that counted', async () => {
    const { api, keyFor, ask } = service;
    const key = await keyFor();
    await ask(key, '6.6.6.6, 203.0.113.77');
    await ask(key, '::ffff:203.0.113.78');
    await api.logged();
    const { json } = await api.call('developer/request-logs', { key });
    expect(json.data.map((line: { ip: string }) => line.ip).sort()).toEqual(['203.0.113.77', '203.0.113.78']);
  });
});

describe('without a trusted proxy', () => {
  test('X-Forwarded-For is ignored, both to allow and to refuse', async () => {
    const { keyFor, ask } = await open({});
    const elsewhere = await keyFor('203.0.113.0/24');
    const refused = await ask(elsewhere, '203.0.113.9');
    expectRefusal(refused, 'ip_not_allowed');
    expect(refused.json.error.message).toContain('127.0.0.1');
    const here = await keyFor('127.0.0.1');
    expect((await ask(here, '203.0.113.9')).status).toBe(200);
  });
});

test('X-Forwarded-For is ignored from an address that is not the trusted proxy', async () => {
  const { keyFor, ask } = await open({ TRUST_PROXY: '10.0.0.0/8' });
  const key = await keyFor('203.0.113.0/24');
  const refused = await ask(key, '203.0.113.9');
  expectRefusal(refused, 'ip_not_allowed');
  expect(refused.json.error.message).toContain('127.0.0.1');
});

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all!.some(({ address }) => address === '::1'));

if (hasIpv6) {
  test('on a socket of both families an IPv4 caller is IPv4, an IPv6 caller IPv6', async () => {
    const { api, keyFor, ask } = await open({ HOST: '::' });
    const port = new URL(api.service.url).port;
    const four = await keyFor('127.0.0.1');
    const six = await keyFor('::1');
    expect((await ask(four, undefined, `http://127.0.0.1:${port}`)).status).toBe(200);
    expect((await ask(six, undefined, `http://[::1]:${port}`)).status).toBe(200);
    expectRefusal(await ask(four, undefined, `http://[::1]:${port}`), 'ip_not_allowed');
    expectRefusal(await ask(six, undefined, `http://127.0.0.1:${port}`), 'ip_not_allowed');
  });
}
