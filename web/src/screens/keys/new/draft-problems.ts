// Problems of a draft by the server's field names, found while typing; the server checks again.
import { ApiError } from '../../../api.ts';
import type { keysTexts } from '../texts.ts';
import { badRanges, expiryOf, type KeyDraft } from './draft.ts';

export type Problems = Readonly<Partial<Record<ProblemField, string>>>;
const FIELDS = [
  'name',
  'expires_at',
  'limit_per_minute',
  'limit_per_hour',
  'limit_per_day',
  'allowed_ips',
  'ask_per_minute',
  'ask_reason',
] as const;
type ProblemField = (typeof FIELDS)[number];
type Words = (typeof keysTexts)['tr'];

export const FREE_PER_MINUTE = 60;
const MAX_LIMIT = 1_000_000;

const within = (text: string, min: number, max: number): boolean => Number(text) >= min && Number(text) <= max;

export function draftProblems(draft: KeyDraft, t: Words, now: number, zone: string, max = FREE_PER_MINUTE): Problems {
  const name = draft.name.trim();
  const ends = draft.expiry === 'keep' ? null : expiryOf(draft, now, zone);
  const bad = badRanges(draft.ips);
  const limit = (text: string) => (text === '' || within(text, 1, MAX_LIMIT) ? undefined : t.limitWrong);
  const found: [ProblemField, string | undefined][] = [
    ['name', name === '' ? t.nameMissing : [...name].length > 60 ? t.nameLong : undefined],
    ['expires_at', ends === undefined ? t.expiryMissing : ends !== null && ends.getTime() <= now ? t.expiryPast : undefined],
    ['limit_per_minute', within(draft.perMinute, 1, max) ? undefined : t.perMinuteWrong(max)],
    ['limit_per_hour', limit(draft.perHour)],
    ['limit_per_day', limit(draft.perDay)],
    ['allowed_ips', bad.length > 0 ? t.ipsWrong(bad.join(', ')) : undefined],
    ['ask_per_minute', draft.askMore && !within(draft.askPerMinute, FREE_PER_MINUTE + 1, MAX_LIMIT) ? t.askWrong : undefined],
    ['ask_reason', draft.askMore && draft.askReason.trim() === '' ? t.reasonMissing : undefined],
  ];
  return Object.fromEntries(found.filter(([, problem]) => problem !== undefined));
}

/** The server's errors for the same fields. */
export function problemsOf(error: unknown): Problems {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(FIELDS.map((field) => [field, error.of(field)]).filter(([, message]) => message !== undefined));
}
