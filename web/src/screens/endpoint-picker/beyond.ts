import { mayGive } from '../../../../src/domain/identity/roles.ts';
import type { Risk, Scope } from '../../../../src/kit/endpoint.ts';
import { useSession } from '../../session.ts';

/** Whether an owner has to confirm the endpoint of a key, because it gives more than the person may do or read themselves. */
export function useBeyond(): (row: { readonly id: string; readonly scope: Scope; readonly risk: Risk }) => boolean {
  const role = useSession().account?.role;
  return (row) => role !== undefined && !mayGive(role, row);
}
