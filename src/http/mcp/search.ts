// Finds endpoints by words: names, categories, paths and fields in both languages, folded Turkish letters, and the synonyms of the reference.
import { fold } from '../../domain/formats/fold-text.ts';
import type { ApiEndpoint } from '../api/api-endpoints.ts';
import { isList } from '../api/api-endpoints.ts';
import { categoryWords } from '../docs/openapi/category-words.ts';
import { FILLERS, SYNONYMS } from '../docs/pages/search-words.ts';

const MAX_WORDS = 24;
const MAX_QUERY = 300;

export interface EndpointIndex {
  /** Best first. */
  find(query: string, isShown: (endpoint: ApiEndpoint) => boolean): ApiEndpoint[];
}

interface Entry {
  readonly endpoint: ApiEndpoint;
  /** The weight of each word. */
  readonly words: ReadonlyMap<string, number>;
}

const wordsOf = (text: string): string[] =>
  fold(text)
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** What people say for an act, with the endpoints that do it. */
const ACTS: readonly (readonly [words: string, fits: (endpoint: ApiEndpoint) => boolean])[] = [
  [
    'create add new make open register ekle olustur yeni kaydet gir ac',
    ({ method, path }) => method === 'POST' && !isAction(path),
  ],
  ['list all every listele hepsi tum liste listesi', ({ method, body }) => method === 'GET' && isList(body)],
  [
    'get show one single read detail details goster oku getir detay tek',
    ({ method, path }) => method === 'GET' && path.endsWith('}'),
  ],
  ['update edit change modify set guncelle degistir duzenle', ({ method }) => method === 'PATCH'],
  ['delete remove drop sil kaldir silme', ({ method }) => method === 'DELETE'],
];

const ACT_WORDS: ReadonlySet<string> = new Set(ACTS.flatMap(([words]) => words.split(' ')));
const ACT_SCORE = 12;

/** A verb after a record: `vehicles/{vehicle_id}/reserve`. */
const isAction = (path: string): boolean => /\}\/[a-z-]+$/.test(path) && !path.endsWith('s');

const fillers = new Set(FILLERS.flatMap(wordsOf));
const groups = SYNONYMS.map((group) => group.map((term) => wordsOf(term)));

export function createEndpointIndex(endpoints: readonly ApiEndpoint[]): EndpointIndex {
  const entries = endpoints.map(entryOf);
  const rarity = rarityOf(entries);
  return {
    find(query, isShown) {
      const asked = termsOf(query.slice(0, MAX_QUERY));
      return entries
        .filter(({ endpoint }) => isShown(endpoint))
        .map((entry) => ({ entry, score: scoreOf(entry, asked, rarity) }))
        .filter(({ score }) => score > 0)
        .sort((one, other) => other.score - one.score || one.entry.endpoint.path.length - other.entry.endpoint.path.length)
        .map(({ entry }) => entry.endpoint);
    },
  };
}

function entryOf(endpoint: ApiEndpoint): Entry {
  const words = new Map<string, number>();
  const put = (text: string, weight: number) => {
    for (const word of wordsOf(text)) words.set(word, Math.max(words.get(word) ?? 0, weight));
  };
  const { name, path, category, body, params } = endpoint;
  put(`${name.en} ${name.tr}`, 8);
  put(path.replace(/\{\w+\}/g, ' '), 6);
  put(`${category} ${categoryWords(category).name.tr}`, 4);
  put((body?.about ?? []).join(' '), 2);
  put([...Object.keys(params), ...Object.keys((body?.bodySchema?.schema.properties ?? {}) as object)].join(' '), 1);
  return { endpoint, words };
}

type Rarity = (word: string) => number;

/** A word that few endpoints have says more. */
function rarityOf(entries: readonly Entry[]): Rarity {
  const counts = new Map<string, number>();
  for (const { words } of entries) for (const word of words.keys()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (word) => Math.log(1 + entries.length / (counts.get(word) ?? entries.length));
}

interface Term {
  readonly word: string;
  readonly same: readonly string[];
}

interface Asked {
  readonly terms: readonly Term[];
  /** Method and path as they are written: `POST vehicles/{vehicle_id}/reserve`. */
  readonly text: string;
  readonly all: ReadonlySet<string>;
}

function termsOf(query: string): Asked {
  const all = wordsOf(query).slice(0, MAX_WORDS);
  const kept = all.filter((word) => !fillers.has(word));
  const words = kept.length > 0 ? kept : all;
  const terms = words.map((word) => ({ word, same: groups.filter((group) => fits(group, word, words)).flat(2) }));
  return { terms, text: query.trim(), all: new Set(all) };
}

/** A synonym of one word, or a phrase of which the query has every word. */
const fits = (group: readonly (readonly string[])[], word: string, words: readonly string[]): boolean =>
  group.some((term) => term.some((part) => isForm(word, part)) && term.every((part) => words.some((one) => isForm(one, part))));

/** The same beginning and another ending: `araclari` and `arac`. */
const isForm = (word: string, term: string): boolean =>
  word === term ||
  (Math.min(word.length, term.length) > 3 && sameBeginning(word, term) >= Math.max(4, Math.min(word.length, term.length) - 1));

function sameBeginning(one: string, other: string): number {
  let index = 0;
  while (index < one.length && index < other.length && one[index] === other[index]) index += 1;
  return index;
}

function scoreOf({ endpoint, words }: Entry, { terms, text, all }: Asked, rarity: Rarity): number {
  if (text === endpoint.id) return 1000;
  let score = 0;
  let missing = 0;
  for (const { word, same } of terms) {
    const exact = (words.get(word) ?? 0) * rarity(word);
    const found = Math.max(exact, formScore(words, word, rarity), sameScore(words, same, rarity));
    if (found === 0 && !ACT_WORDS.has(word)) missing += 1;
    score += found;
  }
  if (score === 0) return 0;
  const named = new Set(wordsOf(`${endpoint.name.en} ${endpoint.name.tr}`));
  for (const [acts, isFit] of ACTS) {
    const isAsked = acts.split(' ').some((act) => all.has(act));
    if (isAsked && isFit(endpoint)) score += ACT_SCORE;
  }
  if (text.toUpperCase().startsWith(`${endpoint.method} `)) score += 6;
  // Of two that have every word, the one whose name says nothing else.
  const inName = terms.filter(({ word }) => [...named].some((one) => isForm(word, one))).length;
  const lengths = Math.min(wordsOf(endpoint.name.en).length, wordsOf(endpoint.name.tr).length);
  return score - 5 * missing + (3 * inName) / Math.max(lengths, terms.length);
}

function formScore(words: ReadonlyMap<string, number>, word: string, rarity: Rarity): number {
  let best = 0;
  for (const [one, weight] of words) if (one !== word && isForm(word, one)) best = Math.max(best, 0.85 * weight * rarity(one));
  return best;
}

function sameScore(words: ReadonlyMap<string, number>, same: readonly string[], rarity: Rarity): number {
  let best = 0;
  for (const one of same) best = Math.max(best, 0.7 * (words.get(one) ?? 0) * rarity(one));
  return best;
}
