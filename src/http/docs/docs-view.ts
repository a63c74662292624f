// What every page of the reference knows about this deployment and its reader.
import type { Locale, Text } from '../../kit/errors.ts';
import type { ApiEndpoint } from '../api/api-endpoints.ts';

/** How the simulated side of a sandbox answers an act. */
export interface SandboxRuleShown {
  readonly name: Text;
  readonly decided_by: Text;
  readonly outcomes: readonly { readonly when: readonly string[]; readonly description: Text }[];
}

export interface DocsView {
  readonly endpoints: readonly ApiEndpoint[];
  /** The service's own address, and that of the API. */
  readonly base: string;
  readonly api: string;
  readonly locale: Locale;
  /** For samples that name a day to come. */
  readonly today: string;
  /** The endpoint's status on this deployment. */
  readonly isLive: (endpointId: string) => boolean;
  /** Null or absent unless SANDBOX=isolated. */
  readonly sandboxRules?: readonly SandboxRuleShown[] | null;
}
