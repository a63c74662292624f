// What each role may do in the panel, endpoint by endpoint of the catalog. Keys have policies of their own.
import type { Risk, SCOPE_RESOURCES, Scope } from '../../kit/endpoint.ts';

export const ROLES = ['owner', 'developer', 'finance', 'sales', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

type ScopeResource = (typeof SCOPE_RESOURCES)[number];

/** Roles besides the owner, who may do everything. A missing property means that only the owner may. */
interface Rights {
  readonly read: readonly Role[];
  readonly write?: readonly Role[];
  /** Endpoints of risk «destructive»; absent: those who may write. */
  readonly destructive?: readonly Role[];
  /** Endpoints of risk «sensitive», reads among them. */
  readonly sensitive?: readonly Role[];
}

const EVERYONE: readonly Role[] = ['developer', 'finance', 'sales', 'viewer'];
const STAFF: readonly Role[] = ['finance', 'sales', 'viewer'];
const SELLERS: readonly Role[] = ['finance', 'sales'];
const MONEY: readonly Role[] = ['finance'];
const TECHNICAL: readonly Role[] = ['developer', 'viewer'];

/** Sales runs stock, customers and its sales; finance does that and handles all money; a developer sees what an integration touches. */
const RIGHTS: Readonly<Record<ScopeResource, Rights>> = {
  account: { read: EVERYONE },
  vehicles: { read: EVERYONE, write: SELLERS },
  customers: { read: EVERYONE, write: SELLERS },
  guarantors: { read: STAFF, write: SELLERS },
  sales: { read: STAFF, write: SELLERS },
  installments: { read: STAFF, write: MONEY },
  // Sales takes money for its own sales only, without a discount (requireOwnSale).
  collections: { read: STAFF, write: SELLERS, destructive: MONEY },
  documents: { read: STAFF, write: SELLERS },
  'payment-promises': { read: STAFF, write: SELLERS },
  'promissory-notes': { read: STAFF, write: MONEY },
  tasks: { read: STAFF, write: SELLERS },
  'network-offers': { read: STAFF, write: SELLERS },
  'trade-requests': { read: STAFF, write: SELLERS },
  'network-auctions': { read: STAFF, write: SELLERS, sensitive: SELLERS },
  marketplace: { read: STAFF, write: SELLERS },
  'auction-requests': { read: STAFF, write: SELLERS },
  'live-auctions': { read: STAFF, sensitive: SELLERS },
  membership: { read: STAFF },
  wallet: { read: ['finance', 'viewer'], sensitive: MONEY },
  boost: { read: STAFF, write: SELLERS },
  notifications: { read: EVERYONE, write: EVERYONE },
  'exchange-rates': { read: EVERYONE },
  // Turnover: sales has the figures of its own sales on the home page.
  reports: { read: ['finance', 'viewer'], sensitive: MONEY },
  import: { read: TECHNICAL },
  webhooks: { read: TECHNICAL, write: ['developer'] },
  developer: { read: TECHNICAL },
};

/** A viewer cannot change anything, not even mark a notification as read, and cannot use sensitive endpoints. */
export function mayUse(role: Role, { scope, risk }: { readonly scope: Scope; readonly risk: Risk }): boolean {
  if (role === 'owner') return true;
  const [resource, act] = scope.split(':') as [ScopeResource, 'read' | 'write'];
  if (role === 'viewer' && (risk !== 'read' || act !== 'read')) return false;
  const rights = RIGHTS[resource];
  return allowedIn(rights, risk, act)?.includes(role) ?? false;
}

function allowedIn(rights: Rights, risk: Risk, act: 'read' | 'write'): readonly Role[] | undefined {
  if (risk === 'sensitive') return rights.sensitive;
  if (act === 'read') return rights.read;
  return risk === 'destructive' ? (rights.destructive ?? rights.write) : rights.write;
}

/** Endpoints by which a key gets events of every kind, also of records that its maker may not read. */
const BRINGS_EVENTS: ReadonlySet<string> = new Set([
  'POST webhooks',
  'PATCH webhooks/{webhook_id}',
  // Also the endpoint of the event stream.
  'GET webhooks/{webhook_id}/deliveries',
  'GET webhooks/{webhook_id}/deliveries/{delivery_id}',
]);

/** Whether the role may give a key this endpoint without an owner's confirmation. */
export const mayGive = (role: Role, row: { readonly id: string; readonly scope: Scope; readonly risk: Risk }): boolean =>
  mayUse(role, row) && (role === 'owner' || !BRINGS_EVENTS.has(row.id));

export const rolesFor = (row: { readonly scope: Scope; readonly risk: Risk }): Role[] =>
  ROLES.filter((role) => mayUse(role, row));
