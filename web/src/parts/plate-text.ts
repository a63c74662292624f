// Spaces in plates: AB 123, ABC 123, rental Z AB 123, Turkish 34 ABC 123. Anything else is shown as it was typed.

/** Only a space after the Z distinguishes a rental car from ZAB 123. */
const RENTAL = /^(Z)\s+([A-Z]{2})\s*(\d{3})$/i;
const FORMS = [/^([A-Z]{2,3})(\d{3,4})$/, /^(\d{2})([A-Z]{1,3})(\d{2,5})$/];
const NO_BREAK = '\u00a0';

export function plateText(plate: string): string {
  const rental = RENTAL.exec(plate.trim());
  if (rental) return rental.slice(1).join(NO_BREAK).toUpperCase();
  const close = plate.replace(/\s+/g, '').toUpperCase();
  for (const form of FORMS) {
    const match = form.exec(close);
    if (match) return match.slice(1).join(NO_BREAK);
  }
  return plate.trim().replace(/\s+/g, NO_BREAK);
}
