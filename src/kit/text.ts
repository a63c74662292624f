// A caller's text as it is shown or stored.

/** At most `max` UTF-16 units. Half a pair of surrogates is not left at the end, because PostgreSQL refuses JSON with one. */
export const cutText = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '');

/** A caller's own text in our reply: short and without control characters. */
export const printable = (text: string, max = 60): string => cutText(text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?'), max);
