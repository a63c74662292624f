// What to do about an error code, beyond what its status says.
import type { ErrorCode, Text } from '../../../kit/errors.ts';

const both = (en: string, tr: string): Text => ({ en, tr });

const ADVICE: Readonly<Partial<Record<ErrorCode, Text>>> = {
  invalid_parameter: both(
    '`error.param` names the parameter or header; the message states what it must be. Values are never clamped: `limit=500` is an error.',
    '`error.param` parametrenin ya da başlığın adını, mesaj ise ne olması gerektiğini verir. Değerler kırpılmaz: `limit=500` hatadır.',
  ),
  unknown_parameter: both(
    'The message lists the parameters that the endpoint takes. Fields of a record belong in the body, and the key in the header.',
    'Mesaj uç noktanın aldığı parametreleri sayar. Kaydın alanları gövdeye, anahtar başlığa yazılır.',
  ),
  invalid_json: both(
    'Send one JSON object. The message names the line and column of the first fault: often a comma after the last field, or quotes that are not `"`.',
    'Tek bir JSON nesnesi gönderin. Mesaj ilk hatanın satırını ve sütununu verir: çoğu zaman son alandan sonraki virgül ya da `"` olmayan tırnak.',
  ),
  idempotency_key_required: both(
    'Send an `Idempotency-Key` header: a new UUID for each operation, the same one for each retry of it. [Retries](/docs#idempotent-retries).',
    '`Idempotency-Key` başlığı gönderin: her işlem için yeni, aynı işlemin tekrarında aynı UUID. [Tekrarlar](/docs#idempotent-retries).',
  ),
  idempotency_key_invalid: both(
    'Use 1 to 255 visible ASCII characters without spaces, for example a UUID.',
    'Boşluksuz, 1–255 görünür ASCII karakter kullanın; örneğin bir UUID.',
  ),
  key_missing: both(
    'Send `Authorization: Bearer gal_prod_…` with every request. A proxy between you and the API may have removed the header.',
    'Her istekte `Authorization: Bearer gal_prod_…` gönderin. Aradaki bir vekil sunucu başlığı silmiş olabilir.',
  ),
  key_malformed: both(
    'Copy the key again: it begins with `gal_prod_` or `gal_sand_` and its end is a checksum. The scheme is `Bearer`, not Basic, and the header is sent once.',
    'Anahtarı yeniden kopyalayın: `gal_prod_` ya da `gal_sand_` ile başlar, sonu denetim kodudur. Yöntem Basic değil `Bearer`; başlık bir kez gönderilir.',
  ),
  key_invalid: both(
    'The key is well formed, but this server does not know it. Check that key and address belong to the same server.',
    'Anahtar biçimce doğru, ama bu sunucuda yok. Anahtarla adresin aynı sunucuya ait olduğunu kontrol edin.',
  ),
  key_revoked: both(
    'A person who may manage keys has revoked it. Create a new key in the panel; a revoked key cannot be used again.',
    'Anahtarı yönetme yetkisi olan biri iptal etmiş. Panelden yeni anahtar oluşturun; iptal edilen anahtar bir daha kullanılamaz.',
  ),
  key_expired: both(
    'Create or rotate the key in the panel. Rotation keeps name, endpoints, limits and log, and the old secret stays valid for a limited time.',
    'Panelden anahtarı yenileyin ya da yenisini oluşturun. Yenilemede ad, uç noktalar, limitler ve günlük kalır; eskisi bir süre daha çalışır.',
  ),
  ip_not_allowed: both(
    'The message names the address that the server saw. Add it to the allowed addresses of the key in the panel, or empty the list.',
    'Mesaj sunucunun gördüğü adresi verir. Panelde anahtarın izinli adreslerine ekleyin ya da listeyi boşaltın.',
  ),
  insufficient_scope: both(
    'Add the endpoint to the key in the panel; `error.required_scope` names its scope. `GET account/capabilities` lists the endpoints that a key has.',
    'Panelden uç noktayı anahtara ekleyin; `error.required_scope` kapsamını verir. `GET account/capabilities` anahtarın uç noktalarını listeler.',
  ),
  special_authorization_required: both(
    'Bids and the work of an auctioneer need an authorization that the platform gives to a key. Ask for it in the panel.',
    'Teklif vermek ve müzayede yönetmek, platformun anahtara verdiği özel yetkiyi gerektirir. Panelden isteyin.',
  ),
  sandbox_read_only: both(
    'On this server sandbox keys read the live data and never write. Use `X-Dry-Run: true` with a production key to try a write without an effect.',
    'Bu sunucuda sandbox anahtarları canlı veriyi okur, yazamaz. Etkisiz denemek için production anahtarıyla `X-Dry-Run: true` gönderin.',
  ),
  account_moved: both(
    'The status is 308 with a `Location` if the new address is known, otherwise 410. Change the base URL of your client; the key stays the same. Many HTTP clients do not send the key again to another host.',
    'Yeni adres biliniyorsa durum 308 ve `Location` döner, bilinmiyorsa 410. İstemcinizin temel adresini değiştirin; anahtar aynı kalır. Birçok HTTP istemcisi anahtarı başka bir sunucuya yeniden göndermez.',
  ),
  account_suspended: both(
    'Reads still work. Ask the platform why the account is suspended.',
    'Okuma çalışmaya devam eder. Askıya alınma nedenini platforma sorun.',
  ),
  not_found: both(
    'Either the record is not in this account, or the path is not in the catalog; for a path, the message names the nearest endpoint. Paths are exact.',
    'Ya kayıt bu hesapta yok ya da yol katalogda yok; yolda mesaj en yakın uç noktayı verir. Yollar harfi harfine yazılır.',
  ),
  method_not_allowed: both(
    'The header `Allow` lists the methods that are open on this path.',
    '`Allow` başlığı bu yolda açık olan metotları listeler.',
  ),
  conflict: both(
    'Read the record again; another write was faster, or its state does not allow the change.',
    'Kaydı yeniden okuyun: başka bir yazma önce davranmış ya da durumu değişikliğe izin vermiyor.',
  ),
  invalid_transition: both(
    'Read the record and its `status`. From each status only certain statuses can follow, often through a separate endpoint such as `…/cancel`.',
    'Kaydı ve `status` alanını okuyun. Her durumdan yalnızca belirli durumlara, çoğu zaman `…/cancel` gibi kendi uç noktasıyla geçilir.',
  ),
  idempotency_in_progress: both(
    'Wait for `Retry-After` seconds and send the same request with the same key: you will get the reply of the first one.',
    '`Retry-After` kadar bekleyip aynı isteği aynı anahtarla gönderin: ilkinin yanıtını alırsınız.',
  ),
  precondition_failed: both(
    'Read the record, apply your change to its new state, and send it with the new `ETag` in `If-Match`.',
    'Kaydı okuyun, değişikliğinizi yeni haline uygulayın ve yeni `ETag` değerini `If-Match` ile gönderin.',
  ),
  payload_too_large: both(
    'A JSON body may have 256 kB, a bulk body 2 MB; files have the limit of their endpoint. Send several smaller requests.',
    'JSON gövdesi 256 kB, toplu gövde 2 MB olabilir; dosyaların limiti uç noktasında yazar. Birkaç küçük istek gönderin.',
  ),
  uri_too_long: both('Move long values out of the query.', 'Uzun değerleri sorgudan çıkarın.'),
  headers_too_large: both(
    'Remove cookies and other headers that the API does not use.',
    'API’nin kullanmadığı çerez ve başlıkları çıkarın.',
  ),
  unsupported_media_type: both(
    'Set `Content-Type: application/json`, or `multipart/form-data` for files, and do not compress the body.',
    '`Content-Type: application/json`, dosyalarda `multipart/form-data` gönderin; gövdeyi sıkıştırmayın.',
  ),
  validation_failed: both(
    '`error.details` lists every invalid field with a rule. `suggestion` is the probable correct name of a misspelt field.',
    '`error.details` her geçersiz alanı kuralıyla listeler. `suggestion`, yanlış yazılan alanın büyük olasılıkla doğrusudur.',
  ),
  idempotency_key_reused: both(
    'This key belongs to another request of the last 30 days. Use a new key for each operation.',
    'Bu anahtar son 30 günün başka bir isteğine ait. Her işlem için yeni anahtar kullanın.',
  ),
  rate_limit_exceeded: both(
    'Wait for `Retry-After` seconds. Read lists with `limit=100`, use `updated_since` and webhooks instead of polling, or ask for a higher limit in the panel.',
    '`Retry-After` kadar bekleyin. Listeleri `limit=100` ile okuyun, sürekli sormak yerine `updated_since` ve webhook kullanın ya da panelden limit artışı isteyin.',
  ),
  too_many_failed_attempts: both(
    'A program at this address keeps sending a wrong key. Requests with a valid key are not affected.',
    'Bu adresteki bir program sürekli yanlış anahtar gönderiyor. Geçerli anahtarlı istekler etkilenmez.',
  ),
  endpoint_not_active: both(
    'The endpoint is in the catalog, and a key can hold it, but this server has not opened it yet. In the panel you can vote for it.',
    'Uç nokta katalogda, anahtara verilebilir, ama bu sunucuda henüz açık değil. Panelden talep edebilirsiniz.',
  ),
  service_unavailable: both(
    'Nothing was changed. Wait for `Retry-After` seconds and send the same request again.',
    'Hiçbir şey değişmedi. `Retry-After` kadar bekleyip aynı isteği yeniden gönderin.',
  ),
  plate_in_use: both(
    '`error.details[0].record_id` is the other vehicle, if the key may read it. Edit that one, or delete it if it was entered twice.',
    '`error.details[0].record_id`, anahtar okuyabiliyorsa öteki araçtır. Onu düzenleyin ya da iki kez girildiyse birini silin.',
  ),
  chassis_in_use: both(
    '`error.details[0].record_id` is the other vehicle, if the key may read it. A car that came back after its sale can be added again.',
    '`error.details[0].record_id`, anahtar okuyabiliyorsa öteki araçtır. Satıldıktan sonra geri gelen araç yeniden eklenebilir.',
  ),
  external_ref_in_use: both(
    'Your program has sent this record before. Find it with the filter `external_ref` and edit it.',
    'Programınız bu kaydı daha önce göndermiş. `external_ref` filtresiyle bulup düzenleyin.',
  ),
  duplicate_customer: both(
    'Find the customer with `GET customers?q=…` and use that record.',
    'Müşteriyi `GET customers?q=…` ile bulun ve o kaydı kullanın.',
  ),
  unknown_reference: both(
    'The id names no record of this account, or one that was deleted. `error.details` names the field.',
    'Kimlik bu hesabın bir kaydını göstermiyor ya da kayıt silinmiş. `error.details` alanı verir.',
  ),
  plan_limit_reached: both(
    '`GET membership/usage` shows the limits of the plan. Delete what is no longer needed, or choose a larger plan.',
    '`GET membership/usage` planın limitlerini gösterir. Gerekmeyenleri silin ya da daha büyük bir plan seçin.',
  ),
  capability_not_enabled: both(
    '`GET account/capabilities` shows what the account may do; the platform enables features.',
    '`GET account/capabilities` hesabın yapabildiklerini gösterir; özellikleri platform açar.',
  ),
  vehicle_deleted: both(
    'Restore it with `POST vehicles/{vehicle_id}/restore`.',
    '`POST vehicles/{vehicle_id}/restore` ile geri yükleyin.',
  ),
  insufficient_balance: both(
    'Read `GET wallet`, then request a top-up with `POST wallet/topup-requests`.',
    '`GET wallet` ile bakiyeyi okuyun, `POST wallet/topup-requests` ile yükleme isteyin.',
  ),
  amount_exceeds_balance: both(
    'The message states the open balance. Read the sale again: another collection may have been entered.',
    'Mesaj açık bakiyeyi verir. Satışı yeniden okuyun: başka bir tahsilat girilmiş olabilir.',
  ),
  day_closed: both(
    'The till of that day is closed. Enter the movement on a later day, or let an owner reopen the till in the panel.',
    'O günün kasası kapanmış. İşlemi sonraki bir güne girin ya da bir sahip panelden kasayı yeniden açsın.',
  ),
  bid_too_low: both('The message states the lowest next bid.', 'Mesaj verilebilecek en düşük teklifi yazar.'),
  url_not_allowed: both(
    'Use an `https` address that is reachable from the internet, without user name and password in it. On your own machine, `galeri listen` [forwards events](/docs#event-stream) to a local receiver.',
    'İnternetten erişilen, içinde kullanıcı adı ve parola olmayan bir `https` adresi kullanın. Kendi makinenizde olayları yerel alıcıya `galeri listen` [iletir](/docs#event-stream).',
  ),
  unknown_event: both('See the [event types](/docs/events).', 'Bkz. [olay türleri](/docs/events).'),
  link_expired: both(
    'Links to files are valid for a limited time. Read the record again for a new link.',
    'Dosya bağlantıları sınırlı süre geçerlidir. Yenisi için kaydı yeniden okuyun.',
  ),
};

export const adviceOn = (code: ErrorCode): Text | null => ADVICE[code] ?? null;
