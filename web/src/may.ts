// What the signed-in person may do with catalog rows; other actions are not shown. The server checks again on every call.
import { mayUse } from '../../src/domain/identity/roles.ts';
import type { Risk, Scope } from '../../src/kit/endpoint.ts';
import { useSession } from './session.ts';

/** Whether a key's row is beyond what the person may do themselves, so that an owner has to confirm it. */
export function useBeyond(): (row: { readonly scope: Scope; readonly risk: Risk }) => boolean {
  const role = useSession().account?.role;
  return (row) => role !== undefined && !mayUse(role, row);
}

/** `useMay('vehicles:write')`; rows that delete are `destructive`. */
export function useMay(scope: Scope, risk?: Risk): boolean {
  const { account, look } = useSession();
  if (account === null) return false;
  const reads = scope.endsWith(':read');
  if (!reads && (look || account.status === 'Askıda')) return false;
  return mayUse(account.role, { scope, risk: risk ?? (reads ? 'read' : 'write') });
}
