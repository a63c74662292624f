// The guide at the head of the reference page: how to make a request, and what holds for every endpoint.
import { ERRORS, type ErrorCode, type Locale, type Text } from '../../kit/errors.ts';
import { type Html, type HtmlValue, html } from '../wire/html.ts';
import { EVENT_GUIDE } from './docs-guide-events.ts';
import { WRITE_GUIDE } from './docs-guide-writes.ts';
import {
  breakable,
  codeBlock,
  type GuideSection,
  type GuideView,
  prose,
  riskBadge,
  statusBadge,
  statusChip,
} from './docs-parts.ts';
import { curl, sampleHeaders, sampleRefusal, sampleReply } from './docs-samples.ts';
import { LANGUAGES, RISKS, STATUSES, WORDS } from './docs-words.ts';

const both = (en: string, tr: string): Text => ({ en, tr });

export const GUIDE: readonly GuideSection[] = [
  {
    id: 'first-request',
    title: both('First request', 'İlk istek'),
    text: [
      both(
        'Create a key in the panel, pick the endpoints it may use, and send it with every request.',
        'Panelden bir anahtar oluşturun, kullanabileceği uç noktaları seçin ve her istekle gönderin.',
      ),
    ],
    more: firstRequest,
  },
  {
    id: 'authentication',
    title: both('Authentication', 'Kimlik doğrulama'),
    text: [
      [
        both(
          'Every request carries `Authorization: Bearer <API_KEY>`. Keys begin with `gal_prod_` or `gal_sand_`; the query string is never looked at for one.',
          'Her istek `Authorization: Bearer <API_KEY>` başlığını taşır. Anahtarlar `gal_prod_` veya `gal_sand_` ile başlar; sorgu dizesinde anahtar aranmaz.',
        ),
        both(
          'A key belongs to one dealer account and sees that account’s data only. Another account’s record answers 404, as an absent one does.',
          'Anahtar tek bir galeri hesabına aittir ve yalnızca onun verisini görür. Başka hesabın kaydı da olmayan kayıt gibi 404 döner.',
        ),
        both(
          'A key holds a set of endpoints. One it does not hold answers 403 `insufficient_scope`, and `error.required_scope` names the scope.',
          'Anahtar bir uç nokta kümesine sahiptir. Kümede olmayan uç nokta 403 `insufficient_scope` döner; kapsam `error.required_scope` içindedir.',
        ),
        both(
          'A key may have an expiry date (401 `key_expired`) and a list of allowed addresses (403 `ip_not_allowed`). An empty list allows all.',
          'Anahtarın bitiş tarihi (401 `key_expired`) ve izinli IP listesi (403 `ip_not_allowed`) olabilir. Boş liste tüm adreslere izin verir.',
        ),
      ],
    ],
  },
  {
    id: 'replies',
    title: both('Replies', 'Yanıtlar'),
    text: [
      both(
        'Every reply is JSON in one envelope: `success`, `data`, `meta`; a refusal has `error` in place of `data`. Each carries `X-Request-Id`, which names it in the request log and in support.',
        'Her yanıt tek bir zarf içinde JSON’dur: `success`, `data`, `meta`; ret yanıtında `data` yerine `error` bulunur. Her yanıt, günlükte ve destekte onu tanıtan `X-Request-Id` başlığını taşır.',
      ),
      [
        both(
          'Money is a decimal string with two digits beside its currency: `TL`, `STG`, `USD`, `EUR`.',
          'Tutarlar, yanında para birimiyle iki haneli ondalık metindir: `TL`, `STG`, `USD`, `EUR`.',
        ),
        both(
          'Times of records are ISO 8601 in UTC and end in `Z`; `meta.timestamp` carries an explicit offset.',
          'Kayıtların zamanları UTC’de ISO 8601’dir ve `Z` ile biter; `meta.timestamp` açık bir fark taşır.',
        ),
        both(
          'Values a dealer reads, such as `Stokta` or `Satıldı`, are Turkish in every language. Nullable fields are always present.',
          '`Stokta`, `Satıldı` gibi galerinin okuduğu değerler her dilde Türkçedir. Boş olabilen alanlar yanıtta her zaman vardır.',
        ),
      ],
    ],
  },
  {
    id: 'paging',
    title: both('Paging', 'Sayfalama'),
    text: [
      both(
        'Lists take `limit` (1 to 100, default 25) and `offset`, and answer newest first unless an endpoint says otherwise. `meta.count` is the number of records in the reply; `Link` carries the addresses of the `next` and `prev` page. An offset past the end answers an empty `data`. Values out of range are refused, never clamped.',
        'Listeler `limit` (1–100, varsayılan 25) ve `offset` alır; aksi belirtilmedikçe en yeniden eskiye sıralanır. `meta.count` yanıttaki kayıt sayısıdır; `Link` başlığı `next` ve `prev` sayfaların adresini taşır. Sonu aşan `offset` boş `data` döndürür. Aralık dışı değerler düzeltilmez, reddedilir.',
      ),
    ],
  },
  {
    id: 'conditional-requests',
    title: both('Conditional requests', 'Koşullu istekler'),
    text: [
      both(
        'Replies that change only with the account’s data carry an `ETag`. Send it back in `If-None-Match`: while nothing has changed the reply is 304 without a body. It counts against the limit. `developer/*` endpoints carry none.',
        'Yalnızca hesabın verisiyle değişen yanıtlar `ETag` taşır. Onu `If-None-Match` ile geri gönderin: değişiklik yoksa yanıt gövdesiz 304’tür. Bu istek de sınıra sayılır. `developer/*` uç noktalarında yoktur.',
      ),
    ],
  },
  ...WRITE_GUIDE,
  ...EVENT_GUIDE,
  {
    id: 'limits',
    title: both('Limits', 'Sınırlar'),
    text: [
      both(
        '60 requests per minute and key unless agreed otherwise, counted over the trailing 60 seconds. Past it the answer is 429 `rate_limit_exceeded`; such replies do not count against it. Of them ten a minute stand in the request log, all are in `developer/usage`. Hourly and daily limits are stored and shown in `developer/rate-limit`, not enforced.',
        'Aksi kararlaştırılmadıkça anahtar başına dakikada 60 istek; son 60 saniye üzerinden sayılır. Aşıldığında yanıt 429 `rate_limit_exceeded` olur ve bu yanıtlar sınıra sayılmaz. İstek günlüğünde dakikada onu durur, tümü `developer/usage` içindedir. Saatlik ve günlük sınırlar saklanır ve `developer/rate-limit` içinde gösterilir, uygulanmaz.',
      ),
    ],
    more: ({ locale }) => limitHeaders(locale),
  },
  {
    id: 'errors',
    title: both('Errors', 'Hatalar'),
    text: [
      both(
        'Decide by `error.code`; the list is closed and codes never change. `error.message` is for people: English, or Turkish under `Accept-Language: tr`. Where they apply, `param`, `required_scope` and `details` say more.',
        'Kararı `error.code` ile verin; liste kapalıdır ve kodlar değişmez. `error.message` insanlar içindir: İngilizce, `Accept-Language: tr` ile Türkçe. Gerektiğinde `param`, `required_scope` ve `details` ayrıntı verir.',
      ),
    ],
    more: ({ locale }) => html`${codeBlock(WORDS.error, sampleRefusal(locale), locale)}${errorTable(locale)}`,
  },
  {
    id: 'versioning',
    title: both('Versioning', 'Sürümler'),
    text: [
      both(
        'The version is in the path. Fields, parameters, endpoints and error codes may be added at any time: ignore what you do not know. Breaking changes come only under `/api/v2/`; `v1` then lives at least 24 months. Every path is also reachable with the suffix `.php`.',
        'Sürüm yoldadır. Alan, parametre, uç nokta ve hata kodu her zaman eklenebilir: bilmediklerinizi yok sayın. Uyumu bozan değişiklikler yalnızca `/api/v2/` altında gelir; `v1` bundan sonra en az 24 ay yaşar. Her yola `.php` ekiyle de erişilir.',
      ),
    ],
  },
  {
    id: 'catalog',
    title: both('Reading the catalog', 'Kataloğu okumak'),
    text: [
      both(
        'Every endpoint has a scope, a risk and a status. The status shown is the one in force here.',
        'Her uç noktanın kapsamı, riski ve durumu vardır. Gösterilen durum, burada geçerli olandır.',
      ),
    ],
    more: ({ locale }) => legend(locale),
  },
];

export const guideSections = (view: GuideView): Html[] =>
  GUIDE.map(
    ({ id, title, text, more }) =>
      html`<section class="guide" id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title[view.locale]}</h2>${text.map((part) => paragraph(part, view.locale))}${more?.(view)}</section>`,
  );

const isGroup = (part: Text | readonly Text[]): part is readonly Text[] => Array.isArray(part);

const paragraph = (part: Text | readonly Text[], locale: Locale): Html =>
  isGroup(part)
    ? html`<ul>${part.map((item) => html`<li>${prose(item[locale])}</li>`)}</ul>`
    : html`<p>${prose(part[locale])}</p>`;

/** The example of a first request: listing the stock. */
function firstRequest({ rows, api, locale }: GuideView): HtmlValue {
  const row = rows.find(({ id }) => id === 'GET vehicles') ?? rows.find(({ method, body }) => method === 'GET' && body !== null);
  if (row === undefined) return null;
  const reply = sampleReply(row);
  const query = row.id === 'GET vehicles' ? '?status=Stokta&limit=25' : '';
  return html`<div class="pair"><div class="stack">${codeBlock(WORDS.request, curl(row, api, query), locale)}${codeBlock(WORDS.replyHeaders, sampleHeaders(row), locale)}</div>${reply && codeBlock(WORDS.reply, reply, locale)}</div>`;
}

const LIMIT_HEADERS: readonly (readonly [string, Text])[] = [
  [
    'RateLimit-Policy: "minute";q=60;w=60',
    both('The limit in force: `q` requests in `w` seconds.', 'Geçerli sınır: `w` saniyede `q` istek.'),
  ],
  [
    'RateLimit: "minute";r=41;t=23',
    both(
      '`r` requests left; the oldest leaves the window in `t` seconds.',
      '`r` istek kaldı; en eskisi `t` saniye sonra pencereden çıkar.',
    ),
  ],
  ['X-RateLimit-Limit: 60', both('Requests per minute.', 'Dakikadaki istek sayısı.')],
  ['X-RateLimit-Remaining: 41', both('Requests left.', 'Kalan istek sayısı.')],
  [
    'X-RateLimit-Reset: 1794690214',
    both('When the oldest leaves the window, in epoch seconds.', 'En eskisinin pencereden çıkacağı an, epoch saniyesi.'),
  ],
  ['Retry-After: 12', both('With 429 and 503: seconds to wait.', '429 ve 503 ile: beklenecek saniye.')],
];

function limitHeaders(locale: Locale): Html {
  const lines = LIMIT_HEADERS.map(
    ([header, text]) => html`<tr><th scope="row"><code>${header}</code></th><td>${prose(text[locale])}</td></tr>`,
  );
  return html`<table class="headers"><thead><tr><th scope="col">${WORDS.header[locale]}</th><th scope="col">${WORDS.meaning[locale]}</th></tr></thead><tbody>${lines}</tbody></table>`;
}

/** On narrow screens the table is laid out as blocks, which removes table semantics in some browsers; the ARIA roles keep them. */
function errorTable(locale: Locale): Html {
  const order: readonly Locale[] = locale === 'en' ? ['en', 'tr'] : ['tr', 'en'];
  const lines = (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
    const messages = order.map((each) => html`<td role="cell" lang="${each}">${ERRORS[code][each]}</td>`);
    return html`<tr role="row" id="error-${code}"><td role="cell">${statusChip(ERRORS[code].status)}</td><th role="rowheader" scope="row"><code>${breakable(code)}</code></th>${messages}</tr>`;
  });
  const heads = [
    html`HTTP`,
    html`${WORDS.code[locale]}`,
    ...order.map((each) => html`<span lang="${each}">${LANGUAGES[each]}</span>`),
  ];
  return html`<table class="errors" role="table"><thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th role="columnheader" scope="col">${head}</th>`)}</tr></thead><tbody role="rowgroup">${lines}</tbody></table>`;
}

function legend(locale: Locale): Html {
  const risks = (['read', 'write', 'destructive', 'sensitive'] as const).map(
    (risk) => html`<div><dt>${riskBadge(risk, locale)}</dt><dd>${RISKS[risk].note[locale]}</dd></div>`,
  );
  const statuses = ([true, false] as const).map(
    (live) =>
      html`<div><dt>${statusBadge(live, locale)}</dt><dd>${(live ? STATUSES.live : STATUSES.soon).note[locale]}</dd></div>`,
  );
  return html`<dl class="legend">${risks}${statuses}</dl>`;
}
