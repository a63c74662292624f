// The audit log in sentences: the person, the action and its object.
import { plural, texts } from '../../language.ts';
import { actTexts } from './act-texts.ts';

/** «x» plakalı aracı düzenledi → bir aracı düzenledi; «x» adlı anahtarı oluşturdu → bir anahtar oluşturdu. */
const nameless = (act: string): string =>
  act
    .replace('{x} numaralı makbuzla ', '')
    .replace('{x} adresine ', 'bir adrese ')
    .replace('bir adrese giden ', 'bir ')
    .replace(/«?\{x\}»? (?:(?:plakalı|adlı|numaralı) )?/, 'bir ')
    .replace(/^bir (\S+)(?= (?:ekledi|oluşturdu|yaptı|yükledi|kaydetti)$)/, (_, thing: string) => `bir ${NEW[thing] ?? thing}`);

/** A new object is named without a case suffix. */
const NEW: Readonly<Record<string, string>> = {
  anahtarı: 'anahtar',
  bağlayıcıyı: 'bağlayıcı',
  belgeyi: 'belge',
  çalışanı: 'çalışan',
  görevi: 'görev',
  görünümü: 'görünüm',
  kefili: 'kefil',
  müşteriyi: 'müşteri',
  satışı: 'satış',
  şubeyi: 'şube',
  yöneticiyi: 'yönetici',
};

/** the key “x” → a key; without a noun before it, the noun of the action's subject is used. */
function unnamed(act: string, noun: string): string {
  const sentence = act.replace(
    /the ([a-z]+(?: [a-z]+)?) “?\{x\}”?/,
    (_, thing: string) => `${/^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing}`,
  );
  return sentence.replace(', receipt {x}', '').replace('{x}', noun);
}

/** By the first word of an action, in English. */
const NOUNS: Readonly<Record<string, string>> = {
  vehicle: 'a vehicle',
  customer: 'a customer',
  guarantor: 'a guarantor',
  member: 'a staff member',
  invitation: 'someone',
  webhook: 'a webhook address',
  password: 'someone',
};

/** By the verb of an event kind; in English the verb itself is the word. */
const EVENTS: Readonly<Record<string, string>> = {
  accepted: 'kabul edildi',
  approved: 'onaylandı',
  bid_placed: 'yeni pey aldı',
  broken: 'tutulmadı',
  cancelled: 'iptal edildi',
  closed: 'kapandı',
  completed: 'tamamlandı',
  countered: 'karşı teklif aldı',
  created: 'oluştu',
  deleted: 'silindi',
  ended: 'bitti',
  expired: 'süresi doldu',
  extended: 'uzadı',
  fell_through: 'gerçekleşmedi',
  finished: 'bitti',
  issued: 'kesildi',
  lost: 'kaybedildi',
  outbid: 'peyi geçildi',
  overdue: 'vadesi geçti',
  paid: 'ödendi',
  price_changed: 'fiyatı değişti',
  published: 'yayınlandı',
  received: 'geldi',
  rejected: 'reddedildi',
  requested: 'istendi',
  reservation_released: 'rezervasyonu kalktı',
  reserved: 'rezerve edildi',
  resumed: 'yeniden açıldı',
  sold: 'satıldı',
  started: 'başladı',
  status_changed: 'durumu değişti',
  suspended: 'askıya alındı',
  unpublished: 'yayından kalktı',
  unsold: 'satılmadı',
  updated: 'güncellendi',
  withdrawn: 'geri çekildi',
  won: 'kazanıldı',
};

export const sentenceTexts = texts({
  tr: {
    sentence: (who: string, what: string) => `${who}, ${what}`,
    repriced: (plate: string, from: string, to: string) => `${plate} plakalı aracın fiyatını ${from} → ${to} yaptı`,
    andMore: (sentence: string, n: number) => `${sentence}, ${n} bilgisini daha değiştirdi`,
    moved: (plate: string, from: string, to: string) => `${plate} plakalı aracın durumunu ${from} → ${to} yaptı`,
    /** Where the thing has no name any more, or one that is not ours to know. */
    nameless: (act: string, _subject: string) => nameless(act),
    /** What happened to the other side's records by this act: the verb of an event. */
    events: EVENTS,
    raw: 'Ham kayıt',
    /** Names of the pages on which people act without an account. */
    systems: { 'signing page': 'İmza sayfası', 'customer page': 'Müşteri sayfası' } as Readonly<Record<string, string>>,
    acts: actTexts.tr,
  },
  en: {
    sentence: (who: string, what: string) => `${who} ${what}`,
    repriced: (plate: string, from: string, to: string) => `changed the price of ${plate}: ${from} → ${to}`,
    andMore: (sentence: string, n: number) => `${sentence}, and ${plural(n, 'other detail', 'other details')}`,
    moved: (plate: string, from: string, to: string) => `changed the status of ${plate}: ${from} → ${to}`,
    nameless: (act: string, subject: string) => unnamed(act, NOUNS[subject] ?? 'a record'),
    events: {},
    raw: 'Raw entry',
    systems: { 'signing page': 'Signing page', 'customer page': 'Customer page' },
    acts: actTexts.en,
  },
});
