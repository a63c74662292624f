// What all pages of a showroom share: addresses, the head, pictures, and the reply for a page that is not there.
import type { ShowroomPhoto } from '../../domain/showroom/showroom-cars.ts';
import type { Showroom } from '../../domain/showroom/showroom-settings.ts';
import type { Locale } from '../../kit/errors.ts';
import { formatMoney } from '../../kit/money.ts';
import { Html, html } from '../wire/html.ts';
import { notice } from '../wire/page-frame.ts';
import { publicPage } from './public-frame.ts';
import { SHOWROOM_WORDS } from './showroom-texts.ts';

export const SHOWROOM_CSS_PATH = '/g/vitrin.css';

/** A request for a page of a showroom that was found. */
export interface ShowroomView {
  readonly showroom: Showroom;
  readonly locale: Locale;
  /** The address names the language, so links of the page keep it. */
  readonly keepsLocale: boolean;
  /** `https://galeri.example.com` */
  readonly publicUrl: string;
  /** Search engines may list it: the service has a public address, and the showroom is not a sandbox's or the demonstration's. */
  readonly isPublished: boolean;
}

export const pathTo = ({ showroom }: ShowroomView, ...parts: readonly string[]): string =>
  ['/g', showroom.slug, ...parts].join('/');

/** The path with parameters that are not empty, and the language if links keep it. */
export function hrefTo(view: ShowroomView, path: string, params: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(params);
  if (view.keepsLocale) query.set('lang', view.locale);
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

export const pictureHref = (view: ShowroomView, photo: ShowroomPhoto, size: 'full' | 'small'): string =>
  photo.url ?? pathTo(view, 'foto', (size === 'full' ? photo.file_id : photo.thumbnail_id)!);

export const drawingHref = ({ body_type, color }: { readonly body_type: string; readonly color: string }): string =>
  `/g/cizim.svg?${new URLSearchParams({ kasa: body_type, renk: color })}`;

const FORMATS = { tr: new Intl.NumberFormat('tr-TR'), en: new Intl.NumberFormat('en-GB') } as const;

export const countText = (locale: Locale, count: number): string => FORMATS[locale].format(count);

const WITH_CENTS = {
  tr: new Intl.NumberFormat('tr-TR', { minimumFractionDigits: 2 }),
  en: new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2 }),
} as const;

/** Whole amounts have no decimals, because prices of cars are round. */
export function priceText(locale: Locale, minor: bigint, currency: string): string {
  const text = (minor % 100n === 0n ? FORMATS : WITH_CENTS)[locale].format(formatMoney(minor) as `${number}`);
  return `${text} ${currency}`;
}

export interface HeadOf {
  readonly title: string;
  readonly description: string;
  /** Path of the page without filters. */
  readonly path: string;
  readonly picture: string | null;
  readonly kind: 'website' | 'product';
  readonly data: Readonly<Record<string, unknown>>;
}

export const absolute = ({ publicUrl }: ShowroomView, href: string): string =>
  href.startsWith('/') ? `${publicUrl}${href}` : href;

export function headOf(view: ShowroomView, { title, description, path, picture, kind, data }: HeadOf): Html {
  const url = absolute(view, path);
  // JSON in a script element ends at `</script`, so no `<` is left in it.
  const json = JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c');
  const meta = (property: string, content: string) => html`<meta property="og:${property}" content="${content}">
`;
  return html`<link rel="stylesheet" href="${SHOWROOM_CSS_PATH}">
<meta name="description" content="${description}">
<link rel="canonical" href="${url}">
<link rel="alternate" hreflang="tr" href="${url}?lang=tr">
<link rel="alternate" hreflang="en" href="${url}?lang=en">
${meta('title', title)}${meta('description', description)}${meta('type', kind)}${meta('url', url)}${meta('site_name', view.showroom.name)}${meta('locale', view.locale === 'tr' ? 'tr_TR' : 'en_GB')}${picture && meta('image', absolute(view, picture))}<meta name="twitter:card" content="${picture ? 'summary_large_image' : 'summary'}">
<script type="application/ld+json">${new Html(json)}</script>
`;
}

export function showroomPage(view: ShowroomView, head: HeadOf, content: Html, otherHref: string): string {
  const { showroom, locale, isPublished } = view;
  const { name, city, phone, has_logo, kind } = showroom;
  return publicPage({
    locale,
    title: head.title,
    face: { name, city, phone, logo: null },
    content: html`${kind === 'sandbox' && notice(SHOWROOM_WORDS[locale].sandbox)}${content}`,
    otherHref,
    showroom: {
      logoHref: has_logo ? pathTo(view, 'logo') : null,
      href: hrefTo(view, pathTo(view)),
      head: headOf(view, head),
      isPublished,
    },
  });
}

/** Of no showroom, the same for every reason. */
export function plainShowroomPage(locale: Locale, word: 'missingLead' | 'tooFast' | 'busy'): string {
  const t = SHOWROOM_WORDS[locale];
  return publicPage({
    locale,
    title: word === 'missingLead' ? t.missing : t[word],
    face: null,
    content: word === 'missingLead' ? html`<h1>${t.missing}</h1><p>${t.missingLead}</p>` : notice(t[word]),
    otherHref: null,
  });
}
