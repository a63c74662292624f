// The isolated sandbox of an account (SANDBOX=isolated), as /sandbox/v1 has it for keys: the world, its clock, its messages, a reset.
import { flagField, oneOfField, required, textField } from '../domain/records/fields.ts';
import { sealingKeys } from '../domain/vault/vault.ts';
import { MESSAGE_CHANNELS, type SandboxMessage } from '../domain/worlds/messages.ts';
import type { OpenWorld } from '../domain/worlds/open-world.ts';
import { WORLD_DATA } from '../domain/worlds/world-states.ts';
import { audit } from '../domain/writes/audit.ts';
import { fail } from '../kit/errors.ts';
import { oneOfParam, paging, textParam } from '../kit/params.ts';
import { readClockTarget } from '../sandbox/clock-target.ts';
import type { SandboxRule } from '../sandbox/people/rules.ts';
import { type WorldView, worldView } from '../sandbox/world-view.ts';
import { listed, type PanelAccount, type PanelSession, panelGet, panelPost } from './kit/endpoint.ts';
import { SANDBOX_ROLES } from './kit/sandbox-rights.ts';
import type { PanelSandbox, PanelServices } from './kit/services.ts';

/** What `POST world/clock` answers. */
export interface ClockMovedView {
  readonly from: string;
  readonly to: string;
  readonly transitions: Readonly<Record<string, number>>;
  readonly events: number;
}

/** Not of a tenant's transaction: a reset replaces the data set, and a move is many transactions. */
const OF_WORLD = { who: SANDBOX_ROLES, ofOwner: true, databaseRole: 'none' } as const;

export const sandboxEndpoints = [
  panelGet('world', {
    ...OF_WORLD,
    run: async ({ services, session, account }): Promise<WorldView> =>
      worldView(services.database, await worldFor(services, session, account)),
  }),
  panelPost('world/reset', {
    ...OF_WORLD,
    bodySchema: { data: required(oneOfField(WORLD_DATA)), keep_webhooks: required(flagField) },
    run: async ({ services, account, actor, body, now, realNow }): Promise<WorldView> => {
      const sandbox = requireSandbox(services);
      await sandbox.reset(account.id, { data: body.data, keepWebhooks: body.keep_webhooks }, { now, realNow });
      await services.database.onPlatform('write', (db) =>
        audit(db, actor, 'sandbox.reset', account.id, { accountId: account.id, after: body }),
      );
      return worldView(services.database, await sandbox.worlds.of(account.id));
    },
  }),
  // Returns when everything that was due on the way is committed; GET world shows how far it is.
  panelPost('world/clock', {
    ...OF_WORLD,
    bodySchema: { advance: textField(20), to: textField(40) },
    run: async ({ services, account, actor, body }): Promise<ClockMovedView> => {
      const sandbox = requireSandbox(services);
      const world = await sandbox.worlds.of(account.id);
      const { from, to, ...happened } = await sandbox.advance(world, readClockTarget(body, world.account.timezone));
      const moved = { from: from.toISOString(), to: to.toISOString() };
      await services.database.onPlatform('write', (db) =>
        audit(db, actor, 'sandbox.clock_moved', account.id, { accountId: account.id, after: moved }),
      );
      return { ...moved, ...happened };
    },
  }),
  panelGet('world/rules', {
    ...OF_WORLD,
    run: async ({ services }): Promise<readonly SandboxRule[]> => requireSandbox(services).rules,
  }),
  panelGet('world/messages', {
    ...OF_WORLD,
    query: { ...paging, channel: oneOfParam(MESSAGE_CHANNELS), to: textParam(300) },
    run: async ({ services, session, account, query }) => {
      const { id } = await worldFor(services, session, account);
      const keys = sealingKeys(services.secrets, id);
      const found: readonly SandboxMessage[] = await services.database.inTenant(id, 'read', (db) =>
        services.sandbox!.messages(db, keys, query),
      );
      return listed(found, query);
    },
  }),
];

const requireSandbox = ({ sandbox }: PanelServices): PanelSandbox => sandbox ?? fail('sandbox_not_enabled');

/** The first look of an owner or a developer creates it; an administrator who views the account creates nothing. */
async function worldFor(services: PanelServices, { look }: PanelSession, { id }: PanelAccount): Promise<OpenWorld> {
  const { worlds } = requireSandbox(services);
  return look ? ((await worlds.find(id)) ?? fail('not_found')) : worlds.of(id);
}
