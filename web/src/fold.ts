// Search and order as Turkish readers expect them: "api" finds API, "ilan" finds İLAN, ç stands after c.

const PLAIN: Readonly<Record<string, string>> = { ı: 'i', ş: 's', ğ: 'g', ç: 'c', ö: 'o', ü: 'u', â: 'a', î: 'i', û: 'u' };

/** Lower case without marks, for comparing only. Turkish rules first: I is ı, İ is i; then both become i. */
export function fold(text: string): string {
  return text
    .normalize('NFC')
    .toLocaleLowerCase('tr')
    .replace(/[ışğçöüâîû]/g, (letter) => PLAIN[letter]!)
    .replace(/\u0307/g, '');
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
