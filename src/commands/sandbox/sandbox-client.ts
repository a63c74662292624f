// `sandbox` of the package of commands that work over HTTP: the key says whose sandbox it is.
import { type Command, UsageError } from '../command.ts';
import { type Reach, runSandbox } from './sandbox-acts.ts';
import { overHttp } from './sandbox-over-http.ts';

const reach: Reach = async (account, act) => {
  if (account !== undefined)
    throw new UsageError('--account works on the machine of the service only; here the sandbox is that of the key in GALERI_KEY');
  await overHttp(act);
};

export const sandboxClientCommand: Command = {
  usage: [
    'sandbox show',
    'sandbox reset [--data sample|empty] [--drop-webhooks]',
    'sandbox clock [30d|6h|45m|DAY|INSTANT]',
    'sandbox messages [--limit N] [--channel E-posta|WhatsApp|SMS] [--to ADDRESS]',
    '       (the sandbox key in GALERI_KEY or on stdin; the service at GALERI_URL)',
  ],
  run: (args) => runSandbox(reach, args),
};
