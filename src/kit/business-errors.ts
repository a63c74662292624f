// Refusals that come from what the data means rather than from how it was asked for. Part of the closed list in errors.ts.
const code = (status: number, en: string, tr: string) => ({ status, en, tr }) as const;

export const BUSINESS_ERRORS = {
  plan_limit_reached: code(
    403,
    'Your plan allows {limit} of these; none can be added',
    'Planınız en çok {limit} adede izin veriyor; yenisi eklenemez',
  ),
  capability_not_enabled: code(
    403,
    'This account does not have the capability {capability}',
    'Bu hesapta {capability} özelliği açık değil',
  ),
  unknown_reference: code(422, '{field} names no record of this account', '{field} bu hesabın bir kaydını göstermiyor'),
  plate_in_use: code(409, 'Another vehicle in stock has this plate', 'Stoktaki başka bir araç bu plakayı taşıyor'),
  chassis_in_use: code(
    409,
    'Another vehicle in stock has this chassis number',
    'Stoktaki başka bir araç bu şasi numarasını taşıyor',
  ),
  external_ref_in_use: code(409, 'Another record has this external_ref', 'Başka bir kayıt bu external_ref değerini taşıyor'),
  vehicle_deleted: code(409, 'This vehicle is deleted; restore it first', 'Bu araç silinmiş; önce geri getirin'),
  vehicle_not_deleted: code(409, 'This vehicle is not deleted', 'Bu araç silinmemiş'),
  vehicle_locked: code(
    409,
    'A vehicle that is «{status}» does not let {fields} be changed',
    '«{status}» durumundaki araçta {fields} değiştirilemez',
  ),
  vehicle_reserved: code(409, 'This vehicle is reserved for someone else', 'Bu araç başkası için rezerve'),
  vehicle_in_auction: code(409, 'This vehicle is in an auction', 'Bu araç ihalede'),
  vehicle_sold: code(409, 'A sold vehicle cannot be deleted', 'Satılmış araç silinemez'),
  vehicle_already_sold: code(409, 'This vehicle is sold', 'Bu araç satılmış'),
  vehicle_not_in_stock: code(409, 'This vehicle is not «Stokta»', 'Bu araç «Stokta» değil'),
  already_published: code(409, 'This vehicle is on the marketplace already', 'Bu araç zaten yayında'),
  not_published: code(409, 'This vehicle is not on the marketplace', 'Bu araç yayında değil'),
  export_too_large: code(
    409,
    'More than {limit} vehicles match; narrow the filters',
    '{limit} adetten fazla araç bulundu; süzgeçleri daraltın',
  ),
  duplicate_customer: code(409, 'Another customer has this identity number', 'Bu kimlik numarasıyla başka bir müşteri var'),
  customer_has_active_sale: code(409, 'This customer has a sale that is «Aktif»', 'Müşterinin «Aktif» bir satışı var'),
  customer_has_reservation: code(409, 'A vehicle is reserved for this customer', 'Bu müşteri için rezerve bir araç var'),
  duplicate_guarantor: code(
    409,
    'This customer has a guarantor with this identity number already',
    'Müşterinin bu kimlik numaralı bir kefili zaten var',
  ),
  guarantor_in_use: code(
    409,
    'This guarantor stands for an active sale or note',
    'Bu kefil, devam eden bir satışta ya da senette yer alıyor',
  ),
  guarantor_is_customer: code(422, 'A customer cannot be their own guarantor', 'Müşteri kendi kefili olamaz'),
  webhook_limit_reached: code(409, 'An account has at most {limit} webhooks', 'Bir hesapta en çok {limit} webhook olabilir'),
  url_not_allowed: code(
    422,
    'The address must be https, public and without credentials in it',
    'Adres https olmalı, herkese açık olmalı ve içinde kullanıcı bilgisi bulunmamalı',
  ),
  unknown_event: code(422, '{event} is no kind of event', '{event} diye bir olay türü yok'),
  rotation_open: code(
    409,
    'The previous secret is still valid until {until}; rotate again after that',
    'Önceki sır {until} tarihine kadar geçerli; ondan sonra yeniden değiştirin',
  ),
  delivery_not_failed: code(
    409,
    'Only a failed delivery can be sent again',
    'Yalnızca başarısız bir teslimat yeniden gönderilebilir',
  ),
  position_out_of_range: code(422, 'position must be from 1 to {last}', 'position 1 ile {last} arasında olmalı'),
  video_limit_reached: code(409, 'A vehicle has at most {limit} videos', 'Bir aracın en çok {limit} videosu olabilir'),
  video_set_mismatch: code(
    422,
    'video_ids must name each of the vehicle’s videos exactly once',
    'video_ids aracın her videosunu tam bir kez içermeli',
  ),
  photo_limit_reached: code(409, 'A vehicle has at most {limit} photos', 'Bir aracın en çok {limit} fotoğrafı olabilir'),
  photo_set_mismatch: code(
    422,
    'photo_ids must name each of the vehicle’s photos exactly once',
    'photo_ids aracın her fotoğrafını tam bir kez içermeli',
  ),
  image_too_large: code(
    422,
    'The picture has more than {limit} megapixels; send a smaller one',
    'Fotoğraf {limit} megapikselden büyük; daha küçüğünü gönderin',
  ),
  link_expired: code(403, 'This link has expired; ask for a new one', 'Bu bağlantının süresi doldu; yenisini alın'),
  rate_not_available: code(
    409,
    '{source} has no bulletin for {day} or the ten days before it',
    '{source} bülteni {day} günü ve önceki on gün için yok',
  ),
  webhook_passive: code(409, 'This webhook is not «Aktif»', 'Bu webhook «Aktif» değil'),
} as const;
