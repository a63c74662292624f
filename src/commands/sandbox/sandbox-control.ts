// What `sandbox` shows and does, in the form of /sandbox/v1, whether it works on the database or over HTTP.

export interface ClockShown {
  readonly now: string;
  readonly status: 'ready' | 'advancing' | 'failed';
  readonly latest: string;
  readonly move: { readonly to: string } | null;
  readonly failure: string | null;
}

export interface WorldShown {
  readonly id: string;
  readonly data: string;
  readonly data_version: number;
  readonly created_at: string;
  readonly last_reset_at: string | null;
  readonly clock: ClockShown;
  readonly counts: Readonly<Record<string, { readonly count: number; readonly limit: number }>>;
}

export interface MovedShown {
  readonly from: string;
  readonly to: string;
  readonly transitions: Readonly<Record<string, number>>;
  readonly events: number;
}

export interface MessageShown {
  readonly created_at: string;
  readonly channel: string;
  readonly to: string;
  readonly subject: string | null;
  readonly text: string;
}

export interface ResetBody {
  readonly data: 'sample' | 'empty';
  readonly keep_webhooks: boolean;
}

/** As the fields of POST /sandbox/v1/clock. */
export interface ClockBody {
  readonly advance?: string | undefined;
  readonly to?: string | undefined;
}

export interface MessageQuery {
  readonly limit: number;
  readonly channel?: 'E-posta' | 'WhatsApp' | 'SMS' | undefined;
  readonly to?: string | undefined;
}

export interface SandboxControl {
  show(): Promise<WorldShown>;
  reset(body: ResetBody): Promise<WorldShown>;
  clock(): Promise<ClockShown>;
  advance(body: ClockBody): Promise<MovedShown>;
  messages(query: MessageQuery): Promise<readonly MessageShown[]>;
}
