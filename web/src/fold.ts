// Search and order as Turkish readers expect them: "api" finds API, "ilan" finds İLAN, ç sorts after c.

/** Lower case without marks, for comparing only. Turkish rules first: I is ı, İ is i; then both become i. */
export function fold(text: string): string {
  return text
    .toLocaleLowerCase('tr')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ıø]/g, (letter) => (letter === 'ı' ? 'i' : 'o'));
}

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
