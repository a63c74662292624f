// `doctor`: looks at the deployment from this machine and changes nothing. Exit 0 sound, 1 broken, 2 warnings.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '../../config.ts';
import { openEmbeddedPostgres } from '../../postgres/embedded.ts';
import { type Command, print, progress, readOptions, table } from '../command.ts';
import { checkLogDatabase } from './check-log.ts';
import { checkMachine } from './check-machine.ts';
import { checkServer } from './check-server.ts';
import { check, type Finding, oneLine } from './findings.ts';

export const doctorCommand: Command = {
  usage: ['doctor'],
  async run(args) {
    const { json } = readOptions(args, {});
    const checks = await examine();
    const state = checks.some(({ status }) => status === 'broken')
      ? 'broken'
      : checks.some(({ status }) => status === 'warning')
        ? 'warnings'
        : 'sound';
    print(json, { state, checks }, `${table(checks.map(({ name, status, detail }) => [status, name, detail]))}\n\n${state}`);
    return { sound: 0, broken: 1, warnings: 2 }[state];
  },
};

async function examine(): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    return [{ name: 'settings', status: 'broken', detail: oneLine(error) }];
  }
  const settings: Finding = { name: 'settings', status: 'ok', detail: 'all are valid' };
  const server = await examineServer(config);
  const hasArchive = () => server.some(({ name, status }) => name === 'wal_archive' && status === 'ok');
  const logs = await check('log_database', () => checkLogDatabase(config));
  return [settings, ...server, logs, ...(await checkMachine(config, hasArchive))];
}

async function examineServer(config: Config): Promise<Finding[]> {
  if (config.databaseUrl !== null) return checkServer(config.databaseUrl, config);
  if (!['postgres', 'postgres.json'].some((name) => existsSync(join(config.dataDir, name))))
    return [
      { name: 'hosts', status: 'skipped', detail: `there is no database in ${config.dataDir} yet; the first start makes it` },
    ];
  let embedded: Awaited<ReturnType<typeof openEmbeddedPostgres>>;
  try {
    embedded = await openEmbeddedPostgres({ dataDir: config.dataDir, progress });
  } catch (error) {
    return [{ name: 'hosts', status: 'broken', detail: oneLine(error) }];
  }
  try {
    return await checkServer(embedded.url, config);
  } finally {
    await embedded.close();
  }
}
