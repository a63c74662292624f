// The guide's first steps: a key, a request, a response.
import type { Text } from '../../../kit/errors.ts';
import { type Html, html } from '../../wire/html.ts';
import type { DocsView } from '../docs-view.ts';
import { exampleOf } from '../openapi/examples.ts';
import { requestBlocks } from '../parts/docs-endpoint.ts';
import { codeBlock, type GuideSection, jsonBlock } from '../parts/docs-parts.ts';
import { WORDS } from '../parts/docs-words.ts';
import { samplesOf } from '../samples/sample-request.ts';

const both = (en: string, tr: string): Text => ({ en, tr });

const HEADERS = `HTTP/1.1 200 OK
Content-Type: application/json; charset=utf-8
Cache-Control: private, no-cache
ETag: "9mZ0Qk3vT1xw7Yd2Lr8cNf5HaPe"
Link: <…/vehicles?limit=2&offset=2>; rel="next"
X-Request-Id: req_01kd2x7v9m4q8r3t6w5y1z0abc
RateLimit-Policy: "minute";q=60;w=60
RateLimit: "minute";r=41;t=23
X-RateLimit-Limit: 60
X-RateLimit-Remaining: 41
X-RateLimit-Reset: 1794690214`;

/** What sandbox keys do on this deployment. */
const SANDBOX_KEYS = {
  shared: both('sandbox keys read the same data and cannot write', 'sandbox anahtarları aynı veriyi okur, yazamaz'),
  isolated: both(
    'sandbox keys read and write [a sandbox of their own](/docs#sandbox)',
    'sandbox anahtarları [kendilerine ait bir sandbox’ı](/docs#sandbox) okur ve yazar',
  ),
};

export const startGuide = (isIsolated: boolean): readonly GuideSection[] => [
  {
    id: 'first-request',
    title: both('First request', 'İlk istek'),
    text: [
      [
        both(
          '[Create a key in the panel](/panel/api-anahtarlari/yeni) and select the endpoints it can use. The key is shown once; store it like a password. If you run the service yourself with demonstration data, it prints a demo key when it starts. The demo key is read-only; for samples that write, create a key that includes those endpoints.',
          '[Panelde bir anahtar oluşturun](/panel/api-anahtarlari/yeni) ve kullanabileceği uç noktaları seçin. Anahtar bir kez gösterilir; parola gibi saklayın. Hizmeti demo verisiyle kendiniz çalıştırıyorsanız açılışta bir demo anahtarı yazdırır. Demo anahtarı salt okunurdur; veri yazan örnekler için bu uç noktaları içeren bir anahtar oluşturun.',
        ),
        both(
          'Set the variable that every sample reads: `export GALERI_KEY=gal_prod_…`',
          'Bütün örneklerin okuduğu değişkeni tanımlayın: `export GALERI_KEY=gal_prod_…`',
        ),
        both(
          'Select a language above and copy a sample. Each one is a complete program (`sample.mjs`, `sample.php`, `sample.py`) without dependencies. The ids are those of the demonstration dealer, so the samples run there without changes; with your own data, use your own ids.',
          'Yukarıdan bir dil seçip bir örneği kopyalayın. Her biri bağımlılığı olmayan tam bir programdır (`ornek.mjs`, `ornek.php`, `ornek.py`). Kimlikler demo galerisinindir, örnekler orada değiştirmeden çalışır; kendi verinizde kendi kimliklerinizi yazın.',
        ),
        both(
          'Samples that write send `X-Dry-Run: true`: the API runs all checks, returns the result and changes nothing. Remove the line to write for real. An endpoint that is not released yet («Yakında», coming soon) returns 501; vote for it [in the catalog](/panel/katalog), and an administrator can release it. On your own deployment, `galeri release activate --all` releases all endpoints.',
          'Veri yazan örnekler `X-Dry-Run: true` gönderir: API bütün denetimleri yapar, sonucu döndürür, hiçbir şeyi değiştirmez. Gerçekten yazmak için bu satırı silin. Henüz açılmamış («Yakında») uç nokta 501 döner; [katalogda](/panel/katalog) talep edin, yönetici açar. Kendi kurulumunuzda `galeri release activate --all` hazır olanların tümünü açar.',
        ),
      ],
    ],
    more: firstRequest,
  },
  {
    id: 'authentication',
    title: both('Authentication', 'Kimlik doğrulama'),
    text: [
      [
        both(
          `Send \`Authorization: Bearer <API_KEY>\` with every request. Keys start with \`gal_prod_\` or \`gal_sand_\`; ${SANDBOX_KEYS[isIsolated ? 'isolated' : 'shared'].en}. Keys in the query string are ignored.`,
          `Her istek \`Authorization: Bearer <API_KEY>\` başlığını taşır. Anahtarlar \`gal_prod_\` veya \`gal_sand_\` ile başlar; ${SANDBOX_KEYS[isIsolated ? 'isolated' : 'shared'].tr}. Sorgu dizesinde anahtar aranmaz.`,
        ),
        both(
          'A key belongs to one dealer account and can access only that account’s data. A record of another account returns 404, like a record that does not exist.',
          'Anahtar tek bir galeri hesabına aittir ve yalnızca onun verisini görür. Başka hesabın kaydı da olmayan kayıt gibi 404 döner.',
        ),
        both(
          'A key includes a set of endpoints, and each endpoint belongs to one scope. Any other endpoint returns 403 `insufficient_scope`; `error.required_scope` names the scope.',
          'Anahtar bir uç nokta kümesi içerir; her uç nokta bir kapsamdadır. Kümede olmayan uç nokta 403 `insufficient_scope` döner; kapsam `error.required_scope` içindedir.',
        ),
        both(
          'A key can have an expiry date (401 `key_expired`) and a list of allowed IP addresses (403 `ip_not_allowed`). An empty list allows all addresses.',
          'Anahtarın bitiş tarihi (401 `key_expired`) ve izinli IP listesi (403 `ip_not_allowed`) olabilir. Boş liste tüm adreslere izin verir.',
        ),
      ],
    ],
  },
  {
    id: 'replies',
    title: both('Responses', 'Yanıtlar'),
    text: [
      both(
        'Every API response with a body is JSON in one envelope: `success`, `data` and `meta`; an error has `error` instead of `data`. Every response has the header `X-Request-Id`, which identifies it in the request log and for support.',
        'Her yanıt tek bir zarf içinde JSON’dur: `success`, `data`, `meta`; ret yanıtında `data` yerine `error` bulunur. Her yanıt, günlükte ve destekte onu tanıtan `X-Request-Id` başlığını taşır.',
      ),
      [
        both(
          'Amounts are decimal strings with two fraction digits, next to their currency: `TL` (TRY), `STG` (GBP), `USD`, `EUR`.',
          'Tutarlar, yanında para birimiyle iki haneli ondalık metindir: `TL`, `STG`, `USD`, `EUR`.',
        ),
        both(
          'Times in records are ISO 8601 in UTC, with `Z`; `meta.timestamp` has an explicit offset.',
          'Kayıtların zamanları UTC’de ISO 8601’dir ve `Z` ile biter; `meta.timestamp` açık bir fark taşır.',
        ),
        both(
          'Status values such as `Stokta` or `Satıldı` are Turkish in every language. Nullable fields are always present.',
          '`Stokta`, `Satıldı` gibi durum değerleri her dilde Türkçedir. Boş olabilen alanlar yanıtta her zaman vardır.',
        ),
      ],
    ],
  },
  {
    id: 'clients',
    title: both('Clients and tools', 'İstemciler ve araçlar'),
    text: [
      both(
        'You can use any HTTP client. The folder `sdk/` of the source code has clients for TypeScript, Python and PHP (pagination, safe retries, uploads, webhook verification) and a package of commands, `sdk/cli` (events to your machine, request log, sandbox, tools for AI agents), all without dependencies. [/openapi.json](/openapi.json) is the OpenAPI 3.1 description, for client generators. [/postman.json](/postman.json) is a collection for Postman or Bruno; enter only your key. If you request either file with a key (`Authorization`), it contains only the endpoints of that key.',
        'Herhangi bir HTTP istemcisi kullanabilirsiniz. Kaynak kodun `sdk/` klasöründe TypeScript, Python ve PHP istemcileri (sayfalama, güvenli yeniden deneme, dosya yükleme, webhook doğrulama) ve bir komut paketi, `sdk/cli` (olayları makinenize iletme, istek günlüğü, sandbox, yapay zekâ ajanları için araçlar) vardır; hiçbiri bağımlılık istemez. [/openapi.json](/openapi.json), istemci üreticileri için OpenAPI 3.1 tanımıdır. [/postman.json](/postman.json), Postman ya da Bruno koleksiyonudur; yalnızca anahtarınızı girersiniz. İkisi de anahtarla (`Authorization`) istenirse yalnızca o anahtarın uç noktalarını içerir.',
      ),
    ],
  },
];

/** Listing the stock. */
function firstRequest(view: DocsView): Html | null {
  const { endpoints, locale } = view;
  const endpoint = endpoints.find(({ id }) => id === 'GET vehicles');
  const request = endpoint && samplesOf(endpoint, view)?.plain;
  const example = endpoint && exampleOf(endpoint.id);
  if (!request || !example) return null;
  return html`<div class="codes">${requestBlocks(request, WORDS.request[locale])}${codeBlock(WORDS.replyHeaders[locale], html`${HEADERS}`)}${jsonBlock(WORDS.reply[locale], example.reply)}</div>`;
}
