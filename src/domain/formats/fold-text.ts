// Comparing text as Turkish readers do.

/** Lower case without marks, for comparing only. Turkish rules first: I is ı, İ is i; then both become i. */
export function fold(text: string): string {
  return text
    .toLocaleLowerCase('tr')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ıø]/g, (letter) => (letter === 'ı' ? 'i' : 'o'));
}

/** Letters and digits only, so that "Model Yılı *" and "MODEL-YILI" are one word. */
export const foldWord = (text: string): string => fold(text).replace(/[^a-z0-9]/g, '');
