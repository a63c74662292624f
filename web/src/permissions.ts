// What the signed-in person may do with catalog endpoints; other actions are not shown. The server checks again on every call.
import { mayUse } from '../../src/domain/identity/roles.ts';
import type { Risk, Scope } from '../../src/kit/endpoint.ts';
import { useSession } from './session.ts';

/** `useMay('vehicles:write')`; endpoints that delete are `destructive`. */
export function useMay(scope: Scope, risk?: Risk): boolean {
  const { account, look } = useSession();
  if (account === null) return false;
  const reads = scope.endsWith(':read');
  if (!reads && (look || account.status === 'Askıda')) return false;
  return mayUse(account.role, { scope, risk: risk ?? (reads ? 'read' : 'write') });
}
