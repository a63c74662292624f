// The command line: finds the command, runs it, and turns every failure into one line and an exit code.
import cluster from 'node:cluster';
import { accountCommand, adminCommand } from './commands/account.ts';
import { backupCommand, restoreCommand } from './commands/backup.ts';
import { clockCommand } from './commands/clock.ts';
import { type Command, UsageError } from './commands/command.ts';
import { customerCommand } from './commands/customer.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor/doctor.ts';
import { importCommand } from './commands/import.ts';
import { keyCommand } from './commands/key.ts';
import { listenCommand } from './commands/listen/listen.ts';
import { logsCommand } from './commands/logs.ts';
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

/** A line that begins with a blank continues the previous one. */
const usageOf = ({ usage }: Command, indent = ''): string =>
  usage.map((line) => (line.startsWith(' ') ? `${indent}       ${line}` : `${indent}galeri ${line}`)).join('\n');

const HELP = `galeri: vehicle stock, installment sales and collections for dealers, as an API

${Object.values(COMMANDS)
  .map((command) => usageOf(command, '  '))
  .join('\n')}

  galeri help COMMAND   galeri --version

Every command takes --json (one JSON value on stdout) and reads its settings from the environment
(DATA_DIR, DATABASE_URL, …; see docs/operations.md).
`;

async function main([name, ...args]: string[]): Promise<number> {
  if (name === '--version' || name === '-v' || name === 'version') return say(`${VERSION}\n`);
  if (name === undefined) {
    say(HELP);
    return 1;
  }
  if (name === 'help' || name === '--help' || name === '-h') {
    const [topic] = args;
    return say(topic === undefined ? HELP : `${usageOf(commandOf(topic))}\n`);
  }
  const command = commandOf(name);
  if (args.includes('--help') || args.includes('-h')) return say(`${usageOf(command)}\n`);
  return (await command.run(args)) ?? 0;
}

function commandOf(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new UsageError(`there is no command "${name}"; see galeri help`);
  return command;
}

function say(text: string): 0 {
  process.stdout.write(text);
  return 0;
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
