// Release status for administrators: demand for endpoints, which keys a release affects, and the switch itself.
import { slugOf } from '../../domain/catalog/catalog.ts';
import { addBanner, forgetEndpointBanners } from '../../domain/notifications/banner-writes.ts';
import { oneOfField, required } from '../../domain/records/fields.ts';
import { byDemand, countVotes } from '../../domain/releases/demand.ts';
import { demandByKeys, type HoldingKey, keysHolding } from '../../domain/releases/release-effect.ts';
import { mailOpened } from '../../domain/releases/release-mail.ts';
import { setRelease } from '../../domain/releases/releases.ts';
import type { Vote } from '../../domain/releases/votes.ts';
import type { Db } from '../../kit/db.ts';
import type { Status } from '../../kit/endpoint.ts';
import { fail } from '../../kit/errors.ts';
import { sql } from '../../kit/sql.ts';
import { type CatalogLine, endpointBySlug, lineOf } from '../developer/catalog.ts';
import { panelGet, panelPost } from '../kit/endpoint.ts';
import type { PanelServices, ServedEndpoint } from '../kit/services.ts';

/** A line of `GET admin/releases`, most requested first. */
export interface ReleaseLine extends CatalogLine {
  readonly votes: number;
  /** Votes of accounts that cannot go live without the endpoint. */
  readonly blocking: number;
  readonly keys: number;
  readonly accounts: number;
}

/** The answer of `GET admin/releases/{slug}`, which is read before a release. */
export interface ReleaseView extends ReleaseLine {
  readonly asks: readonly (Vote & { readonly account_id: string; readonly account: string; readonly created_at: string })[];
  readonly holding: readonly HoldingKey[];
}

export interface ReleaseResult {
  readonly status: Status;
  readonly changed: boolean;
  /** Keys that gained or lost the endpoint. */
  readonly keys: number;
  readonly accounts: number;
}

export const adminReleaseEndpoints = [
  panelGet('admin/releases', {
    who: 'admin',
    databaseRole: 'platform',
    run: async ({ db, services, realNow }): Promise<ReleaseLine[]> => {
      const release = await services.release();
      const counts = await countVotes(db);
      const demand = await demandByKeys(db, realNow);
      const lines = services.catalog.endpoints.map((endpoint) => releaseLine(lineOf(endpoint, release), counts, demand));
      const order = byDemand(counts);
      return lines.sort((one, other) => order(one.id, other.id) || other.keys - one.keys);
    },
  }),
  panelGet('admin/releases/{slug}', {
    who: 'admin',
    databaseRole: 'platform',
    run: async ({ db, params, services, realNow }): Promise<ReleaseView> => {
      const endpoint = endpointBySlug(services, params.slug);
      const release = await services.release();
      const counts = await countVotes(db);
      const demand = await demandByKeys(db, realNow);
      return {
        ...releaseLine(lineOf(endpoint, release), counts, demand),
        asks: await asksOf(db, endpoint.id),
        holding: await keysHolding(db, endpoint, release.sandboxShared, realNow),
      };
    },
  }),
  panelPost('admin/releases/{slug}', {
    who: 'admin',
    databaseRole: 'platform',
    recent: true,
    bodySchema: { status: required(oneOfField(['Aktif', 'Yakında'])) },
    run: async ({ db, params, body, services, actor, realNow }): Promise<ReleaseResult> => {
      const endpoint = endpointBySlug(services, params.slug);
      const { status } = body;
      if (status === 'Aktif' && endpoint.body === null) fail('row_not_built', { words: { endpoint: endpoint.id } });
      const changed = (await setRelease(db, [endpoint], status, actor)).length > 0;
      const notified = changed ? await notifyKeyHolders(db, services, endpoint, status, realNow) : { keys: 0, accounts: 0 };
      return { status, changed, ...notified };
    },
  }),
];

function releaseLine(
  line: CatalogLine,
  counts: Awaited<ReturnType<typeof countVotes>>,
  demand: Awaited<ReturnType<typeof demandByKeys>>,
): ReleaseLine {
  return { ...line, votes: 0, blocking: 0, keys: 0, accounts: 0, ...counts.get(line.id), ...demand.get(line.id) };
}

const asksOf = (db: Db, endpoint: string): Promise<ReleaseView['asks'][number][]> =>
  db.rows(sql`select v.account_id, a.name as account, v.use_case, v.blocks_go_live, utc_text(v.created_at) as created_at
    from endpoint_votes v join accounts a on a.id = v.account_id
    where v.endpoint = ${endpoint} order by v.blocks_go_live desc, v.created_at, v.account_id`);

/** Notifies accounts that their keys gained or lost an endpoint. */
async function notifyKeyHolders(db: Db, services: PanelServices, endpoint: ServedEndpoint, status: Status, realNow: Date) {
  await forgetEndpointBanners(db, endpoint.id, realNow);
  const { sandboxShared } = await services.release();
  const holding = (await keysHolding(db, endpoint, sandboxShared, realNow)).filter((key) => key.refused === null);
  const byAccount = Map.groupBy(holding, (key) => key.account_id);
  const kind = status === 'Aktif' ? 'row.opened' : 'row.closed';
  for (const [accountId, held] of byAccount) {
    const keys = held.map(({ id, name }) => ({ id, name }));
    await addBanner(db, accountId, { kind, data: { endpoint: endpoint.id, name: endpoint.name, keys } }, realNow);
    if (status !== 'Aktif' || !services.canMail) continue;
    const link = `${services.publicUrl()}/panel/katalog/${slugOf(endpoint.id)}`;
    const facts = { accountId, keys: keys.map(({ name }) => name) };
    await mailOpened(db, services.vault, { id: endpoint.id, name: endpoint.name, link }, facts, realNow);
  }
  return { keys: holding.length, accounts: byAccount.size };
}
