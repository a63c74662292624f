// Other spellings of our fixed values, as dealers and portals write them: "Düz" is Manuel, "Oto." is Otomatik.
import { currencyOfWord } from '../formats/cell-text.ts';
import { foldWord } from '../formats/fold-text.ts';

/** Folded, without spaces and marks. A value's own name counts too. */
const WORDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  fuel_type: {
    Benzin: ['benzinli', 'petrol', 'gasoline', 'kursunsuz', 'kursunsuzbenzin', 'bnz', 'b'],
    Dizel: ['motorin', 'mazot', 'mazotlu', 'diesel', 'dizelli', 'diizel', 'dzl', 'eurodizel', 'd', 'tdi', 'dci', 'cdi', 'hdi'],
    LPG: ['lpgli', 'gaz', 'otogaz', 'tup', 'tuplu'],
    'Benzin+LPG': [
      'benzinlpg',
      'lpgbenzin',
      'benzinvelpg',
      'benzinlilpg',
      'lpgvebenzin',
      'petrollpg',
      'benzinlpgli',
      'benzintup',
    ],
    Hibrit: [
      'hybrid',
      'hibrid',
      'melez',
      'benzinhibrit',
      'hibritbenzin',
      'pluginhibrit',
      'pluginhybrid',
      'phev',
      'hev',
      'benzinelektrik',
      'benzinelektrikli',
      'dizelelektrik',
      'mildhybrid',
      'mildhibrit',
      'dizelhibrit',
      'hibritdizel',
      'petrolhybrid',
      'selfcharginghybrid',
    ],
    Elektrik: ['elektrikli', 'electric', 'ev', 'bev', 'tamelektrik', 'fullelektrik', 'togg'],
  },
  transmission: {
    Manuel: ['duz', 'duzvites', 'manual', 'manuelvites', 'mekanik', 'm', 'man', 'mt', 'mnl', 'duzman', '5ileri', '6ileri'],
    Otomatik: [
      'otomatikvites',
      'automatic',
      'auto',
      'oto',
      'otom',
      'otm',
      'a',
      'at',
      'cvt',
      'dsg',
      'edc',
      'dct',
      'eat',
      'eat6',
      'eat8',
      'xtronic',
      'powershift',
      'ciftkavrama',
      'tamotomatik',
      'fullotomatik',
      'stronic',
      'pdk',
      'multitronic',
      'etronic',
    ],
    'Yarı Otomatik': [
      'yariotomatik',
      'yariotom',
      'yarioto',
      'triptonik',
      'tiptronik',
      'tiptronic',
      'otomatiktriptonik',
      'otomatiktiptronik',
      'semiautomatic',
      'semiauto',
      'yariotomatikvites',
      'easytronic',
      'dualogic',
      'robotize',
      'dualoc',
    ],
  },
  body_type: {
    Sedan: ['saloon', '4kapi', '4kapili', 'sd', 'sdn', 'limuzin', 'sedan4kapi', 'salon'],
    Hatchback: [
      'hb',
      'hatcback',
      'hatchbag',
      'hachback',
      'hecbek',
      '5kapi',
      '3kapi',
      'hatchback5kapi',
      'hatchback3kapi',
      'hatch',
    ],
    SUV: [
      'jeep',
      'cip',
      'arazi',
      'araziaraci',
      'crossover',
      'arazisuvpickup',
      'arazisuv',
      'suvarazi',
      'suvcrossover',
      '4x4',
      '4wd',
      'jip',
    ],
    'Station Wagon': [
      'station',
      'sw',
      'stationwagen',
      'stationvagon',
      'steysin',
      'estate',
      'touring',
      'wagon',
      'stw',
      'variant',
      'kombi',
    ],
    Coupe: ['kupe', 'coup', 'spor', 'sport', 'kuppe'],
    Cabrio: ['cabriolet', 'kabriyo', 'kabrio', 'ustuacik', 'convertible', 'roadster', 'spyder', 'acik'],
    'Pick-up': ['pickup', 'pikap', 'pickap', 'doublecab', 'ciftkabin', 'ciftkabinpickup', 'kamyonet'],
    Minivan: ['mpv', 'minibus', 'van', 'minivanmpv', 'camlivan', 'combivan'],
    Panelvan: ['panel', 'panelvancam', 'ticari', 'hafifticari', 'panelvan', 'cargo', 'kapalikasa', 'frigofrik'],
    Diğer: ['diger', 'other', 'digerleri', 'muhtelif'],
  },
  source: {
    'Satın Alma': ['satinalma', 'satinalim', 'alim', 'satinalindi', 'purchase', 'bought', 'alindi'],
    Takas: ['takasli', 'tradein', 'takaslaalindi', 'takasgeldi', 'partexchange'],
    Konsinye: ['konsinyeli', 'consignment', 'emanet', 'komisyon', 'sahibindenemanet'],
    İthalat: ['ithal', 'import', 'ithalarac', 'imported', 'japonithal', 'ingiltere', 'japonya', 'uk'],
  },
  risk_level: {
    low: ['dusuk', 'az', 'iyi', 'guvenilir'],
    medium: ['orta', 'normal'],
    high: ['yuksek', 'riskli', 'kotu', 'dikkat'],
    blocked: ['karaliste', 'yasakli', 'engelli', 'bloke', 'satisyok'],
  },
  kind: {
    Bireysel: ['kisi', 'sahis', 'gercek', 'gercekkisi', 'birey', 'person', 'individual', 'ozel'],
    Kurumsal: ['sirket', 'firma', 'tuzel', 'tuzelkisi', 'company', 'corporate', 'ltd', 'kurum'],
  },
  drive: {
    Önden: ['ondencekis', 'onden', 'onceker', 'fwd', 'frontwheeldrive', 'oncekis', 'front', 'on'],
    Arkadan: ['arkadancekis', 'arkadaniti', 'arkadanitis', 'rwd', 'rearwheeldrive', 'arkaceker', 'rear', 'arka'],
    '4x4': ['4wd', 'awd', 'dortceker', '4ceker', 'quattro', 'xdrive', '4matic', '4motion', 'ceker4', '44', 'dortcekerli'],
  },
  steering: {
    Sol: ['soldan', 'soldireksiyon', 'soldandireksiyon', 'lhd', 'left', 'lefthand', 'l', 'solda'],
    Sağ: ['sagdan', 'sagdireksiyon', 'sagdandireksiyon', 'rhd', 'right', 'righthand', 'r', 'sagda', 'sag'],
  },
};

const isCurrency = (field: string): boolean => field === 'currency' || field.endsWith('_currency');

const BY_WORD: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(WORDS).map(([field, values]) => [
    field,
    new Map(Object.entries(values).flatMap(([value, words]) => words.map((word) => [foldWord(word), value] as const))),
  ]),
);

/** Our value for a word, or null. `values` are the field's own. */
export function valueOfWord(field: string, values: readonly string[], text: string): string | null {
  if (isCurrency(field)) return currencyOfWord(text);
  const word = foldWord(text);
  if (word === '') return null;
  const own = values.find((value) => foldWord(value) === word);
  if (own !== undefined) return own;
  const found = BY_WORD.get(field)?.get(word);
  return found !== undefined && values.includes(found) ? found : null;
}
