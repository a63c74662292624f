// The fixed words of the reference page, in both languages. Text between backticks is shown as code.
import type { Risk } from '../../../kit/endpoint.ts';
import type { Locale, Text } from '../../../kit/errors.ts';

const both = (en: string, tr: string): Text => ({ en, tr });

export const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = { en: 'English', tr: 'Türkçe' };

export const WORDS = {
  title: both('API reference', 'API belgeleri'),
  lead: both(
    'Stock, customers, installment sales and collections of a vehicle dealer, over HTTP and JSON.',
    'Araç galerisinin stoğu, müşterileri, taksitli satışları ve tahsilatları; HTTP ve JSON ile.',
  ),
  skip: both('Skip to content', 'İçeriğe geç'),
  contents: both('Contents', 'İçindekiler'),
  close: both('Close', 'Kapat'),
  guide: both('Guide', 'Rehber'),
  endpoints: both('Endpoints', 'Uç noktalar'),
  lists: both('Lists', 'Listeler'),
  allEndpoints: both('All endpoints', 'Tüm uç noktalar'),
  errors: both('Error codes', 'Hata kodları'),
  events: both('Event types', 'Olay türleri'),
  changelog: both('Changelog', 'Değişiklikler'),
  panel: both('Panel', 'Panel'),
  tryIt: both('Try it with your data', 'Kendi verinizle deneyin'),
  vote: both('Vote for it', 'Talep edin'),
  search: both('Search the reference', 'Belgelerde ara'),
  searchHint: both('Search: plate, webhook, 429…', 'Ara: plaka, webhook, 429…'),
  found: both('found', 'sonuç'),
  none: both('No results.', 'Sonuç yok.'),
  theme: both('Theme', 'Tema'),
  systemTheme: both('System', 'Sistem'),
  lightTheme: both('Light', 'Açık'),
  darkTheme: both('Dark', 'Koyu'),
  samplesIn: both('Samples in', 'Örneklerin dili'),
  baseAddress: both('Base URL', 'Temel adres'),
  openNow: both('Available now', 'Şu an açık'),
  liveCount: both('live', 'aktif'),
  of: both('of', '/'),
  version: both('Version', 'Sürüm'),
  description: both('Machine-readable', 'Makinece okunur'),
  request: both('Request', 'İstek'),
  reply: both('Response', 'Yanıt'),
  replyHeaders: both('Response headers', 'Yanıt başlıkları'),
  requestWithFile: both('Request with a file', 'Dosyalı istek'),
  error: both('Error', 'Ret'),
  event: both('Event', 'Olay'),
  whatToDo: both('What to do', 'Yapılacak'),
  returnedBy: both('Returned by', 'Hangi uç noktalardan gelir'),
  askForHelp: both(
    'Quote `meta.request_id` when you ask for help; it finds the request in the panel’s log.',
    'Yardım isterken `meta.request_id` değerini verin; panelin günlüğünde isteği bulur.',
  ),
  refusals: both('Errors', 'Retler'),
  commonRefusals: both('Errors that any request can return', 'Her isteğin karşılaşabileceği retler'),
  emits: both('Emits', 'Olayları:'),
  copy: both('Copy', 'Kopyala'),
  copied: both('Copied', 'Kopyalandı'),
  scope: both('Scope', 'Kapsam'),
  takesHeaders: both('Request headers', 'Aldığı başlıklar'),
  givesHeaders: both('Response headers', 'Verdiği başlıklar'),
  pathParams: both('Path parameters', 'Yol parametreleri'),
  queryParams: both('Query parameters', 'Sorgu parametreleri'),
  bodyFields: both('Body fields', 'Gövde alanları'),
  formParts: both('Form parts (multipart/form-data)', 'Formun bölümleri (multipart/form-data)'),
  orForm: both('Or form parts (multipart/form-data)', 'Ya da formun bölümleri (multipart/form-data)'),
  replyFields: both('Response fields', 'Yanıt alanları'),
  itemFields: both('Each record of data', 'data içindeki her kayıt'),
  dataFields: both('In data', 'data içinde'),
  name: both('Name', 'Ad'),
  holds: both('Value', 'Değer'),
  message: both('Message', 'Mesaj'),
  items: both('items', 'öğe'),
  characters: both('characters', 'karakter'),
  preset: both('default', 'varsayılan'),
  required: both('required', 'zorunlu'),
  values: both('values', 'değer'),
  code: both('Code', 'Kod'),
  header: both('Header', 'Başlık'),
  meaning: both('Meaning', 'Anlamı'),
  soon: both(
    'Coming soon: you can assign it to a key now; it returns 501 `endpoint_not_active` until it is released.',
    'Yakında: anahtara şimdiden atanabilir, açılana kadar 501 `endpoint_not_active` yanıtı verir.',
  ),
  soonShut: both(
    'Coming soon: you can assign it to a key now; it returns 405 `method_not_allowed` until it is released, because only GET is available on this path.',
    'Yakında: anahtara şimdiden atanabilir; bu yolda yalnızca GET açık olduğundan, açılana kadar 405 `method_not_allowed` yanıtı verir.',
  ),
} as const satisfies Readonly<Record<string, Text>>;

export const RISKS: Readonly<Record<Risk, { name: Text; note: Text; icon: string }>> = {
  read: { name: both('Read', 'Okuma'), note: both('Changes nothing.', 'Hiçbir şeyi değiştirmez.'), icon: 'eye' },
  write: {
    name: both('Write', 'Yazma'),
    note: both('Creates or changes records.', 'Kayıt ekler veya değiştirir.'),
    icon: 'pencil',
  },
  destructive: {
    name: both('Destructive', 'Yıkıcı'),
    note: both('Deletes, cancels or reverses.', 'Siler, iptal eder veya geri alır.'),
    icon: 'trash',
  },
  sensitive: {
    name: both('Sensitive', 'Hassas'),
    note: both('Bids, money, secrets or confidential figures.', 'Pey, para, gizli anahtar veya korunması gereken rakamlar.'),
    icon: 'shield',
  },
};

export const STATUSES: Readonly<Record<'live' | 'soon', { name: Text; note: Text; icon: string }>> = {
  live: { name: both('Live', 'Aktif'), note: both('Available.', 'Çalışır.'), icon: 'check' },
  soon: {
    name: both('Coming soon', 'Yakında'),
    note: both(
      'In the catalog; can be assigned to keys; not available yet.',
      'Katalogdadır, anahtara atanabilir, henüz çalışmaz.',
    ),
    icon: 'clock',
  },
};

/** Names of value types. */
export const TYPES: Readonly<Record<string, Text>> = {
  uuid: both('uuid', 'uuid'),
  'date-time': both('timestamp, UTC', 'zaman, UTC'),
  date: both('date', 'tarih'),
  money: both('decimal string', 'ondalık metin'),
  string: both('string', 'metin'),
  integer: both('integer', 'tam sayı'),
  number: both('number', 'sayı'),
  boolean: both('boolean', 'doğru/yanlış'),
  object: both('object', 'nesne'),
  array: both('list', 'liste'),
  file: both('file', 'dosya'),
  null: both('null', 'null'),
  any: both('any', 'herhangi bir değer'),
};

export const or = both('or', 'veya');
