// The pages that people without an account open: one frame, two languages, no script.
import { expect, test } from 'vitest';
import type { VerifiedPaper } from '../../src/domain/papers/verified-paper.ts';
import { doorPage, plainCustomerPage } from '../../src/http/public/customer-page.ts';
import { plainSigningPage } from '../../src/http/public/signing-page.ts';
import { verificationPage } from '../../src/http/public/verification-page.ts';
import { PAGE_CSS_PATH } from '../../src/http/wire/page-frame.ts';

const PAPER: VerifiedPaper = {
  kind: 'satis_sozlesmesi',
  dealer: 'Merkez <Otomotiv> Ltd.',
  face: { name: 'Merkez <Oto>', city: 'Girne', phone: '+905331234567', logo: null },
  number: 'M-1',
  day: '2026-01-15',
  amount_minor: null,
  currency: null,
  sha256: 'ab'.repeat(32),
  is_void: false,
  is_sandbox: false,
};

const PAGES = {
  'a verified paper': (locale: 'tr' | 'en') => verificationPage(PAPER, locale),
  'an unknown paper': (locale: 'tr' | 'en') => verificationPage(null, locale),
  'a customer’s page': (locale: 'tr' | 'en') => plainCustomerPage({ locale, path: '/m/abc' }, 'busy'),
  'a customer’s page before the code': (locale: 'tr' | 'en') =>
    doorPage(
      { locale, path: '/m/abc' },
      { face: PAPER.face, isSandbox: false, mailedTo: null, hasCode: true, isOpen: false },
      null,
    ),
  'a signing page': (locale: 'tr' | 'en') => plainSigningPage({ locale, path: '/sign/abc' }, 'missing'),
};

test.each(Object.entries(PAGES))('%s has the common frame and a link to the other language', (_, page) => {
  for (const [locale, other] of [
    ['tr', 'en'],
    ['en', 'tr'],
  ] as const) {
    const text = page(locale);
    expect(text).toContain(`<html lang="${locale}">`);
    expect(text).toMatch(new RegExp(`<a href="[^"]*\\?lang=${other}" lang="${other}" hreflang="${other}">`));
    expect(text).toContain(`<link rel="stylesheet" href="${PAGE_CSS_PATH}">`);
    expect(text).not.toContain('<script');
  }
});

test('a verified paper shows a status, a void or unknown one an alert', () => {
  expect(verificationPage(PAPER, 'en')).toContain('<p class="note ok" role="status">This document is genuine');
  expect(verificationPage(PAPER, 'en')).toContain('<dt>Issued by</dt><dd>Merkez &lt;Otomotiv&gt; Ltd.</dd>');
  // The dealer above, with a telephone that can be called.
  expect(verificationPage(PAPER, 'en')).toContain('<p class="dealer-name">Merkez &lt;Oto&gt;</p>');
  expect(verificationPage(PAPER, 'en')).toContain('<a href="tel:+905331234567">+90');
  // The hash is folded.
  expect(verificationPage(PAPER, 'en')).toMatch(/<details><summary>Hash of the file<.*abab.*<\/details>/s);
  for (const page of [verificationPage({ ...PAPER, is_void: true }, 'en'), verificationPage(null, 'en')])
    expect(page).toContain('<p class="note" role="alert">');
});
