// The only file that knows the PostgreSQL driver.
import pg from 'pg';

/** One connection of its own: for migrations, locks and the change channel, never for tenant data. */
export interface Session {
  rows<T = Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]>;
  /** Called once when the connection is lost without close() having been called. */
  onLost(callback: () => void): void;
  onNotice(callback: (channel: string, payload: string) => void): void;
  close(): Promise<void>;
}

export async function openSession(url: string, options: { timeoutMs?: number } = {}): Promise<Session> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: options.timeoutMs ?? 5000 });
  let closing = false;
  let lost: (() => void) | undefined;
  client.on('error', () => {});
  client.on('end', () => {
    if (!closing) lost?.();
  });
  await client.connect();
  return {
    rows: async <T>(text: string, values: unknown[] = []) => (await client.query(text, values)).rows as T[],
    onLost: (callback) => {
      lost = callback;
    },
    onNotice: (callback) => {
      client.on('notification', (message) => callback(message.channel, message.payload ?? ''));
    },
    close: async () => {
      closing = true;
      await client.end();
    },
  };
}
