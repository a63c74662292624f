// Two services on one database with separate connections, as in two processes, and a cable from each node's change channel to the
// database.
import { request } from 'node:http';
import type { Database } from '../../src/kit/db.ts';
import type { Resource } from '../../src/kit/endpoint.ts';
import type { Log } from '../../src/kit/log.ts';
import type { Statement } from '../../src/kit/sql.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { type Cable, layCable } from '../support/cable.ts';
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

export async function metricOf({ service }: TestService, name: string): Promise<number> {
  const line = (await service.parts.metrics.text()).match(new RegExp(`^${name} (\\S+)$`, 'm'));
  if (line === null) throw new Error(`there is no metric ${name}`);
  return Number(line[1]);
}
