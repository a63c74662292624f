// One line of the audit log as a sentence, with what changed where that is the point of it.

import type { NamedEntry } from '../../../../src/domain/writes/audit-names.ts';
import type { Format } from '../../format.ts';
import type { Locale } from '../../preferences.ts';
import { eventTexts } from '../../records/event-texts.ts';
import { partsTexts } from '../../texts/parts.ts';
import { sentenceTexts } from './sentence-texts.ts';
import { auditTexts } from './texts.ts';

/** The platform knows no dealer's records by name: `about` is null there. */
export type AuditEntry = NamedEntry;

export function sentenceOf(line: AuditEntry, locale: Locale, format: Format): string {
  const act = changeOf(line, locale, format) ?? actIn(line, locale);
  // An indirect change of a record, or an action of a newer version, has no sentence of its own.
  return act === null
    ? `${actorOf(line, locale)}: ${eventOf(line.action, locale)}`
    : sentenceTexts[locale].sentence(actorOf(line, locale), act);
}

/** The person, or the page on which someone without an account acted. */
export const actorOf = ({ actor_type, actor_name }: Pick<AuditEntry, 'actor_type' | 'actor_name'>, locale: Locale): string =>
  (actor_type === 'system' ? sentenceTexts[locale].systems[actor_name] : undefined) ?? actor_name;

/** The action without the person, where the person is shown beside it. */
export function actOf(line: Pick<AuditEntry, 'action' | 'about' | 'target'>, locale: Locale): string {
  const sentence = actIn(line, locale) ?? eventOf(line.action, locale);
  // A name is written as it is.
  return line.about && sentence.startsWith(line.about.name)
    ? sentence
    : sentence.charAt(0).toLocaleUpperCase(locale) + sentence.slice(1);
}

/** What entries are filtered by: a subject of its own, or one act of the catalog. */
export const subjectOf = (subject: string, locale: Locale): string =>
  auditTexts[locale].subjects[subject] ??
  eventTexts[locale][subject] ??
  actOf({ action: subject, about: null, target: '' }, locale);

function actIn({ action, about, target }: Pick<AuditEntry, 'action' | 'about' | 'target'>, locale: Locale): string | null {
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

/** The event and its business time are stored among the values, but are not values of the record. */
const NO_VALUES: readonly string[] = ['event', 'at'];

export const changedIn = (before: AuditEntry['before'], after: AuditEntry['after']): string[] =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((name) => !NO_VALUES.includes(name)).sort();

function changeOf({ about, before, after }: AuditEntry, locale: Locale, format: Format): string | null {
  if (about?.kind !== 'vehicle' || !before || !after) return null;
  const t = sentenceTexts[locale];
  const words: Readonly<Record<string, string>> = partsTexts[locale].vehicles;
  const amount = (text: string) => format.number(Number(text)).replace(/([.,]\d)$/, '$10');
  // Says that more fields have changed; the entry itself lists each value.
  const more = (sentence: string, ...named: readonly string[]) => {
    const others = changedIn(before, after).filter((name) => !named.includes(name)).length;
    return others === 0 ? sentence : t.andMore(sentence, others);
  };
  const { price, status } = before;
  if (typeof price === 'string' && typeof after.price === 'string')
    return more(t.repriced(about.name, amount(price), amount(after.price)), 'price', 'currency');
  if (typeof status === 'string' && typeof after.status === 'string')
    return t.moved(about.name, words[status] ?? status, words[after.status] ?? after.status);
  return null;
}
