// The frame of every page that the server renders outside of the reference: sign-in, signing, verification. No script.
import type { Locale } from '../../kit/errors.ts';
import { type Html, html } from './html.ts';

/** The style sheet of these pages, served by the panel. */
export const PAGE_CSS_PATH = '/panel/giris.css';

const OTHER_LANGUAGE = { tr: ['en', 'English'], en: ['tr', 'Türkçe'] } as const;

export interface FramedPage {
  readonly locale: Locale;
  readonly title: string;
  /** Inside the card, with its heading. */
  readonly content: Html;
  readonly above?: Html | null;
  readonly below?: Html | null;
  /** Links of the footer, before the one to the other language. */
  readonly links?: Html | null;
  /** The same page in the other language; null without such a link. */
  readonly otherHref: string | null;
  /** Room for a document, or for pictures, which are in no card. */
  readonly width?: 'wide' | 'full';
  /** More of the head, for pages that others link to. */
  readonly head?: Html | null;
  /** Search engines may list it; the title then has no other name beside its own. */
  readonly isPublished?: boolean;
  /** The address of a script that the page can do without. */
  readonly script?: string;
}

export function framedPage({ locale, title, content, above, below, links, otherHref, script, ...frame }: FramedPage): string {
  const { width, head, isPublished = false } = frame;
  const [other, name] = OTHER_LANGUAGE[locale];
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${!isPublished && html`<meta name="robots" content="noindex">`}
<title>${title}${width !== 'full' && ' · Galeri'}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${PAGE_CSS_PATH}">
${head}${script && html`<script src="${script}" defer></script>`}</head>
<body>
<main${width && html` class="${width}"`}>
${above}
${width === 'full' ? content : html`<div class="card">${content}</div>`}
${below}
</main>
<footer>${links} ${otherHref && html`<a href="${otherHref}" lang="${other}" hreflang="${other}">${name}</a>`}</footer>
</body>
</html>
`.text;
}

/** A message in the card: green where `isGood`, otherwise an alert. */
export const notice = (text: string, isGood = false): Html =>
  html`<p class="note${isGood ? ' ok' : ''}" role="${isGood ? 'status' : 'alert'}">${text}</p>`;
