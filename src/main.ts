// The command line: finds the command, runs it, and turns whatever goes wrong into one line and an exit code.
import cluster from 'node:cluster';
import { accountCommand, adminCommand } from './commands/account.ts';
import { backupCommand, restoreCommand } from './commands/backup.ts';
import { type Command, UsageError } from './commands/command.ts';
import { customerCommand } from './commands/customer.ts';
import { demoCommand } from './commands/demo.ts';
import { importCommand } from './commands/import.ts';
import { keyCommand } from './commands/key.ts';
import { migrateCommand } from './commands/migrate.ts';
import { ratesCommand } from './commands/rates.ts';
import { releaseCommand } from './commands/release.ts';
import { runWorkerProcess, serveCommand } from './commands/serve.ts';
import { vaultCommand } from './commands/vault.ts';
import { workerCommand } from './commands/worker.ts';

const COMMANDS: Readonly<Record<string, Command>> = {
  serve: serveCommand,
  worker: workerCommand,
  migrate: migrateCommand,
  account: accountCommand,
  admin: adminCommand,
  key: keyCommand,
  release: releaseCommand,
  import: importCommand,
  rates: ratesCommand,
  customer: customerCommand,
  demo: demoCommand,
  vault: vaultCommand,
  backup: backupCommand,
  restore: restoreCommand,
};

const HELP = `galeri: vehicle stock, installment sales and collections for dealers, as an API

${Object.values(COMMANDS)
  .flatMap(({ usage }) => usage)
  .map((line) => (line.startsWith(' ') ? `         ${line}` : `  galeri ${line}`))
  .join('\n')}

Every command takes --json (one JSON value on stdout) and reads its settings from the environment
(DATA_DIR, DATABASE_URL, …; see docs/operations.md).
`;

async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(HELP);
    return name === undefined ? 1 : 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new UsageError(`there is no command "${name}"; see galeri help`);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${command.usage.map((line) => `galeri ${line}`).join('\n')}\n`);
    return 0;
  }
  return (await command.run(args)) ?? 0;
}

// The reader of our output may be gone (`| head`, a dead log collector). That is no failure, and logging it would fail again.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

if (cluster.isWorker) {
  await runWorkerProcess();
} else {
  try {
    const code = await main(process.argv.slice(2));
    // A service that ended because of a failure has already reported it.
    process.exitCode ||= code;
  } catch (error) {
    // One line that says what to do; the stack only for those who ask for it.
    const { message, stack } = error as Error;
    process.stderr.write(`galeri: ${process.env.LOG_LEVEL === 'debug' ? stack : message.split('\n')[0]}\n`);
    process.exitCode = 1;
  }
}
