// Masks personal data in everything that the panel sends to people who may see it only in part. It applies to every endpoint, file and
// live view by default, so a new one cannot forget it.
import { maskAddress } from '../net/address.ts';

/**
 * A viewer sees the contact data of colleagues but not of customers; an administrator who views an account sees none. Endpoints about
 * the person themselves, and endpoints for platform administrators, are not masked.
 */
export const isMasked = (
  { look, account }: Viewing,
  endpoint: { readonly who: unknown; readonly ofColleagues: boolean },
): boolean =>
  endpoint.who !== 'person' && endpoint.who !== 'admin' && account?.role === 'viewer' && (look || !endpoint.ofColleagues);

interface Viewing {
  /** An administrator who views the account. */
  readonly look: boolean;
  readonly account: { readonly role: string } | null;
}

/** A replacer for JSON.stringify: masks fields that are personal by name, and phone numbers and addresses inside any text. */
export function maskField(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (/(?:^|_)phone$/.test(name)) return maskPhone(value);
  if (/(?:^|_)email$/.test(name)) return maskText(maskEmail(value));
  // Endpoints of the log mask addresses themselves.
  if (name === 'ip') return value.includes('•') ? value : maskAddress(value);
  return /(?:^|_)(?:id_no|address|identity_number|tax_no|tax_number)$/.test(name) ? '•••' : maskText(value);
}

/** `+905331234567` → `+90533•••••67`: enough to distinguish two numbers, not enough to call. */
export const maskPhone = (phone: string): string =>
  phone.length < 9 ? '•••' : `${phone.slice(0, 6)}${'•'.repeat(phone.length - 8)}${phone.slice(-2)}`;

/** `ayse@example.com` → `a•••@example.com` */
export const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/, '$1•••');

/** The lookbehind makes a match begin at the start of a word, so that each text is scanned only once. */
const EMAIL = /(?<![^\s@<>()[\]{},;:"'/=?&])([^\s@<>()[\]{},;:"'/=?&])[^\s@<>()[\]{},;:"'/=?&]*@(?=[^\s@])/g;
/** Numbers as we store them, and as people in Cyprus and Türkiye write them. */
const PHONE =
  /(?<![\w.+])(?:(?:\+|00|%2B)[1-9](?:\d{7,14}|(?:[ ().-]{0,2}\d){7,14})|(?:\(?0[1-9]|5)\d{2}[ ().-]{0,2}\d{3}(?:[ ().-]{0,2}\d{2}){2})(?![\d]|\.\d)/gi;

/** Masks phone numbers and e-mail addresses within a text, such as a note. */
export const maskText = (text: string): string => text.replace(EMAIL, '$1•••@').replace(PHONE, maskPhone);
