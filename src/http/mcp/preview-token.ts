// The token that confirms a preview: a MAC over the key, the request, the record's ETag, the money and the expiry. It is also the
// Idempotency-Key of the act, so that a repeated call has one effect.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Amount } from '../../domain/agents/agent-money.ts';
import { CURRENCIES, formatMoney } from '../../kit/money.ts';
import type { Json } from './protocol.ts';

/** What a token is for. */
export interface WriteRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: Json | undefined;
}

export interface TokenFacts {
  /** The id of the preview. */
  readonly id: string;
  readonly expiresAt: number;
  /** Of the record in the path before the write; null where it has none. */
  readonly etag: string | null;
  /** Null where it is not known. */
  readonly money: readonly Amount[] | null;
}

export interface TokenOwner {
  readonly secret: Buffer;
  readonly accountId: string;
  readonly keyId: string;
}

const PREFIX = 'gpt1';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function makeToken(owner: TokenOwner, request: WriteRequest, facts: TokenFacts): string {
  const head = [
    PREFIX,
    facts.id,
    facts.expiresAt.toString(36),
    facts.etag === null ? '' : Buffer.from(facts.etag).toString('base64url'),
    facts.money === null ? 'x' : facts.money.map(({ currency, minor }) => `${currency}${minor}`).join('_'),
  ].join('.');
  return `${head}.${macOf(owner, request, head)}`;
}

/** The facts of a token that was made for exactly this key and request; null for any other text. */
export function readToken(owner: TokenOwner, request: WriteRequest, token: string): TokenFacts | null {
  const parts = token.length <= 255 ? token.split('.') : [];
  if (parts.length !== 6 || parts[0] !== PREFIX) return null;
  const given = Buffer.from(parts[5]!);
  const right = Buffer.from(macOf(owner, request, parts.slice(0, 5).join('.')));
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  const [, id, expires, etag, money] = parts as [string, string, string, string, string];
  const expiresAt = Number.parseInt(expires, 36);
  if (!UUID.test(id) || !Number.isSafeInteger(expiresAt)) return null;
  return {
    id,
    expiresAt,
    etag: etag === '' ? null : Buffer.from(etag, 'base64url').toString(),
    money: money === 'x' ? null : money.split('_').filter(Boolean).map(readAmount),
  };
}

function readAmount(text: string): Amount {
  const currency = CURRENCIES.find((one) => text.startsWith(one))!;
  return { currency, minor: BigInt(text.slice(currency.length)) };
}

/** What the window of the client answers is bound to the token. */
export const makeState = (owner: TokenOwner, token: string): string => mac(owner.secret, ['state', owner.keyId, token]);

export function isStateOf(owner: TokenOwner, token: string, state: unknown): boolean {
  if (typeof state !== 'string') return false;
  const [given, right] = [Buffer.from(state), Buffer.from(makeState(owner, token))];
  return given.length === right.length && timingSafeEqual(given, right);
}

const macOf = ({ secret, accountId, keyId }: TokenOwner, { method, path, query, body }: WriteRequest, head: string): string =>
  mac(secret, ['write', accountId, keyId, method, path, query, canonical(body ?? null), head]);

const mac = (secret: Buffer, parts: readonly unknown[]): string =>
  createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url');

/** The same for equal JSON in any order of fields. Pairs, because a field may be called __proto__. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return {
    o: Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => [name, canonical(inner)]),
  };
}

export const moneyText = (money: readonly Amount[]): readonly { readonly currency: string; readonly amount: string }[] =>
  money.map(({ currency, minor }) => ({ currency, amount: formatMoney(minor) }));
