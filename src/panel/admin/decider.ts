// Who decides in the panel, and what an act answers that waits for a second administrator.
import type { Decider } from '../../domain/keys/admin-decisions.ts';
import type { Administering } from './dealer-write.ts';

/** What an act answers that waits for a second administrator. */
export interface WaitsForSecond {
  readonly waits_for_second: true;
}
export const WAITS: WaitsForSecond = { waits_for_second: true };

export const deciderOf = ({ session, actor, services, realNow }: Administering & { readonly realNow: Date }): Decider => ({
  personId: session.person.id,
  actor,
  realNow,
  fourEyes: services.fourEyes,
});
