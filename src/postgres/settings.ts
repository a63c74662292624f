// The settings of our connections: options when one is opened, or statements where a pooler drops options.

/** TCP keepalive on both sides, so that neither keeps a dead connection: PostgreSQL's may hold locks. */
export const KEEPALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
export const SERVER_KEEPALIVE = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  // Shows whether a pooler in between drops the options of a connection.
  'galeri.options': 'on',
};
/** A statement: whether the options of this connection are in force. */
export const OPTIONS_IN_FORCE = `select current_setting('galeri.options', true) = 'on' as is`;

export const asOptions = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
export const asStatements = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join('; ');

/**
 * One connection is one processor: an account's share is counted in connections, and a page is too short for parallel workers.
 * Planned once: planning a page again for its values costs more than reading it, and its indexes serve every value. By default
 * PostgreSQL assumes that random reads cost four times as much, as on a spinning disk, and would read whole tables for a few rows.
 */
export const POOL_SETTINGS = {
  statement_timeout: '5000',
  lock_timeout: '2000',
  idle_in_transaction_session_timeout: '10000',
  plan_cache_mode: 'force_generic_plan',
  max_parallel_workers_per_gather: '0',
  random_page_cost: '1.1',
};
