// The guide on events: webhooks, and the stream for those without an address of their own.
import type { Locale, Text } from '../../kit/errors.ts';
import { type Html, html } from '../wire/html.ts';
import { codeBlock, type GuideSection, jsonBlock, prose } from './docs-parts.ts';
import { program } from './docs-programs.ts';
import { payloadOf } from './openapi-webhooks.ts';

const both = (en: string, tr: string): Text => ({ en, tr });

const STREAM = both('The stream', 'Akış');
const LISTEN = both('On your own machine', 'Kendi makinenizde');
const PAYLOAD = both('What is sent', 'Gönderilen');

export const EVENT_GUIDE: readonly GuideSection[] = [
  {
    id: 'webhooks',
    title: both('Webhooks', 'Webhook’lar'),
    text: [
      both(
        'What happens is sent to the addresses you name, signed as Standard Webhooks 1.0 describes; any of its libraries verifies them, and so do the programs here. `POST webhooks` names an address and shows its secret (`whsec_…`) once; `POST webhooks/{webhook_id}/test` sends a `test.ping`.',
        'Olup bitenler, verdiğiniz adreslere Standard Webhooks 1.0’a göre imzalanarak gönderilir; bu standardın kitaplıkları ve buradaki programlar imzayı doğrular. `POST webhooks` adresi kaydeder ve imza anahtarını (`whsec_…`) bir kez gösterir; `POST webhooks/{webhook_id}/test` bir `test.ping` gönderir.',
      ),
      [
        both(
          '**Kinds** are `resource.verb`; ask for names, `vehicle.*` or `*`. [All kinds with their payloads](/docs/events). `data.object` is the record as its GET shows it, `changed` names what an edit changed and `previous` what was there before. Events about people carry ids only: read the record where you need it.',
          '**Türler** `kaynak.eylem` biçimindedir; ad, `vehicle.*` ya da `*` isteyin. [Tüm türler ve gövdeleri](/docs/events). `data.object` kaydın GET ile göründüğü hâlidir; `changed` bir düzenlemede değişenleri, `previous` önceki değerleri taşır. Kişilerle ilgili olaylar yalnızca kimlik taşır: gerekiyorsa kaydı okuyun.',
        ),
        both(
          '**Answer 2xx within 15 seconds** and do the work afterwards. Anything else is tried again, ten times in all: at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each ± 20 %. `Retry-After` of your reply makes the pause longer, up to a day.',
          '**15 saniye içinde 2xx dönün**, işi sonra yapın. Başka her yanıt yeniden denenir, toplam on kez: hemen, sonra 5 sn, 5 dk, 30 dk, 2 sa, 5 sa, 10 sa, 14 sa, 20 sa ve 24 sa arayla, her biri ± %20. Yanıtınızdaki `Retry-After` arayı en çok bir güne kadar uzatır.',
        ),
        both(
          '**Redirects are not followed**: a 3xx is a failure. **410** stops the webhook at once. After five days of nothing but failures it is stopped too; the panel tells, other webhooks get `webhook.disabled`, and `PATCH` with `status` `Aktif` starts it again.',
          '**Yönlendirmeler izlenmez**: 3xx başarısızlıktır. **410** webhook’u hemen durdurur. Beş gün boyunca yalnızca başarısızlık olursa da durdurulur; panel bildirir, diğer webhook’lara `webhook.disabled` gider, `status` `Aktif` ile `PATCH` yeniden başlatır.',
        ),
        both(
          '**At least once, in any order.** `webhook-id` (the body’s `id`) is the same on every attempt: skip what you have seen. `sequence` numbers the events of an account without gaps; a webhook that asks for some kinds sees gaps where the others are, so only one with `*` can count by it. `test.ping` has none.',
          '**En az bir kez, herhangi bir sırayla.** `webhook-id` (gövdedeki `id`) her denemede aynıdır: gördüğünüzü atlayın. `sequence` hesabın olaylarını boşluksuz numaralar; bazı türleri isteyen webhook diğerlerinin yerinde boşluk görür, bu yüzden yalnızca `*` isteyen onunla sayabilir. `test.ping` numara almaz.',
        ),
        both(
          'Addresses are https and public; private and local ones are refused when the webhook is made and again at every connection: on your own machine let `galeri listen` ([below](/docs#event-stream)) forward events to your receiver. After `rotate-secret` both secrets sign until `overlap_seconds` are over. A finished delivery, failed or not, can be sent again: `POST webhooks/{webhook_id}/deliveries/{delivery_id}/retry`.',
          'Adresler https ve herkese açık olmalıdır; özel ve yerel adresler kayıtta ve her bağlantıda reddedilir: kendi makinenizde olayları alıcınıza `galeri listen` ([aşağıda](/docs#event-stream)) iletsin. `rotate-secret` sonrasında `overlap_seconds` bitene kadar her çağrı iki imza anahtarıyla da imzalanır. Biten bir gönderim, başarılı olsun olmasın, yeniden gönderilebilir: `POST webhooks/{webhook_id}/deliveries/{delivery_id}/retry`.',
        ),
      ],
    ],
    more: (view) =>
      html`<div class="codes">${jsonBlock(PAYLOAD[view.locale], payloadOf('task.created', 42))}${program('receiver', view)}</div>${headers(view.locale)}`,
  },
  {
    id: 'event-stream',
    title: both('Event stream', 'Olay akışı'),
    text: [
      both(
        '`GET /events/v1` sends an account’s events as they happen, for programs that cannot be called and for trying things out. It stands beside the API and takes a key that holds `GET webhooks/{webhook_id}/deliveries`; while that endpoint is Yakında it answers 501. The reply is `text/event-stream`: `id` is the event’s `sequence`, `data` the body that a webhook would get, unsigned.',
        '`GET /events/v1` hesabın olaylarını oldukça gönderir; dışarıdan çağrılamayan programlar ve denemeler içindir. API’nin yanında durur ve `GET webhooks/{webhook_id}/deliveries` yetkisi olan bir anahtar ister; o uç nokta Yakında iken 501 döner. Yanıt `text/event-stream` biçimindedir: `id` olayın `sequence` numarası, `data` webhook’un alacağı gövdedir, imzasız.',
      ),
      [
        both(
          '`Last-Event-ID` goes on behind a sequence, without a gap and without a double; every event-stream library sends it by itself. `since` begins at a sequence (`since=42`: after it), a time back (`2h`, `7d`) or an instant; without either, only what is still to come is sent. `id` also comes without data, to say how far the stream has come.',
          '`Last-Event-ID` bir sıra numarasından sonra, boşluksuz ve tekrarsız sürdürür; olay akışı kitaplıkları bunu kendiliğinden gönderir. `since` bir sıra numarasından (`since=42`: ondan sonrası), geriye doğru bir süreden (`2h`, `7d`) ya da bir andan başlar; ikisi de yoksa yalnızca bundan sonrakiler gelir. `id` verisiz de gelir; akışın nereye vardığını söyler.',
        ),
        both(
          '`events=vehicle.*,customer.created` sends some kinds only. `test.ping` has no sequence and is not sent.',
          '`events=vehicle.*,customer.created` yalnızca bazı türleri gönderir. `test.ping` sıra numarası almaz ve gönderilmez.',
        ),
        both(
          'Events are kept for 30 days. If what you ask for is older, a message `event: missed` says from which sequence to which it is gone: read the lists anew.',
          'Olaylar 30 gün saklanır. İstediğiniz daha eskiyse `event: missed` mesajı hangi numaradan hangisine kadar eksik olduğunu söyler: listeleri baştan okuyun.',
        ),
        both(
          'Opening one counts as one request. An account has up to 20 open at a time; another answers 503. A comment comes every 15 seconds; whoever takes nothing for a minute is cut off, and a key that is revoked or expires ends its streams within a second.',
          'Bir akışı açmak tek istek sayılır. Bir hesapta aynı anda en çok 20 akış açık olur; fazlası 503 alır. Her 15 saniyede bir yorum satırı gelir; bir dakika hiçbir şey almayanın bağlantısı kesilir, iptal edilen ya da süresi dolan anahtarın akışları bir saniye içinde kapanır.',
        ),
      ],
      both(
        '`galeri listen`, of the service’s own command line (`bin/galeri`), reads the stream and forwards each event to a receiver on your machine as a webhook: the same headers and body, signed with a secret that it shows at its start (or `GALERI_WEBHOOK_SECRET`). It does not try again what your receiver refuses; `--since` sends it again.',
        'Hizmetin kendi komut satırındaki (`bin/galeri`) `galeri listen` akışı okur ve her olayı makinenizdeki alıcıya webhook olarak iletir: aynı başlıklar ve gövde, başlangıçta gösterdiği (ya da `GALERI_WEBHOOK_SECRET` ile verilen) imza anahtarıyla imzalı. Alıcınızın reddettiğini yeniden denemez; `--since` yeniden gönderir.',
      ),
    ],
    more: ({ base, locale }) => {
      const stream = `curl -N "${base}/events/v1?since=2h" \\\n  -H "Authorization: Bearer $GALERI_KEY"`;
      const listen = `GALERI_URL=${base} GALERI_KEY=$GALERI_KEY \\\n  galeri listen --forward-to http://localhost:8080/ --events 'vehicle.*'`;
      return html`<div class="codes">${codeBlock(STREAM[locale], stream)}${codeBlock(LISTEN[locale], listen)}</div>`;
    },
  },
];

const HEADERS: readonly (readonly [string, Text])[] = [
  ['webhook-id', both('Id of the event, the same on every attempt.', 'Olayın kimliği; her denemede aynıdır.')],
  [
    'webhook-timestamp',
    both(
      'When this attempt was made, in epoch seconds; refuse what is older than five minutes.',
      'Bu denemenin anı, epoch saniyesi; beş dakikadan eskisini reddedin.',
    ),
  ],
  [
    'webhook-signature',
    both(
      '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, with the bytes behind `whsec_` as key; two, with a space between, while a secret is rotated.',
      '`v1,` ve `id.timestamp.body` üzerinden, `whsec_` sonrasındaki baytları anahtar alan HMAC-SHA256’nın base64’ü; imza anahtarı yenilenirken arada boşlukla iki tane.',
    ),
  ],
];

const HEADER = both('Header', 'Başlık');
const MEANING = both('Meaning', 'Anlamı');

function headers(locale: Locale): Html {
  const lines = HEADERS.map(
    ([name, text]) => html`<tr><th scope="row"><code>${name}</code></th><td>${prose(text[locale], locale)}</td></tr>`,
  );
  return html`<table class="headers"><thead><tr><th scope="col">${HEADER[locale]}</th><th scope="col">${MEANING[locale]}</th></tr></thead><tbody>${lines}</tbody></table>`;
}
