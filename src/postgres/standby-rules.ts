// Which standby is asked, and whether its answer is used.

/** `unknown`: not checked yet. `late`: more than a second older than the primary. */
export type StandbyState = 'unknown' | 'good' | 'late' | 'promoted' | 'lost';

/** What a standby shows of itself in the snapshot of a read. */
export interface Shown {
  readonly is_standby: boolean;
  /** This node's last stored heartbeat; null if the standby does not have any. */
  readonly beat: bigint | null;
  /** Of the dealer's data; null if the standby does not have the dealer. */
  readonly version: bigint | null;
}

/** Why an answer is not used. `old`: only this dealer's data is older than what the node knows. */
export type Judgement = 'promoted' | 'late' | 'old';

export interface Needed {
  readonly version: bigint;
  readonly askedAt: number;
  /** When a heartbeat was sent; undefined for one from before the channel was last lost. */
  readonly sentAt: (beat: bigint) => number | undefined;
  /** Versions noted before this moment are forgotten, so the answer must be newer than it. */
  readonly since: () => number;
}

/** Data outside a dealer's version is no older than this, like every other change that other nodes make. */
export const MAX_LAG_MS = 1000;

export function judge(
  { is_standby, beat, version }: Shown,
  { version: known, askedAt, sentAt, since }: Needed,
): Judgement | null {
  if (!is_standby) return 'promoted';
  const sent = beat === null ? undefined : sentAt(beat);
  if (sent === undefined || askedAt - sent > MAX_LAG_MS) return 'late';
  if (sent <= since() || version === null || version < known) return 'old';
  return null;
}

interface Candidate {
  state(): StandbyState;
  load(): number;
}

/** The least loaded of those in good state, in turns where several are equal; null if there is none. */
export function pickStandby<S extends Candidate>(standbys: readonly S[], turn: number): S | null {
  let best: S | null = null;
  for (let index = 0; index < standbys.length; index += 1) {
    const one = standbys[(index + turn) % standbys.length]!;
    if (one.state() === 'good' && (best === null || one.load() < best.load())) best = one;
  }
  return best;
}
