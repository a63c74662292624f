// The guide on the isolated sandbox, for services that have it (SANDBOX=isolated): what it is, how it is controlled, a recipe for CI.
import type { Text } from '../../../kit/errors.ts';
import { type Html, html } from '../../wire/html.ts';
import type { DocsView, SandboxRuleShown } from '../docs-view.ts';
import { codeBlock, type GuideSection, prose } from '../parts/docs-parts.ts';
import { fencedFile, sandboxRecipe } from './docs-programs.ts';

const both = (en: string, tr: string): Text => ({ en, tr });

export const SANDBOX_GUIDE: GuideSection = {
  id: 'sandbox',
  title: both('Sandbox', 'Sandbox'),
  text: [
    both(
      'Sandbox keys (`gal_sand_…`) read and write a sandbox of their account: separate data with its own cars, customers, sales, settings, webhooks and events. Production never sees it. It has a clock that you move, simulated dealers and customers who answer, and it sends no mail: messages are kept for you to read. Create a key in the panel with the environment Sandbox, or with `galeri key create --account ID --name ci --template full --environment sandbox`; its first request creates the sandbox. An endpoint that is not released yet returns 501 here too. Owners and developers can also open the sandbox in the panel: choose **Sandbox** in the top bar.',
      'Sandbox anahtarları (`gal_sand_…`) hesabın ayrı bir sandbox’ını okur ve yazar: kendi araçları, müşterileri, satışları, ayarları, webhook’ları ve olayları vardır; canlı veri bunları görmez. Saatini siz ilerletirsiniz, karşı taraf simüle edilir ve yanıt verir, e-posta gönderilmez: mesajlar okumanız için saklanır. Anahtarı panelde Sandbox ortamıyla ya da `galeri key create --account ID --name ci --template full --environment sandbox` ile oluşturun; ilk isteği sandbox’ı da oluşturur. Henüz açılmamış uç nokta burada da 501 döner. Sahipler ve geliştiriciler panelde de açar: üst çubukta **Sandbox**.',
    ),
    both(
      'Use `/sandbox/v1` to control the sandbox. The key must include at least one endpoint that writes; otherwise the response is 403 `sandbox_control_not_allowed`. It has the envelope, errors, limits and `Idempotency-Key` of the API and [an OpenAPI document of its own](/sandbox/v1/openapi.json).',
      '`/sandbox/v1` ile yönetilir; en az bir yazma uç noktası olan bir sandbox anahtarı gerekir (403 `sandbox_control_not_allowed`). Zarfı, hataları, limitleri ve `Idempotency-Key` başlığı API’ninkiyle aynıdır; [kendi OpenAPI belgesi](/sandbox/v1/openapi.json) vardır.',
    ),
    [
      both(
        '`POST /sandbox/v1/reset` `{"data": "sample"}` or `"empty"` replaces the sandbox under the same keys. Webhooks stay unless `keep_webhooks` is false. Ids, cursors and links of the old sandbox return 404 or 410; a write that is running returns 409 `sandbox_reset`.',
        '`POST /sandbox/v1/reset` `{"data": "sample"}` ya da `"empty"` sandbox’ı aynı anahtarlarla yeniler. `keep_webhooks` false değilse webhook’lar kalır. Eskisinin kimlikleri, imleçleri ve bağlantıları 404 ya da 410 döner; sürmekte olan yazma 409 `sandbox_reset` alır.',
      ),
      both(
        '`POST /sandbox/v1/clock` `{"advance": "30d"}` (`d`, `h`, `m`) or `{"to": "2027-03-01"}` moves business time forward, up to five years. For whole months, send `to`; a day begins at midnight in the account’s time zone. Everything that becomes due happens in order: reservations end, installments become overdue, promises are broken, offers expire, auctions close. The response is sent after all changes are committed, and contains the number of changes of each kind. Until then, a write waits for a moment and then returns 409 `clock_moving`. Only a reset moves the clock back. Signatures, keys, limits and deliveries stay in real time.',
        '`POST /sandbox/v1/clock` `{"advance": "30d"}` (`d`, `h`, `m`) ya da `{"to": "2027-03-01"}` iş saatini en çok beş yıl ileri alır. Ay olarak ilerletmek için `to` gönderin; gün, hesabın saat diliminde gece yarısı başlar. Arada zamanı gelen her şey sırasıyla olur: rezervasyonlar biter, taksitler gecikir, sözler bozulur, tekliflerin süresi dolar, müzayedeler kapanır. Yanıt, hepsi tamamlanınca sayılarıyla gelir. O ana kadar yazmalar bekler, sonra 409 `clock_moving` alır. Saati yalnızca sıfırlama geri alır. İmzalar, anahtarlar, limitler ve gönderimler gerçek saate göre çalışır.',
      ),
      both(
        '`GET /sandbox/v1/messages` lists mail, WhatsApp and SMS messages that production would have sent (`channel`, `to`), the newest 500. `GET /sandbox/v1` shows the clock, the counts and their limits; a write beyond a limit returns 409 `sandbox_full`. Replaced data is removed in the background; while 100 resets wait for that, another reset returns 429.',
        '`GET /sandbox/v1/messages` canlıda gönderilecek e-posta, WhatsApp ve SMS mesajlarının son 500’ünü verir (`channel`, `to`). `GET /sandbox/v1` saati, sayıları ve limitlerini gösterir; limiti aşan yazma 409 `sandbox_full` alır. Önceki 100 hâli hâlâ siliniyorsa sıfırlama 429 alır.',
      ),
      both(
        '`GET /sandbox/v1/rules` lists how the simulated side answers. The values that you send decide the outcome, so a test can choose it.',
        '`GET /sandbox/v1/rules` simüle edilen tarafın nasıl yanıt verdiğini listeler. Yanıtı gönderdiğiniz değer belirler; test istediği sonucu seçebilir.',
      ),
      both(
        'Each event that is caused by moving the clock has the business time at which it became due. Its webhook is sent after the change is committed. To test webhooks, keep one webhook over all resets, or reset with `keep_webhooks: false` and create it after the reset; then wait until your receiver has what you expect, because webhooks are delivered after the response of `clock`. A script without a public address reads the [event stream](/docs#event-stream), which has the same bodies; the recipe does so. Payment reminders by e-mail are enabled for customers who have an e-mail address.',
        'Saat ilerlerken oluşan olaylar kendi zamanlarını taşır; webhook’ları kaydedildikçe gönderilir. Webhook’ları denemek için tek webhook’u her sıfırlamada koruyun ya da `keep_webhooks: false` ile sıfırlayıp yeniden oluşturun; gönderimler saat yanıtından sonra sürdüğü için alıcınıza beklediğiniz olaylar gelene kadar bekleyin. Açık adresi olmayan betik aynı gövdeleri [olay akışından](/docs#event-stream) okur; aşağıdaki betik böyle yapar. E-posta adresi olan müşteriler için ödeme hatırlatmaları açıktır.',
      ),
    ],
    both(
      'The clients in `sdk/` have `client.sandbox.reset()`, `.advance("30d")`, `.clock()`, `.rules()` and `.messages()`; `galeri sandbox` of `@galeri/cli` does the same from a terminal. The recipe below resets, acts, advances and asserts in one script; the workflow runs it for every push.',
      '`sdk/` içindeki istemcilerde `client.sandbox.reset()`, `.advance("30d")`, `.clock()`, `.rules()` ve `.messages()` vardır; `@galeri/cli` paketindeki `galeri sandbox` aynısını komut satırında yapar. Aşağıdaki betik sıfırlar, işlem yapar, saati ilerletir ve denetler; iş akışı onu her `git push` ile çalıştırır.',
    ),
  ],
  more: (view) =>
    html`<div class="codes">${codeBlock('galeri.yml', WORKFLOW)}${codeBlock('sandbox.mjs', sandboxRecipe(view))}</div>${rulesTable(view)}`,
  moreMarkdown: (view) => `${fencedFile('galeri.yml', WORKFLOW)}\n\n${fencedFile('sandbox.mjs', sandboxRecipe(view))}`,
};

const WORKFLOW = `# .github/workflows/galeri.yml
name: galeri
on: push
jobs:
  sandbox:
    runs-on: ubuntu-latest
    # One sandbox for all runs: they take turns.
    concurrency: galeri-sandbox
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - run: node sandbox.mjs
        env:
          GALERI_KEY: \${{ secrets.GALERI_SANDBOX_KEY }}`;

const COLUMNS = [
  both('Action', 'İşlem'),
  both('Decided by', 'Belirleyen'),
  both('Value', 'Değer'),
  both('Outcome', 'Sonuç'),
] as const;
const OTHER = both('any other', 'diğer');

/** From the same data as GET /sandbox/v1/rules. */
function rulesTable({ locale, sandboxRules }: DocsView): Html | null {
  if (!sandboxRules || sandboxRules.length === 0) return null;
  const value = (when: string) => (when === 'else' ? OTHER[locale] : html`<code>${when}</code>`);
  const rows = ({ name, decided_by, outcomes }: SandboxRuleShown) =>
    outcomes.map(
      ({ when, description }, index) =>
        html`<tr>${index === 0 && html`<th scope="rowgroup" rowspan="${outcomes.length}">${name[locale]}</th><td rowspan="${outcomes.length}">${decided_by[locale]}</td>`}<td>${when.map((one, at) => html`${at > 0 && ', '}${value(one)}`)}</td><td>${prose(description[locale], locale)}</td></tr>`,
    );
  return html`<table class="headers rules"><thead><tr>${COLUMNS.map((column) => html`<th scope="col">${column[locale]}</th>`)}</tr></thead>${sandboxRules.map((rule) => html`<tbody>${rows(rule)}</tbody>`)}</table>`;
}
