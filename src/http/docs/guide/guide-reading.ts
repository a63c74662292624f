// The guide on reading: pages, synchronisation, conditional requests.
import type { Text } from '../../../kit/errors.ts';
import { html } from '../../wire/html.ts';
import type { GuideSection } from '../parts/docs-parts.ts';
import { program, programMarkdown } from './docs-programs.ts';

const both = (en: string, tr: string): Text => ({ en, tr });

export const READING_GUIDE: readonly GuideSection[] = [
  {
    id: 'paging',
    title: both('Paging', 'Sayfalama'),
    text: [
      both(
        'Lists accept `limit` (1 to 100, default 25) and `offset`, and are sorted newest first unless the endpoint states otherwise. `meta.count` is the number of records in the response; `Link` contains the URLs of the `next` and `prev` page. An offset past the end returns an empty `data`. To read a whole list, use a cursor (below): offsets shift when records are added or deleted between two pages. Values out of range return 400 `invalid_parameter`.',
        'Listeler `limit` (1–100, varsayılan 25) ve `offset` alır; aksi belirtilmedikçe en yeniden eskiye sıralanır. `meta.count` yanıttaki kayıt sayısıdır; `Link` başlığı `next` ve `prev` sayfaların adresini taşır. Sonu aşan `offset` boş `data` verir. Bir listenin tamamını okumak için imleç kullanın (aşağıda): iki sayfa arasında kayıt eklenip silindikçe `offset` kayar. Aralık dışı değerler 400 `invalid_parameter` döner.',
      ),
    ],
  },
  {
    id: 'synchronising',
    title: both('Synchronising', 'Eşitleme'),
    text: [
      both(
        'A **cursor** misses nothing: start with `cursor=start`, follow `Link: rel="next"`, and stop at the page without `next`. A record that exists during the whole traversal is returned exactly once, even if other records are added, changed or deleted at the same time. A cursor is valid for 24 hours, for the same list, filters and account.',
        '**İmleç** hiçbir kaydı atlamaz: `cursor=start` ile başlayın, `Link: rel="next"` adresini izleyin, `next` içermeyen sayfada durun. Okuma boyunca var olan her kayıt tam bir kez gelir; bu sırada başka kayıtların eklenmesi, değişmesi ya da silinmesi bunu bozmaz. İmleç 24 saat geçerlidir; aynı liste, filtreler ve hesap içindir.',
      ),
      [
        both(
          'With `updated_since`, the list is sorted by `updated_at`, oldest change first, and returns every changed record at least once, in its latest state. `updated_at` increases in the order in which writes become visible, so a write that commits late is not missed. Start the next synchronisation at the last `updated_at` you received.',
          '`updated_since` ile liste `updated_at` sırasındadır, en eski değişiklik önce gelir; değişen her kayıt en az bir kez, son hâliyle döner. `updated_at` yazmaların görünür olma sırasıyla artar; geç tamamlanan bir yazma atlanmaz. Sonraki eşitlemeyi aldığınız son `updated_at` değerinden başlatın.',
        ),
        both(
          'Start with a date in the past, so that the first run works like every other run. `deleted=true` returns deleted records; store a separate `updated_since` for them. In a URL, write the plus sign of an offset as `%2B`, or send UTC with `Z`.',
          'Geçmişteki bir günden başlayın; böylece ilk çalıştırma da diğerleri gibi olur. Silinen kayıtları `deleted=true` verir; onlar için ayrı bir `updated_since` saklayın. Adreste saat farkının artı işaretini `%2B` yazın ya da `Z` ile UTC gönderin.',
        ),
        both(
          'A change to photos, videos or reservations updates the vehicle’s `updated_at`. `external_ref` stores your own reference with a record; you can filter by it, and it is unique in the account.',
          'Fotoğraflar, videolar ve rezervasyonlar aracın `updated_at` değerini yükseltir. `external_ref` kayıtta sizin numaranızı saklar; listede filtredir ve hesapta tektir.',
        ),
        both(
          'Every list whose records change takes `updated_since`. A change of an installment updates its sale, so `sales?include=installments` mirrors the plans too. Overdue amounts change with the day and not with a record.',
          'Kayıtları değişen her liste `updated_since` alır. Taksitteki değişiklik satışın da `updated_at` değerini yükseltir; `sales?include=installments` planları da eşitler. Geciken tutarlar kayıtla değil günle değişir.',
        ),
        both(
          '`include` adds the records that belong to each record and saves a request for each: `vehicles?include=photos`, `sales?include=customer,vehicle,installments`, `collections?include=sale`. A page then has at most 50 records, and the key needs the endpoints that return them. `fields=id,price` returns only these fields.',
          '`include` her kayda ait olanları ekler ve kayıt başına bir isteği önler: `vehicles?include=photos`, `sales?include=customer,vehicle,installments`, `collections?include=sale`. Sayfada o zaman en çok 50 kayıt olur; anahtarda bunları veren uç noktalar bulunmalıdır. `fields=id,price` yalnızca bu alanları döner.',
        ),
        both(
          'For a website, once a minute is enough. To learn of changes immediately, add a [webhook](/docs#webhooks) that triggers the same program. A page of 100 records counts as one request.',
          'Bir web sitesi için dakikada bir yeterlidir; anında bilmek için bir [webhook](/docs#webhooks) ekleyin ve aynı programı onunla çalıştırın. 100’lük bir sayfa limitten tek istek sayılır.',
        ),
      ],
    ],
    more: (view) => html`<div class="codes">${program('mirror', view)}</div>`,
    moreMarkdown: (view) => programMarkdown('mirror', view),
  },
  {
    id: 'conditional-requests',
    title: both('Conditional requests', 'Koşullu istekler'),
    text: [
      both(
        'Responses that depend only on the account’s data have an `ETag`. Send it in `If-None-Match`: if nothing has changed, the response is 304 without a body. The request still counts against the limit. `developer/*` endpoints have no `ETag`.',
        'Yalnızca hesabın verisiyle değişen yanıtlar `ETag` taşır. Onu `If-None-Match` ile geri gönderin: değişiklik yoksa yanıt gövdesiz 304’tür. Bu istek de limite sayılır. `developer/*` uç noktalarında yoktur.',
      ),
    ],
  },
];
