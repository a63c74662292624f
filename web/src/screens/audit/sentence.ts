// One line of the audit log as a sentence, with what changed where that is the point of it.

import type { AuditAbout } from '../../../../src/domain/writes/audit-names.ts';
import type { AuditEntry } from '../../../../src/domain/writes/audit-trail.ts';
import type { Format } from '../../format.ts';
import type { Locale } from '../../preferences.ts';
import { partsTexts } from '../../texts/parts.ts';
import { sentenceTexts } from './sentence-texts.ts';
import { auditTexts } from './texts.ts';

/** The platform's own log has no names: it goes over dealers. */
export type Told = AuditEntry & { readonly actor_name?: string; readonly about?: AuditAbout | null };

export function sentenceOf(line: Told, locale: Locale, format: Format): string {
  const t = sentenceTexts[locale];
  const who = line.actor_name ?? line.actor;
  const act = changeOf(line, locale, format) ?? t.acts[line.action];
  // An act without a sentence of its own has a heading at least.
  if (act === undefined) return `${who}: ${auditTexts[locale].actions[line.action] ?? line.action}`;
  if (line.about) return t.said(who, act.replace('{x}', line.about.name));
  return t.said(who, line.about === undefined ? t.unnamed(act) : t.nameless(act));
}

/** What was done, without who and to what: for the platform, which knows no dealer's records by name. */
export function actOf({ action }: Pick<Told, 'action'>, locale: Locale): string {
  const heading = auditTexts[locale].actions[action];
  const act = sentenceTexts[locale].acts[action];
  if (heading !== undefined || act === undefined) return heading ?? action;
  const said = sentenceTexts[locale].unnamed(act);
  return said.charAt(0).toLocaleUpperCase(locale) + said.slice(1);
}

function changeOf({ about, before, after }: Told, locale: Locale, format: Format): string | null {
  if (about?.kind !== 'vehicle' || !before || !after) return null;
  const t = sentenceTexts[locale];
  const words: Readonly<Record<string, string>> = partsTexts[locale].vehicles;
  const amount = (text: string) => format.number(Number(text)).replace(/([.,]\d)$/, '$10');
  // A change of more than its point says so; each value stands in the entry itself.
  const more = (said: string, ...told: readonly string[]) => {
    const others = Object.keys(after).filter((name) => !told.includes(name)).length;
    return others === 0 ? said : t.andMore(said, others);
  };
  const { price, status } = before;
  if (typeof price === 'string' && typeof after.price === 'string')
    return more(t.repriced(about.name, amount(price), amount(after.price)), 'price', 'currency');
  if (typeof status === 'string' && typeof after.status === 'string')
    return t.moved(about.name, words[status] ?? status, words[after.status] ?? after.status);
  return null;
}
