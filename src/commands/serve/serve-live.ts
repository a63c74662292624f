// The initial release status of a deployment (LIVE), and the one requested at this start (--live).
import type { Config } from '../../config.ts';
import { setRelease } from '../../domain/releases/releases.ts';
import type { Db } from '../../kit/db.ts';
import type { Row } from '../../kit/endpoint.ts';
import type { Log } from '../../kit/log.ts';
import { resources } from '../../resources/index.ts';
import { CLI_ACTOR } from '../actor.ts';
import { findRow } from '../release.ts';

const rows: readonly Row[] = resources.flatMap((resource) => resource.rows);

type Live = Config['live'];

export async function applyLive(
  db: Db,
  { live, flag, fresh }: { readonly live: Live; readonly flag: 'published' | 'all' | undefined; readonly fresh: boolean },
  log: Log,
): Promise<void> {
  const wanted = rowsFor(flag ?? live);
  if (!fresh && flag === undefined) {
    if (live !== 'published') log.info('LIVE applies to a new deployment only; use galeri release to change this one');
    return;
  }
  // A new deployment has the published status already; only changes are written and audited.
  const open = new Set(wanted.map((row) => row.id));
  await setRelease(db, wanted, 'Aktif', CLI_ACTOR);
  await setRelease(
    db,
    rows.filter((row) => !open.has(row.id)),
    'Yakında',
    CLI_ACTOR,
  );
}

/** Also called before anything is started, so that a misspelt row is refused at once. */
export function rowsFor(live: Live): Row[] {
  if (live === 'all') return [...rows];
  if (live === 'published') return rows.filter((row) => row.status === 'Aktif');
  return live.map(findRow);
}
