// What giving a key more rows asks of a person: having just given the password, seeing what destroys, and for sensitive rows being
// the owner and typing the key's name. The panel asks in its dialogs; here it is enforced.
import type { Db } from '../../kit/db.ts';
import type { Risk } from '../../kit/endpoint.ts';
import { fail, type Locale, type Text } from '../../kit/errors.ts';
import type { PanelAccount, PanelSession } from '../endpoint.ts';
import type { PanelServices } from '../services.ts';

export interface Asking {
  readonly db: Db;
  readonly session: PanelSession;
  readonly account: PanelAccount;
  readonly services: PanelServices;
  readonly locale: Locale;
  readonly now: Date;
}

export function refuseField(locale: Locale, field: string, code: string, message: Text): never {
  return fail('validation_failed', { details: [{ field, code, message: message[locale] }] });
}

/** For acts that ask for the password only in some cases; `recent: true` of a row is for those that always do. */
export function requireRecent(session: PanelSession): void {
  if (!session.recent) fail('reauthentication_required');
}

/** Of the catalog, each once, in its order. */
export function knownRows({ services, locale }: Pick<Asking, 'services' | 'locale'>, ids: readonly string[]): string[] {
  const unknown = ids.find((id) => !services.catalog.byId.has(id));
  if (unknown !== undefined) {
    const shown = unknown.slice(0, 60);
    refuseField(locale, 'endpoints', 'unknown_endpoint', {
      en: `${shown} is not a row of the catalog`,
      tr: `${shown} katalogda yok`,
    });
  }
  const wanted = new Set(ids);
  return services.catalog.rows.filter((row) => wanted.has(row.id)).map((row) => row.id);
}

export const holds = (services: PanelServices, ids: readonly string[], risk: Risk): boolean =>
  ids.some((id) => services.catalog.byId.get(id)?.risk === risk);

/** Whoever gets at the secret of a key with sensitive rows gets at those rows: the owner alone. */
export function requireOwnerFor({ services, account, session }: Asking, endpoints: readonly string[]): void {
  if (!holds(services, endpoints, 'sensitive')) return;
  if (account.role !== 'owner') fail('not_permitted');
  requireRecent(session);
}

interface Confirmed {
  readonly accepts_destructive?: boolean | undefined;
  readonly typed_name?: string | undefined;
}

export function requireConfirmation(asking: Asking, added: readonly string[], keyName: string, given: Confirmed): void {
  const { services, account, locale, session } = asking;
  const sensitive = holds(services, added, 'sensitive');
  if (sensitive && account.role !== 'owner') fail('not_permitted');
  if (holds(services, added, 'destructive') && given.accepts_destructive !== true)
    refuseField(locale, 'accepts_destructive', 'required', {
      en: 'Confirm that this key may destroy data',
      tr: 'Bu anahtarın veri silebileceğini onaylayın',
    });
  if (sensitive) requireTyped(locale, keyName, given.typed_name);
  if (added.length > 0) requireRecent(session);
}

export function requireTyped(locale: Locale, name: string, typed: string | undefined): void {
  if (typed?.normalize('NFC') !== name)
    refuseField(locale, 'typed_name', 'not_the_name', { en: "Type the key's name exactly", tr: 'Anahtarın adını aynen yazın' });
}
