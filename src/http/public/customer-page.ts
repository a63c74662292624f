// A customer's page as HTML: it works without JavaScript and fits a phone.
import type { DealerBankAccount } from '../../domain/accounts/bank-accounts.ts';
import type { PagePaper } from '../../domain/customer-page/page-papers.ts';
import type {
  CustomerPage,
  PageDebt,
  PageDoor,
  PageInstallment,
  PageReceipt,
  PageSale,
} from '../../domain/customer-page/page-view.ts';
import { amount, day, figure, phoneOf } from '../../domain/papers/paper-words.ts';
import type { Locale } from '../../kit/errors.ts';
import { type Html, html } from '../wire/html.ts';
import { notice } from '../wire/page-frame.ts';
import { CUSTOMER_PAGE_WORDS, type CustomerPageWords } from './customer-page-texts.ts';
import { publicPage } from './public-frame.ts';

export interface PageFrame {
  readonly locale: Locale;
  /** `/m/<token>`, null where there is none to go back to. */
  readonly path: string | null;
}

export type PageNote = 'wrong' | 'noCode' | 'tooManyCodes';

function page({ locale, path }: PageFrame, content: Html, door: PageDoor | null): string {
  const otherHref = path && `${path}?lang=${locale === 'tr' ? 'en' : 'tr'}`;
  return publicPage({ locale, title: CUSTOMER_PAGE_WORDS[locale].title, face: door?.face ?? null, content, otherHref });
}

/** For every link that opens nothing, and for a request that cannot be answered at the moment. */
export function plainCustomerPage(frame: PageFrame, word: 'missing' | 'busy' | 'tooFast'): string {
  const t = CUSTOMER_PAGE_WORDS[frame.locale];
  return page(frame, html`<h1>${t.title}</h1>${notice(t[word])}`, null);
}

/** What the link shows before the code: the dealer, and nothing of the customer. */
export function doorPage(frame: PageFrame, door: PageDoor, note: PageNote | null): string {
  const { locale, path } = frame;
  const t = CUSTOMER_PAGE_WORDS[locale];
  const { face, isSandbox, mailedTo, hasCode } = door;
  const how = mailedTo === null ? t.howShown(face.name) : t.howMailed(mailedTo);
  const made = mailedTo === null ? t.made(face.name) : t.mailed(mailedTo);
  const enter = html`<form method="post" action="${path}/ac?lang=${locale}">
<label>${t.code}<input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required autofocus></label>
<button type="submit">${t.enter}</button>
</form>`;
  return page(
    frame,
    html`<h1>${t.title}</h1><p class="lead">${t.lead(face.name)}</p>${isSandbox && notice(t.sandbox)}${note && notice(t[note])}
${hasCode && note === null ? notice(made, true) : html`<p class="hint">${how}</p>`}
${hasCode && enter}
<form method="post" action="${path}/kod?lang=${locale}"><button type="submit"${hasCode ? html` class="quiet"` : ''}>${hasCode ? t.getAnother : t.getCode}</button></form>`,
    door,
  );
}

export function customerPage(frame: PageFrame, door: PageDoor, shown: CustomerPage): string {
  const t = CUSTOMER_PAGE_WORDS[frame.locale];
  const { name, debts, sales, receipts, papers, bank_accounts } = shown;
  const phone =
    door.face.phone && html`<p class="below">${t.call}: <a href="tel:${door.face.phone}">${phoneOf(door.face)}</a></p>`;
  return page(
    frame,
    html`<h1>${t.hello(name)}</h1><p class="lead">${t.lead(door.face.name)} ${t.session}</p>${door.isSandbox && notice(t.sandbox)}
${papers.length > 0 && papersOf(t, frame, papers)}
<h2>${t.debt}</h2>
${debts.length === 0 ? html`<p>${t.noDebt}</p>` : debts.map((debt) => debtOf(t, debt))}
<h2>${t.sales}</h2>
${sales.length === 0 ? html`<p>${t.noSales}</p>` : sales.map((sale) => saleOf(t, sale))}
<h2>${t.receipts}</h2>
${receipts.length === 0 ? html`<p>${t.noReceipts}</p>` : receiptsOf(t, frame, receipts)}
${bank_accounts.length > 0 && banksOf(t, bank_accounts)}
${phone}`,
    door,
  );
}

const papersOf = (
  t: CustomerPageWords,
  { path, locale }: PageFrame,
  papers: readonly PagePaper[],
): Html => html`<h2>${t.papers}</h2>
<ul class="rows">${papers.map(
  ({ id, title, sale_no }) => html`<li><span>${title} <span class="hint">${sale_no}</span></span>
<form method="post" action="${path}/imza?lang=${locale}"><input type="hidden" name="belge" value="${id}"><button type="submit" aria-label="${t.signOf(title)}">${t.sign}</button></form></li>`,
)}</ul>`;

const debtOf = (
  t: CustomerPageWords,
  { currency, remaining, overdue, next_due }: PageDebt,
): Html => html`<p class="sum">${amount(remaining, currency)}</p>
${overdue > 0n && notice(t.overdue(amount(overdue, currency)))}${next_due && html`<p class="hint">${t.nextDue(day(next_due))}</p>`}`;

function saleOf(t: CustomerPageWords, sale: PageSale): Html {
  const { sale_no, sale_date, status, currency, price, car, plate, installments } = sale;
  const plan =
    installments.length > 0 &&
    html`<details${status === 'Aktif' ? html` open` : ''}><summary>${t.planTitle}</summary>
<table class="plan" aria-label="${t.plan(sale_no)}">
<thead><tr><th scope="col">${t.installment}</th><th scope="col">${t.due}</th><th scope="col">${t.amount} (${currency})</th><th scope="col">${t.remaining}</th></tr></thead>
<tbody>${installments.map((installment) => rowOf(t, installment))}</tbody></table></details>`;
  return html`<section class="sale"><h3>${car}${plate && ` · ${plate}`}</h3>
<p class="hint">${t.facts(sale_no, day(sale_date), amount(price, currency))}</p><p>${t.statuses[status]}</p>
${plan}</section>`;
}

const rowOf = (t: CustomerPageWords, { place, kind, due_date, amount: sum, remaining, is_overdue }: PageInstallment): Html =>
  html`<tr><td>${place === 0 || kind !== 'Taksit' ? t.kinds[kind] : place}</td><td>${day(due_date)}${is_overdue && html` <span class="late">${t.late}</span>`}</td><td>${figure(sum)}</td><td>${remaining === 0n ? t.paid : figure(remaining)}</td></tr>`;

const receiptsOf = (t: CustomerPageWords, { path }: PageFrame, receipts: readonly PageReceipt[]): Html =>
  html`<ul class="rows">${receipts.map(
    ({
      id,
      receipt_no,
      type,
      day: on,
      amount: sum,
      currency,
    }) => html`<li><a href="${path}/makbuz/${id}">${t.receipt(t.types[type], receipt_no)}</a>
<span class="hint">${day(on)} · ${amount(sum, currency)}</span></li>`,
  )}</ul>`;

const banksOf = (t: CustomerPageWords, accounts: readonly DealerBankAccount[]): Html => html`<h2>${t.banks}</h2>
<p class="hint">${t.bankHint}</p>
<dl>${accounts.map(
  ({ bank, holder, iban, currency }) =>
    html`<dt>${bank} · ${currency}</dt><dd><code>${grouped(iban)}</code><br>${t.holder}: ${holder}</dd>`,
)}</dl>`;

/** As printed on bank cards: groups of four. */
const grouped = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ');
