// Personal data on its way out of the panel: the one place where it is masked for those who see it only in part. By default, in every
// row, file and live view: a new one has nothing to remember.
import { maskAddress } from '../../domain/net/address.ts';
import type { PanelRow, PanelSession } from '../../panel/endpoint.ts';

/**
 * A viewer works with the dealership's own people, and sees how to reach them; an administrator who looks in sees nobody's number.
 * What a row tells people of themselves, or administrators of the platform, is theirs.
 */
export const isMasked = ({ look, account }: PanelSession, row: Pick<PanelRow, 'who' | 'ofColleagues'>): boolean =>
  row.who !== 'person' && row.who !== 'admin' && account?.role === 'viewer' && (look || !row.ofColleagues);

/** For JSON.stringify. Fields that are personal by their name, and whatever text a number or an address stands in. */
export function maskField(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (/(?:^|_)phone$/.test(name)) return maskPhone(value);
  if (/(?:^|_)email$/.test(name)) return maskText(maskEmail(value));
  // What the log's own rows have masked stays as it is.
  if (name === 'ip') return value.includes('•') ? value : maskAddress(value);
  return /(?:^|_)(?:id_no|address|identity_number|tax_number)$/.test(name) ? '•••' : maskText(value);
}

/** `+905331234567` → `+90533•••••67`: enough to tell two apart, not enough to call. */
export const maskPhone = (phone: string): string =>
  phone.length < 9 ? '•••' : `${phone.slice(0, 6)}${'•'.repeat(phone.length - 8)}${phone.slice(-2)}`;

/** `ayse@example.com` → `a•••@example.com` */
export const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/, '$1•••');

/** An address begins where what may stand in it begins: each text is walked once. */
const EMAIL = /(?<![^\s@<>()[\]{},;:"'/=?&])([^\s@<>()[\]{},;:"'/=?&])[^\s@<>()[\]{},;:"'/=?&]*@(?=[^\s@])/g;
/** As we store them, and as people in Cyprus and Türkiye write them. */
const PHONE =
  /(?<![\w.+])(?:(?:\+|00|%2B)[1-9](?:\d{7,14}|(?:[ ().-]{0,2}\d){7,14})|(?:\(?0[1-9]|5)\d{2}[ ().-]{0,2}\d{3}(?:[ ().-]{0,2}\d{2}){2})(?![\d]|\.\d)/gi;

/** Numbers and addresses within a text: a note, a line of a file, the name of whoever acted. */
export const maskText = (text: string): string => text.replace(EMAIL, '$1•••@').replace(PHONE, maskPhone);
