// The guide on rules for every endpoint: errors, limits, browsers, versions, reading the catalog.

import { SAMPLE_META } from '../../../domain/catalog/sample.ts';
import { type Locale, messageOf, type Text } from '../../../kit/errors.ts';
import { paging } from '../../../kit/params.ts';
import { type Html, html } from '../../wire/html.ts';
import { type GuideSection, jsonBlock, prose, riskBadge, statusBadge, statusChip } from '../parts/docs-parts.ts';
import { RISKS, STATUSES, WORDS } from '../parts/docs-words.ts';

const both = (en: string, tr: string): Text => ({ en, tr });

export const RULES_GUIDE: readonly GuideSection[] = [
  {
    id: 'errors',
    title: both('Errors', 'Hatalar'),
    text: [
      both(
        'Branch on `error.code`; codes never change. `error.message` is for people, in English or, with `Accept-Language: tr`, in Turkish. Some errors include `param`, `required_scope` or `details`; `doc_url` leads to the page about the code. Use `meta.request_id` to find the request in the panel’s log. [All codes](/docs/errors); each endpoint lists its own.',
        'Kararı `error.code` ile verin: kodlar değişmez. `error.message` insanlar içindir: İngilizce, `Accept-Language: tr` ile Türkçe. Gerektiğinde `param`, `required_scope` ve `details` ayrıntı verir; `doc_url` kodun sayfasıdır. `meta.request_id` isteği panelin günlüğünde bulur. [Tüm kodlar](/docs/errors); her uç nokta kendi hatalarını listeler.',
      ),
    ],
    more: ({ locale }) => html`<div class="codes">${jsonBlock(WORDS.error[locale], refusal(locale))}</div>${whatToDo(locale)}`,
  },
  {
    id: 'limits',
    title: both('Limits', 'Limitler'),
    text: [
      both(
        'The default limit is 60 requests per key per minute, counted over the last 60 seconds. Beyond the limit the API returns 429 `rate_limit_exceeded`; these responses do not count against it. Up to ten of them per minute are kept in the request log; `developer/usage` counts all. Hourly and daily limits are stored and returned by `developer/rate-limit`, but not enforced.',
        'Varsayılan limit anahtar başına dakikada 60 istektir; son 60 saniye üzerinden sayılır. Aşıldığında yanıt 429 `rate_limit_exceeded` olur ve bu yanıtlar limite sayılmaz. Bunların dakikada en çok 10 tanesi istek günlüğünde saklanır; `developer/usage` tümünü sayar. Saatlik ve günlük limitler saklanır ve `developer/rate-limit` içinde gösterilir, uygulanmaz.',
      ),
    ],
    more: ({ locale }) => limitHeaders(locale),
  },
  {
    id: 'cors',
    title: both('Browsers and CORS', 'Tarayıcılar ve CORS'),
    text: [
      both(
        'The API is for servers. It sends no CORS headers and returns 405 for `OPTIONS`, so browsers block cross-origin pages from reading it. This is deliberate: a key in a web page or an app can be read by everyone who opens it. Call the API from your server and pass the page only what it may show.',
        'API sunucular içindir. CORS başlığı göndermez ve `OPTIONS` isteğine 405 döner; hiçbir tarayıcı başka adresteki bir sayfanın onu okumasına izin vermez. Bu bilerek böyledir: web sayfasına ya da uygulamaya konan anahtar, onu açan herkesin anahtarı olur. Sunucunuzdan çağırın, sayfaya gösterilebilecek olanı verin.',
      ),
    ],
  },
  {
    id: 'versioning',
    title: both('Versioning', 'Sürümler'),
    text: [
      both(
        'The version is part of the path. Fields, parameters, endpoints and error codes can be added at any time; ignore those that you do not know. Breaking changes are made only in a new version (`/api/v2/`). After that, `v1` stays available for at least 24 months. A deprecated endpoint or field stays available for at least 12 months after responses first include the headers `Deprecation`, `Sunset` and `Link`; `Link` points to what is deprecated. Responses that contain a deprecated field have these headers, and so do responses to writes that sent one. The panel’s catalog shows which of your keys still call such an endpoint. See the [changelog](/docs/changelog). Every path also works with the suffix `.php`.',
        'Sürüm, yolun parçasıdır. Alan, parametre, uç nokta ve hata kodu her zaman eklenebilir: bilmediklerinizi dikkate almayın. Uyumu bozan değişiklikler yalnızca `/api/v2/` altında gelir; `v1` bundan sonra en az 24 ay, tek bir uç nokta ya da alan ise yanıtlar `Deprecation`, `Sunset` ve kaldırılacak olanı gösteren `Link` başlıklarını taşımaya başladıktan sonra en az 12 ay kullanılabilir. Bu başlıklar, kaldırılacak alanı içeren yanıtlarda ve o alanı gönderen isteklerin yanıtlarında bulunur. Böyle bir uç noktayı hangi anahtarlarınızın hâlâ çağırdığını panelin kataloğu gösterir. Bkz. [değişiklikler](/docs/changelog). Her yol `.php` ekiyle de çalışır.',
      ),
    ],
  },
  {
    id: 'catalog',
    title: both('Reading the catalog', 'Kataloğu okumak'),
    text: [
      both(
        'Every endpoint has a scope, a risk and a status. The status shown is the status on this server.',
        'Her uç noktanın kapsamı, riski ve durumu vardır. Gösterilen durum, burada geçerli olandır.',
      ),
    ],
    more: ({ locale }) => legend(locale),
  },
];

function refusal(locale: Locale): unknown {
  const facts = { param: 'limit', words: { allowed: paging.limit.allowed } };
  const error = { code: 'invalid_parameter', message: messageOf('invalid_parameter', facts, locale), param: 'limit' };
  return { success: false, error, meta: SAMPLE_META };
}

const ACTS: readonly (readonly [statuses: readonly number[], what: Text])[] = [
  [
    [400, 404, 405, 413, 415, 422],
    both('Correct the request; repeating it fails again.', 'İsteği düzeltin; aynısı yine reddedilir.'),
  ],
  [
    [401],
    both(
      'Check the key: it is missing, mistyped, revoked or expired.',
      'Anahtara bakın: eksik, yanlış yazılmış, iptal edilmiş ya da süresi dolmuş.',
    ),
  ],
  [
    [403],
    both(
      'The key or the account is not allowed to do this. Change the key’s endpoints or addresses in the panel.',
      'Anahtar ya da hesap bunu yapamaz; uç noktalarını veya adreslerini panelden değiştirin.',
    ),
  ],
  [
    [402, 409],
    both(
      'The current state does not allow this. Read the record, decide, and send a new request with a new `Idempotency-Key`. Repeat the same request only after `idempotency_in_progress`.',
      'Durum şu anda izin vermiyor. Kaydı okuyun, karar verin, yeni bir `Idempotency-Key` ile deneyin; yalnızca `idempotency_in_progress` aldığınızda aynısını yeniden gönderin.',
    ),
  ],
  [
    [412],
    both('The record has changed since you read it; read it again.', 'Siz okuduktan sonra kayıt değişmiş: yeniden okuyun.'),
  ],
  [
    [429, 503],
    both(
      'Wait for the number of seconds in `Retry-After`, then retry the same request.',
      '`Retry-After` kadar bekleyip aynısını gönderin.',
    ),
  ],
  [
    [500],
    both(
      'Nothing was changed. Retry the same request with exponential backoff; quote `meta.request_id` if the error persists.',
      'Hiçbir şey değişmedi. Aynısını artan aralıklarla yeniden gönderin; sürerse `meta.request_id` değerini bildirin.',
    ),
  ],
  [[501], both('The endpoint is in the catalog but not available yet.', 'Uç nokta katalogdadır, henüz açık değildir.')],
];

/** What to do about any error of this status. */
export const actOn = (status: number): Text | null => ACTS.find(([statuses]) => statuses.includes(status))?.[1] ?? null;

function whatToDo(locale: Locale): Html {
  const lines = ACTS.map(
    ([statuses, what]) =>
      html`<tr><td>${statuses.map((status) => html`${statusChip(status)} `)}</td><td>${prose(what[locale], locale)}</td></tr>`,
  );
  return html`<table class="acts"><thead><tr><th scope="col">HTTP</th><th scope="col">${WORDS.whatToDo[locale]}</th></tr></thead><tbody>${lines}</tbody></table>`;
}

const LIMIT_HEADERS: readonly (readonly [string, Text])[] = [
  [
    'RateLimit-Policy: "minute";q=60;w=60',
    both('The current limit: `q` requests in `w` seconds.', 'Geçerli limit: `w` saniyede `q` istek.'),
  ],
  [
    'RateLimit: "minute";r=41;t=23',
    both(
      '`r` requests remain; the oldest counted request leaves the window in `t` seconds.',
      '`r` istek kaldı; en eskisi `t` saniye sonra pencereden çıkar.',
    ),
  ],
  ['X-RateLimit-Limit: 60', both('Requests per minute.', 'Dakikadaki istek sayısı.')],
  ['X-RateLimit-Remaining: 41', both('Requests that remain.', 'Kalan istek sayısı.')],
  [
    'X-RateLimit-Reset: 1794690214',
    both('When the oldest request leaves the window, in epoch seconds.', 'En eskisinin pencereden çıkacağı an, epoch saniyesi.'),
  ],
  [
    'Retry-After: 12',
    both(
      'With 429, 503 and 409 `idempotency_in_progress`: seconds to wait before a retry.',
      '429, 503 ve 409 `idempotency_in_progress` ile: beklenecek saniye.',
    ),
  ],
];

function limitHeaders(locale: Locale): Html {
  const lines = LIMIT_HEADERS.map(
    ([header, text]) => html`<tr><th scope="row"><code>${header}</code></th><td>${prose(text[locale], locale)}</td></tr>`,
  );
  return html`<table class="headers"><thead><tr><th scope="col">${WORDS.header[locale]}</th><th scope="col">${WORDS.meaning[locale]}</th></tr></thead><tbody>${lines}</tbody></table>`;
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
