// Fields of any person: phone, e-mail, identity number, and how names are compared.
import type { Text } from '../../kit/errors.ts';
import { textField } from './fields.ts';

const NATIONAL = /^(?:0|90)?(5\d{9})$/;

const NATIONAL_WITH_ZERO = /^0([1-9]\d{9})$/;

const INTERNATIONAL = /^\+[1-9]\d{6,14}$/;

/**
 * `+` and digits, or null. Turkey and Northern Cyprus share +90, mobile numbers (0533, 0542) included. A number without a country
 * code gets +90 only if its length is unambiguous.
 */
export function normalPhone(text: string): string | null {
  const bare = text.replace(/[\s()[\]./\u2010-\u2015-]/g, '').replace(/^00/, '+');
  const national = NATIONAL_WITH_ZERO.exec(bare) ?? NATIONAL.exec(bare);
  // +90 (0)532 …: the zero is dialled inside the country only.
  const full = national ? `+90${national[1]}` : bare.replace(/^\+900(?=\d{10}$)/, '+90');
  if (full.startsWith('+90') && full.length !== 13) return null;
  return INTERNATIONAL.test(full) ? full : null;
}

/** Identity and tax numbers are digits, passport and foreign ones have letters too; spaces and dashes are dropped. */
export function normalIdNo(text: string): string | null {
  const bare = text
    .toUpperCase()
    .replaceAll('İ', 'I')
    .replace(/[\s./-]/g, '');
  return /^[0-9A-Z]{1,20}$/.test(bare) ? bare : null;
}

const MARKED = 'İIıŞşĞğÇçÖöÜüÂâÎîÛûËëÉéÈèÊêÄäÁáÀàÅåÃãÍíÏïÓóÔôÕõØøÚúÙùÑñŠšŽžČčŘřÝý';
const PLAIN = 'iiissggccoouuaaiiuueeeeeeeeaaaaaaaaaaiiiioooooooouuuunnsszzccrryy';
const FOLDED: Readonly<Record<string, string>> = Object.fromEntries([...MARKED].map((letter, index) => [letter, PLAIN[index]!]));

/** Folds a name as the database's fold_tr does: İ I ı i are one letter, ş is s, ë is e, case does not count. */
export const foldName = (text: string): string =>
  text.replace(/[^\x00-\x48\x4a-\x7f]/g, (letter) => FOLDED[letter] ?? letter).toLowerCase();

const normalEmail = (text: string): string | null => (isEmail(text) ? text : null);

export const phoneField = textField(40, {
  tidy: normalPhone,
  allowed: {
    en: 'a phone number such as 0532 123 45 67 or +44 7700 900123',
    tr: '0532 123 45 67 ya da +44 7700 900123 gibi bir telefon numarası',
  },
});

export const emailField = textField(254, {
  tidy: normalEmail,
  allowed: {
    en: 'an e-mail address such as name@example.com, of at most 254 characters',
    tr: 'ad@ornek.com gibi, en çok 254 karakterlik bir e-posta adresi',
  },
});

export const idNoField = textField(20, {
  tidy: normalIdNo,
  allowed: { en: 'an identity number of 1 to 20 letters and digits', tr: '1–20 harf ve rakamdan oluşan bir kimlik numarası' },
});

/** In Turkey companies have ten digits, people their identity number. */
const TAX_NO_ALLOWED = {
  KKTC: { en: 'a tax number of 1 to 20 letters and digits', tr: '1–20 harf ve rakamdan oluşan bir vergi numarası' },
  TR: { en: 'a tax number of 10 or 11 digits', tr: '10 ya da 11 rakamlı bir vergi numarası' },
} as const;

export const taxNoField = textField(20, { tidy: normalIdNo, allowed: TAX_NO_ALLOWED.KKTC });

/** Why a Turkish account cannot use the text as a tax number; null if it is valid. */
export const turkishTaxNoFault = (taxNo: string): Text | null => (/^\d{10,11}$/.test(taxNo) ? null : TAX_NO_ALLOWED.TR);

/** The pattern has only one way to match any text, so that it cannot backtrack. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/.test(text);
