// The page that the QR code on a receipt or document opens: what the paper is, that it is genuine, day and amount, and no personal
// data. The hash, which few compare, is folded.
import { TEMPLATE_NAMES } from '../../domain/papers/paper.ts';
import { amount, day } from '../../domain/papers/paper-words.ts';
import type { VerifiedPaper } from '../../domain/papers/verified-paper.ts';
import type { Locale } from '../../kit/errors.ts';
import { type Html, html } from '../wire/html.ts';
import { notice } from '../wire/page-frame.ts';
import { publicPage } from './public-frame.ts';

const WORDS = {
  tr: {
    title: 'Belge doğrulama',
    found: 'Bu belge gerçektir: galerinin kayıtlarında vardır.',
    void: 'Bu belge galerinin kayıtlarında vardır, ancak iptal edilmiştir.',
    sandbox: 'Bu belge bir sandbox (deneme ortamı) örneğidir. Gerçek bir işleme ait değildir ve hükmü yoktur.',
    missing: 'Bu kodla kayıtlı belge yok. Belge sahte olabilir ya da adres eksik yazılmıştır.',
    dealer: 'Düzenleyen',
    number: 'Numara',
    day: 'Tarih',
    more: 'Dosyanın özeti',
    hash: 'SHA-256. Elinizdeki dosyanın özeti aynıysa dosya değiştirilmemiştir.',
  },
  en: {
    title: 'Check a document',
    found: 'This document is genuine: it is in the dealer’s records.',
    void: 'This document is in the dealer’s records, but it was cancelled.',
    sandbox: 'This is a specimen from a sandbox (test environment). It does not belong to a real transaction and has no effect.',
    missing: 'No document is on record with this code. It may be forged, or the address is incomplete.',
    dealer: 'Issued by',
    number: 'Number',
    day: 'Day',
    more: 'Hash of the file',
    hash: 'SHA-256. If your file has the same hash, it was not changed.',
  },
} as const;

export function verificationPage(paper: VerifiedPaper | null, locale: Locale): string {
  const t = WORDS[locale];
  const status = paper === null ? t.missing : paper.is_sandbox ? t.sandbox : paper.is_void ? t.void : t.found;
  const content = html`<h1>${paper === null ? t.title : TEMPLATE_NAMES[paper.kind]}</h1>
${notice(status, paper !== null && !paper.is_void && !paper.is_sandbox)}
${paper && factsOf(t, paper)}`;
  const otherHref = `?lang=${locale === 'tr' ? 'en' : 'tr'}`;
  return publicPage({ locale, title: t.title, face: paper?.face ?? null, content, otherHref });
}

function factsOf(t: (typeof WORDS)[Locale], paper: VerifiedPaper): Html {
  const { amount_minor, currency, sha256 } = paper;
  const fact = (label: string, value: string) => html`<dt>${label}</dt><dd>${value}</dd>`;
  const sum = amount_minor !== null && currency !== null && html`<p class="sum">${amount(amount_minor, currency)}</p>`;
  const hash = sha256 && html`<details><summary>${t.more}</summary><p class="hint">${t.hash}</p><code>${sha256}</code></details>`;
  return html`${sum}<dl>
${fact(t.day, day(paper.day))}
${fact(t.number, paper.number)}
${fact(t.dealer, paper.dealer)}
</dl>${hash}`;
}
