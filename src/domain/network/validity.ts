// The expiry of an offer or request: given by its maker, or the default in their settings.
import { fail } from '../../kit/errors.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { VALID_HOURS } from './network-states.ts';

const HOUR_MS = 3_600_000;

export async function validUntil({ db, now }: Work, expiresAt: Date | null | undefined): Promise<Date> {
  if (expiresAt === null || expiresAt === undefined) {
    const { hours } = await db.one<{ hours: number }>(sql`select offer_valid_hours as hours from ${own('accounts')}`);
    return new Date(now.getTime() + hours * HOUR_MS);
  }
  const hours = (expiresAt.getTime() - now.getTime()) / HOUR_MS;
  if (hours < VALID_HOURS.least || hours > VALID_HOURS.most) {
    const message = {
      en: 'expires_at must be 1 hour to 14 days from now',
      tr: 'expires_at 1 saat ile 14 gün sonrası arasında olmalı',
    };
    fail('validation_failed', { details: [{ field: 'expires_at', code: 'out_of_range', message }] });
  }
  return expiresAt;
}
