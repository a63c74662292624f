// The guide on reading: pages, copies that stay true, conditional requests.
import type { Text } from '../../kit/errors.ts';
import { html } from '../wire/html.ts';
import type { GuideSection } from './docs-parts.ts';
import { program } from './docs-programs.ts';

const both = (en: string, tr: string): Text => ({ en, tr });

export const READING_GUIDE: readonly GuideSection[] = [
  {
    id: 'paging',
    title: both('Paging', 'Sayfalama'),
    text: [
      both(
        'Lists take `limit` (1 to 100, default 25) and `offset`, and answer newest first unless an endpoint says otherwise. `meta.count` is the number of records in the reply; `Link` carries the addresses of the `next` and `prev` page. An offset past the end answers an empty `data`. For more than a screenful use a walk, as below: offsets shift when records come and go between two pages. Values out of range are refused, never clamped.',
        'Listeler `limit` (1–100, varsayılan 25) ve `offset` alır; aksi belirtilmedikçe en yeniden eskiye sıralanır. `meta.count` yanıttaki kayıt sayısıdır; `Link` başlığı `next` ve `prev` sayfaların adresini taşır. Sonu aşan `offset` boş `data` verir. Bir ekrandan fazlası için aşağıdaki dolaşmayı kullanın: iki sayfa arasında kayıt eklenip silindikçe `offset` kayar. Aralık dışı değerler düzeltilmez, reddedilir.',
      ),
    ],
  },
  {
    id: 'synchronising',
    title: both('Synchronising a stock', 'Stoğu eşitlemek'),
    text: [
      both(
        'A **walk** loses nothing: `cursor=start` begins one, `Link: rel="next"` carries the address of the next page, and a page without `next` is the last. What exists during the whole walk is seen exactly once, whatever is added, edited or deleted meanwhile. A cursor lives 24 hours and belongs to its list, filters and account.',
        '**Dolaşma** hiçbir şey kaçırmaz: `cursor=start` başlatır, `Link: rel="next"` sonraki sayfanın adresini taşır, `next` içermeyen sayfa sonuncudur. Dolaşma boyunca var olan her kayıt, bu arada ne eklenir, düzenlenir ya da silinirse silinsin, tam bir kez görülür. İmleç 24 saat yaşar; kendi listesine, filtrelerine ve hesabına aittir.',
      ),
      [
        both(
          'With `updated_since` a walk goes by `updated_at`, oldest change first, and shows every changed record at least once in its newest state. `updated_at` rises in the order in which writes become visible, so nothing that commits late is passed over: the last `updated_at` you saw is where the next synchronisation begins.',
          '`updated_since` ile dolaşma `updated_at` sırasıyla, en eski değişiklikten başlar ve değişen her kaydı en az bir kez, en yeni hâliyle gösterir. `updated_at` yazmaların görünür olma sırasıyla artar; geç biten bir yazma atlanmaz: gördüğünüz son `updated_at` bir sonraki eşitlemenin başlangıcıdır.',
        ),
        both(
          'Begin with a day long ago and the first run is the same as every other. Deleted records come with `deleted=true`, and have a position of their own.',
          'Çok eski bir günden başlayın; ilk çalıştırma da diğerleri gibi olur. Silinen kayıtlar `deleted=true` ile gelir ve kendi konumları vardır.',
        ),
        both(
          'Photos, videos and reservations raise their vehicle’s `updated_at`. `external_ref` keeps your own number with a record; it is a filter of the list and unique in the account.',
          'Fotoğraflar, videolar ve rezervasyonlar aracın `updated_at` değerini yükseltir. `external_ref` kayıtta sizin numaranızı saklar; listede filtredir ve hesapta tektir.',
        ),
        both(
          'Every minute is often enough for a web site; to know at once, add a [webhook](/docs#webhooks) and let it trigger the same program. A page of 100 is one request of the limit.',
          'Bir web sitesi için dakikada bir yeterlidir; anında bilmek için bir [webhook](/docs#webhooks) ekleyin ve aynı programı onunla çalıştırın. 100’lük bir sayfa limitten tek istek sayılır.',
        ),
      ],
    ],
    more: (view) => html`<div class="codes">${program('mirror', view)}</div>`,
  },
  {
    id: 'conditional-requests',
    title: both('Conditional requests', 'Koşullu istekler'),
    text: [
      both(
        'Replies that change only with the account’s data carry an `ETag`. Send it back in `If-None-Match`: while nothing has changed the reply is 304 without a body. It counts against the limit. `developer/*` endpoints carry none.',
        'Yalnızca hesabın verisiyle değişen yanıtlar `ETag` taşır. Onu `If-None-Match` ile geri gönderin: değişiklik yoksa yanıt gövdesiz 304’tür. Bu istek de limite sayılır. `developer/*` uç noktalarında yoktur.',
      ),
    ],
  },
];
