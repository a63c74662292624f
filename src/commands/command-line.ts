// A command line: finds the command, runs it, and turns every failure into one line and an exit code. Of the service (`main.ts`), and of the
// package of commands that work over HTTP (`sdk/cli`).
import { type Command, UsageError } from './command.ts';

export interface CommandLine {
  /** The first line of the help. */
  readonly about: string;
  readonly commands: Readonly<Record<string, Command>>;
  /** The last lines of the help. */
  readonly settings: string;
  readonly version: string;
  /** After «there is no command …». */
  readonly advice: string;
}

/** Sets the exit code. */
export async function runCommandLine(line: CommandLine, args: string[]): Promise<void> {
  try {
    const code = await runCommand(line, args);
    // A service that ended because of a failure has already reported it.
    process.exitCode ||= code;
  } catch (error) {
    // One line that says what to do; the stack only for those who ask for it.
    const { message, stack } = error as Error;
    process.stderr.write(`galeri: ${process.env.LOG_LEVEL === 'debug' ? stack : message.split('\n')[0]}\n`);
    process.exitCode = 1;
  }
}

/** The reader of our output may be gone (`| head`, a dead log collector). That is no failure, and logging it would fail again. */
export function ignoreLostReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

async function runCommand(line: CommandLine, [name, ...args]: string[]): Promise<number> {
  if (name === '--version' || name === '-v' || name === 'version') return say(`${line.version}\n`);
  if (name === undefined) {
    say(helpOf(line));
    return 1;
  }
  if (name === 'help' || name === '--help' || name === '-h') {
    const [topic] = args;
    return say(topic === undefined ? helpOf(line) : `${usageOf(commandOf(line, topic))}\n`);
  }
  const command = commandOf(line, name);
  if (args.includes('--help') || args.includes('-h')) return say(`${usageOf(command)}\n`);
  return (await command.run(args)) ?? 0;
}

const helpOf = ({ about, commands, settings }: CommandLine): string => `${about}

${Object.values(commands)
  .map((command) => usageOf(command, '  '))
  .join('\n')}

  galeri help COMMAND   galeri --version

${settings}
`;

/** A line that begins with a blank continues the previous one. */
const usageOf = ({ usage }: Command, indent = ''): string =>
  usage.map((line) => (line.startsWith(' ') ? `${indent}       ${line}` : `${indent}galeri ${line}`)).join('\n');

function commandOf({ commands, advice }: CommandLine, name: string): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(`there is no command "${name}"; ${advice}`);
  return command;
}

function say(text: string): 0 {
  process.stdout.write(text);
  return 0;
}
