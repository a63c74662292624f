// The guide's sections on writes and on webhooks.
import { readFileSync } from 'node:fs';
import type { Text } from '../../kit/errors.ts';
import { html } from '../wire/html.ts';
import { codeBlock, type GuideSection } from './docs-parts.ts';

const both = (en: string, tr: string): Text => ({ en, tr });

/** Complete programs: the tests start them and send them deliveries. The panel shows the same ones. */
const RECEIVERS = ['mjs', 'py', 'php'].map((ending) => ({
  name: `receiver.${ending}`,
  text: readFileSync(new URL(`./docs-receiver.${ending}`, import.meta.url), 'utf8').trim(),
}));

export const WRITE_GUIDE: readonly GuideSection[] = [
  {
    id: 'writing',
    title: both('Writing', 'Yazma'),
    text: [
      both(
        'Bodies are JSON objects, nested at most 20 levels. A field that an endpoint does not have is refused (422 `validation_failed`), so a misspelt one is never ignored. A PATCH changes what is given; `null` clears. Money comes as a decimal string or number with at most two fraction digits, and goes out as a string with two.',
        'Gövdeler en çok 20 düzeyli JSON nesneleridir. Uç noktada olmayan alan reddedilir (422 `validation_failed`); yanlış yazılmış bir alan sessizce yok sayılmaz. PATCH yalnızca verileni değiştirir; `null` boşaltır. Tutarlar en çok iki ondalıklı metin ya da sayı olarak gelir, iki ondalıklı metin olarak döner.',
      ),
      [
        both(
          '`Idempotency-Key`: a value of your own for one operation. Sent again within 30 days it answers the first reply, byte for byte, with `Idempotent-Replayed: true`. With another body it is 422 `idempotency_key_reused`; while the first is running, 409 `idempotency_in_progress`.',
          '`Idempotency-Key`: bir işlem için sizin seçtiğiniz değer. 30 gün içinde yeniden gönderildiğinde ilk yanıt, `Idempotent-Replayed: true` ile aynen döner. Başka bir gövdeyle 422 `idempotency_key_reused`, ilki sürerken 409 `idempotency_in_progress` olur.',
        ),
        both(
          '`X-Dry-Run: true` runs every check, answers what would be and changes nothing; the reply carries `Dry-Run: true`.',
          '`X-Dry-Run: true` bütün denetimleri yapar, sonucu gösterir ve hiçbir şeyi değiştirmez; yanıt `Dry-Run: true` taşır.',
        ),
        both(
          'Files come as `multipart/form-data`: one part `file`, the other fields as text parts. What a file is, is decided by its bytes. It is read by a signed link outside the API, valid for 15 minutes; read the record again for a new one. Events never carry such links.',
          'Dosyalar `multipart/form-data` ile gelir: tek bir `file` bölümü, diğer alanlar metin bölümleri olarak. Dosyanın türüne baytlarına bakılarak karar verilir. Dosya, API dışında 15 dakika geçerli imzalı bir bağlantıyla okunur; yenisi için kaydı tekrar okuyun. Olaylar bu bağlantıları taşımaz.',
        ),
        both(
          '`If-Match` with the `ETag` of a record: if it has changed since you read it, nothing is done (412 `precondition_failed`).',
          '`If-Match` ile kaydın `ETag` değeri: siz okuduktan sonra değiştiyse hiçbir şey yapılmaz (412 `precondition_failed`).',
        ),
      ],
    ],
  },
  {
    id: 'webhooks',
    title: both('Webhooks', 'Webhook’lar'),
    text: [
      both(
        'What happens is sent to the addresses you name (`POST webhooks`), signed as Standard Webhooks 1.0 describes; any of its libraries verifies them. Each event is sent at least once: answer 2xx within 15 seconds, or it is tried again, ten times within about three days. `webhook-id` is the same on every attempt; `sequence` numbers the events of an account without gaps, so that you can order them and notice one that is missing.',
        'Olup bitenler, verdiğiniz adreslere (`POST webhooks`) Standard Webhooks 1.0’a göre imzalanarak gönderilir; bu standardın kitaplıkları imzayı doğrular. Her olay en az bir kez gönderilir: 15 saniye içinde 2xx dönün, yoksa yaklaşık üç gün içinde on kez denenir. `webhook-id` her denemede aynıdır; `sequence` hesabın olaylarını boşluksuz numaralar, böylece sıralayabilir ve eksik olanı fark edebilirsiniz.',
      ),
      both(
        'Events on personal data carry ids only; read the record where you need it. After `rotate-secret` both secrets sign until the overlap ends.',
        'Kişisel verilerle ilgili olaylar yalnızca kimlik taşır; gerekiyorsa kaydı okuyun. `rotate-secret` sonrasında geçiş süresi bitene dek iki sır da imzalar.',
      ),
    ],
    more: ({ locale }) => html`${RECEIVERS.map(({ name, text }) => codeBlock(both(name, name), text, locale))}`,
  },
];
