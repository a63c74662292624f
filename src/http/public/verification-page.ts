// The page that a QR on a receipt or document leads to: dealer, number, day, amount and hash, and nothing about people. No script.
import { TEMPLATE_NAMES } from '../../domain/papers/paper.ts';
import { amount, day } from '../../domain/papers/paper-words.ts';
import type { VerifiedPaper } from '../../domain/papers/verified-paper.ts';
import type { Locale } from '../../kit/errors.ts';
import { html } from '../wire/html.ts';

const WORDS = {
  tr: {
    title: 'Belge doğrulama',
    found: 'Bu belge kayıtlıdır.',
    void: 'Bu belge kayıtlıdır, ancak iptal edilmiştir.',
    missing: 'Bu kodla kayıtlı belge yok. Belge sahte olabilir ya da adres eksik yazılmıştır.',
    dealer: 'Galeri',
    kind: 'Belge',
    number: 'Numara',
    day: 'Gün',
    amount: 'Tutar',
    hash: 'Dosya özeti (SHA-256)',
  },
  en: {
    title: 'Check a document',
    found: 'This document is on record.',
    void: 'This document is on record, but it was cancelled.',
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
  const said = paper === null ? t.missing : paper.is_void ? t.void : t.found;
  const fact = (label: string, value: string | null) => value !== null && html`<dt>${label}</dt><dd>${value}</dd>`;
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${t.title} · Galeri</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<main>
<h1>${t.title}</h1>
<p role="status"><strong>${said}</strong></p>
${
  paper !== null &&
  html`<dl>
${fact(t.dealer, paper.dealer)}
${fact(t.kind, TEMPLATE_NAMES[paper.kind])}
${fact(t.number, paper.number)}
${fact(t.day, day(paper.day))}
${fact(t.amount, paper.amount_minor === null || paper.currency === null ? null : amount(paper.amount_minor, paper.currency))}
${fact(t.hash, paper.sha256)}
</dl>`
}
</main>
</body>
</html>`.text;
}
