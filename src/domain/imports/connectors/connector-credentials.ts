// Credentials for a source. They are stored encrypted, decrypted only to be sent, and never shown.
import { type Detail, fail, type Text } from '../../../kit/errors.ts';
import { printable } from '../../../kit/text.ts';
import type { SealingKeys } from '../../../kit/work.ts';
import { type CellAddress, seal, unseal } from '../../vault/vault.ts';

export interface Credentials {
  readonly username?: string;
  readonly password?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const MAX_LENGTH = 1000;
const MAX_HEADERS = 20;
const TEXTS = ['username', 'password', 'token'] as const;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
/** Visible characters with spaces between them; a line break could start another header. */
const HEADER_VALUE = /^[\x21-\x7e\x80-\xff](?:[\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;
/** Headers that we or the connection set. */
const KEPT_HEADERS = new Set(
  'host connection content-length transfer-encoding accept-encoding content-encoding upgrade te trailer expect keep-alive'.split(
    ' ',
  ),
);

export function readCredentials(input: Readonly<Record<string, unknown>>): Credentials {
  const faults: Detail[] = [];
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (name === 'headers') read.headers = readHeaders(value, faults);
    else if (!TEXTS.some((one) => one === name)) faults.push(fault(name, 'unknown_field', UNKNOWN));
    else if (typeof value !== 'string' || value === '' || value.length > MAX_LENGTH || /\p{Cc}/u.test(value))
      faults.push(fault(name, 'invalid', SHORT_TEXT));
    else read[name] = value;
  }
  const { username, password, token, headers = {} } = read as Credentials;
  if (username?.includes(':')) faults.push(fault('username', 'invalid', NO_COLON));
  if (password !== undefined && username === undefined) faults.push(fault('username', 'required', WITH_PASSWORD));
  const ways = [username, token, Object.keys(headers).find((name) => name.toLowerCase() === 'authorization')];
  if (ways.filter((way) => way !== undefined).length > 1) faults.push(fault('token', 'not_allowed', ONE_WAY));
  if (token !== undefined && !HEADER_VALUE.test(token)) faults.push(fault('token', 'invalid', SHORT_TEXT));
  if (faults.length === 0 && Object.keys(read).length === 0) faults.push(fault('', 'required', SOMETHING));
  if (faults.length > 0) fail('validation_failed', { details: faults });
  return read as Credentials;
}

function readHeaders(value: unknown, faults: Detail[]): Record<string, string> {
  const entries = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : null;
  if (entries === null || entries.length === 0 || entries.length > MAX_HEADERS) {
    faults.push(fault('headers', 'invalid', { en: `Give 1 to ${MAX_HEADERS} headers`, tr: `1–${MAX_HEADERS} başlık verin` }));
    return {};
  }
  const isAllowed = ([name, text]: [string, unknown]): boolean =>
    HEADER_NAME.test(name) &&
    !KEPT_HEADERS.has(name.toLowerCase()) &&
    typeof text === 'string' &&
    text.length <= MAX_LENGTH &&
    HEADER_VALUE.test(text);
  for (const entry of entries) {
    if (isAllowed(entry)) continue;
    const name = entry[0].replace(/[^\x21-\x7e]/g, '?').slice(0, 60);
    const message = { en: 'This header cannot be sent', tr: 'Bu başlık gönderilemez' };
    faults.push(fault(`headers.${name}`, 'not_allowed', message));
  }
  return Object.fromEntries(entries as [string, string][]);
}

/** The message never contains the value, because it is a secret. */
const fault = (name: string, code: string, message: Text): Detail => ({
  field: name === '' ? 'credentials' : `credentials.${printable(name)}`,
  code,
  message,
});
const UNKNOWN = {
  en: 'Unknown field; allowed are username, password, token and headers',
  tr: 'credentials: username, password, token, headers',
};
const SHORT_TEXT = { en: `Give a text of 1 to ${MAX_LENGTH} characters`, tr: `1–${MAX_LENGTH} karakterlik bir metin verin` };
const NO_COLON = { en: 'username must not contain a colon', tr: 'Kullanıcı adında iki nokta olamaz' };
const WITH_PASSWORD = { en: 'password requires username', tr: 'Parola, kullanıcı adıyla birlikte verilir' };
const ONE_WAY = {
  en: 'Send only one of username, token and an Authorization header',
  tr: 'Kullanıcı adı, token ya da Authorization başlığından yalnızca birini verin',
};
const SOMETHING = { en: 'Send at least one of username, token and headers', tr: 'Üyelerinden en az birini verin' };

/** HTTP Basic, Bearer and the given headers. */
export function headersOf({ username, password = '', token, headers = {} }: Credentials): Record<string, string> {
  if (username !== undefined)
    return { ...headers, authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
  return token === undefined ? { ...headers } : { ...headers, authorization: `Bearer ${token}` };
}

const sealedCell = (keys: Pick<SealingKeys, 'account'>, id: string): CellAddress => ({
  account: keys.account,
  table: 'import_connectors',
  column: 'credentials_encrypted',
  row: id,
});

export const sealCredentials = (keys: SealingKeys, id: string, credentials: Credentials): Buffer =>
  seal(keys.ring, sealedCell(keys, id), JSON.stringify(credentials));

export const openCredentials = (keys: SealingKeys, id: string, sealed: Buffer | null): Credentials =>
  sealed === null ? {} : (JSON.parse(unseal(keys.ring, sealedCell(keys, id), sealed)) as Credentials);
