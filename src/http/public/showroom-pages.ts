// What a showroom answers to each address, read from the database. Null: there is no such page.
import {
  CARS_A_PAGE,
  findLaterListing,
  findShowroomCar,
  findShowroomPicture,
  listShowroomCars,
  listShowroomCurrencies,
  listShowroomIds,
} from '../../domain/showroom/showroom-cars.ts';
import { readLogo, type Showroom } from '../../domain/showroom/showroom-settings.ts';
import type { Db } from '../../kit/db.ts';
import type { Currency } from '../../kit/money.ts';
import { escapeHtml } from '../wire/html.ts';
import { showroomCarPage, whatsappHref } from './showroom-car-page.ts';
import { readFilter } from './showroom-filter.ts';
import { absolute, hrefTo, pathTo, type ShowroomView } from './showroom-frame.ts';
import { showroomListPage } from './showroom-list-page.ts';

const HTML = 'text/html; charset=utf-8';
const MAX_IN_SITEMAP = 10_000;
export const UUID: RegExp = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export type ShowroomAnswer =
  | { readonly type: string; readonly body: Buffer; readonly listingId?: string }
  | { readonly location: string; readonly listingId?: string; readonly isForever?: boolean }
  | { readonly file: { readonly name: string; readonly content_type: string } };

const text = (type: string, body: string, listingId?: string): ShowroomAnswer => ({
  type,
  body: Buffer.from(body),
  ...(listingId === undefined ? {} : { listingId }),
});

/** `parts`: the path below the showroom's own. */
export async function answerShowroom(
  db: Db,
  view: ShowroomView,
  parts: readonly string[],
  query: URLSearchParams,
): Promise<ShowroomAnswer | null> {
  const { showroom } = view;
  const [first, second] = parts;
  if (first === undefined) {
    const read = readFilter(query);
    const hasBounds = read.priceMin !== null || read.priceMax !== null;
    // Bounds of a price mean nothing without a currency.
    const currency = read.currency ?? (hasBounds ? await priceCurrency(db, showroom) : null);
    const filter = { ...read, currency };
    const found = await listShowroomCars(db, showroom, filter);
    const last = Math.max(1, Math.ceil(found.total / CARS_A_PAGE));
    if (filter.page <= last) return text(HTML, showroomListPage(view, filter, found));
    // A link that was kept while there were more cars.
    const atEnd = { ...filter, page: last };
    return text(HTML, showroomListPage(view, atEnd, await listShowroomCars(db, showroom, atEnd)));
  }
  if (parts.length === 1 && first === 'sitemap.xml') return text('application/xml; charset=utf-8', await sitemap(db, view));
  if (parts.length === 1 && first === 'logo') return logo(db);
  if (parts.length === 2 && first === 'foto' && UUID.test(second!)) {
    const file = await findShowroomPicture(db, showroom, second!);
    return file && { file };
  }
  if (!UUID.test(first) || parts.length > 2) return null;
  const car = await findShowroomCar(db, showroom, first);
  if (car === null) {
    const later = parts.length === 1 ? await findLaterListing(db, first) : null;
    return later === null ? null : { location: hrefTo(view, pathTo(view, later)) };
  }
  if (second === undefined)
    return text(HTML, showroomCarPage(view, car, query.has('gonderildi')), car.is_sold ? undefined : car.id);
  const location = second === 'whatsapp' && !car.is_sold ? whatsappHref(view, car) : null;
  return location === null ? null : { location, listingId: car.id };
}

/** Of bounds without a currency: one that cars of the showroom have. */
async function priceCurrency(db: Db, showroom: Showroom): Promise<Currency | null> {
  const currencies = await listShowroomCurrencies(db, showroom);
  return currencies.find((one) => one === showroom.default_currency) ?? currencies[0] ?? null;
}

async function logo(db: Db): Promise<ShowroomAnswer | null> {
  const bytes = await readLogo(db);
  return bytes && { type: bytes[0] === 0x89 ? 'image/png' : 'image/jpeg', body: bytes };
}

async function sitemap(db: Db, view: ShowroomView): Promise<string> {
  const cars = await listShowroomIds(db, view.showroom, MAX_IN_SITEMAP);
  const url = (path: string, day: string | null) =>
    `<url><loc>${escapeHtml(absolute(view, path))}</loc>${day === null ? '' : `<lastmod>${day}</lastmod>`}</url>\n`;
  const all = cars.map(({ id, day }) => url(pathTo(view, id), day)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${url(pathTo(view), null)}${all}</urlset>
`;
}

export const sitemapIndex = (publicUrl: string, slugs: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${slugs.map((slug) => `<sitemap><loc>${escapeHtml(`${publicUrl}/g/${slug}/sitemap.xml`)}</loc></sitemap>\n`).join('')}</sitemapindex>
`;
