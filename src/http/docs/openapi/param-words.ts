// Descriptions of parameters in both languages. A name has the same meaning on every endpoint, so each is described once.
import type { Text } from '../../../kit/errors.ts';

const both = (en: string, tr: string): Text => ({ en, tr });

const QUERY: Readonly<Record<string, Text>> = {
  limit: both('Number of records per page.', 'Bir sayfadaki kayıt sayısı.'),
  offset: both(
    'Number of records to skip; cannot be combined with `cursor`.',
    'Atlanacak kayıt sayısı; `cursor` ile birlikte verilmez.',
  ),
  cursor: both(
    '`start` for the first page, then the value from `Link: rel="next"`. A record that exists during the whole traversal is returned exactly once.',
    '`start` tüm kayıtlar üzerinde bir dolaşma başlatır; sonra `Link: rel="next"` içindeki değer. Dolaşma boyunca var olan her kayıt tam bir kez görülür.',
  ),
  bids_cursor: both(
    '`0` for the first bids, then the value of `bids_cursor` in the response, until it is null.',
    'İlk peyler için `0`; sonra yanıttaki `bids_cursor` değeri, null olana dek.',
  ),
  status: both('Only records with this status.', 'Yalnızca bu durumdakiler.'),
  brand: both('Only this brand; case and diacritics are ignored.', 'Yalnızca bu marka; harfler aramadaki gibi karşılaştırılır.'),
  model: both('Only this model; case and diacritics are ignored.', 'Yalnızca bu model; harfler aramadaki gibi karşılaştırılır.'),
  city: both(
    'Only in this city; case and diacritics are ignored.',
    'Yalnızca bu şehirdekiler; harfler aramadaki gibi karşılaştırılır.',
  ),
  plate: both('The vehicle with this plate, with or without spaces.', 'Bu plakalı araç; boşluklu ya da boşluksuz.'),
  branch_id: both('Only records of this branch.', 'Yalnızca bu şubedekiler.'),
  year_min: both('Minimum model year.', 'Bu model yılından itibaren.'),
  year_max: both('Maximum model year.', 'Bu model yılına kadar.'),
  price_min: both('Minimum price; requires `currency`.', 'Bu tutardan başlayan fiyatlar; `currency` gerektirir.'),
  price_max: both('Maximum price; requires `currency`.', 'Bu tutara kadar fiyatlar; `currency` gerektirir.'),
  currency: both('Only records in this currency.', 'Yalnızca bu para birimindekiler.'),
  is_marketplace_visible: both(
    'Only vehicles that are, or are not, on the marketplace.',
    'Yalnızca pazar yerinde olanlar ya da olmayanlar.',
  ),
  scope: both(
    'Your own listings, or the published listings of other dealers in the network.',
    'Kendi ilanlarınız ya da ağdaki başka galerilerin yayındaki kartları.',
  ),
  updated_since: both('Only records changed at or after this time.', 'Yalnızca bu andan itibaren değişenler.'),
  fields: both(
    'Only these fields of each record, and what `include` adds. Without it every field is returned.',
    'Her kaydın yalnızca bu alanları, `include` ile eklenenlerle birlikte. Verilmezse bütün alanlar döner.',
  ),
  sort: both(
    'Order of the list, descending with `-`; cannot be combined with `cursor`.',
    'Listenin sırası, `-` ile azalan; `cursor` ile birlikte verilmez.',
  ),
  include: both(
    'Records to add to each record, so that no further request is needed. The key needs the endpoints that return them, and `limit` is at most 50.',
    'Her kayda eklenecek ilgili kayıtlar; ayrıca istek gerekmez. Anahtarda onları veren uç noktalar bulunmalıdır; `limit` en çok 50 olur.',
  ),
  deleted: both('`true`: deleted records instead of the others.', 'Ötekiler yerine silinmiş olanlar.'),
  external_ref: both(
    'The record with exactly this reference of yours.',
    'Sizin verdiğiniz bu referansa sahip kayıt, tam eşleşmeyle.',
  ),
  event: both('Only entries of this type.', 'Yalnızca bu türdeki kayıtlar.'),
  format: both('The format of the export.', 'Dışa aktarma biçimi.'),
  q: both(
    'Full-text search; every word must match. Case and diacritics are ignored.',
    'Serbest arama; her sözcük bulunmalıdır. Türkçe harfler eşlenir.',
  ),
  risk_level: both('Only records with this risk level.', 'Yalnızca bu risk düzeyindekiler.'),
  kind: both('Only records of this kind.', 'Yalnızca bu türdekiler.'),
  origin: both('Only uploaded or only generated documents.', 'Yalnızca yüklenenler ya da yalnızca üretilenler.'),
  template_id: both('Only documents of this template.', 'Yalnızca bu şablondan üretilenler.'),
  source: both(
    'Only from this source; for rates, the bank that publishes the bulletin.',
    'Yalnızca bu kaynaktan; kurlarda, bülteni okunan banka.',
  ),
  convert_to: both(
    'Adds totals converted to this currency, and the rates used.',
    'Bu para biriminde değerlenmiş toplamları, kullanılan kurlarla birlikte ekler.',
  ),
  rate_date: both(
    'Date of the rates for the conversion; default: the earlier of `to` and today.',
    'Toplamların hangi günün kuruyla değerleneceği; belirtilmezse `to` ile bugünün erken olanı.',
  ),
  dataset: both('The data set of the report.', 'Raporun hangi kayıtlardan yapılacağı.'),
  metrics: both('Measures to compute, separated by commas.', 'Sayılan ya da toplanan değerler, virgülle ayrılmış.'),
  ending_before: both('Only auctions that end before this date or time.', 'Bu günden ya da andan önce biten müzayedeler.'),
  from: both('From this date (account time zone) or time on.', 'Bu günden (hesap saatiyle) ya da andan itibaren.'),
  to: both('Up to this date (account time zone, inclusive) or time.', 'Bu güne (hesap saatiyle, dahil) ya da ana kadar.'),
  assignee_id: both('Only tasks of this member of staff.', 'Yalnızca bu çalışana ait olanlar.'),
  priority: both('Only tasks with this priority.', 'Yalnızca bu öncelikte olanlar.'),
  customer_id: both('Only records of this customer.', 'Yalnızca bu müşteriyle ilgili olanlar.'),
  listing_id: both('Only records of this listing.', 'Yalnızca bu ilana ait olanlar.'),
  role: both('Only records in which you have this role.', 'Yalnızca bu taraf olduklarınız.'),
  thread_id: both('Only offers of this negotiation.', 'Yalnızca bu pazarlığa ait olanlar.'),
  awaiting_me: both('`true`: only records that wait for your response.', '`true`: yalnızca yanıtınızı bekleyenler.'),
  sale_id: both('Only records of this sale.', 'Yalnızca bu satışla ilgili olanlar.'),
  salesperson_id: both('Only sales of this salesperson.', 'Yalnızca bu satış danışmanına ait olanlar.'),
  collected_by_id: both('Only collections by this member of staff.', 'Yalnızca bu çalışanın tahsil ettikleri.'),
  payment_type: both('Only records with this payment type.', 'Yalnızca bu şekilde ödenenler.'),
  legal_stage: both('Only records in this stage of legal action.', 'Yalnızca bu hukuki aşamadakiler.'),
  title: both('Only sales whose title transfer has this status.', 'Yalnızca devri bu durumda olanlar.'),
  invoice: both('`none`: only sales without an invoice number.', '`none`: yalnızca fatura numarası olmayanlar.'),
  type: both('Only records of this type.', 'Yalnızca bu türdeki kayıtlar.'),
  deposit_status: both('Only deposits with this status.', 'Yalnızca bu durumdaki kaporalar.'),
  days: both(
    'Number of days ahead; default: the setting of the account.',
    'Kaç gün ileriye bakılacağı; belirtilmezse hesabın ayarı.',
  ),
  min_days: both('Minimum days overdue.', 'En az bu kadar gün gecikmiş.'),
  max_days: both('Maximum days overdue.', 'En çok bu kadar gün gecikmiş.'),
  vehicle_id: both('Only records of this vehicle.', 'Yalnızca bu araçla ilgili olanlar.'),
  overdue: both('Only overdue records.', 'Yalnızca gecikmiş olanlar.'),
  due_before: both('Only records due before this date or time.', 'Yalnızca bu günden ya da andan önce bitmesi gerekenler.'),
  unread: both('Only unread notifications.', 'Yalnızca okunmamış olanlar.'),
  date: both('The date; default: today in the account time zone.', 'Gün; belirtilmezse bugün (hesap saatiyle).'),
  pair: both(
    'The currency pair: the price of one unit of the first currency in the second.',
    'Döviz çifti: ilkinin bir biriminin ikincideki karşılığı.',
  ),
  target: both('Only connectors with this target.', 'Yalnızca bunları getiren bağlayıcılar.'),
  connector_id: both('Only runs of this connector.', 'Yalnızca bu bağlayıcının çalıştırmaları.'),
  code: both('Only errors with this code.', 'Yalnızca bu kodlu hatalar.'),
  event_type: both('Only deliveries of this event type.', 'Yalnızca bu olay türünün gönderimleri.'),
  group_by: both('How to group the results.', 'Rakamların nasıl gruplanacağı.'),
  method: both('Only records with this method.', 'Yalnızca bu yöntemle yapılanlar.'),
  endpoint: both(
    'Only requests to this endpoint, such as `GET vehicles`.',
    'Yalnızca `GET vehicles` gibi bu uç noktaya yapılan istekler.',
  ),
  error_code: both('Only requests that failed with this error code.', 'Yalnızca bu kodla reddedilen istekler.'),
  request_id: both('The request with this id.', 'Bu kimlikli istek.'),
};

/** Null if a parameter has no description; a test refuses such an endpoint. */
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
