// The commands of the service that work over HTTP, for machines of integrators.
import { readFileSync } from 'node:fs';
import { type CommandLine, ignoreLostReaders, runCommandLine } from '../../../src/commands/command-line.ts';
import { listenCommand } from '../../../src/commands/listen/listen.ts';
import { logsClientCommand } from '../../../src/commands/logs-client.ts';
import { mcpCommand } from '../../../src/commands/mcp.ts';
import { sandboxClientCommand } from '../../../src/commands/sandbox/sandbox-client.ts';

/** Beside the folder of this file, and of the built one. */
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

const LINE: CommandLine = {
  about: 'galeri: commands for integrators of the Galeri API',
  commands: {
    listen: listenCommand,
    logs: logsClientCommand(version),
    sandbox: sandboxClientCommand,
    mcp: mcpCommand(version),
  },
  settings: `GALERI_URL is the address of the service (default http://127.0.0.1:3000), GALERI_KEY the API key.
All commands but mcp take --json (JSON on stdout).`,
  version,
  advice: 'this package has listen, logs, sandbox and mcp; all others are run on the machine of the service',
};

ignoreLostReaders();
await runCommandLine(LINE, process.argv.slice(2));
