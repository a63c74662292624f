// A key's endpoints are bounded by what its maker may do in the panel; roles.ts is the only source of both.
import { mayGive, type Role } from '../../domain/identity/roles.ts';
import { askForEndpoints, confirmedEndpoints } from '../../domain/keys/key-endpoint-requests.ts';
import { addBanner } from '../../domain/notifications/banner-writes.ts';
import type { Actor } from '../../domain/writes/audit.ts';
import { fail } from '../../kit/errors.ts';
import { sql } from '../../kit/sql.ts';
import type { PanelServices } from '../kit/services.ts';
import type { Asking } from './key-confirmation.ts';

/** The endpoints that this role may not give, because it may not use them itself or they bring events that it may not read. */
export function endpointsBeyond(services: Pick<PanelServices, 'catalog'>, role: Role, endpoints: readonly string[]): string[] {
  return endpoints.filter((id) => {
    const endpoint = services.catalog.byId.get(id);
    return endpoint === undefined || !mayGive(role, endpoint);
  });
}

/** Splits the endpoints: those that the person gives, and those that an owner has to confirm; refused where they did not ask for that. */
export function splitEndpoints(
  { services, account }: Asking,
  endpoints: readonly string[],
  asksOwner: boolean | undefined,
): { readonly granted: string[]; readonly requested: string[] } {
  const beyond = new Set(endpointsBeyond(services, account.role, endpoints));
  if (beyond.size > 0 && asksOwner !== true) fail('not_permitted');
  return { granted: endpoints.filter((id) => !beyond.has(id)), requested: [...beyond] };
}

/** Asks the owners, who see it as a banner. */
export async function askOwners(
  { db, account, session, realNow, actor }: Asking & { readonly actor: Actor },
  key: { readonly id: string; readonly name: string },
  endpoints: readonly string[],
): Promise<void> {
  if (endpoints.length === 0) return;
  await askForEndpoints(db, { accountId: account.id, keyId: key.id, endpoints }, session.person.id, actor, realNow);
  const owners = await db.rows<{ person_id: string }>(sql`select person_id from members
    where account_id = ${account.id} and role = 'owner' and active and person_id is not null`);
  const data = { key, rows: endpoints.length, by: session.person.full_name };
  for (const { person_id } of owners) await addBanner(db, account.id, { kind: 'keys.rows_requested', data }, realNow, person_id);
}

/** The secret gives access to every endpoint of the key: a role gets it only for endpoints that it may use or that an owner confirmed. */
export async function requireRightsOf({ db, services, account }: Asking, keyId: string, held: readonly string[]): Promise<void> {
  const beyond = endpointsBeyond(services, account.role, held);
  if (beyond.length === 0) return;
  const confirmed = await confirmedEndpoints(db, account.id, keyId);
  if (!beyond.every((id) => confirmed.has(id))) fail('not_permitted');
}
