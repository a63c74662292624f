// A key's state and warnings as pure rules, so that the list, the overview and the detail agree.

export const KEY_STATES = ['active', 'expiring', 'expired', 'revoked'] as const;
export type KeyState = (typeof KEY_STATES)[number];

const DAY = 86_400_000;
/** Long enough to plan a key rotation around a holiday. */
export const EXPIRING_MS = 14 * DAY;
export const UNUSED_MS = 30 * DAY;
/** With fewer calls the error rate is not significant. */
const ENOUGH_CALLS = 20;
const TOO_MANY_ERRORS = 0.2;

export function keyState(key: { expires_at: Date | null; revoked_at: Date | null }, realNow: Date): KeyState {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at === null) return 'active';
  const left = key.expires_at.getTime() - realNow.getTime();
  return left <= 0 ? 'expired' : left <= EXPIRING_MS ? 'expiring' : 'active';
}

/** `expiring`, `unused` for a month, too many `errors` today, open to `any_address`, the `old_secret` still in use. */
export type KeyConcern = 'expiring' | 'unused' | 'errors' | 'any_address' | 'old_secret';

export interface KeyFacts {
  readonly state: KeyState;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly calls: number;
  readonly errors: number;
  readonly any_address: boolean;
  /** The old secret was still used after a rotation. */
  readonly old_secret_used: boolean;
}

/** A key that no longer works has no warnings. */
export function keyConcerns(key: KeyFacts, realNow: Date): KeyConcern[] {
  if (key.state === 'revoked' || key.state === 'expired') return [];
  const idleSince = key.last_used_at ?? key.created_at;
  const found: [KeyConcern, boolean][] = [
    ['expiring', key.state === 'expiring'],
    ['unused', realNow.getTime() - idleSince.getTime() > UNUSED_MS],
    ['errors', key.calls >= ENOUGH_CALLS && key.errors / key.calls > TOO_MANY_ERRORS],
    ['old_secret', key.old_secret_used],
    ['any_address', key.any_address],
  ];
  return found.filter(([, holds]) => holds).map(([concern]) => concern);
}
