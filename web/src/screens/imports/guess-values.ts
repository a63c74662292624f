// Translates a feed's words to our fixed values ("Düz" is Manuel), and finds words that have no translation.
import { type NumberFormat, plainDay, plainNumber, plainWhole } from '../../../../src/domain/formats/number-text.ts';
import { fold } from '../../fold.ts';
import { type OurField, specOf, type Target } from './fields.ts';

/** Field → the feed's word → our value. */
export type ValueMap = Readonly<Record<string, Readonly<Record<string, string>>>>;

const CURRENCY_WORDS = {
  TL: ['try', 'tl', '₺', 'turklirasi', 'lira'],
  STG: ['gbp', 'stg', '£', 'sterlin', 'pound', 'ingilizsterlini'],
  USD: ['usd', '$', 'dolar', 'dollar', 'amerikandolari'],
  EUR: ['eur', '€', 'euro', 'avro'],
};

/** Other spellings of a value, folded and without spaces. A value's own name counts too. */
const WORDS: Readonly<Partial<Record<OurField, Readonly<Record<string, readonly string[]>>>>> = {
  fuel_type: {
    Benzin: ['benzinli', 'petrol', 'gasoline', 'kursunsuz'],
    Dizel: ['motorin', 'mazot', 'diesel', 'dizelli'],
    LPG: ['lpgli', 'gaz', 'otogaz'],
    'Benzin+LPG': ['benzinlpg', 'lpgbenzin', 'benzinvelpg', 'benzinlilpg', 'lpgvebenzin', 'petrollpg'],
    Hibrit: ['hybrid', 'melez', 'benzinhibrit', 'hibritbenzin', 'pluginhibrit', 'benzinelektrik', 'mildhybrid'],
    Elektrik: ['elektrikli', 'electric', 'ev'],
  },
  transmission: {
    Manuel: ['duz', 'duzvites', 'manual', 'manuelvites', 'mekanik', 'm'],
    Otomatik: ['otomatikvites', 'automatic', 'auto', 'oto', 'a', 'cvt', 'dsg'],
    'Yarı Otomatik': ['yariotomatik', 'triptonik', 'tiptronik', 'tiptronic', 'semiautomatic', 'yariotomatikvites'],
  },
  body_type: {
    Sedan: ['saloon', '4kapi', 'sd'],
    Hatchback: ['hb', 'hatcback', 'hecbek', '5kapi', 'hatchback5kapi', 'hatchback3kapi'],
    SUV: ['jeep', 'cip', 'arazi', 'araziaraci', 'crossover', 'arazisuvpickup', '4x4', 'suvarazi'],
    'Station Wagon': ['station', 'sw', 'stationwagen', 'steysin', 'estate', 'touring', 'wagon'],
    Coupe: ['kupe', 'coupé', 'spor'],
    Cabrio: ['cabriolet', 'kabriyo', 'ustuacik', 'convertible', 'roadster'],
    'Pick-up': ['pickup', 'pikap', 'kamyonet'],
    Minivan: ['mpv', 'minibus', 'van'],
    Panelvan: ['panel', 'panelvancam', 'ticari', 'hafifticari'],
    Diğer: ['diger', 'other', 'digerleri'],
  },
  currency: CURRENCY_WORDS,
  purchase_currency: CURRENCY_WORDS,
  source: {
    'Satın Alma': ['satinalma', 'satinalim', 'alim', 'satinalindi', 'purchase'],
    Takas: ['takasli', 'tradein', 'takaslaalindi'],
    Konsinye: ['konsinyeli', 'consignment', 'emanet'],
    İthalat: ['ithal', 'import', 'ithalarac'],
  },
  risk_level: {
    low: ['dusuk', 'az', 'iyi'],
    medium: ['orta', 'normal'],
    high: ['yuksek', 'riskli', 'kotu'],
    blocked: ['karaliste', 'yasakli', 'engelli', 'bloke'],
  },
};

const word = (text: string): string => fold(text).replace(/[^a-z0-9₺£$€]/g, '');

/** Our value for a feed's word, or undefined. */
export function guessValue(target: Target, field: OurField, seen: string): string | undefined {
  const values = specOf(target, field)?.values ?? [];
  const folded = word(seen);
  return values.find((value) => word(value) === folded) ?? values.find((value) => WORDS[field]?.[value]?.includes(folded));
}

/** The feed's words that the server would refuse. Bank currency codes (TRY, GBP) are accepted. */
export const valuesToMap = (target: Target, field: OurField, seen: readonly string[]): string[] =>
  seen.filter((value) => !isOurs(target, field, value));

const FEED_CURRENCIES = ['TRY', 'GBP'];

function isOurs(target: Target, field: OurField, seen: string): boolean {
  if (specOf(target, field)?.values?.includes(seen.normalize('NFC'))) return true;
  return (field === 'currency' || field === 'purchase_currency') && FEED_CURRENCIES.includes(seen);
}

/** The chosen and guessed translations of one field, without the unknown words. */
export function guessValues(
  target: Target,
  field: OurField,
  seen: readonly string[],
  chosen: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const open = valuesToMap(target, field, seen).filter((value) => chosen[value] === undefined);
  const guessed = open.map((value) => [value, guessValue(target, field, value)] as const);
  return { ...chosen, ...Object.fromEntries(guessed.filter((pair): pair is [string, string] => pair[1] !== undefined)) };
}

type Reads = (text: string, format: NumberFormat | null) => boolean;
/** By the readers of the server. */
const READS: Readonly<Record<'whole' | 'money' | 'day', Reads>> = {
  whole: (text, format) => plainWhole(text, format) !== null,
  money: (text, format) => plainNumber(text, format) !== null,
  day: (text) => /^\d{4}-\d{2}-\d{2}$/.test(plainDay(text) ?? text),
};

/** The first sample that the field would refuse, or undefined, so that it is noticed before a run. */
export function unreadable(
  target: Target,
  field: OurField,
  samples: readonly string[],
  { map = {}, format = null }: { map?: Readonly<Record<string, string>> | undefined; format?: NumberFormat | null } = {},
): string | undefined {
  const kind = specOf(target, field)?.kind;
  if (kind === undefined || kind === 'text') return undefined;
  const open = samples.filter((value) => map[value] === undefined);
  if (kind === 'choice') return valuesToMap(target, field, open)[0];
  return open.find((value) => !READS[kind](value.trim(), format));
}
