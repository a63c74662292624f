// The fields of a key in the panel, and the rules that involve more than one field.
import { formatRange, parseRange } from '../../domain/net/address.ts';
import {
  flagField,
  instantField,
  integerField,
  listField,
  nullable,
  oneOfField,
  required,
  textField,
  uuidField,
} from '../../domain/records/fields.ts';
import type { Locale } from '../../kit/errors.ts';
import { refuseField } from './key-confirmation.ts';

/** A higher limit has to be approved by an administrator. */
export const FREE_PER_MINUTE = 60;
export const MAX_LIMIT = 1_000_000;
export const MAX_ADDRESSES = 100;
/** How many seconds a replaced secret stays valid. */
export const OVERLAPS = [0, 3600, 86_400, 604_800] as const;

const rangeField = textField(50, {
  tidy: (text) => {
    const range = parseRange(text);
    return range === null ? null : formatRange(range);
  },
  allowed: {
    en: 'addresses or CIDR ranges such as 203.0.113.7 or 2001:db8::/32, without bits beyond the prefix',
    tr: '203.0.113.7 ya da 2001:db8::/32 gibi adres veya CIDR aralıkları; ön ekin dışında bit olmadan',
  },
});

const limitField = integerField(1, MAX_LIMIT);

const SETTINGS = {
  expires_at: nullable(instantField),
  limit_per_hour: nullable(limitField),
  limit_per_day: nullable(limitField),
  allowed_ips: listField(rangeField, MAX_ADDRESSES),
};

const CONFIRMATIONS = { accepts_destructive: flagField, typed_name: textField(60) };
/** Endpoints that the person may not use themselves are requested from the owner instead of refused. */
const ASKS = { ask_owner: flagField };
const endpointsField = required(listField(textField(120), 1000, 1));

export const NEW_KEY = {
  ...SETTINGS,
  ...CONFIRMATIONS,
  ...ASKS,
  name: required(textField(60)),
  environment: required(oneOfField(['production', 'sandbox'])),
  endpoints: endpointsField,
  limit_per_minute: integerField(1, FREE_PER_MINUTE),
  /** A limit above the free one: the key is created with the free limit, and this is requested from the administrator. */
  ask_per_minute: nullable(integerField(FREE_PER_MINUTE + 1, MAX_LIMIT)),
  ask_reason: nullable(textField(1000, { lines: true })),
};

/** The allowed limit depends on what an administrator has granted; see `refuseTooMuch`. */
export const KEY_SETTINGS = { ...SETTINGS, name: textField(60), limit_per_minute: limitField };

export const KEY_POLICY = { ...CONFIRMATIONS, ...ASKS, endpoints: endpointsField };

/** `endpoints`: the endpoints that the owner saw, because more may have been asked for since. */
export const ROW_CONFIRMATION = { ...CONFIRMATIONS, endpoints: endpointsField };

export const ROTATION = {
  overlap_seconds: required(integerField(0, OVERLAPS.at(-1)!)),
  /** The newest secret that the person saw, so that a second click is refused instead of rotating again. */
  secret_id: required(uuidField),
  typed_name: textField(60),
};

export const REVOCATION = { typed_name: required(textField(60)), reason: nullable(textField(500, { lines: true })) };

export const LIMIT_REQUEST = {
  asked_per_minute: required(integerField(FREE_PER_MINUTE + 1, MAX_LIMIT)),
  reason: required(textField(1000, { lines: true })),
};

export function refusePast(locale: Locale, expiresAt: Date | null | undefined, realNow: Date): void {
  if (expiresAt instanceof Date && expiresAt <= realNow)
    refuseField(locale, 'expires_at', 'out_of_range', {
      en: 'The expiry time must be in the future',
      tr: 'Bitiş zamanı geçmişte',
    });
}

/** The limit may be lowered, and raised again up to the free or the present limit; more has to be requested. */
export function refuseTooMuch(locale: Locale, requested: number | undefined, present: number): void {
  const max = Math.max(FREE_PER_MINUTE, present);
  if (requested !== undefined && requested > max)
    refuseField(locale, 'limit_per_minute', 'out_of_range', {
      en: `At most ${max} a minute; ask the administrator for more`,
      tr: `Dakikada en çok ${max}; fazlası için yöneticiden limit artışı isteyin`,
    });
}

export function refuseOverlap(locale: Locale, seconds: number): void {
  if (!(OVERLAPS as readonly number[]).includes(seconds))
    refuseField(locale, 'overlap_seconds', 'not_allowed', {
      en: `One of ${OVERLAPS.join(', ')} seconds`,
      tr: `${OVERLAPS.join(', ')} saniyeden biri olmalı`,
    });
}

export const refuseTaken = (locale: Locale): never =>
  refuseField(locale, 'name', 'taken', {
    en: 'Another key of this account has this name',
    tr: 'Bu hesapta bu adla başka bir anahtar var',
  });
