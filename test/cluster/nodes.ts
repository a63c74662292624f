// Two services on one database, each with connections of its own, as two processes would have them; and the cable between a
// node's change channel and the database, which can be slowed, cut and left hanging.
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../src/kit/db.ts';
import type { Resource } from '../../src/kit/endpoint.ts';
import type { Log } from '../../src/kit/log.ts';
import type { Statement } from '../../src/kit/sql.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { type TestService, testService } from '../support/service.ts';

export interface Cluster {
  readonly base: TestDatabase;
  readonly nodes: readonly [TestService, TestService];
  readonly logs: readonly [KeptLog, KeptLog];
  /** Of each node's change channel. */
  readonly cables: readonly [Cable, Cable];
  close(): Promise<void>;
}

export interface ClusterOptions {
  readonly redisUrl: string;
  readonly resources?: readonly Resource[];
  readonly watch?: (statement: Statement) => Statement;
}

export async function openCluster({ redisUrl, resources, watch }: ClusterOptions): Promise<Cluster> {
  const base = await testDatabase();
  const closing: (() => Promise<void>)[] = [base.close];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  const openNode = async (log: Log): Promise<[TestService, Cable]> => {
    const cable = await layCable(base.urls.platformUrl);
    closing.push(cable.close);
    const database: Database = openDatabase({ ...base.urls, ...(watch ? { watch } : {}) });
    closing.push(database.close);
    const shared = { ...base, database, urls: { ...base.urls, platformUrl: cable.url } };
    const service = await testService({ shared, log, env: { REDIS_URL: redisUrl }, ...(resources ? { resources } : {}) });
    closing.push(async () => {
      cable.mend();
      await service.close();
    });
    return [service, cable];
  };
  try {
    const logs = [keptLog(), keptLog()] as const;
    const [first, firstCable] = await openNode(logs[0]);
    const [second, secondCable] = await openNode(logs[1]);
    return { base, nodes: [first, second], logs, cables: [firstCable, secondCable], close };
  } catch (error) {
    await close();
    throw error;
  }
}

export interface Cable {
  /** The database's address, through the cable. */
  readonly url: string;
  /** Every byte arrives this much later, in order. */
  slow(milliseconds: number): void;
  /** Connections end, and new ones are refused. */
  cut(): void;
  /** Connections stay and nothing arrives any more, as behind a firewall that forgot them; new ones hang too. */
  hang(): void;
  /** New connections work again; those left hanging hang on. */
  mend(): void;
  /** Open now. */
  connections(): number;
  close(): Promise<void>;
}

export async function layCable(databaseUrl: string): Promise<Cable> {
  const target = new URL(databaseUrl);
  const host = decodeURIComponent(target.hostname);
  const port = Number(target.port || 5432);
  let mode: 'open' | 'cut' | 'hanging' = 'open';
  let delay = 0;
  const pairs = new Set<{ ends: [Socket, Socket]; hanging: boolean }>();
  const server = createServer((inner) => {
    if (mode === 'cut') {
      inner.destroy();
      return;
    }
    const outer = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    const pair = { ends: [inner, outer] as [Socket, Socket], hanging: mode === 'hanging' };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      // What hangs is not told that the other side is gone.
      if (pair.hanging) return;
      for (const socket of pair.ends) socket.destroy();
    };
    const carry = (from: Socket, to: Socket) => {
      from.setNoDelay(true);
      from.on('error', () => {});
      from.on('close', end);
      // One after the other, whatever the delay was changed to meanwhile.
      let carried = Promise.resolve();
      from.on('data', (bytes) => {
        const due = performance.now() + delay;
        carried = carried.then(async () => {
          if (due > performance.now()) await wait(due - performance.now());
          if (!pair.hanging && !to.destroyed) to.write(bytes);
        });
      });
    };
    carry(inner, outer);
    carry(outer, inner);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  const endAll = () => {
    for (const { ends } of pairs) for (const socket of ends) socket.destroy();
  };
  return {
    url: url.href,
    slow: (milliseconds) => {
      delay = milliseconds;
    },
    cut: () => {
      mode = 'cut';
      endAll();
    },
    hang: () => {
      mode = 'hanging';
      for (const pair of pairs) pair.hanging = true;
    },
    mend: () => {
      mode = 'open';
    },
    connections: () => pairs.size,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      endAll();
      await closed;
    },
  };
}

export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A GET with these headers and no others: fetch adds `Cache-Control: no-cache` to every conditional request. */
export function plainGet(url: string, headers: Record<string, string>): Promise<PlainAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers as Record<string, string>, text }),
      );
    });
    sent.on('error', reject).end();
  });
}

export interface KeptLog extends Log {
  readonly lines: string[];
}

export function keptLog(): KeptLog {
  const lines: string[] = [];
  const keep = (message: string, facts: Record<string, unknown> = {}) => void lines.push(`${message} ${JSON.stringify(facts)}`);
  return { lines, debug: keep, info: keep, warn: keep, error: keep };
}

export function metricOf({ service }: TestService, name: string): number {
  const line = service.parts.metrics.text().match(new RegExp(`^${name} (\\S+)$`, 'm'));
  if (line === null) throw new Error(`there is no metric ${name}`);
  return Number(line[1]);
}
