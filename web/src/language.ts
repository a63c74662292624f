// Texts in both languages. Turkish gives the shape; English must have the same, so that a missing text does not compile.
import { type Locale, usePreference } from './preferences.ts';

export interface Texts<T> {
  readonly tr: T;
  readonly en: T;
}

/** Declares the texts of a screen or part: `texts({ tr: { title: 'Araçlar' }, en: { title: 'Vehicles' } })`. */
export function texts<T>(both: { readonly tr: T; readonly en: NoInfer<T> }): Texts<T> {
  return both;
}

export function useLocale(): Locale {
  return usePreference('locale');
}

/** The texts in the person's language; switching the language re-renders and keeps every form as it is. */
export function useTexts<T>(of: Texts<T>): T {
  return of[useLocale()];
}

const english = new Intl.PluralRules('en');
const NUMBERS = { tr: new Intl.NumberFormat('tr'), en: new Intl.NumberFormat('en') };

/** A count within a text: `12.500` in Turkish, `12,500` in English. */
export const grouped = (count: number, locale: Locale = 'tr'): string => NUMBERS[locale].format(count);

/** English only: in Turkish a noun after a number stays singular. `one(3, 'key', 'keys')` is '3 keys'. */
export function plural(count: number, one: string, other: string): string {
  return `${grouped(count, 'en')} ${english.select(count) === 'one' ? one : other}`;
}
