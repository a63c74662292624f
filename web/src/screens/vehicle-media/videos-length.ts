// The length of a video as text.

/** 165 → 2:45; 3725 → 1:02:05 */
export function clockText(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** «2:45», «1:02:05» and «165» in seconds; null for an empty text, undefined for an invalid one. */
export function secondsOf(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  if (!/^\d{1,6}$|^\d{1,3}:[0-5]\d$|^\d{1,2}:[0-5]\d:[0-5]\d$/.test(text)) return undefined;
  return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}
