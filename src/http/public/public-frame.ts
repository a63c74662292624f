// The frame of the pages that a dealer's customers open: the dealer's logo, name, city and telephone above, the page below.
import type { DealerFace } from '../../domain/papers/dealer-face.ts';
import { phoneOf } from '../../domain/papers/paper-words.ts';
import type { Locale } from '../../kit/errors.ts';
import { type Html, html } from '../wire/html.ts';
import { framedPage } from '../wire/page-frame.ts';

export interface PublicPage {
  readonly locale: Locale;
  readonly title: string;
  /** Null where the page belongs to no dealer. */
  readonly face: DealerFace | null;
  readonly content: Html;
  readonly otherHref: string | null;
  readonly script?: string;
}

export const publicPage = ({ face, ...page }: PublicPage): string =>
  framedPage({ ...page, isWide: true, above: face && header(face) });

function header({ name, city, phone, logo }: DealerFace): Html {
  const type = logo?.[0] === 0x89 ? 'image/png' : 'image/jpeg';
  const picture = logo && html`<img src="data:${type};base64,${Buffer.from(logo).toString('base64')}" alt="" height="48">`;
  const call = phone && html`<a href="tel:${phone}">${phoneOf({ phone })}</a>`;
  return html`<header class="dealer">${picture}<div><p class="dealer-name">${name}</p>
<p>${city}${city && call && ' · '}${call}</p></div></header>`;
}
