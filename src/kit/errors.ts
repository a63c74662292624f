// Every error code of the API with its status and message. Codes may be added, never changed; docs/errors.md is generated from it.
import { BUSINESS_ERRORS } from './business-errors.ts';
import type { Sql } from './sql.ts';

export type Locale = 'en' | 'tr';
export type Text = Readonly<Record<Locale, string>>;

const code = (status: number, en: string, tr: string) => ({ status, en, tr }) as const;

/** `{name}` in a message is replaced by the value of that name given to `fail`. */
export const ERRORS = {
  ...BUSINESS_ERRORS,
  invalid_parameter: code(400, '{param} must be {allowed}', '{param}, {allowed} olmalı'),
  unknown_parameter: code(
    400,
    '{param} is not a parameter of this endpoint; it takes {allowed}',
    '{param} bu uç noktanın parametresi değil; alabildikleri: {allowed}',
  ),
  invalid_json: code(400, 'The request body must be a JSON object: {fault}', 'İstek gövdesi bir JSON nesnesi olmalı: {fault}'),
  idempotency_key_required: code(
    400,
    'This operation requires an Idempotency-Key header',
    'Bu işlem için Idempotency-Key başlığı gereklidir',
  ),
  idempotency_key_invalid: code(
    400,
    'Idempotency-Key must be 1 to 255 visible ASCII characters',
    'Idempotency-Key, 1–255 görünür ASCII karakter olmalı',
  ),
  key_missing: code(
    401,
    'Send your API key in the header Authorization: Bearer <API_KEY>',
    'API anahtarınızı Authorization: Bearer <API_KEY> başlığıyla gönderin',
  ),
  key_malformed: code(
    401,
    'The API key is malformed; check that you copied all of it',
    'API anahtarının biçimi hatalı; tamamının kopyalandığını kontrol edin',
  ),
  key_invalid: code(401, 'This API key does not exist', 'Böyle bir API anahtarı yok'),
  key_revoked: code(401, 'This API key has been revoked', 'Bu API anahtarı iptal edilmiş'),
  key_expired: code(401, 'This API key expired at {expires_at}', 'Bu API anahtarının süresi {expires_at} tarihinde doldu'),
  ip_not_allowed: code(
    403,
    'This API key does not accept requests from {address}',
    'Bu API anahtarı {address} adresinden gelen istekleri kabul etmiyor',
  ),
  insufficient_scope: code(
    403,
    'This API key does not include {endpoint}; it requires the scope {scope}',
    'Bu API anahtarında {endpoint} yetkisi yok; {scope} kapsamı gerekli',
  ),
  special_authorization_required: code(
    403,
    'This operation requires a special authorization of the key; request it in the panel',
    'Bu işlem özel yetkili bir entegrasyon gerektirir',
  ),
  sandbox_read_only: code(
    403,
    'Sandbox keys read live data and cannot write',
    'Sandbox anahtarları aynı canlı veriyi okur, yazamaz',
  ),
  sandbox_control_not_allowed: code(
    403,
    'Only a sandbox key that holds at least one writing endpoint can control the sandbox',
    'Sandbox yalnızca en az bir yazma uç noktası olan bir sandbox anahtarıyla yönetilebilir',
  ),
  account_suspended: code(403, 'This account is suspended; it can read but not write', 'Bu hesap askıda: okuyabilir, yazamaz'),
  not_found: code(404, 'Not found', 'Bulunamadı'),
  sandbox_not_enabled: code(
    404,
    'This service has no isolated sandbox; sandbox keys read live data',
    'Bu hizmette ayrı bir sandbox yok; sandbox anahtarları canlı veriyi okur',
  ),
  method_not_allowed: code(
    405,
    '{method} is not available here; allowed: {allowed}',
    '{method} burada kullanılamaz; izin verilenler: {allowed}',
  ),
  account_moved: code(
    410,
    'This account is in another deployment now: {address}',
    'Bu hesap artık başka bir kurulumda: {address}',
  ),
  conflict: code(409, 'The current state does not allow this', 'Şu anki durum buna izin vermiyor'),
  invalid_transition: code(
    409,
    'The status cannot change from «{from}» to «{to}»',
    '«{from}» durumundan «{to}» durumuna geçilemez',
  ),
  idempotency_in_progress: code(
    409,
    'The first request with this Idempotency-Key is still running',
    'Bu Idempotency-Key ile gönderilen ilk istek hâlâ sürüyor',
  ),
  precondition_failed: code(412, 'The record has changed since it was read', 'Kayıt okunduktan sonra değişmiş'),
  payload_too_large: code(413, 'The request body is larger than {allowed}', 'İstek gövdesi {allowed} limitini aşıyor'),
  uri_too_long: code(414, 'The URL is longer than {allowed} bytes', 'Adres {allowed} bayttan uzun'),
  unsupported_media_type: code(415, 'Unsupported content; send {allowed}', 'Desteklenmeyen içerik; {allowed} gönderin'),
  validation_failed: code(422, 'Some fields are not valid', 'Bazı alanlar geçerli değil'),
  idempotency_key_reused: code(
    422,
    'This Idempotency-Key was used with another request',
    'Bu Idempotency-Key başka bir istekle kullanılmış',
  ),
  rate_limit_exceeded: code(
    429,
    'The limit of {limit} requests per minute is exceeded; retry in {seconds} s',
    'Dakikada {limit} istek limiti aşıldı; {seconds} sn bekleyip yeniden deneyin',
  ),
  too_many_failed_attempts: code(
    429,
    'Too many requests with an invalid key from {address}; retry in a minute',
    '{address} adresinden hatalı anahtarla çok fazla istek geldi; bir dakika bekleyin',
  ),
  headers_too_large: code(431, 'The request headers are larger than {allowed} bytes', 'İstek başlıkları {allowed} bayttan büyük'),
  internal_error: code(
    500,
    'An internal error occurred; nothing was changed',
    'Bizim tarafımızda bir hata oluştu; hiçbir şey değişmedi',
  ),
  endpoint_not_active: code(
    501,
    '{endpoint} is coming soon (Yakında) and is not available yet',
    '{endpoint} yakında açılacak, henüz çalışmıyor',
  ),
  service_unavailable: code(
    503,
    'The service is temporarily unavailable; retry shortly',
    'Hizmet şu anda yanıt veremiyor; birazdan yeniden deneyin',
  ),
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** Additional error codes of the panel and of /mcp; the API never returns them. */
export const PANEL_ERRORS = {
  agents_off: code(
    403,
    'This API key does not allow agents; a user can allow them on the key’s page in the panel',
    'Bu API anahtarı ajanlara kapalı; anahtarın sayfasından açılabilir',
  ),
  preview_outdated: code(
    409,
    'The record or the amount has changed since the preview; check the new preview',
    'Kayıt ya da tutar önizlemeden sonra değişti; yeni önizlemeye bakın',
  ),
  approval_closed: code(409, 'This request was already decided or has expired', 'Bu istek sonuçlanmış ya da süresi dolmuş'),
  session_required: code(401, 'Sign in to the panel first', 'Önce panele giriş yapın'),
  not_permitted: code(403, 'Your role in this account does not allow this', 'Bu hesaptaki rolünüz buna izin vermiyor'),
  reauthentication_required: code(403, 'Enter your password again to continue', 'Bu işlem için parolanızı yeniden girin'),
  foreign_request: code(
    403,
    'This request did not come from the panel; reload the page and try again',
    'Bu istek panelin kendisinden gelmedi; sayfayı yenileyip tekrar deneyin',
  ),
  look_only: code(
    403,
    'You are viewing this account read-only; nothing can be changed',
    'Bu hesabı salt okunur görüntülüyorsunuz; değişiklik yapılamaz',
  ),
  enquiry_closed: code(
    409,
    'This enquiry is closed (won or lost) and can no longer be changed',
    'Bu aday sonuçlanmış; artık değişmez',
  ),
  no_consumer_offer: code(409, 'This enquiry has no offer to counter', 'Bu adayın karşılık verilecek bir teklifi yok'),
  last_owner: code(
    409,
    'An account must have at least one owner; make another person an owner first',
    'Hesapta en az bir sahip kalmalı; önce bir başkasını sahip yapın',
  ),
  already_member: code(
    409,
    'A person with this e-mail address is already in this account',
    'Bu e-posta adresiyle bu hesapta zaten biri var',
  ),
  member_signs_in: code(
    409,
    'This person can sign in; change the role or the access on the staff screen',
    'Bu kişi panele giriyor: rolünü ya da erişimini ekip ekranından değiştirin',
  ),
  works_elsewhere: code(
    409,
    'This person also works in other accounts; only they or the platform can reset the password',
    'Bu kişi başka hesaplarda da çalışıyor; parolasını yalnızca kendisi ya da platform yenileyebilir',
  ),
  main_branch: code(
    409,
    'The main branch cannot be removed; make another one the main branch first',
    'Ana şube kaldırılamaz; önce başka bir şubeyi ana şube yapın',
  ),
  branch_in_use: code(
    409,
    'Vehicles or staff belong to this branch; move them first',
    'Bu şubeye bağlı araç ya da çalışan var; önce onları taşıyın',
  ),
  branch_name_taken: code(409, 'A branch with this name already exists', 'Bu adda bir şube zaten var'),
  source_unreadable: code(422, '{why}', '{why}'),
  source_unreachable: code(422, '{why}', '{why}'),
  wrong_password: code(422, 'The password is wrong', 'Parola yanlış'),
  wrong_code: code(422, 'The code is wrong or was already used', 'Kod yanlış ya da daha önce kullanılmış'),
  too_many_attempts: code(
    429,
    'Too many failed attempts; wait {seconds} s and try again',
    'Çok fazla başarısız deneme; {seconds} sn bekleyip yeniden deneyin',
  ),
  key_ended: code(
    409,
    'This key has expired or was revoked and can no longer be changed; create a new one',
    'Bu anahtarın süresi dolmuş ya da iptal edilmiş, artık değiştirilemez; yeni bir anahtar oluşturun',
  ),
  rotated_meanwhile: code(
    409,
    'This key has received a new secret since you loaded it; nothing was changed',
    'Bu anahtara bu arada yeni bir gizli anahtar verilmiş; hiçbir şey değiştirilmedi',
  ),
  limit_request_pending: code(
    409,
    'This key already has a request that is waiting for an administrator',
    'Bu anahtarın yönetici onayı bekleyen bir talebi zaten var',
  ),
  reminder_not_allowed: code(409, 'The reminder cannot be sent: {reason}', 'Hatırlatma gönderilemez: {reason}'),
  decided_meanwhile: code(
    409,
    'Another administrator has already decided this',
    'Bu talebi bu arada başka bir yönetici sonuçlandırmış',
  ),
  second_person_required: code(
    403,
    'A second administrator must approve this: not you, not an administrator you added, and not the one who added you',
    'Bunu ikinci bir yöneticinin onaylaması gerekir: siz, sizin eklediğiniz ya da sizi ekleyen yönetici olamaz',
  ),
  own_topup: code(
    403,
    'You cannot decide your own request; another administrator must',
    'Kendi talebinizi başka bir yönetici sonuçlandırmalı',
  ),
  wallet_full: code(409, 'A wallet can hold at most {limit}', 'Bir cüzdanda en çok {limit} olabilir'),
  invoice_settled: code(409, 'This invoice is paid or cancelled', 'Bu fatura ödenmiş ya da iptal edilmiş'),
  row_not_built: code(
    409,
    '{endpoint} is not implemented yet and cannot be released',
    '{endpoint} henüz geliştirilmedi, bu yüzden açılamaz',
  ),
  email_taken: code(409, 'A person with this e-mail address already exists', 'Bu e-posta adresiyle kayıtlı biri zaten var'),
  last_admin: code(
    409,
    'The platform must have at least one administrator, and you cannot remove yourself',
    'Platformda en az bir yönetici kalmalı; kimse kendini kaldıramaz',
  ),
  playground_limit: code(
    429,
    'At most {limit} trial calls per minute; retry in {seconds} s',
    'Dakikada en çok {limit} deneme yapılabilir; {seconds} sn bekleyip yeniden deneyin',
  ),
  too_many_streams: code(
    429,
    'Too many live views are open; close one and try again',
    'Çok fazla canlı görünüm açık; birini kapatıp tekrar deneyin',
  ),
} as const;

const ALL = { ...ERRORS, ...PANEL_ERRORS };
export type RefusalCode = keyof typeof ALL;
export const statusOf = (code: RefusalCode): number => ALL[code].status;

export interface Detail {
  field: string;
  code: string;
  /** In both languages, or already in the caller's language. */
  message: string | Text;
  /** The probable correct name of a misspelt field. */
  suggestion?: string;
  /** The other record that has the same value, if the caller may read it. */
  record_id?: string;
}

export interface FailureFacts {
  /** If an endpoint refuses with another status than the code's usual one. */
  status?: number;
  /** The query or path parameter at fault; on the wire as error.param. */
  param?: string;
  /** Field errors of a body; on the wire as error.details. */
  details?: Detail[];
  required_scope?: string;
  /** The record that already has the value of the first detail, and the endpoint that a caller must hold to learn its id. */
  duplicate?: { readonly endpoint: string; readonly find: Sql };
  /** Values for the `{name}`s of the message, in each language or the same in both. */
  words?: Readonly<Record<string, string | number | Text>>;
  /** Takes the place of the code's own message, where there is more to say than it does. */
  message?: Text;
  /** What to do, after the code's own message. */
  hint?: Text | undefined;
  headers?: Readonly<Record<string, string>>;
}

export class Failure extends Error {
  readonly code: RefusalCode;
  readonly facts: FailureFacts;
  constructor(code: RefusalCode, facts: FailureFacts = {}) {
    super(code);
    this.code = code;
    this.facts = facts;
  }
  get status(): number {
    return this.facts.status ?? statusOf(this.code);
  }
}

export function fail(code: RefusalCode, facts: FailureFacts = {}): never {
  throw new Failure(code, facts);
}

export function messageOf(code: RefusalCode, facts: FailureFacts, locale: Locale): string {
  if (facts.hint !== undefined) return `${messageOf(code, { ...facts, hint: undefined }, locale)}; ${facts.hint[locale]}`;
  if (facts.message !== undefined) return facts.message[locale];
  const words: Record<string, string | number | Text> = { ...facts.words };
  if (facts.param !== undefined) words.param = facts.param;
  return ALL[code][locale].replace(/\{(\w+)\}/g, (_, name: string) => {
    const word = words[name];
    if (word === undefined) return name;
    return typeof word === 'object' ? word[locale] : String(word);
  });
}
