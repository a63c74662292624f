// The guide on writing: bodies, dry runs, idempotent requests, files.
import type { Text } from '../../../kit/errors.ts';
import { html } from '../../wire/html.ts';
import type { DocsView } from '../docs-view.ts';
import { requestBlocks } from '../parts/docs-endpoint.ts';
import type { GuideSection } from '../parts/docs-parts.ts';
import { WORDS } from '../parts/docs-words.ts';
import { samplesOf } from '../samples/sample-request.ts';
import { program, programMarkdown } from './docs-programs.ts';

const both = (en: string, tr: string): Text => ({ en, tr });

export const WRITING_GUIDE: readonly GuideSection[] = [
  {
    id: 'writing',
    title: both('Writing', 'Yazma'),
    text: [
      both(
        'Request bodies are JSON objects of at most 256 kB (bulk: 2 MB), nested at most 20 levels. Unknown fields are refused (422 `validation_failed`), so a misspelt field is never ignored; `error.details` lists all invalid fields at once. PATCH changes only the fields you send; `null` clears a field. Send amounts as a decimal string or number with at most two fraction digits; responses contain strings with two.',
        'Gövdeler en çok 256 kB (toplu işlemde 2 MB) ve 20 düzeyli JSON nesneleridir. Uç noktada olmayan alan reddedilir (422 `validation_failed`); yanlış yazılmış bir alan sessizce atlanmaz ve `error.details` hatalı alanların tümünü birden sayar. PATCH yalnızca verileni değiştirir; `null` boşaltır. Tutarlar en çok iki ondalıklı metin ya da sayı olarak gelir, iki ondalıklı metin olarak döner.',
      ),
      [
        both(
          '`X-Dry-Run: true` runs all checks, returns what the real request would return, and then rolls everything back; the response has `Dry-Run: true`. No event is sent and the `Idempotency-Key` stays unused. `false` has the same effect as no header.',
          '`X-Dry-Run: true` bütün denetimleri yapar, olacak sonucu kendi durum koduyla gösterir, sonra geri alır; yanıt `Dry-Run: true` taşır. Olay gönderilmez, `Idempotency-Key` harcanmaz. `false`, başlığın hiç olmamasıyla aynıdır.',
        ),
        both(
          'Creating a record returns 201 with its URL in `Location`. A write that returns a record includes the record’s new `ETag`, so you can chain updates.',
          'Yeni kayıt 201 döner ve adresi `Location` başlığındadır. Yanıtı kayıt olan bir yazma o kaydın yeni `ETag` değerini taşır; düzenlemeler birbirine bağlanabilir.',
        ),
      ],
    ],
  },
  {
    id: 'idempotent-retries',
    title: both('Idempotent requests', 'Aynı işi iki kez yapmadan yeniden denemek'),
    text: [
      both(
        'A connection can break after a write was committed. An `Idempotency-Key`, a value that you choose for one operation (1 to 255 visible ASCII characters), makes it safe to retry: for 30 days the same request returns the first response, byte for byte, with `Idempotent-Replayed: true`.',
        'Bağlantı, iş yapıldıktan sonra kopabilir. Bir işlem için sizin seçtiğiniz `Idempotency-Key` değeri (1–255 görünür ASCII karakter) aynı yazmayı yeniden göndermeyi güvenli kılar: 30 gün içinde ilk yanıt, `Idempotent-Replayed: true` ile aynen döner.',
      ),
      [
        both(
          'Derive it from the operation, for example from your order number, and store it before the first attempt. A new random value for each attempt protects nothing. The value is valid for the whole account, so it survives the rotation of a key.',
          'İşlemden, örneğin sipariş numaranızdan türetin ve ilk denemeden önce saklayın; her denemede yeniden üretilen rastgele bir değer hiçbir şeyi korumaz. Değer bütün hesapta geçerlidir; anahtar yenilense de geçerli kalır.',
        ),
        both(
          'The same value with another body returns 422 `idempotency_key_reused`; while the first request is still running, 409 `idempotency_in_progress` with `Retry-After`.',
          'Aynı değer başka bir gövdeyle 422 `idempotency_key_reused`; ilki hâlâ sürerken `Retry-After` ile 409 `idempotency_in_progress` olur.',
        ),
        both(
          'Stored: successful responses and errors that depend on stored data (402, 403, 409, 422). The same value returns the same error for 30 days, even if the state has changed since; use a new value for a new attempt, also for a corrected request. Not stored: 400, `validation_failed`, 429, 5xx and dry runs.',
          'Başarılar ve duruma bakılarak verilen retler (402, 403, 409, 422) saklanır: aynı değer, durum değişmiş olsa da 30 gün aynı reddi verir. Yeni bir deneme yeni bir değer ister. 400, `validation_failed`, 429, 5xx ve denemeler (dry run) saklanmaz.',
        ),
        both(
          'The record, its effects and its events are written in one transaction: after a 5xx, nothing was changed. Some endpoints that move money require the header (400 `idempotency_key_required`); their reference states it.',
          'Kayıt, etkileri ve olayları tek bir veritabanı işleminde yazılır: 5xx yanıtından sonra hiçbir şey değişmemiştir. Para hareketi yapan bazı uç noktalar başlığı zorunlu tutar (400 `idempotency_key_required`); bunu belirtirler.',
        ),
      ],
    ],
    more: (view) => html`<div class="codes">${program('retry', view)}</div>`,
    moreMarkdown: (view) => programMarkdown('retry', view),
  },
  {
    id: 'files',
    title: both('Files', 'Dosyalar'),
    text: [
      [
        both(
          'Upload files as `multipart/form-data`: one part `file`, the other fields as text parts. The reference of the endpoint states the maximum size. The file type is detected from the content, not from its name or declared type. Photos are re-encoded without metadata.',
          'Dosyaları `multipart/form-data` ile gönderin: bir `file` bölümü, diğer alanlar metin bölümleri olarak. En büyük boyut uç noktanın sayfasındadır. Dosyanın türü adından değil içeriğinden belirlenir. Fotoğraflar üst verisi çıkarılarak yeniden kodlanır.',
        ),
        both(
          'Files are downloaded from signed links. They need no key and are valid for 15 minutes. Read the record again for a new link. Do not store these links: copy the file or store the record’s id. Events never contain them.',
          'Dosyalar imzalı bağlantılarla indirilir; bağlantı anahtar istemez ve 15 dakika geçerlidir. Yenisi için kaydı tekrar okuyun. Bu bağlantıları saklamayın: dosyayı kopyalayın ya da kaydın kimliğini tutun. Olaylar bu bağlantıları taşımaz.',
        ),
        both(
          'An `Idempotency-Key` covers the file too: the same value with another file is refused.',
          '`Idempotency-Key` dosyayı da kapsar: aynı anahtar başka bir dosyayla reddedilir.',
        ),
      ],
    ],
    more: upload,
  },
];

/** Adding a photo. */
function upload(view: DocsView) {
  const { endpoints, locale } = view;
  const endpoint = endpoints.find(({ id }) => id === 'POST vehicles/{vehicle_id}/photos');
  const request = endpoint && samplesOf(endpoint, view)?.form;
  return request && html`<div class="codes">${requestBlocks(request, WORDS.requestWithFile[locale])}</div>`;
}
