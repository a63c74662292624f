// The page that the QR code on a receipt or document opens: dealer, number, day, amount and hash, and no personal data.
import { TEMPLATE_NAMES } from '../../domain/papers/paper.ts';
import { amount, day } from '../../domain/papers/paper-words.ts';
import type { VerifiedPaper } from '../../domain/papers/verified-paper.ts';
import type { Locale } from '../../kit/errors.ts';
import { type Html, html } from '../wire/html.ts';
import { framedPage, notice } from '../wire/page-frame.ts';

const WORDS = {
  tr: {
    title: 'Belge doğrulama',
    found: 'Bu belge kayıtlıdır.',
    void: 'Bu belge kayıtlıdır, ancak iptal edilmiştir.',
    sandbox: 'Bu belge bir sandbox (deneme ortamı) örneğidir. Gerçek bir işleme ait değildir ve hükmü yoktur.',
    missing: 'Bu kodla kayıtlı belge yok. Belge sahte olabilir ya da adres eksik yazılmıştır.',
    dealer: 'Galeri',
    kind: 'Belge',
    number: 'Numara',
    day: 'Tarih',
    amount: 'Tutar',
    hash: 'Dosya özeti (SHA-256)',
  },
  en: {
    title: 'Check a document',
    found: 'This document is on record.',
    void: 'This document is on record, but it was cancelled.',
    sandbox: 'This is a specimen from a sandbox (test environment). It does not belong to a real transaction and has no effect.',
    missing: 'No document is on record with this code. It may be forged, or the address is incomplete.',
    dealer: 'Dealer',
    kind: 'Document',
    number: 'Number',
    day: 'Day',
    amount: 'Amount',
    hash: 'Hash of the file (SHA-256)',
  },
} as const;

export function verificationPage(paper: VerifiedPaper | null, locale: Locale): string {
  const t = WORDS[locale];
  const status = paper === null ? t.missing : paper.is_sandbox ? t.sandbox : paper.is_void ? t.void : t.found;
  const content = html`<h1>${t.title}</h1>
${notice(status, paper !== null && !paper.is_void && !paper.is_sandbox)}
${paper && factsOf(t, paper)}`;
  return framedPage({ locale, title: t.title, content, otherHref: `?lang=${locale === 'tr' ? 'en' : 'tr'}` });
}

function factsOf(t: (typeof WORDS)[Locale], paper: VerifiedPaper): Html {
  const { amount_minor, currency } = paper;
  const fact = (label: string, value: string | null) => value !== null && html`<dt>${label}</dt><dd>${value}</dd>`;
  return html`<dl>
${fact(t.dealer, paper.dealer)}
${fact(t.kind, TEMPLATE_NAMES[paper.kind])}
${fact(t.number, paper.number)}
${fact(t.day, day(paper.day))}
${fact(t.amount, amount_minor === null || currency === null ? null : amount(amount_minor, currency))}
${fact(t.hash, paper.sha256)}
</dl>`;
}
