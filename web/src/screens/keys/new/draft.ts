// The draft of a new key, kept in this tab so that a reload or a visit to the catalog loses nothing. It never contains a secret.
import { useEffect, useState } from 'react';
import { parseRange } from '../../../../../src/domain/net/address.ts';
import { endOf } from '../../../../../src/kit/clock.ts';

/** `keep`: leaves the expiry of an existing key unchanged. */
export type ExpiryChoice = 'keep' | 'none' | '30' | '90' | '365' | 'date';

export interface KeyDraft {
  readonly name: string;
  readonly environment: 'production' | 'sandbox';
  readonly endpoints: readonly string[];
  readonly expiry: ExpiryChoice;
  /** A day in the account's time zone; the key works until its end. */
  readonly expiryDay: string;
  readonly perMinute: string;
  readonly perHour: string;
  readonly perDay: string;
  /** One address per line. */
  readonly ips: string;
  /** Requests a limit above the free one from the administrator. */
  readonly askMore: boolean;
  readonly askPerMinute: string;
  readonly askReason: string;
}

export const EMPTY_DRAFT: KeyDraft = {
  name: '',
  environment: 'production',
  endpoints: [],
  expiry: 'none',
  expiryDay: '',
  perMinute: '60',
  perHour: '',
  perDay: '',
  ips: '',
  askMore: false,
  askPerMinute: '',
  askReason: '',
};

const PLACE = 'galeri.key-draft';

/** Each account has its own draft. */
export function useDraft(accountId: string) {
  const place = `${PLACE}.${accountId}`;
  const [draft, setDraft] = useState<KeyDraft>(() => ({ ...EMPTY_DRAFT, ...kept(place) }));
  useEffect(() => {
    if (draft === EMPTY_DRAFT) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, JSON.stringify(draft));
  }, [draft, place]);
  const change = (changes: Partial<KeyDraft>) => setDraft((present) => ({ ...present, ...changes }));
  return { draft, change, clear: () => setDraft(EMPTY_DRAFT) };
}

function kept(place: string): Partial<KeyDraft> {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? '{}') as Partial<KeyDraft>;
  } catch {
    return {};
  }
}

const DAY = 86_400_000;

/** The expiry; null for never, undefined while the day is missing or wrong. */
export function expiryOf({ expiry, expiryDay }: Pick<KeyDraft, 'expiry' | 'expiryDay'>, now: number, zone: string) {
  if (expiry === 'none' || expiry === 'keep') return null;
  if (expiry !== 'date') return new Date(now + Number(expiry) * DAY);
  return /^\d{4}-\d\d-\d\d$/.test(expiryDay) ? endOf({ day: expiryDay }, zone) : undefined;
}

export const linesOf = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((line) => line.trim())
    .filter(Boolean);

export const badRanges = (text: string): string[] => linesOf(text).filter((line) => parseRange(line) === null);

export const numberOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text));
