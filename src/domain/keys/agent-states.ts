// What agents may do with a key, as the key's page shows it.

export const AGENT_ACCESS = ['off', 'read', 'write'] as const;
export type AgentAccess = (typeof AGENT_ACCESS)[number];

/** Where a person confirms a write: in the window of the client where it can ask, or only in the panel. */
export const AGENT_CONFIRMATIONS = ['client', 'panel'] as const;
export type AgentConfirmation = (typeof AGENT_CONFIRMATIONS)[number];

export const AGENT_WRITE_STATES = ['waiting', 'approved', 'rejected', 'done', 'failed'] as const;
export type AgentWriteState = (typeof AGENT_WRITE_STATES)[number];

/** Minor units as text, because JSON has no bigint. A missing currency is 0. */
export interface AgentCeiling {
  readonly call: string;
  readonly day: string;
}

export type AgentCeilings = Readonly<Partial<Record<string, AgentCeiling>>>;

/** How an agent reached the API, and who confirmed its write. */
export interface AgentVia {
  readonly channel: 'mcp';
  readonly client: string | null;
  readonly preview_id?: string;
  readonly confirmed_by?: 'token' | 'client' | 'panel';
}

/** How long a person has to decide, and how long a preview may be confirmed. */
export const APPROVAL_MINUTES = 60;
export const PREVIEW_MINUTES = 10;
