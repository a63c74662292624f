// Who has to confirm a write of an agent. Pure, so that a test walks every combination.
import type { Risk } from '../../kit/endpoint.ts';
import type { AgentCeilings } from '../keys/agent-states.ts';
import { type Amount, reachesOut } from './agent-money.ts';

export interface PlannedWrite {
  readonly endpoint: string;
  readonly risk: Risk;
  /** Null where it is not known. */
  readonly money: readonly Amount[] | null;
}

/** Why a person has to confirm; null if the token of the preview is enough. */
export type PersonReason = 'risk' | 'money' | 'reaches_out';

export function personReason({ endpoint, risk, money }: PlannedWrite, ceilings: AgentCeilings): PersonReason | null {
  if (risk !== 'write') return 'risk';
  if (reachesOut(endpoint)) return 'reaches_out';
  if (money === null || money.some(({ currency, minor }) => minor > ceilingOf(ceilings, currency, 'call'))) return 'money';
  return null;
}

export function ceilingOf(ceilings: AgentCeilings, currency: string, span: 'call' | 'day'): bigint {
  const text = ceilings[currency]?.[span];
  return text !== undefined && /^\d{1,14}$/.test(text) ? BigInt(text) : 0n;
}
