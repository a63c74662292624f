// What a person must confirm to give a key more endpoints: a recent password, a notice of destructive endpoints, and for sensitive endpoints
// being the owner and typing the key's name. The panel's dialogs ask for it; this enforces it.
import type { Db } from '../../kit/db.ts';
import type { Risk } from '../../kit/endpoint.ts';
import { fail, type Locale, type Text } from '../../kit/errors.ts';
import { printable } from '../../kit/text.ts';
import type { PanelAccount, PanelSession } from '../kit/endpoint.ts';
import type { PanelServices } from '../kit/services.ts';

export interface Asking {
  readonly db: Db;
  readonly session: PanelSession;
  readonly account: PanelAccount;
  readonly services: PanelServices;
  readonly locale: Locale;
  readonly realNow: Date;
}

export function refuseField(locale: Locale, field: string, code: string, message: Text): never {
  return fail('validation_failed', { details: [{ field, code, message: message[locale] }] });
}

/** For endpoints that need the password only in some cases; endpoints that always need it declare `recent: true`. */
export function requireRecent(session: PanelSession): void {
  if (!session.recent) fail('reauthentication_required');
}

/** The given endpoints, each once, in the catalog's order. Refuses ids that the catalog does not have. */
export function knownEndpoints({ services, locale }: Pick<Asking, 'services' | 'locale'>, ids: readonly string[]): string[] {
  const unknown = ids.find((id) => !services.catalog.byId.has(id));
  if (unknown !== undefined) {
    const shown = printable(unknown);
    refuseField(locale, 'endpoints', 'unknown_endpoint', {
      en: `${shown} is not an endpoint of the catalog`,
      tr: `${shown} katalogda yok`,
    });
  }
  const chosen = new Set(ids);
  return services.catalog.endpoints.filter((endpoint) => chosen.has(endpoint.id)).map((endpoint) => endpoint.id);
}

export const holds = (services: PanelServices, ids: readonly string[], risk: Risk): boolean =>
  ids.some((id) => services.catalog.byId.get(id)?.risk === risk);

/** Only the owner may get the secret of a key with sensitive endpoints, because the secret gives access to them. */
export function requireOwnerFor({ services, account, session }: Asking, endpoints: readonly string[]): void {
  if (!holds(services, endpoints, 'sensitive')) return;
  if (account.role !== 'owner') fail('not_permitted');
  requireRecent(session);
}

interface Confirmed {
  readonly accepts_destructive?: boolean | undefined;
  readonly typed_name?: string | undefined;
}

export function requireConfirmation(asking: Asking, added: readonly string[], keyName: string, confirmed: Confirmed): void {
  const { services, account, locale, session } = asking;
  const sensitive = holds(services, added, 'sensitive');
  if (sensitive && account.role !== 'owner') fail('not_permitted');
  if (holds(services, added, 'destructive') && confirmed.accepts_destructive !== true)
    refuseField(locale, 'accepts_destructive', 'required', {
      en: 'Confirm that this key may destroy data',
      tr: 'Bu anahtarın veri silebileceğini onaylayın',
    });
  if (sensitive) requireTyped(locale, keyName, confirmed.typed_name);
  if (added.length > 0) requireRecent(session);
}

export function requireTyped(locale: Locale, name: string, typed: string | undefined): void {
  if (typed?.normalize('NFC') !== name)
    refuseField(locale, 'typed_name', 'not_the_name', { en: "Type the key's name exactly", tr: 'Anahtarın adını aynen yazın' });
}
