// `sandbox --account ID`: for operators, on the database of the service, whether it runs or not.
import type { Config } from '../../config.ts';
import { findAccount } from '../../domain/accounts/accounts.ts';
import { databaseClock } from '../../domain/clock/database-clock.ts';
import { openFiles } from '../../domain/files/open-files.ts';
import { sealingKeys } from '../../domain/vault/vault.ts';
import { findOpenWorld, type OpenWorld } from '../../domain/worlds/open-world.ts';
import { audit } from '../../domain/writes/audit.ts';
import { Failure, messageOf } from '../../kit/errors.ts';
import type { Connected } from '../../postgres/connect.ts';
import { readClockTarget } from '../../sandbox/clock-target.ts';
import { openSandbox } from '../../sandbox/open-sandbox.ts';
import { clockView, worldView } from '../../sandbox/world-view.ts';
import { CLI_ACTOR } from '../actor.ts';
import { UsageError } from '../command.ts';
import { openWriter, withDatabase } from '../with-database.ts';
import type { SandboxControl } from './sandbox-control.ts';

export async function onDatabase(ownerId: string, act: (control: SandboxControl) => Promise<void>): Promise<void> {
  try {
    await withDatabase(async (connected, config) => act(await openControl(connected, config, ownerId)));
  } catch (error) {
    throw error instanceof Failure ? new UsageError(refusalText(error)) : error;
  }
}

function refusalText({ code, facts }: Failure): string {
  const fields = (facts.details ?? []).map(({ message }) => (typeof message === 'string' ? message : message.en));
  return [messageOf(code, facts, 'en'), ...fields].join('; ');
}

async function openControl(connected: Connected, config: Config, ownerId: string): Promise<SandboxControl> {
  const { database, secrets } = connected;
  if (config.sandbox !== 'isolated')
    throw new UsageError('accounts have no sandbox of their own: set SANDBOX=isolated for this command and the service');
  if ((await database.onPlatform('read', (db) => findAccount(db, ownerId))) === null)
    throw new UsageError(`there is no account ${ownerId}; see galeri account list`);
  const clock = await databaseClock(database);
  const publicUrl = () => config.publicUrl ?? `http://${config.host}:${config.port}`;
  const sandbox = openSandbox({ writer: openWriter(connected, config, clock), files: () => openFiles(config), publicUrl });
  const world = async (): Promise<OpenWorld> => {
    const found = await database.onPlatform('read', (db) => findOpenWorld(db, ownerId));
    if (found === null)
      throw new UsageError(`account ${ownerId} has no sandbox yet; galeri sandbox reset --account ${ownerId} makes one`);
    return found;
  };
  const logged = (action: string, after: Record<string, unknown>) =>
    database.onPlatform('write', (db) => audit(db, CLI_ACTOR, action, ownerId, { accountId: ownerId, after }));
  return {
    show: async () => worldView(database, await world()),
    reset: async ({ data, keep_webhooks: keepWebhooks }) => {
      await sandbox.reset(ownerId, { data, keepWebhooks }, clock.times());
      await logged('sandbox.reset', { data, keep_webhooks: keepWebhooks });
      return worldView(database, await world());
    },
    clock: async () => clockView(database, await world()),
    advance: async (body) => {
      const found = await world();
      const { from, to, ...happened } = await sandbox.advance(found, readClockTarget(body, found.account.timezone));
      const moved = { from: from.toISOString(), to: to.toISOString() };
      await logged('sandbox.clock_moved', moved);
      return { ...moved, ...happened };
    },
    messages: async (query) => {
      const { id } = await world();
      const keys = sealingKeys(secrets, id);
      const found = await database.inTenant(id, 'read', (db) => sandbox.messages(db, keys, { ...query, offset: 0 }));
      return found.slice(0, query.limit);
    },
  };
}
