// TLS to PostgreSQL: the certificate and the name in it are verified, against an authority of one's own if it is named.
import { execFileSync } from 'node:child_process';
import { chownSync, copyFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openSession } from '../../src/postgres/database.ts';
import { freePort } from '../support/free-port.ts';
import { asPostgres, isPostgres15Missing, type OldServer, startPostgres15 } from '../support/postgres15.ts';

describe.skipIf(isPostgres15Missing())('sslmode', () => {
  let folder: string;
  let server: OldServer;
  let port: number;
  const inFolder = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const authority = (name: string) =>
    openssl('req', '-x509', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.crt`, '-subj', `/CN=${name}`, '-days', '2');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'galeri-tls-'));
    authority('ours');
    authority('other');
    openssl('req', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=database');
    await writeFile(inFolder('names'), 'subjectAltName = DNS:localhost\n');
    const signed = ['-CA', 'ours.crt', '-CAkey', 'ours.key', '-CAcreateserial', '-extfile', 'names', '-days', '2'];
    openssl('x509', '-req', '-in', 'server.csr', '-out', 'server.crt', ...signed);
    port = await freePort();
    server = await startPostgres15({
      port,
      settings: ['ssl=on'],
      prepare: (data) => {
        for (const name of ['server.key', 'server.crt']) {
          copyFileSync(inFolder(name), join(data, name));
          const { uid, gid } = asPostgres();
          if (uid !== undefined) chownSync(join(data, name), uid, gid!);
        }
        execFileSync('chmod', ['600', join(data, 'server.key')]);
      },
    });
  });
  afterAll(async () => {
    await server?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  async function isEncrypted(host: string, query: string): Promise<boolean> {
    const url = readConfig({ DATABASE_URL: `postgresql://postgres@${host}:${port}/postgres${query}` }).databaseUrl!;
    const session = await openSession(url);
    try {
      const [row] = await session.rows<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
      return row!.ssl;
    } finally {
      await session.close();
    }
  }
  const trusting = (mode: string, name: string) => `?sslmode=${mode}&sslrootcert=${encodeURIComponent(inFolder(`${name}.crt`))}`;

  test('without it, and with disable, the connection is plain', async () => {
    expect(await isEncrypted('localhost', '')).toBe(false);
    expect(await isEncrypted('localhost', '?sslmode=disable')).toBe(false);
  });
  // The driver would accept the first two too, and warn on stderr that their meaning may change.
  test.each(['require', 'verify-ca', 'verify-full'])('%s verifies the authority and the name', async (mode) => {
    expect(await isEncrypted('localhost', trusting(mode, 'ours'))).toBe(true);
    await expect(isEncrypted('localhost', trusting(mode, 'other'))).rejects.toThrow(/certificate|signature/);
    await expect(isEncrypted('localhost', `?sslmode=${mode}`)).rejects.toThrow(/certificate/);
    await expect(isEncrypted('127.0.0.1', trusting(mode, 'ours'))).rejects.toThrow(/does not match certificate/);
  });
  test('of several hosts each is verified by its own name', async () => {
    const url = `postgresql://postgres@127.0.0.1:${port},localhost:${port}/postgres${trusting('verify-full', 'ours')}`;
    const session = await openSession(readConfig({ DATABASE_URL: url }).databaseUrl!);
    expect(await session.rows('select ssl from pg_stat_ssl where pid = pg_backend_pid()')).toEqual([{ ssl: true }]);
    await session.close();
  });
  test('no-verify only encrypts', async () => {
    expect(await isEncrypted('127.0.0.1', '?sslmode=no-verify')).toBe(true);
  });
});
