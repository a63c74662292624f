// Checks of what is around the service: Redis, files, disk, secrets, backups.
import { statfs } from 'node:fs/promises';
import type { Config } from '../../config.ts';
import { openFiles } from '../../domain/files/open-files.ts';
import { checkStore } from '../../domain/files/store-check.ts';
import { isLoopbackHost } from '../../domain/net/address.ts';
import { hostsIn } from '../../domain/net/database-url.ts';
import { readLastBackup } from '../last-backup.ts';
import { broken, check, type Finding, ok, skipped, warning } from './findings.ts';

const [LITTLE_BYTES, TOO_LITTLE_BYTES] = [2_000_000_000, 200_000_000];
const OLD_BACKUP_HOURS = 48;

export const checkMachine = (config: Config, hasArchive: () => boolean): Promise<Finding[]> =>
  inOrder([
    () => check('tls', () => checkTls(config)),
    () => check('redis', () => checkRedis(config)),
    () => check('files', () => checkFiles(config)),
    () => check('disk', () => checkDisk(config)),
    () => check('secret', () => checkSecret(config)),
    () => check('backup', () => checkBackup(config, hasArchive())),
  ]);

async function inOrder(checks: readonly (() => Promise<Finding>)[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const one of checks) findings.push(await one());
  return findings;
}

function checkTls({ databaseUrl }: Config) {
  if (databaseUrl === null) return skipped('the embedded PostgreSQL is on this machine');
  const mode = new URL(databaseUrl).searchParams.get('sslmode') ?? 'disable';
  const far = hostsIn(databaseUrl)
    .map((host) => new URL(`http://${decodeURIComponent(host).startsWith('/') ? 'localhost' : host}`).hostname)
    .filter((host) => !isLoopbackHost(host.replace(/^\[(.*)\]$/, '$1')));
  if (far.length === 0) return ok('the database is on this machine');
  if (mode === 'disable') return warning(`the connection to ${far.join(', ')} is not encrypted: sslmode=verify-full`);
  return mode === 'no-verify' ? warning('the certificate is not verified: sslmode=verify-full') : ok(`sslmode=${mode}`);
}

async function checkRedis({ redisUrl }: Config) {
  if (redisUrl === null)
    return skipped('REDIS_URL is not set: only one process can serve, and a restart clears the rate-limit counts');
  const { readRedisInfo } = await import('../../http/rate-limits/redis-scripts.ts');
  const info = new Map((await readRedisInfo(redisUrl)).split('\r\n').map((line) => line.split(':', 2) as [string, string]));
  const policy = info.get('maxmemory_policy');
  if (info.get('role') === 'slave') return broken('Redis is a replica and accepts no writes; set REDIS_URL to its master');
  if (policy !== undefined && policy !== 'noeviction')
    return warning(`maxmemory-policy is ${policy}: Redis may evict rate-limit counts; set noeviction`);
  if (!info.has('master_replid')) return broken('INFO has no master_replid, which nodes need to notice a restart or a failover');
  return ok(
    `Redis ${info.get('redis_version')}; it needs no persistence: after a restart or failover, nodes restore their counts`,
  );
}

async function checkFiles(config: Config) {
  const { store, incoming } = await openFiles(config);
  await checkStore(store, incoming).catch((error: Error) => {
    throw new Error(error.message.replace('S3_URL', config.s3 === null ? 'DATA_DIR/files' : 'S3_URL'));
  });
  if (config.s3 !== null) return ok('the S3 store takes, returns and deletes files');
  const text = `${config.dataDir}/files takes, returns and deletes files`;
  return config.databaseUrl === null ? ok(text) : ok(`${text}; every other machine must share this folder, or use S3_URL`);
}

async function checkDisk({ dataDir }: Config) {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  const [free, total] = [bavail * bsize, blocks * bsize];
  const text = `${(free / 1e9).toFixed(1)} of ${(total / 1e9).toFixed(1)} GB are free at ${dataDir}`;
  if (free < TOO_LITTLE_BYTES) return broken(text);
  return free < LITTLE_BYTES ? warning(text) : ok(text);
}

function checkSecret({ secret, databaseUrl, dataDir }: Config) {
  if (secret !== null) return ok('GALERI_SECRET is set');
  return databaseUrl === null
    ? ok(`in ${dataDir}/secret`)
    : warning(`the secret is only in ${dataDir}/secret; set the same GALERI_SECRET on every node`);
}

async function checkBackup(config: Config, hasArchive: boolean) {
  const last = await readLastBackup(config);
  if (last === null)
    return hasArchive
      ? skipped('WAL is archived; galeri backup of this database was not used on this machine')
      : warning('galeri backup of this database was never run on this machine, and no WAL is archived');
  const hours = Math.round((Date.now() - Date.parse(last.at)) / 3_600_000);
  const text = `${last.directory}, ${hours} hours ago`;
  return hours > OLD_BACKUP_HOURS && !hasArchive ? warning(`the last backup is old: ${text}`) : ok(text);
}
