// Text reduced to the characters that the fonts of our papers contain.

/**
 * The characters in the fonts (fonts/README.md). All others, and those that change the writing direction, become a question mark.
 */
const UNDRAWABLE =
  /[^\n\x20-\x7e\xa0-\u024f\u02c6-\u02dc\u0370-\u03ff\u0400-\u045f\u0490-\u0493\u04d8\u04d9\u04e8\u04e9\u1e9e\u2010-\u2015\u2018-\u201e\u2020-\u2022\u2026\u2030\u2032\u2033\u2039\u203a\u20ac\u20ba\u20bd\u2116\u2122\u2212]/gu;

export const drawable = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[\t\u2000-\u200a\u202f]/g, ' ')
    .replace(/[[\p{Cc}\p{Cf}]--[\n]]/gv, '')
    .replace(UNDRAWABLE, '?');
