// Parsing of settings: on and off in every usual spelling, local addresses, and when a service is private.
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';

describe.each([
  ['FOUR_EYES', 'fourEyes', true],
  ['ALLOW_LOOPBACK_TARGETS', 'loopbackTargets', false],
] as const)('%s', (name, field, normal) => {
  test.each(['on', 'true', '1', 'yes', 'ON', 'True', 'YES', ' on '])('is on with %j', (value) => {
    expect(readConfig({ [name]: value })[field]).toBe(true);
  });
  test.each(['off', 'false', '0', 'no', 'OFF', 'False', 'No'])('is off with %j', (value) => {
    expect(readConfig({ [name]: value })[field]).toBe(false);
  });
  test.each([undefined, ''])('has its default with %j', (value) => {
    expect(readConfig({ [name]: value })[field]).toBe(normal);
  });
  test.each(['maybe', '2', 'onn', 'null', '-'])('refuses %j with one line that names it', (value) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name} must be on or off (or true/false, 1/0, yes/no), not "${value}"`);
  });
});

describe('a private service', () => {
  test.each(['', '127.0.0.1', '127.9.8.7', 'localhost', 'LocalHost', '::1', '[::1]', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1'])(
    'listens on %j',
    (HOST) => {
      expect(readConfig({ HOST })).toMatchObject({ loopback: true, private: true });
    },
  );
  // Names that only start like one, short forms that readers interpret differently, and every reachable address.
  test.each([
    ...[
      '0.0.0.0',
      '::',
      '192.168.1.5',
      '127.evil.example',
      '127.0.0.1.example.com',
      'localhost.example.com',
      '127.1',
      '0x7f.0.0.1',
    ],
    ...['127.0.0.1 ', 'my-machine', '::ffff:10.0.0.1', '[::1'],
  ])('does not listen on %j', (HOST) => {
    expect(readConfig({ HOST })).toMatchObject({ loopback: false, private: false });
  });
  test('has neither PUBLIC_URL nor TRUST_PROXY', () => {
    expect(readConfig({ PUBLIC_URL: 'https://galeri.example' }).private).toBe(false);
    expect(readConfig({ PUBLIC_URL: 'http://127.0.0.1:3000' }).private).toBe(false);
    expect(readConfig({ TRUST_PROXY: '127.0.0.1' }).private).toBe(false);
    expect(readConfig({ PUBLIC_URL: '', TRUST_PROXY: '' }).private).toBe(true);
  });
});

describe('DRAIN_SECONDS', () => {
  test.each([
    [{}, 0],
    [{ PUBLIC_URL: 'https://galeri.example' }, 0],
    [{ TRUST_PROXY: '10.0.0.0/8' }, 5],
    [{ TRUST_PROXY: '10.0.0.0/8', DRAIN_SECONDS: '' }, 5],
    [{ TRUST_PROXY: '10.0.0.0/8', DRAIN_SECONDS: '0' }, 0],
    [{ DRAIN_SECONDS: '30' }, 30],
  ])('with %j is %d', (env, seconds) => {
    expect(readConfig(env).drainSeconds).toBe(seconds);
  });
});

describe('RECOVERY_DAYS', () => {
  test.each([
    [undefined, 0],
    ['', 0],
    ['0', 0],
    ['7', 7],
    ['365', 365],
  ])('with %j is %d', (RECOVERY_DAYS, days) => {
    expect(readConfig({ RECOVERY_DAYS }).recoveryDays).toBe(days);
  });
  test.each(['-1', '1.5', '366', '7d'])('refuses %j with one line that names it', (RECOVERY_DAYS) => {
    expect(() => readConfig({ RECOVERY_DAYS })).toThrow(
      `RECOVERY_DAYS must be a whole number from 0 to 365, not "${RECOVERY_DAYS}"`,
    );
  });
});

describe('TEST_CLOCK', () => {
  test.each([undefined, '', 'off', 'no', '0'])('is off with %j, on any address', (TEST_CLOCK) => {
    expect(readConfig({ TEST_CLOCK, HOST: '0.0.0.0', DATABASE_URL: 'postgres://x@y/z' }).testClock).toBe(false);
  });
  test.each(['on', 'TRUE', '1'])('is on with %j', (TEST_CLOCK) => {
    expect(readConfig({ TEST_CLOCK }).testClock).toBe(true);
  });
  test.each([
    ['2026-01-15T09:00:00Z', '2026-01-15T09:00:00.000Z'],
    ['2026-01-15T09:00:00+02:00', '2026-01-15T07:00:00.000Z'],
    [' 2026-01-15 ', '2026-01-15T00:00:00.000Z'],
    ['2099-12-31T23:59:59.999Z', '2099-12-31T23:59:59.999Z'],
  ])('starts at %j', (TEST_CLOCK, at) => {
    expect(readConfig({ TEST_CLOCK }).testClock).toEqual(new Date(at));
  });
  test.each(['2026-02-30', '2026-01-15T09:00', 'yesterday', '1999-01-01', '2200-01-01', '15.01.2026', '1768467600'])(
    'refuses %j with one line',
    (TEST_CLOCK) => {
      expect(() => readConfig({ TEST_CLOCK })).toThrow(
        `TEST_CLOCK must be on or off (or true/false, 1/0, yes/no), or an instant such as 2026-01-15T09:00:00Z`,
      );
    },
  );
  test.each([{ DATABASE_URL: 'postgres://x@y/z' }, { HOST: '0.0.0.0' }, { HOST: '::' }, { HOST: '192.168.1.5' }])(
    'is refused with %j',
    (env) => {
      for (const TEST_CLOCK of ['on', '2026-01-15T09:00:00Z'])
        expect(() => readConfig({ ...env, TEST_CLOCK })).toThrow('TEST_CLOCK is for tests and rehearsals only');
    },
  );
  test.each([
    ['PUBLIC_URL', { PUBLIC_URL: 'https://prova.example' }],
    ['TRUST_PROXY', { TRUST_PROXY: '127.0.0.1' }],
  ])('is refused with %s, which the message names', (name, env) => {
    for (const TEST_CLOCK of ['on', '2026-01-15T09:00:00Z'])
      expect(() => readConfig({ ...env, TEST_CLOCK })).toThrow(`it cannot be used with ${name}`);
    expect(readConfig({ ...env, TEST_CLOCK: 'off' }).testClock).toBe(false);
  });
});

describe('traces', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };

  test.each([{}, { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, { OTEL_SERVICE_NAME: 'galeri', OTEL_TRACES_SAMPLER: 'unknown' }])(
    'are off with %j',
    (env) => {
      expect(readConfig(env).tracing).toBeNull();
    },
  );
  test('go to the collector, all of them by default', () => {
    expect(readConfig(endpoint).tracing).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: {},
      resource: { 'service.name': 'galeri' },
      sampling: { ratio: 1, followsCaller: true },
    });
  });
  test.each([
    ['always_off', '', { ratio: 0, followsCaller: false }],
    ['traceidratio', '0.1', { ratio: 0.1, followsCaller: false }],
    ['parentbased_traceidratio', '0', { ratio: 0, followsCaller: true }],
  ])('are sampled with %s %s', (OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG, sampling) => {
    expect(readConfig({ ...endpoint, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }).tracing).toMatchObject({ sampling });
  });
  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://user:secret@collector'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key=secret%'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'api key=secret'],
    ['OTEL_RESOURCE_ATTRIBUTES', '=secret'],
    ['OTEL_TRACES_SAMPLER', 'parentbased_sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', '-1'],
  ])('%s=%s is refused with one line that names it and not its value', (name, value) => {
    const read = () => readConfig({ ...endpoint, [name]: value });
    expect(read).toThrow(new RegExp(`^${name} must[^\\n]*$`));
    expect(read).not.toThrow(/secret/);
  });
});

test.each([
  ['PORT', 'abc'],
  ['PORT', '70000'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '1'],
  ['LIVE', 'some'],
  ['DATABASE_URL', 'mysql://x'],
  ['REDIS_URL', 'localhost'],
  ['GALERI_SECRET', 'short'],
  ['WORKERS', '2'],
  ['WORKERS', '0'],
  ['DRAIN_SECONDS', '-1'],
  ['DRAIN_SECONDS', '2.5'],
  ['LOG_LEVEL', 'loud'],
  ['METRICS_PORT', '-1'],
  ['SANDBOX', 'other'],
  ['PUBLIC_URL', 'ftp://x'],
])('%s=%s is refused with one line that names it', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^[^\\n]*${name}[^\\n]*$`));
});
