// The initial release status of a deployment (LIVE), and the one requested at this start (--live).
import type { Config } from '../../config.ts';
import { setRelease } from '../../domain/releases/releases.ts';
import type { Db } from '../../kit/db.ts';
import type { Endpoint } from '../../kit/endpoint.ts';
import type { Log } from '../../kit/log.ts';
import { resources } from '../../resources/index.ts';
import { CLI_ACTOR } from '../actor.ts';
import { findEndpoint } from '../release.ts';

const endpoints: readonly Endpoint[] = resources.flatMap((resource) => resource.endpoints);

type Live = Config['live'];

export async function applyLive(
  db: Db,
  { live, flag, fresh }: { readonly live: Live; readonly flag: 'published' | 'all' | undefined; readonly fresh: boolean },
  log: Log,
): Promise<void> {
  const liveEndpoints = endpointsFor(flag ?? live);
  if (!fresh && flag === undefined) {
    if (live !== 'published') log.info('LIVE applies to a new deployment only; use galeri release to change this one');
    return;
  }
  // A new deployment has the published status already; only changes are written and audited.
  const open = new Set(liveEndpoints.map((endpoint) => endpoint.id));
  await setRelease(db, liveEndpoints, 'Aktif', CLI_ACTOR);
  await setRelease(
    db,
    endpoints.filter((endpoint) => !open.has(endpoint.id)),
    'Yakında',
    CLI_ACTOR,
  );
}

/** Also called before anything is started, so that a misspelt endpoint is refused at once. */
export function endpointsFor(live: Live): Endpoint[] {
  if (live === 'all') return [...endpoints];
  if (live === 'published') return endpoints.filter((endpoint) => endpoint.status === 'Aktif');
  return live.map(findEndpoint);
}
