// The guide on what holds for every endpoint: errors, limits, browsers, versions, how to read the catalog.

import { SAMPLE_META } from '../../domain/catalog/sample.ts';
import { type Locale, messageOf, type Text } from '../../kit/errors.ts';
import { paging } from '../../kit/params.ts';
import { type Html, html } from '../wire/html.ts';
import { type GuideSection, jsonBlock, prose, riskBadge, statusBadge, statusChip } from './docs-parts.ts';
import { RISKS, STATUSES, WORDS } from './docs-words.ts';

const both = (en: string, tr: string): Text => ({ en, tr });

export const RULES_GUIDE: readonly GuideSection[] = [
  {
    id: 'errors',
    title: both('Errors', 'Hatalar'),
    text: [
      both(
        'Decide by `error.code`: codes never change. `error.message` is for people: English, or Turkish under `Accept-Language: tr`. Where they apply, `param`, `required_scope` and `details` say more. `meta.request_id` finds the request in the panel’s log. [All codes](/docs/errors); those of an endpoint stand with it.',
        'Kararı `error.code` ile verin: kodlar değişmez. `error.message` insanlar içindir: İngilizce, `Accept-Language: tr` ile Türkçe. Gerektiğinde `param`, `required_scope` ve `details` ayrıntı verir. `meta.request_id` isteği panelin günlüğünde bulur. [Tüm kodlar](/docs/errors); bir uç noktanınkiler kendi yanındadır.',
      ),
    ],
    more: ({ locale }) => html`<div class="codes">${jsonBlock(WORDS.error[locale], refusal(locale))}</div>${whatToDo(locale)}`,
  },
  {
    id: 'limits',
    title: both('Limits', 'Limitler'),
    text: [
      both(
        '60 requests per minute and key unless agreed otherwise, counted over the trailing 60 seconds. Past it the answer is 429 `rate_limit_exceeded`; such replies do not count against it. Of them ten a minute stand in the request log, all are in `developer/usage`. Hourly and daily limits are stored and shown in `developer/rate-limit`, not enforced.',
        'Aksi kararlaştırılmadıkça anahtar başına dakikada 60 istek; son 60 saniye üzerinden sayılır. Aşıldığında yanıt 429 `rate_limit_exceeded` olur ve bu yanıtlar limite sayılmaz. İstek günlüğünde dakikada onu durur, tümü `developer/usage` içindedir. Saatlik ve günlük limitler saklanır ve `developer/rate-limit` içinde gösterilir, uygulanmaz.',
      ),
    ],
    more: ({ locale }) => limitHeaders(locale),
  },
  {
    id: 'cors',
    title: both('Browsers and CORS', 'Tarayıcılar ve CORS'),
    text: [
      both(
        'The API is for servers. It sends no CORS headers and answers `OPTIONS` with 405, so no browser lets a page of another address read it. That is meant: a key in a web page or an app is a key for everyone who opens it. Call from your server and give the page what it may show.',
        'API sunucular içindir. CORS başlığı göndermez ve `OPTIONS` isteğine 405 döner; hiçbir tarayıcı başka adresteki bir sayfanın onu okumasına izin vermez. Bu bilerek böyledir: web sayfasına ya da uygulamaya konan anahtar, onu açan herkesin anahtarı olur. Sunucunuzdan çağırın, sayfaya gösterilebilecek olanı verin.',
      ),
    ],
  },
  {
    id: 'versioning',
    title: both('Versioning', 'Sürümler'),
    text: [
      both(
        'The version is in the path. Fields, parameters, endpoints and error codes may be added at any time: ignore what you do not know. Breaking changes come only under `/api/v2/`; `v1` then lives at least 24 months, a single endpoint at least 12 after its replies begin to carry `Deprecation`, `Sunset` and `Link`. What has changed: [changes](/docs/changelog). Every path is also reachable with the suffix `.php`.',
        'Sürüm yoldadır. Alan, parametre, uç nokta ve hata kodu her zaman eklenebilir: bilmediklerinizi dikkate almayın. Uyumu bozan değişiklikler yalnızca `/api/v2/` altında gelir; `v1` bundan sonra en az 24 ay, tek bir uç nokta ise yanıtları `Deprecation`, `Sunset` ve `Link` taşımaya başladıktan sonra en az 12 ay yaşar. Neler değişti: [değişiklikler](/docs/changelog). Her yola `.php` ekiyle de erişilir.',
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

function refusal(locale: Locale): unknown {
  const facts = { param: 'limit', words: { allowed: paging.limit.allowed } };
  const error = { code: 'invalid_parameter', message: messageOf('invalid_parameter', facts, locale), param: 'limit' };
  return { success: false, error, meta: SAMPLE_META };
}

const ACTS: readonly (readonly [statuses: readonly number[], what: Text])[] = [
  [
    [400, 404, 405, 413, 415, 422],
    both('Correct the request; the same one fails again.', 'İsteği düzeltin; aynısı yine reddedilir.'),
  ],
  [
    [401],
    both(
      'Check the key: missing, mistyped, revoked or expired.',
      'Anahtara bakın: eksik, yanlış yazılmış, iptal edilmiş ya da süresi dolmuş.',
    ),
  ],
  [
    [403],
    both(
      'The key or the account may not do this; change its endpoints or addresses in the panel.',
      'Anahtar ya da hesap bunu yapamaz; uç noktalarını veya adreslerini panelden değiştirin.',
    ),
  ],
  [
    [402, 409],
    both(
      'The state does not allow it now. Read the record, decide, and try with a new `Idempotency-Key`; only `idempotency_in_progress` is repeated as it is.',
      'Durum şu anda izin vermiyor. Kaydı okuyun, karar verin, yeni bir `Idempotency-Key` ile deneyin; yalnızca `idempotency_in_progress` aldığınızda aynısını yeniden gönderin.',
    ),
  ],
  [
    [412],
    both('Somebody changed the record since you read it: read it again.', 'Siz okuduktan sonra kayıt değişmiş: yeniden okuyun.'),
  ],
  [
    [429, 503],
    both('Wait as long as `Retry-After` says, then send the same.', '`Retry-After` kadar bekleyip aynısını gönderin.'),
  ],
  [
    [500],
    both(
      'Nothing was changed. Send the same again, with pauses that grow; name `meta.request_id` if it stays.',
      'Hiçbir şey değişmedi. Aynısını artan aralıklarla yeniden gönderin; sürerse `meta.request_id` değerini bildirin.',
    ),
  ],
  [[501], both('The endpoint is catalogued and not open yet.', 'Uç nokta katalogdadır, henüz açık değildir.')],
];

const TO_DO = both('What to do', 'Yapılacak');

function whatToDo(locale: Locale): Html {
  const lines = ACTS.map(
    ([statuses, what]) =>
      html`<tr><td>${statuses.map((status) => html`${statusChip(status)} `)}</td><td>${prose(what[locale], locale)}</td></tr>`,
  );
  return html`<table class="acts"><thead><tr><th scope="col">HTTP</th><th scope="col">${TO_DO[locale]}</th></tr></thead><tbody>${lines}</tbody></table>`;
}

const LIMIT_HEADERS: readonly (readonly [string, Text])[] = [
  [
    'RateLimit-Policy: "minute";q=60;w=60',
    both('The limit in force: `q` requests in `w` seconds.', 'Geçerli limit: `w` saniyede `q` istek.'),
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
