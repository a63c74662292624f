// The guide on writing: bodies, dry runs, edits that do not overwrite, retries, files.
import type { Text } from '../../kit/errors.ts';
import { html } from '../wire/html.ts';
import type { DocsView, GuideSection } from './docs-parts.ts';
import { program } from './docs-programs.ts';
import { requestBlocks } from './docs-row.ts';
import { WORDS } from './docs-words.ts';
import { samplesOf } from './sample-request.ts';

const both = (en: string, tr: string): Text => ({ en, tr });

export const WRITING_GUIDE: readonly GuideSection[] = [
  {
    id: 'writing',
    title: both('Writing', 'Yazma'),
    text: [
      both(
        'Bodies are JSON objects of at most 256 kB (bulk 2 MB), nested at most 20 levels. A field that an endpoint does not have is refused (422 `validation_failed`), so a misspelt one is never ignored; `error.details` names every field at fault at once. A PATCH changes what is given; `null` clears. Money comes as a decimal string or number with at most two fraction digits, and goes out as a string with two.',
        'Gövdeler en çok 256 kB (toplu işlemde 2 MB) ve 20 düzeyli JSON nesneleridir. Uç noktada olmayan alan reddedilir (422 `validation_failed`); yanlış yazılmış bir alan sessizce atlanmaz ve `error.details` hatalı alanların tümünü birden sayar. PATCH yalnızca verileni değiştirir; `null` boşaltır. Tutarlar en çok iki ondalıklı metin ya da sayı olarak gelir, iki ondalıklı metin olarak döner.',
      ),
      [
        both(
          '`X-Dry-Run: true` runs every check and answers what would be, with the status it would have, then undoes it; the reply carries `Dry-Run: true`. No event is sent and no `Idempotency-Key` is used up. `false` is the same as no header.',
          '`X-Dry-Run: true` bütün denetimleri yapar, olacak sonucu kendi durum koduyla gösterir, sonra geri alır; yanıt `Dry-Run: true` taşır. Olay gönderilmez, `Idempotency-Key` harcanmaz. `false`, başlığın hiç olmamasıyla aynıdır.',
        ),
        both(
          'A new record answers 201 with its address in `Location`. A write that answers with a record carries that record’s new `ETag`, so that edits can be chained.',
          'Yeni kayıt 201 döner ve adresi `Location` başlığındadır. Yanıtı kayıt olan bir yazma o kaydın yeni `ETag` değerini taşır; düzenlemeler birbirine bağlanabilir.',
        ),
      ],
    ],
  },
  {
    id: 'idempotent-retries',
    title: both('Retries that do nothing twice', 'Aynı işi iki kez yapmadan yeniden denemek'),
    text: [
      both(
        'A connection can break after the work was done. `Idempotency-Key`, a value of your own for one operation (1 to 255 visible ASCII characters), makes it safe to send the same write again: within 30 days it answers the first reply, byte for byte, with `Idempotent-Replayed: true`.',
        'Bağlantı, iş yapıldıktan sonra kopabilir. Bir işlem için sizin seçtiğiniz `Idempotency-Key` değeri (1–255 görünür ASCII karakter) aynı yazmayı yeniden göndermeyi güvenli kılar: 30 gün içinde ilk yanıt, `Idempotent-Replayed: true` ile aynen döner.',
      ),
      [
        both(
          'Take it from the operation, such as your order’s number, and store it before the first try; a random one made anew for each try protects nothing. It holds for the account, so it outlives a rotated key.',
          'İşlemden, örneğin sipariş numaranızdan türetin ve ilk denemeden önce saklayın; her denemede yeniden üretilen rastgele bir değer hiçbir şeyi korumaz. Hesap için geçerlidir; anahtar yenilense de yaşar.',
        ),
        both(
          'The same value with another body is 422 `idempotency_key_reused`; while the first is still running, 409 `idempotency_in_progress` with `Retry-After`.',
          'Aynı değer başka bir gövdeyle 422 `idempotency_key_reused`; ilki hâlâ sürerken `Retry-After` ile 409 `idempotency_in_progress` olur.',
        ),
        both(
          'Kept are successes, and refusals that were decided from the state (402, 403, 409, 422): the same value gives the same refusal for 30 days, also after the state has changed. A new attempt takes a new value. Not kept are 400, `validation_failed`, 429, 5xx and dry runs.',
          'Başarılar ve duruma bakılarak verilen retler (402, 403, 409, 422) saklanır: aynı değer, durum değişmiş olsa da 30 gün aynı reddi verir. Yeni bir deneme yeni bir değer ister. 400, `validation_failed`, 429, 5xx ve denemeler (dry run) saklanmaz.',
        ),
        both(
          'Record, effect and event are written in one transaction: after a 5xx nothing has happened. Some endpoints that move money require the header (400 `idempotency_key_required`); they say so.',
          'Kayıt, etki ve olay tek bir işlemde yazılır: 5xx sonrasında hiçbir şey olmamıştır. Para hareketi yapan bazı uç noktalar başlığı zorunlu tutar (400 `idempotency_key_required`); bunu belirtirler.',
        ),
      ],
    ],
    more: (view) => html`<div class="codes">${program('retry', view)}</div>`,
  },
  {
    id: 'files',
    title: both('Files', 'Dosyalar'),
    text: [
      [
        both(
          'They are sent as `multipart/form-data`: one part `file`, the other fields as text parts. The largest size stands with the endpoint. What a file is, is decided by its bytes, not by its name or type; photos are drawn anew without their metadata.',
          '`multipart/form-data` ile gönderilir: tek bir `file` bölümü, diğer alanlar metin bölümleri olarak. En büyük boyut uç noktada yazar. Dosyanın türüne adına değil baytlarına bakılarak karar verilir; fotoğraflar üst verisi atılarak yeniden çizilir.',
        ),
        both(
          'They are read by a signed link outside the API, valid for 15 minutes and without a key; read the record again for a new one. Do not store such links: copy the file, or keep the record’s id. Events never carry them.',
          'API dışında, anahtarsız, 15 dakika geçerli imzalı bir bağlantıyla okunur; yenisi için kaydı tekrar okuyun. Bu bağlantıları saklamayın: dosyayı kopyalayın ya da kaydın kimliğini tutun. Olaylar bu bağlantıları taşımaz.',
        ),
        both(
          'An `Idempotency-Key` covers the file too: the same key with another file is refused.',
          '`Idempotency-Key` dosyayı da kapsar: aynı anahtar başka bir dosyayla reddedilir.',
        ),
      ],
    ],
    more: upload,
  },
];

/** Adding a photo. */
function upload(view: DocsView) {
  const { rows, locale } = view;
  const row = rows.find(({ id }) => id === 'POST vehicles/{vehicle_id}/photos');
  const request = row && samplesOf(row, view)?.form;
  return request && html`<div class="codes">${requestBlocks(request, WORDS.requestWithFile[locale])}</div>`;
}
