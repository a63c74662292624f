// The guide on events: webhooks and the event stream.
import type { Locale, Text } from '../../../kit/errors.ts';
import { type Html, html } from '../../wire/html.ts';
import { payloadOf } from '../openapi/openapi-webhooks.ts';
import { codeBlock, type GuideSection, jsonBlock, prose } from '../parts/docs-parts.ts';
import { fencedFile, program, programMarkdown } from './docs-programs.ts';

const both = (en: string, tr: string): Text => ({ en, tr });

const STREAM = both('Stream', 'Akış');
const LISTEN = both('On your own machine', 'Kendi makinenizde');
const PAYLOAD = both('Payload', 'Gövde');

export const EVENT_GUIDE: readonly GuideSection[] = [
  {
    id: 'webhooks',
    title: both('Webhooks', 'Webhook’lar'),
    text: [
      both(
        'Webhooks deliver events to your URLs. Each delivery is signed as defined by Standard Webhooks 1.0; any library for it verifies the signature, and so do the programs below. `POST webhooks` registers a URL and returns its signing secret (`whsec_…`) once; `POST webhooks/{webhook_id}/test` sends a `test.ping`.',
        'Webhook’lar olayları adreslerinize iletir. Her gönderim Standard Webhooks 1.0’a göre imzalanır; bu standardın kitaplıkları ve aşağıdaki programlar imzayı doğrular. `POST webhooks` adresi kaydeder ve imza anahtarını (`whsec_…`) bir kez gösterir; `POST webhooks/{webhook_id}/test` bir `test.ping` gönderir.',
      ),
      [
        both(
          '**Event types** have the form `resource.verb`. Subscribe to single types, to `vehicle.*` or to `*`. [All types with their payloads](/docs/events). `data.object` is the record as its GET returns it, `changed` lists the fields that an update changed and `previous` holds their old values. Events about people contain ids only; read the record if you need more.',
          '**Türler** `kaynak.eylem` biçimindedir. Tek tek türleri, `vehicle.*` ya da `*` isteyin. [Tüm türler ve gövdeleri](/docs/events). `data.object` kaydın GET ile göründüğü hâlidir; `changed` bir düzenlemede değişenleri, `previous` önceki değerleri taşır. Kişilerle ilgili olaylar yalnızca kimlik taşır: gerekiyorsa kaydı okuyun.',
        ),
        both(
          '**Return 2xx within 15 seconds** and process the event afterwards. Any other response is retried, up to ten attempts in total: immediately, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each ± 20 %. A `Retry-After` header in your response extends the delay, up to one day.',
          '**15 saniye içinde 2xx dönün**, işi sonra yapın. Başka her yanıt yeniden denenir, toplam on kez: hemen, sonra 5 sn, 5 dk, 30 dk, 2 sa, 5 sa, 10 sa, 14 sa, 20 sa ve 24 sa arayla, her biri ± %20. Yanıtınızdaki `Retry-After` arayı en çok bir güne kadar uzatır.',
        ),
        both(
          '**Redirects are not followed**: a 3xx counts as a failure. A **410** disables the webhook immediately. A webhook whose deliveries have all failed for five days is disabled too. The panel shows it, and your other webhooks receive `webhook.disabled`. To enable it again, `PATCH` its `status` to `Aktif`.',
          '**Yönlendirmeler izlenmez**: 3xx başarısızlıktır. **410** webhook’u hemen durdurur. Beş gün boyunca bütün gönderimleri başarısız olan webhook da durdurulur: panelde görünür, diğer webhook’larınıza `webhook.disabled` gider. Yeniden başlatmak için `status` alanını `PATCH` ile `Aktif` yapın.',
        ),
        both(
          '**Delivery is at least once, in any order.** `webhook-id` (the `id` of the body) is the same for every attempt; ignore ids that you have processed. `sequence` is a number that increases by one with each event of the account. A webhook that subscribes to all types (`*`) can detect a missing event by a gap; other webhooks always see gaps. `test.ping` has no sequence.',
          '**En az bir kez, herhangi bir sırayla.** `webhook-id` (gövdedeki `id`) her denemede aynıdır: gördüğünüzü atlayın. `sequence` hesabın olaylarını boşluksuz numaralar; bazı türleri isteyen webhook diğerlerinin yerinde boşluk görür, bu yüzden eksik bir olayı numaradan yalnızca `*` isteyen webhook anlayabilir. `test.ping` numara almaz.',
        ),
        both(
          'URLs must use https and be public. Private and local addresses are refused when the webhook is created and again at every connection; on your own machine, use `galeri listen` ([below](/docs#event-stream)) to forward events to your receiver. After `rotate-secret`, deliveries are signed with both secrets for `overlap_seconds`. A finished delivery, successful or failed, can be sent again: `POST webhooks/{webhook_id}/deliveries/{delivery_id}/retry`.',
          'Adresler https ve herkese açık olmalıdır; özel ve yerel adresler kayıtta ve her bağlantıda reddedilir: kendi makinenizde olayları alıcınıza `galeri listen` ([aşağıda](/docs#event-stream)) iletsin. `rotate-secret` sonrasında `overlap_seconds` bitene kadar her çağrı iki imza anahtarıyla da imzalanır. Biten bir gönderim, başarılı olsun olmasın, yeniden gönderilebilir: `POST webhooks/{webhook_id}/deliveries/{delivery_id}/retry`.',
        ),
      ],
    ],
    more: (view) =>
      html`<div class="codes">${jsonBlock(PAYLOAD[view.locale], payloadOf('task.created', 42))}${program('receiver', view)}</div>${headers(view.locale)}`,
    moreMarkdown: (view) => `${headersMarkdown(view.locale)}\n\n${programMarkdown('receiver', view)}`,
  },
  {
    id: 'event-stream',
    title: both('Event stream', 'Olay akışı'),
    text: [
      both(
        '`GET /events/v1` streams the events of an account as they happen. Use it for programs that cannot receive webhooks and for testing. It is not part of the API’s catalog; it requires a key that includes `GET webhooks/{webhook_id}/deliveries` and returns 501 while that endpoint is not released (`Yakında`). The response is `text/event-stream`: `id` is the event’s `sequence`, `data` is the body that a webhook would receive, unsigned.',
        '`GET /events/v1` hesabın olaylarını gerçekleştikçe gönderir; webhook alamayan programlar ve denemeler içindir. API kataloğunun parçası değildir; `GET webhooks/{webhook_id}/deliveries` uç noktasını içeren bir anahtar gerekir ve bu uç nokta Yakında iken 501 döner. Yanıt `text/event-stream` biçimindedir: `id` olayın `sequence` numarası, `data` webhook’un alacağı gövdedir, imzasız.',
      ),
      [
        both(
          '`Last-Event-ID` resumes after that sequence number, with no gaps or duplicates; event-stream libraries send it automatically. `since` starts after a sequence number (`since=42`), some time ago (`2h`, `7d`) or at an ISO 8601 time. Without either, only new events are sent. A message with an `id` and no data reports how far the stream has advanced.',
          '`Last-Event-ID` bir sıra numarasından sonra, boşluksuz ve tekrarsız sürdürür; olay akışı kitaplıkları bunu kendiliğinden gönderir. `since` bir sıra numarasından (`since=42`: ondan sonrası), geriye doğru bir süreden (`2h`, `7d`) ya da bir andan başlar; ikisi de yoksa yalnızca bundan sonrakiler gelir. Verisiz bir `id` mesajı, akışın hangi numaraya ulaştığını bildirir.',
        ),
        both(
          '`events=vehicle.*,customer.created` limits the stream to these types. `test.ping` has no sequence and is not sent.',
          '`events=vehicle.*,customer.created` yalnızca bazı türleri gönderir. `test.ping` sıra numarası almaz ve gönderilmez.',
        ),
        both(
          'Events are stored for 30 days. If you ask for older ones, a message `event: missed` names the range of sequence numbers that is no longer available; re-read the lists.',
          'Olaylar 30 gün saklanır. İstediğiniz daha eskiyse `event: missed` mesajı hangi numaradan hangisine kadar eksik olduğunu söyler: listeleri baştan okuyun.',
        ),
        both(
          'Opening a stream counts as one request. An account can have 20 open streams; a further stream returns 503. To keep the connection open, a comment line is sent every 15 seconds. A client that does not read for a minute is disconnected. When a key is revoked or expires, its streams end within a second.',
          'Bir akışı açmak tek istek sayılır. Bir hesapta aynı anda en çok 20 akış açık olur; fazlası 503 alır. Her 15 saniyede bir yorum satırı gelir; bir dakika okumayan istemcinin bağlantısı kesilir. İptal edilen ya da süresi dolan anahtarın akışları bir saniye içinde kapanır.',
        ),
      ],
      both(
        '`galeri listen` reads the stream and forwards each event to a receiver on your machine. It is part of `@galeri/cli` (folder `sdk/cli` of the source code) and of `bin/galeri`. Your receiver gets a webhook: the same headers and body, signed with a secret that it prints at start (or `GALERI_WEBHOOK_SECRET`). It does not retry an event that your receiver refuses; use `--since` to send it again.',
        '`@galeri/cli` paketindeki (kaynak kodun `sdk/cli` klasörü) ve hizmetin kendi komut satırındaki (`bin/galeri`) `galeri listen` akışı okur ve her olayı makinenizdeki alıcıya webhook olarak iletir: aynı başlıklar ve gövde, başlangıçta gösterdiği (ya da `GALERI_WEBHOOK_SECRET` ile verilen) imza anahtarıyla imzalı. Alıcınızın reddettiğini yeniden denemez; `--since` yeniden gönderir.',
      ),
    ],
    more: ({ base, locale }) =>
      html`<div class="codes">${codeBlock(STREAM[locale], streamCommand(base))}${codeBlock(LISTEN[locale], listenCommand(base))}</div>`,
    moreMarkdown: ({ base }) =>
      `${fencedFile('stream.sh', streamCommand(base))}\n\n${fencedFile('listen.sh', listenCommand(base))}`,
  },
];

const streamCommand = (base: string): string =>
  `curl -N "${base}/events/v1?since=2h" \\\n  -H "Authorization: Bearer $GALERI_KEY"`;
const listenCommand = (base: string): string =>
  `GALERI_URL=${base} GALERI_KEY=$GALERI_KEY \\\n  galeri listen --forward-to http://localhost:8080/ --events 'vehicle.*'`;

const HEADERS: readonly (readonly [string, Text])[] = [
  ['webhook-id', both('Id of the event; the same for every attempt.', 'Olayın kimliği; her denemede aynıdır.')],
  [
    'webhook-timestamp',
    both(
      'Time of this attempt in epoch seconds. Reject requests that are older than five minutes.',
      'Bu denemenin anı, epoch saniyesi; beş dakikadan eskisini reddedin.',
    ),
  ],
  [
    'webhook-signature',
    both(
      '`v1,` followed by the base64 of HMAC-SHA256 over `id.timestamp.body`; the key is the decoded part after `whsec_`. During a rotation there are two signatures, separated by a space.',
      '`v1,` ve `id.timestamp.body` üzerinden, `whsec_` sonrasındaki baytları anahtar alan HMAC-SHA256’nın base64’ü; imza anahtarı yenilenirken arada boşlukla iki tane.',
    ),
  ],
];

const HEADER = both('Header', 'Başlık');
const MEANING = both('Meaning', 'Anlamı');

const headersMarkdown = (locale: Locale): string =>
  [
    `| ${HEADER[locale]} | ${MEANING[locale]} |\n|---|---|`,
    ...HEADERS.map(([name, text]) => `| \`${name}\` | ${text[locale]} |`),
  ].join('\n');

function headers(locale: Locale): Html {
  const lines = HEADERS.map(
    ([name, text]) => html`<tr><th scope="row"><code>${name}</code></th><td>${prose(text[locale], locale)}</td></tr>`,
  );
  return html`<table class="headers"><thead><tr><th scope="col">${HEADER[locale]}</th><th scope="col">${MEANING[locale]}</th></tr></thead><tbody>${lines}</tbody></table>`;
}
