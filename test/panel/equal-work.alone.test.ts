// A wrong password costs the same hash for a known and an unknown name, so that the time of the reply does not show which names exist.
import type { Argon2Parameters } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hashPassword } from '../../src/domain/identity/people.ts';
import { signIn } from '../../src/domain/identity/sign-in.ts';
import { sql } from '../../src/kit/sql.ts';
import { type TestService, testService } from '../support/service.ts';
import { newPerson } from './people.ts';

const { hashed } = vi.hoisted(() => ({ hashed: [] as { algorithm: string; given: Argon2Parameters }[] }));
// The real function, with a list of what it was called with.
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  const argon2: typeof crypto.argon2 = (algorithm, input, done) => {
    hashed.push({ algorithm, given: input });
    crypto.argon2(algorithm, input, done);
  };
  return { ...crypto, default: crypto, argon2 };
});

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const sizeOf = (bytes: unknown): number => (bytes as Buffer).length;

async function hashesOf(email: string) {
  hashed.length = 0;
  const from = { ip: '127.0.0.1', userAgent: null, requestId: 'test', device: null, local: true };
  const body = { ...from, email, password: 'yanlış bir parola' };
  expect(await signIn(service.database, body, service.clock.now())).toEqual({ token: null, wait: null });
  return hashed.map(({ algorithm, given: { message, nonce, memory, passes, parallelism, tagLength } }) => ({
    ...{ algorithm, memory, passes, parallelism, tagLength },
    ...{ message: sizeOf(message), nonce: sizeOf(nonce) },
  }));
}

test('a wrong password is hashed once and at the same cost, whether or not the name is known', async () => {
  const { email } = await newPerson(service, { accountId: await service.account() });
  // People of tests have cheap hashes; this one gets a hash as the panel makes it.
  const hash = await hashPassword('doğru bir parola', 'test');
  await service.database.onPlatform('write', (db) =>
    db.exec(sql`update people set password_hash = ${hash} where lower(email) = lower(${email})`),
  );
  const known = await hashesOf(email);
  expect(known).toHaveLength(1);
  expect(known[0]).toMatchObject({ algorithm: 'argon2id', memory: 19_456, passes: 2 });
  expect(await hashesOf('bilinmeyen@example.com')).toEqual(known);
});
