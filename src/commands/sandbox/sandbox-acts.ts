// What `sandbox show|reset|clock|messages` read and print, on the database or over HTTP. Imports nothing of the database: the package of
// commands that work over HTTP contains it.
import { WORLD_DATA, type WorldData } from '../../domain/worlds/world-states.ts';
import { integerOption, print, readOptions, table, UsageError } from '../command.ts';
import type { ClockBody, ClockShown, MessageQuery, MovedShown, SandboxControl, WorldShown } from './sandbox-control.ts';

/** Reaches the sandbox of `--account`, or of the key. Options are checked before anything is opened. */
export type Reach = (account: string | undefined, act: (control: SandboxControl) => Promise<void>) => Promise<void>;

export async function runSandbox(reach: Reach, [act, ...args]: string[]): Promise<undefined> {
  if (act === 'show') await show(reach, args);
  else if (act === 'reset') await reset(reach, args);
  else if (act === 'clock') await clock(reach, args);
  else if (act === 'messages') await messages(reach, args);
  else throw new UsageError('sandbox takes show, reset, clock or messages');
}

async function show(reach: Reach, args: string[]): Promise<void> {
  const { account, json } = readOptions(args, { account: 'text' });
  await reach(account, async (sandbox) => {
    const world = await sandbox.show();
    print(json, world, worldText(world));
  });
}

async function reset(reach: Reach, args: string[]): Promise<void> {
  const options = readOptions(args, { account: 'text', data: 'text', 'drop-webhooks': 'flag' });
  const data = WORLD_DATA.find((one) => one === (options.data ?? 'sample')) ?? refuseData(options.data!);
  await reach(options.account, async (sandbox) => {
    const world = await sandbox.reset({ data, keep_webhooks: !options['drop-webhooks'] });
    print(options.json, world, `The sandbox was reset.\n${worldText(world)}`);
  });
}

const refuseData = (text: string): WorldData => {
  throw new UsageError(`--data must be sample or empty, not "${text}"`);
};

async function clock(reach: Reach, args: string[]): Promise<void> {
  const { account, words, json } = readOptions(args, { account: 'text' }, { max: 1 });
  const [word] = words;
  await reach(account, async (sandbox) => {
    if (word === undefined) {
      const shown = await sandbox.clock();
      print(json, shown, clockText(shown));
    } else {
      const moved = await sandbox.advance(moveOf(word));
      print(json, moved, movedText(moved));
    }
  });
}

const moveOf = (word: string): ClockBody => (/^\d+[a-z]$/.test(word) ? { advance: word } : { to: word });

const CHANNELS = ['E-posta', 'WhatsApp', 'SMS'] as const;

async function messages(reach: Reach, args: string[]): Promise<void> {
  const options = readOptions(args, { account: 'text', limit: 'text', channel: 'text', to: 'text' });
  const limit = integerOption(options.limit, 'limit', 1, 100) ?? 25;
  const query: MessageQuery = { limit, channel: channelOf(options.channel), to: options.to };
  await reach(options.account, async (sandbox) => {
    const found = await sandbox.messages(query);
    const texts = found.map(({ created_at, channel, to, subject, text }) =>
      [`${created_at}  ${channel}  ${to}`, ...(subject === null ? [] : [subject]), text].join('\n'),
    );
    print(options.json, found, texts.join('\n\n') || 'There are no messages');
  });
}

function channelOf(text: string | undefined): (typeof CHANNELS)[number] | undefined {
  const channel = CHANNELS.find((one) => one.toLowerCase() === text?.toLowerCase());
  if (text !== undefined && channel === undefined)
    throw new UsageError(`--channel must be E-posta, WhatsApp or SMS, not "${text}"`);
  return channel;
}

function worldText({ id, data, data_version, created_at, last_reset_at, clock, counts }: WorldShown): string {
  const facts = [
    ['id', id],
    ['data', `${data}, version ${data_version}`],
    ['created', created_at],
    ['last reset', last_reset_at ?? 'never'],
    ['clock', clockText(clock)],
    ...Object.entries(counts).map(([name, { count, limit }]) => [name, `${count} of ${limit}`]),
  ];
  return table(facts);
}

function clockText({ now, status, latest, move, failure }: ClockShown): string {
  if (status === 'advancing') return `${now}, moving to ${move!.to}`;
  return status === 'failed' ? `${now}, stopped: ${failure}` : `${now} (at most ${latest})`;
}

function movedText({ from, to, transitions, events }: MovedShown): string {
  const counts = Object.entries(transitions).map(([kind, count]) => [`  ${kind}`, String(count)]);
  return [`${from} → ${to}, ${events} events`, ...(counts.length > 0 ? [table(counts)] : [])].join('\n');
}
