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
  /** Of a showroom: its logo has an address, and its head says what it is. */
  readonly showroom?: {
    readonly logoHref: string | null;
    readonly href: string;
    readonly head: Html;
    readonly isPublished: boolean;
  };
}

export function publicPage({ face, showroom, ...page }: PublicPage): string {
  const above = face && header(face, showroom?.logoHref ?? embeddedLogo(face), showroom?.href ?? null);
  if (showroom === undefined) return framedPage({ ...page, width: 'wide', above });
  const { head, isPublished } = showroom;
  return framedPage({ ...page, width: 'full', above, head, isPublished });
}

function embeddedLogo({ logo }: DealerFace): string | null {
  const type = logo?.[0] === 0x89 ? 'image/png' : 'image/jpeg';
  return logo && `data:${type};base64,${Buffer.from(logo).toString('base64')}`;
}

function header({ name, city, phone }: DealerFace, logo: string | null, href: string | null): Html {
  const picture = logo && html`<img src="${logo}" alt="" height="48">`;
  const call = phone && html`<a href="tel:${phone}">${phoneOf({ phone })}</a>`;
  return html`<header class="dealer">${picture}<div><p class="dealer-name">${href === null ? name : html`<a href="${href}">${name}</a>`}</p>
<p>${city}${city && call && ' · '}${call}</p></div></header>`;
}
