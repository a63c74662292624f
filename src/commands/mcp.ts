// `galeri mcp`: the tools of /mcp on standard input and output, for clients on a desktop that start a program.
import { type Command, readOptions, UsageError } from './command.ts';
import { runBridge } from './mcp-calls.ts';
import { serviceAddress } from './service-key.ts';

export const mcpCommand = (version: string): Command => ({
  usage: [
    'mcp [--readonly]',
    '       (the tools for AI agents on stdin and stdout; the key in GALERI_KEY, the service at GALERI_URL)',
  ],
  run: async (args) => {
    const { readonly: isReadOnly } = readOptions(args, { readonly: 'flag' });
    const key = process.env.GALERI_KEY?.trim() ?? '';
    if (key === '') throw new UsageError('the key is missing: set GALERI_KEY');
    const { stdin: input, stdout: output } = process;
    await runBridge({ url: serviceAddress(), key, isReadOnly, input, output, userAgent: `galeri-mcp/${version}` });
    return undefined;
  },
});
