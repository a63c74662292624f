// The isolated sandbox of an account (/sandbox/v1): reset, clock, rules, messages. Paths, bodies and replies are described by
// /sandbox/v1/openapi.json.

export interface SandboxClock {
  /** Business time in the sandbox. */
  readonly now: string;
  readonly status: 'ready' | 'advancing' | 'failed';
  readonly started_at: string;
  /** The clock cannot be moved beyond it. */
  readonly latest: string;
  /** While the clock moves, or after it failed. */
  readonly move: {
    readonly from: string | null;
    readonly to: string;
    readonly transitions: Readonly<Record<string, number>>;
  } | null;
  readonly failure: string | null;
}

export interface SandboxWorld {
  readonly id: string;
  readonly data: SandboxData;
  readonly data_version: number;
  readonly created_at: string;
  readonly last_reset_at: string | null;
  readonly clock: SandboxClock;
  readonly counts: Readonly<Record<SandboxCeiling, { readonly count: number; readonly limit: number }>>;
}

export type SandboxData = 'sample' | 'empty';
export type SandboxCeiling = 'vehicles' | 'customers' | 'sales' | 'documents' | 'file_bytes' | 'webhooks';

export interface ClockMoved {
  readonly from: string;
  readonly to: string;
  /** How many records changed, by kind of change. */
  readonly transitions: Readonly<Record<string, number>>;
  readonly events: number;
}

type Text = Readonly<Record<'en' | 'tr', string>>;

/** How the simulated side answers an act. */
export interface SandboxRule {
  readonly act: string;
  readonly name: Text;
  readonly decided_by: Text;
  readonly fields: readonly { readonly endpoint: string; readonly field: string }[];
  /** The first one whose `when` matches; the last one is for every other value. */
  readonly outcomes: readonly { readonly when: readonly string[]; readonly outcome: string; readonly description: Text }[];
}

export type SandboxChannel = 'E-posta' | 'WhatsApp' | 'SMS';

/** A mail or message that production would have sent. */
export interface SandboxMessage {
  readonly id: string;
  readonly channel: SandboxChannel;
  readonly to: string;
  readonly subject: string | null;
  readonly text: string;
  readonly about: { readonly kind: string; readonly id: string } | null;
  readonly attachments: readonly { readonly name: string; readonly type: string; readonly size_bytes: number }[];
  readonly created_at: string;
}

export interface MessageQuery {
  readonly limit?: number;
  readonly offset?: number;
  readonly channel?: SandboxChannel;
  readonly to?: string;
}

export interface ResetOptions {
  /** `sample`: cars, customers, sales and more to begin with (the default); `empty`: branches, staff, membership and wallet only. */
  readonly data?: SandboxData;
  /** Default true. */
  readonly keepWebhooks?: boolean;
}

export type SandboxSend = (path: string, input?: { query?: object; body?: object }) => Promise<{ readonly data: unknown }>;

export class Sandbox {
  readonly #send: SandboxSend;

  constructor(send: SandboxSend) {
    this.#send = send;
  }

  world(): Promise<SandboxWorld> {
    return this.#data('');
  }

  /** A new sandbox under the same keys. The old one cannot be reached any more, nor can its ids, cursors and links. */
  reset({ data = 'sample', keepWebhooks = true }: ResetOptions = {}): Promise<SandboxWorld> {
    return this.#data('/reset', { body: { data, keep_webhooks: keepWebhooks } });
  }

  clock(): Promise<SandboxClock> {
    return this.#data('/clock');
  }

  /** By a duration: `30d`, `6h`, `45m`. Returns when everything that was due on the way is committed. */
  advance(duration: string): Promise<ClockMoved> {
    return this.#data('/clock', { body: { advance: duration } });
  }

  /** To a day, which is its first moment in the dealer's time zone, or to an instant. */
  advanceTo(to: string | Date): Promise<ClockMoved> {
    return this.#data('/clock', { body: { to: typeof to === 'string' ? to : to.toISOString() } });
  }

  rules(): Promise<readonly SandboxRule[]> {
    return this.#data('/rules');
  }

  /** Newest first; the sandbox keeps the last 500. */
  messages(query: MessageQuery = {}): Promise<readonly SandboxMessage[]> {
    return this.#data('/messages', { query });
  }

  async #data<T>(path: string, input?: { query?: object; body?: object }): Promise<T> {
    return (await this.#send(path, input)).data as T;
  }
}
