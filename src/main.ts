// The command line of the service, and its worker processes.
import cluster from 'node:cluster';
import { accountCommand, adminCommand } from './commands/account/account.ts';
import { backupCommand, restoreCommand } from './commands/backup.ts';
import { clockCommand } from './commands/clock.ts';
import type { Command } from './commands/command.ts';
import { ignoreLostReaders, runCommandLine } from './commands/command-line.ts';
import { customerCommand } from './commands/customer.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor/doctor.ts';
import { importCommand } from './commands/import.ts';
import { keyCommand } from './commands/key.ts';
import { listenCommand } from './commands/listen/listen.ts';
import { logsCommand } from './commands/logs.ts';
import { mcpCommand } from './commands/mcp.ts';
import { memberCommand } from './commands/member.ts';
import { migrateCommand } from './commands/migrate.ts';
import { platformCommand } from './commands/platform/platform.ts';
import { ratesCommand } from './commands/rates.ts';
import { releaseCommand } from './commands/release.ts';
import { sandboxCommand } from './commands/sandbox/sandbox.ts';
import { runWorkerProcess, serveCommand } from './commands/serve/serve.ts';
import { staffCommand } from './commands/staff.ts';
import { vaultCommand } from './commands/vault.ts';
import { workerCommand } from './commands/worker.ts';
import { VERSION } from './config.ts';

const COMMANDS: Readonly<Record<string, Command>> = {
  serve: serveCommand,
  worker: workerCommand,
  migrate: migrateCommand,
  doctor: doctorCommand,
  account: accountCommand,
  staff: staffCommand,
  admin: adminCommand,
  member: memberCommand,
  key: keyCommand,
  release: releaseCommand,
  import: importCommand,
  logs: logsCommand,
  listen: listenCommand,
  mcp: mcpCommand(VERSION),
  rates: ratesCommand,
  platform: platformCommand,
  customer: customerCommand,
  demo: demoCommand,
  clock: clockCommand,
  sandbox: sandboxCommand,
  vault: vaultCommand,
  backup: backupCommand,
  restore: restoreCommand,
};

const SETTINGS = `Every command takes --json (one JSON value on stdout) and reads its settings from the environment
(DATA_DIR, DATABASE_URL, …; see docs/operations.md).`;

ignoreLostReaders();

if (cluster.isWorker) {
  await runWorkerProcess();
} else {
  const about = 'galeri: vehicle stock, installment sales and collections for dealers, as an API';
  const line = { about, commands: COMMANDS, settings: SETTINGS, version: VERSION, advice: 'see galeri help' };
  await runCommandLine(line, process.argv.slice(2));
}
