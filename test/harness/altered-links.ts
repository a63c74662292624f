// What an attacker might try instead of a link they were not given: guessed, altered in one place, spelled differently, of
// another purpose.
import type { Random } from './random.ts';

export const LINK_KINDS = ['sign', 'files', 'dogrula', 'm'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const CODE = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LETTERS: Readonly<Record<LinkKind, string>> = { sign: BASE64, files: BASE64, dogrula: CODE, m: BASE64 };
const LENGTHS: Readonly<Record<LinkKind, number>> = { sign: 64, files: 70, dogrula: 26, m: 48 };
/** Sent exactly like this in the address. */
const isPlain = (letter: string): boolean => /[\w.~!$&'()*+,;=:@/%-]/.test(letter);
const sendable = (text: string): string =>
  [...text].map((letter) => (isPlain(letter) ? letter : encodeURIComponent(letter))).join('');
const hex = (letter: string): string => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** The parts of real links, so that guesses come as close as possible. */
export interface Known {
  readonly tokens: Readonly<Record<LinkKind, readonly string[]>>;
  /** Of dealers, documents, files, recipients. */
  readonly ids: readonly string[];
}

export interface Attempt {
  readonly kind: LinkKind;
  readonly way: string;
  readonly token: string;
}

type Way = (token: string, kind: LinkKind, random: Random, known: Known) => string;

const replaced = (token: string, place: number, by: string): string => token.slice(0, place) + by + token.slice(place + 1);

/** Changes the bytes that the letters encode; a code is changed directly. */
function bitFlipped(token: string, kind: LinkKind, random: Random): string {
  if (kind === 'dogrula') {
    const place = random.below(token.length);
    return replaced(token, place, String.fromCharCode(token.charCodeAt(place) ^ (1 << random.below(7))));
  }
  const bytes = Buffer.from(token, 'base64url');
  bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
  return bytes.toString('base64url');
}

const guessed = (kind: LinkKind, random: Random): string =>
  Array.from({ length: LENGTHS[kind] }, () => random.pick([...LETTERS[kind]])).join('');

/** The prefix of a real link, which names its owner; or halves of two real ones. */
function grafted(token: string, kind: LinkKind, random: Random, known: Known): string {
  const other = random.pick(known.tokens[kind]);
  const cut = 1 + random.below(token.length - 1);
  return other === token ? token.slice(0, cut) + guessed(kind, random).slice(cut) : token.slice(0, cut) + other.slice(cut);
}

/** The ids that replies contain, in place of the link's own. */
function ofAnotherRecord(token: string, kind: LinkKind, random: Random, known: Known): string {
  const id = random.pick(known.ids).replaceAll('-', '');
  if (kind === 'dogrula') return random.pick([id, id.slice(0, 26).toUpperCase(), random.pick(known.ids)]);
  const bytes = Buffer.from(token, 'base64url');
  bytes.write(id, random.pick(kind === 'sign' ? [0, 16, 32] : [0, 16]), 'hex');
  return bytes.toString('base64url');
}

/** The bytes of a file's link that encode its expiry. */
function prolonged(token: string, kind: LinkKind, random: Random): string {
  const bytes = Buffer.from(token, 'base64url');
  if (kind !== 'files') return `${token}${random.below(10)}`;
  bytes.writeUInt32BE(bytes.readUInt32BE(32) + 1 + random.below(1_000_000_000), 32);
  return bytes.toString('base64url');
}

const LOOKALIKES: readonly (readonly [string, string])[] = [
  ...[
    ['0', 'O'],
    ['1', 'I'],
    ['1', 'l'],
    ['A', 'А'],
    ['E', 'Е'],
    ['K', '\u212a'],
    ['S', 'ſ'],
    ['I', 'İ'],
    ['i', 'ı'],
    ['-', '–'],
  ],
] as [string, string][];

function lookalike(token: string, _door: LinkKind, random: Random): string {
  const [from, to] = random.pick(LOOKALIKES);
  if (token.includes(from)) return token.replace(from, to);
  const place = random.below(token.length);
  const code = token.charCodeAt(place);
  return replaced(token, place, String.fromCharCode(code + 0xfee0));
}

/** The other case of some letters, or of all. */
function otherCase(token: string, _door: LinkKind, random: Random): string {
  const swap = (letter: string) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase());
  if (random.chance(0.2)) return random.chance(0.5) ? token.toLowerCase() : token.toUpperCase();
  const places = [...token].flatMap((letter, place) => (swap(letter) === letter ? [] : [place]));
  if (places.length === 0) return `${token}a`;
  const place = random.pick(places);
  return replaced(token, place, swap(token[place]!));
}

/** The same bytes in another base64 spelling, or with unused bits set. */
function otherBase64(token: string, _door: LinkKind, random: Random): string {
  const last = BASE64.indexOf(token.at(-1)!);
  return random.pick([
    ...[`${token}=`, `${token}==`, `=${token}`, token.replaceAll('-', '+').replaceAll('_', '/'), token.replaceAll('_', '%2f')],
    ...[replaced(token, token.length - 1, BASE64[(last + 1) % 64]!), replaced(token, token.length - 1, BASE64[last ^ 3]!)],
    ...[`${token.slice(0, 20)} ${token.slice(20)}`, `${token.slice(0, 20)}.${token.slice(20)}`, `${token}A`, `${token}AAAA`],
    ...[Buffer.from(token).toString('base64url'), Buffer.from(token, 'base64url').toString('hex')],
  ]);
}

/** Escapes once and twice, and characters that end or change a path in a careless parser. */
function otherSpelling(token: string, _door: LinkKind, random: Random): string {
  const place = random.below(token.length);
  const escaped = hex(token[place]!);
  return random.pick([
    ...[replaced(token, place, escaped), replaced(token, place, escaped.replace('%', '%25')), [...token].map(hex).join('')],
    ...[`${token}%00`, `%00${token}`, `${token}%0a`, `${token}%0d%0a`, `${token}%20`, `%20${token}`, `${token}.`, `${token};a=b`],
    ...[`${token}%2f`, `${token}/`, `/${token}`, `x/../${token}`, `./${token}`, `..%2f${token}`, `${token}/..`, `%2e/${token}`],
    ...[`${token}%3flang=tr`, `${token}%23`, `${token}.pdf`, `${token}\u200b`, `\ufeff${token}`, `${token}%`, `${token}%u0041`],
    ...[`${token},${token}`, `${token}${token}`, `${token}'or'1'='1`, `${token}%27--`, `*`, `%`, `_`, `${token.slice(0, 4)}%25`],
  ]);
}

const WAYS: Readonly<Record<string, Way>> = {
  guessed: (_, kind, random) => guessed(kind, random),
  grafted,
  'a bit flipped': bitFlipped,
  'a letter replaced': (token, kind, random) => replaced(token, random.below(token.length), random.pick([...LETTERS[kind]])),
  'letters swapped': (token, _, random) => {
    const place = random.below(token.length - 1);
    return token.slice(0, place) + token[place + 1] + token[place] + token.slice(place + 2);
  },
  'cut off': (token, _, random) => {
    const [from, to] = [random.below(token.length), random.below(token.length)];
    return random.chance(0.5) ? token.slice(0, from) : token.slice(0, Math.min(from, to)) + token.slice(Math.max(from, to) + 1);
  },
  grown: (token, kind, random) => {
    const [place, letter] = [random.below(token.length + 1), random.pick([...LETTERS[kind]])];
    return token.slice(0, place) + letter.repeat(1 + random.below(3)) + token.slice(place);
  },
  'another case': otherCase,
  'another base64': otherBase64,
  'another spelling': otherSpelling,
  lookalike,
  'of another record': ofAnotherRecord,
  prolonged,
  'of another purpose': (_, kind, random, { tokens }) =>
    random.pick(LINK_KINDS.filter((other) => other !== kind).flatMap((other) => tokens[other])),
};

const NAMES = Object.keys(WAYS);

/** Never a valid link unchanged. */
export function alter(random: Random, known: Known): Attempt {
  const kind = random.pick(LINK_KINDS);
  const way = random.pick(NAMES);
  const token = sendable(WAYS[way]!(random.pick(known.tokens[kind]), kind, random, known));
  return known.tokens[kind].includes(token) ? alter(random, known) : { kind, way, token };
}
