// One line of the audit log as a sentence, with what changed where that is the point of it.

import type { NamedEntry } from '../../../../src/domain/writes/audit-names.ts';
import type { Format } from '../../format.ts';
import type { Locale } from '../../preferences.ts';
import { eventTexts } from '../../records/event-texts.ts';
import { partsTexts } from '../../texts/parts.ts';
import { sentenceTexts } from './sentence-texts.ts';
import { auditTexts } from './texts.ts';

/** The platform knows no dealer's records by name: `about` is null there. */
export type Told = NamedEntry;

export function sentenceOf(line: Told, locale: Locale, format: Format): string {
  const act = changeOf(line, locale, format) ?? actIn(line, locale);
  // What befell a record by another's act, or is told by a newer version, has no subject of its own.
  return act === null ? `${line.actor_name}: ${eventOf(line.action, locale)}` : sentenceTexts[locale].said(line.actor_name, act);
}

/** What was done, without who: where that stands beside it. */
export function actOf(line: Pick<Told, 'action' | 'about' | 'target'>, locale: Locale): string {
  const said = actIn(line, locale) ?? eventOf(line.action, locale);
  // A name is written as it is.
  return line.about && said.startsWith(line.about.name) ? said : said.charAt(0).toLocaleUpperCase(locale) + said.slice(1);
}

/** What entries are filtered by: a subject of its own, or one act of the catalog. */
export const subjectOf = (subject: string, locale: Locale): string =>
  auditTexts[locale].subjects[subject] ??
  eventTexts[locale][subject] ??
  actOf({ action: subject, about: null, target: '' }, locale);

function actIn({ action, about, target }: Pick<Told, 'action' | 'about' | 'target'>, locale: Locale): string | null {
  const t = sentenceTexts[locale];
  const act = t.acts[action];
  if (act === undefined) return null;
  const [subject = ''] = action.replace(/^[A-Z]+ /, '').split(/[./]/);
  // Endpoints are their own names.
  const name = about?.name ?? (/^(release|vote)$/.test(subject) ? target : null);
  return name ? act.replace('{x}', name) : t.nameless(act, subject.replace(/s$/, ''));
}

function eventOf(action: string, locale: Locale): string {
  const [noun = '', verb = ''] = action.split('.');
  const name = eventTexts[locale][noun];
  return name === undefined ? action : `${name} ${sentenceTexts[locale].events[verb] ?? verb.replaceAll('_', ' ')}`;
}

/** Which event said it and when by the business clock is kept among the values, and is none of them. */
const NO_VALUES: readonly string[] = ['event', 'at'];

export const changedIn = (before: Told['before'], after: Told['after']): string[] =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((name) => !NO_VALUES.includes(name)).sort();

function changeOf({ about, before, after }: Told, locale: Locale, format: Format): string | null {
  if (about?.kind !== 'vehicle' || !before || !after) return null;
  const t = sentenceTexts[locale];
  const words: Readonly<Record<string, string>> = partsTexts[locale].vehicles;
  const amount = (text: string) => format.number(Number(text)).replace(/([.,]\d)$/, '$10');
  // A change of more than its point says so; each value stands in the entry itself.
  const more = (said: string, ...told: readonly string[]) => {
    const others = changedIn(before, after).filter((name) => !told.includes(name)).length;
    return others === 0 ? said : t.andMore(said, others);
  };
  const { price, status } = before;
  if (typeof price === 'string' && typeof after.price === 'string')
    return more(t.repriced(about.name, amount(price), amount(after.price)), 'price', 'currency');
  if (typeof status === 'string' && typeof after.status === 'string')
    return t.moved(about.name, words[status] ?? status, words[after.status] ?? after.status);
  return null;
}
