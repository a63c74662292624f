// Search and order as Turkish readers expect them: "api" finds API, "ilan" finds İLAN, ç sorts after c.
import { fold } from '../../src/domain/formats/fold-text.ts';

export { fold };

/** Whether every typed word occurs in one of the texts. */
export function matches(typed: string, ...texts: readonly (string | null | undefined)[]): boolean {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  const folded = fold(texts.filter(Boolean).join(' '));
  return words.every((word) => folded.includes(word));
}

const collators = { tr: new Intl.Collator('tr', { numeric: true }), en: new Intl.Collator('en', { numeric: true }) };

export function compareTexts(locale: 'tr' | 'en'): (left: string, right: string) => number {
  return collators[locale].compare;
}
