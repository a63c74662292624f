// `sandbox show|reset|clock|messages`: the isolated sandbox of an account, for operators on the database and for integrators over HTTP.
import { accountId, type Command } from '../command.ts';
import { type Reach, runSandbox } from './sandbox-acts.ts';
import { onDatabase } from './sandbox-on-database.ts';
import { overHttp } from './sandbox-over-http.ts';

const reach: Reach = (account, act) => (account === undefined ? overHttp(act) : onDatabase(accountId(account), act));

export const sandboxCommand: Command = {
  usage: [
    'sandbox show [--account ID]',
    'sandbox reset [--data sample|empty] [--drop-webhooks] [--account ID]',
    'sandbox clock [30d|6h|45m|DAY|INSTANT] [--account ID]',
    'sandbox messages [--limit N] [--channel E-posta|WhatsApp|SMS] [--to ADDRESS] [--account ID]',
    '       (with --account on the service’s database; without, over HTTP: the sandbox key in GALERI_KEY or on stdin,',
    '       the service at GALERI_URL)',
  ],
  run: (args) => runSandbox(reach, args),
};
