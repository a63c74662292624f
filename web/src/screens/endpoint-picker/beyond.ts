import { mayUse } from '../../../../src/domain/identity/roles.ts';
import type { Risk, Scope } from '../../../../src/kit/endpoint.ts';
import { useSession } from '../../session.ts';

/** Whether a key's row is beyond what the person may do themselves, so that an owner has to confirm it. */
export function useBeyond(): (row: { readonly scope: Scope; readonly risk: Risk }) => boolean {
  const role = useSession().account?.role;
  return (row) => role !== undefined && !mayUse(role, row);
}
