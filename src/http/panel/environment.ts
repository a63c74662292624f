// The isolated sandbox in the panel. The path of a call says in which environment it runs; the session is the same, and the person acts with
// the role that they have in the account of production.

import type { OpenWorld } from '../../domain/worlds/open-world.ts';
import { fail } from '../../kit/errors.ts';
import type { PanelAccount, PanelEndpoint, PanelSession } from '../../panel/kit/endpoint.ts';
import { mayEnterSandbox } from '../../panel/kit/sandbox-rights.ts';
import type { PanelCall, PanelParts } from './call.ts';

/** The session with the world's account. The world is created if there is none, except for an administrator who views the account. */
export async function sessionInWorld({ worlds }: PanelParts, session: PanelSession): Promise<PanelSession> {
  if (worlds === null) fail('sandbox_not_enabled');
  const { account, look } = session;
  if (account === null || !mayEnterSandbox(session)) fail('not_permitted');
  const world = look ? await worlds.find(account.id) : await worlds.of(account.id);
  return { ...session, account: accountIn(account, world ?? fail('not_found')) };
}

export const accountIn = (account: PanelAccount, world: OpenWorld): PanelAccount => ({
  ...account,
  id: world.account.id,
  timezone: world.account.timezone,
  default_currency: world.account.settings.default_currency,
  // Staff of the world are not the staff of the account.
  member_id: null,
  world,
});

/** The session with which an endpoint runs: of the account, or of its world. */
export const sessionFor = ({ session, inWorld }: PanelCall, endpoint: PanelEndpoint): PanelSession =>
  inWorld === null || endpoint.ofOwner ? session! : inWorld;

/** The world of a session, with what only requests know of it. */
export const worldOf = ({ account }: PanelSession): OpenWorld | null => (account?.world as OpenWorld | undefined) ?? null;

/** The account on whose budgets a call counts. */
export const budgetOwner = ({ account, person }: PanelSession): string => account?.world?.ownerId ?? account?.id ?? person.id;
