// The initial release status of a deployment (LIVE), and the one requested at this start (--live).
import type { Config } from '../../config.ts';
import { setRelease } from '../../domain/releases/releases.ts';
import type { Db } from '../../kit/db.ts';
import type { Row } from '../../kit/endpoint.ts';
import type { Log } from '../../kit/log.ts';
import { resources } from '../../resources/index.ts';
import { CLI_ACTOR } from '../actor.ts';
import { UsageError } from '../command.ts';
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
    if (live !== 'published') log.info('LIVE concerns a fresh deployment only; use galeri release to change this one');
    return;
  }
  // A new deployment has the published status already; only changes are written and audited.
  const open = new Set(wanted.map((row) => row.id));
  await setRelease(
    db,
    wanted.filter((row) => row.body !== null),
    'Aktif',
    CLI_ACTOR,
  );
  await setRelease(
    db,
    rows.filter((row) => !open.has(row.id)),
    'Yakında',
    CLI_ACTOR,
  );
  const missing = wanted.filter((row) => row.body === null).length;
  if (missing > 0)
    log.warn(`${missing} of the rows to be opened are not built yet and stay Yakında`, { opened: wanted.length - missing });
}

/** Also called before anything is started, so that a misspelt row is refused at once. */
export function rowsFor(live: Live): Row[] {
  if (live === 'all') return [...rows];
  if (live === 'published') return rows.filter((row) => row.status === 'Aktif');
  const chosen = live.map(findRow);
  const empty = chosen.find((row) => row.body === null);
  if (empty !== undefined) throw new UsageError(`LIVE names '${empty.id}', which is not built yet`);
  return chosen;
}
