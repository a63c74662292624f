// The guide's section on following events without an address of one's own.
import type { Text } from '../../kit/errors.ts';
import { html } from '../wire/html.ts';
import { codeBlock, type GuideSection } from './docs-parts.ts';

const both = (en: string, tr: string): Text => ({ en, tr });

const STREAM = both('The stream', 'Akış');
const LISTEN = both('On your own machine', 'Kendi makinenizde');

export const EVENT_GUIDE: readonly GuideSection[] = [
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
          'Olaylar 30 gün saklanır. İstediğiniz daha eskiyse `event: missed` iletisi hangi numaradan hangisine kadar eksik olduğunu söyler: listeleri baştan okuyun.',
        ),
        both(
          'Opening one counts as one request. An account has up to 20 open at a time; another answers 503. A comment comes every 15 seconds; whoever takes nothing for a minute is cut off, and a key that is revoked or expires ends its streams within a second.',
          'Bir akışı açmak tek istek sayılır. Bir hesapta aynı anda en çok 20 akış açık olur; fazlası 503 alır. Her 15 saniyede bir yorum satırı gelir; bir dakika hiçbir şey almayanın bağlantısı kesilir, iptal edilen ya da süresi dolan anahtarın akışları bir saniye içinde kapanır.',
        ),
      ],
      both(
        '`galeri listen` reads the stream and forwards each event to a receiver on your machine as a webhook: the same headers and body, signed with a secret that it shows at its start (or `GALERI_WEBHOOK_SECRET`). It does not try again what your receiver refuses; `--since` sends it again.',
        '`galeri listen` akışı okur ve her olayı makinenizdeki alıcıya webhook olarak iletir: aynı başlıklar ve gövde, başlangıçta gösterdiği (ya da `GALERI_WEBHOOK_SECRET` ile verilen) sırla imzalı. Alıcınızın reddettiğini yeniden denemez; `--since` yeniden gönderir.',
      ),
    ],
    more: ({ api, locale }) => {
      const service = api.replace(/\/api\/v1$/, '');
      const stream = `curl -N "${service}/events/v1?since=2h" \\\n  -H "Authorization: Bearer $GALERI_KEY"`;
      const listen = `GALERI_URL=${service} GALERI_KEY=$GALERI_KEY \\\n  galeri listen --forward-to http://localhost:8000/hooks --events 'vehicle.*'`;
      return html`<div class="stack">${codeBlock(STREAM, stream, locale)}${codeBlock(LISTEN, listen, locale)}</div>`;
    },
  },
];
