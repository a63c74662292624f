// What each parameter is for, in both languages. A name means the same on every row that has it, so it is said once.
import type { Text } from '../../kit/errors.ts';

const both = (en: string, tr: string): Text => ({ en, tr });

const QUERY: Readonly<Record<string, Text>> = {
  limit: both('How many records a page holds.', 'Bir sayfadaki kayıt sayısı.'),
  offset: both(
    'How many records to skip; not together with `cursor`.',
    'Atlanacak kayıt sayısı; `cursor` ile birlikte verilmez.',
  ),
  cursor: both(
    '`start` begins a walk over every record; then the value that `Link: rel="next"` carries. What exists during the whole walk is seen exactly once.',
    '`start` tüm kayıtlar üzerinde bir dolaşma başlatır; sonra `Link: rel="next"` içindeki değer. Dolaşma boyunca var olan her kayıt tam bir kez görülür.',
  ),
  bids_cursor: both(
    '`0` for the first bids; then the value of `bids_cursor` in the answer, until it is null.',
    'İlk peyler için `0`; sonra yanıttaki `bids_cursor` değeri, null olana dek.',
  ),
  status: both('Only those with this status.', 'Yalnızca bu durumdakiler.'),
  brand: both(
    'Only this brand; letters are compared as search does.',
    'Yalnızca bu marka; harfler aramadaki gibi karşılaştırılır.',
  ),
  model: both(
    'Only this model; letters are compared as search does.',
    'Yalnızca bu model; harfler aramadaki gibi karşılaştırılır.',
  ),
  city: both(
    'Only in this city; letters are compared as search does.',
    'Yalnızca bu şehirdekiler; harfler aramadaki gibi karşılaştırılır.',
  ),
  plate: both('The vehicle with this plate, with or without spaces.', 'Bu plakalı araç; boşluklu ya da boşluksuz.'),
  branch_id: both('Only those of this branch.', 'Yalnızca bu şubedekiler.'),
  year_min: both('Model year from this one on.', 'Bu model yılından itibaren.'),
  year_max: both('Model year up to this one.', 'Bu model yılına kadar.'),
  price_min: both('Price from this amount on; needs `currency`.', 'Bu tutardan başlayan fiyatlar; `currency` gerektirir.'),
  price_max: both('Price up to this amount; needs `currency`.', 'Bu tutara kadar fiyatlar; `currency` gerektirir.'),
  currency: both('Only those in this currency.', 'Yalnızca bu para birimindekiler.'),
  is_marketplace_visible: both(
    'Only those that are, or are not, on the marketplace.',
    'Yalnızca pazar yerinde olanlar ya da olmayanlar.',
  ),
  scope: both(
    'Your own listings, or the published cards of other dealers of the network.',
    'Kendi ilanlarınız ya da ağdaki başka galerilerin yayındaki kartları.',
  ),
  updated_since: both('Only those changed at or after this moment.', 'Yalnızca bu andan itibaren değişenler.'),
  deleted: both('The deleted ones instead of the others.', 'Ötekiler yerine silinmiş olanlar.'),
  external_ref: both(
    'The record with this reference of your own, exactly.',
    'Sizin verdiğiniz bu referansa sahip kayıt, tam eşleşmeyle.',
  ),
  event: both('Only entries of this kind.', 'Yalnızca bu türdeki kayıtlar.'),
  format: both('The format of the export.', 'Dışa aktarma biçimi.'),
  q: both(
    'Free search; every word must be found. Turkish letters are folded.',
    'Serbest arama; her sözcük bulunmalıdır. Türkçe harfler eşlenir.',
  ),
  risk_level: both('Only those of this risk level.', 'Yalnızca bu risk düzeyindekiler.'),
  kind: both('Only those of this kind.', 'Yalnızca bu türdekiler.'),
  origin: both('Only uploaded or only generated ones.', 'Yalnızca yüklenenler ya da yalnızca üretilenler.'),
  template_id: both('Only those of this template.', 'Yalnızca bu şablondan üretilenler.'),
  source: both(
    'Only from this source; for rates, the bank whose bulletin is read.',
    'Yalnızca bu kaynaktan; kurlarda, bülteni okunan banka.',
  ),
  convert_to: both(
    'Adds totals valued in this currency, with the rates they were made with.',
    'Bu para biriminde değerlenmiş toplamları, kullanılan kurlarla birlikte ekler.',
  ),
  rate_date: both(
    'The day whose rates value the totals; the earlier of `to` and today unless said.',
    'Toplamların hangi günün kuruyla değerleneceği; belirtilmezse `to` ile bugünün erken olanı.',
  ),
  dataset: both('The records that the report is made of.', 'Raporun hangi kayıtlardan yapılacağı.'),
  metrics: both('What is counted or added up, separated by commas.', 'Sayılan ya da toplanan değerler, virgülle ayrılmış.'),
  ending_before: both('Auctions that end before this day or moment.', 'Bu günden ya da andan önce biten müzayedeler.'),
  from: both('From this day (account time) or moment on.', 'Bu günden (hesap saatiyle) ya da andan itibaren.'),
  to: both('Up to this day (account time, inclusive) or moment.', 'Bu güne (hesap saatiyle, dahil) ya da ana kadar.'),
  assignee_id: both('Only those of this member of staff.', 'Yalnızca bu çalışana ait olanlar.'),
  priority: both('Only those of this priority.', 'Yalnızca bu öncelikte olanlar.'),
  customer_id: both('Only those about this customer.', 'Yalnızca bu müşteriyle ilgili olanlar.'),
  listing_id: both('Only those of this listing.', 'Yalnızca bu ilana ait olanlar.'),
  role: both('Only those in which you are this side.', 'Yalnızca bu taraf olduklarınız.'),
  thread_id: both('Only those of this negotiation.', 'Yalnızca bu pazarlığa ait olanlar.'),
  awaiting_me: both('`true`: only those that wait for your answer.', '`true`: yalnızca yanıtınızı bekleyenler.'),
  sale_id: both('Only those about this sale.', 'Yalnızca bu satışla ilgili olanlar.'),
  salesperson_id: both('Only those of this salesperson.', 'Yalnızca bu satış danışmanına ait olanlar.'),
  collected_by_id: both('Only what this member of staff collected.', 'Yalnızca bu çalışanın tahsil ettikleri.'),
  payment_type: both('Only those paid in this way.', 'Yalnızca bu şekilde ödenenler.'),
  legal_stage: both('Only those at this stage of legal action.', 'Yalnızca bu hukuki aşamadakiler.'),
  title: both('Only those whose title transfer has this status.', 'Yalnızca devri bu durumda olanlar.'),
  invoice: both('`none`: only those without an invoice number.', '`none`: yalnızca fatura numarası olmayanlar.'),
  type: both('Only records of this type.', 'Yalnızca bu türdeki kayıtlar.'),
  deposit_status: both('Only deposits with this status.', 'Yalnızca bu durumdaki kaporalar.'),
  days: both(
    'How many days ahead to look; the account’s setting unless said.',
    'Kaç gün ileriye bakılacağı; belirtilmezse hesabın ayarı.',
  ),
  min_days: both('Late by at least so many days.', 'En az bu kadar gün gecikmiş.'),
  max_days: both('Late by at most so many days.', 'En çok bu kadar gün gecikmiş.'),
  vehicle_id: both('Only those about this vehicle.', 'Yalnızca bu araçla ilgili olanlar.'),
  overdue: both('Only those that are late.', 'Yalnızca gecikmiş olanlar.'),
  due_before: both('Only those due before this day or moment.', 'Yalnızca bu günden ya da andan önce bitmesi gerekenler.'),
  unread: both('Only those not read yet.', 'Yalnızca okunmamış olanlar.'),
  date: both('The day; today (account time) unless said.', 'Gün; belirtilmezse bugün (hesap saatiyle).'),
  pair: both(
    'The currency pair: one unit of the first in the second.',
    'Döviz çifti: ilkinin bir biriminin ikincideki karşılığı.',
  ),
  target: both('Only connectors that bring these in.', 'Yalnızca bunları getiren bağlayıcılar.'),
  connector_id: both('Only runs of this connector.', 'Yalnızca bu bağlayıcının çalıştırmaları.'),
  code: both('Only errors with this code.', 'Yalnızca bu kodlu hatalar.'),
  event_type: both('Only deliveries of this kind of event.', 'Yalnızca bu olay türünün gönderimleri.'),
  group_by: both('How the figures are grouped.', 'Rakamların nasıl gruplanacağı.'),
  method: both('Only those with this method.', 'Yalnızca bu yöntemle yapılanlar.'),
  endpoint: both(
    'Only requests to this endpoint, such as `GET vehicles`.',
    'Yalnızca `GET vehicles` gibi bu uç noktaya yapılan istekler.',
  ),
  error_code: both('Only requests refused with this code.', 'Yalnızca bu kodla reddedilen istekler.'),
  request_id: both('The request with this id.', 'Bu kimlikli istek.'),
};

/** Null where a name has no words yet: a test refuses such a row. */
export const queryWords = (name: string): Text | null => QUERY[name] ?? null;

const PATH_NOUNS: Readonly<Record<string, readonly [en: string, tr: string]>> = {
  vehicle: ['vehicle', 'Aracın'],
  photo: ['photo', 'Fotoğrafın'],
  video: ['video', 'Videonun'],
  customer: ['customer', 'Müşterinin'],
  guarantor: ['guarantor', 'Kefilin'],
  sale: ['sale', 'Satışın'],
  plan: ['installment plan', 'Taksit planının'],
  installment: ['installment', 'Taksitin'],
  collection: ['collection', 'Tahsilatın'],
  document: ['document', 'Belgenin'],
  promise: ['payment promise', 'Ödeme sözünün'],
  note: ['promissory note', 'Senedin'],
  task: ['task', 'Görevin'],
  offer: ['offer', 'Teklifin'],
  request: ['request', 'Talebin'],
  auction: ['auction', 'Müzayedenin'],
  event: ['event', 'Müzayedenin'],
  lot: ['lot', 'Lotun'],
  listing: ['listing', 'İlanın'],
  invoice: ['invoice', 'Faturanın'],
  topup: ['top-up', 'Yüklemenin'],
  transaction: ['transaction', 'Hareketin'],
  order: ['order', 'Siparişin'],
  notification: ['notification', 'Bildirimin'],
  connector: ['connector', 'Bağlayıcının'],
  run: ['run', 'Çalıştırmanın'],
  webhook: ['webhook', 'Webhook’un'],
  delivery: ['delivery', 'Gönderimin'],
  branch: ['branch', 'Şubenin'],
};

export function pathWords(name: string): Text | null {
  if (name === 'currency_pair') return both('The currency pair, such as `STG-TL`.', '`STG-TL` gibi döviz çifti.');
  const noun = PATH_NOUNS[name.replace(/_id$/, '').split('_').at(-1)!];
  return noun === undefined ? null : both(`Id of the ${noun[0]}.`, `${noun[1]} kimliği.`);
}
