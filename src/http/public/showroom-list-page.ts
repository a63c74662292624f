// The list of a showroom: its filters as a form, its cars as a grid, without scripts.
import { CARS_A_PAGE, type CarFilter, type CarPage, type ShowroomCar } from '../../domain/showroom/showroom-cars.ts';
import { SHOWROOM_SORTS } from '../../domain/showroom/showroom-states.ts';
import { vehicleWord } from '../../domain/stock/vehicle-words.ts';
import { type Html, html } from '../wire/html.ts';
import { filterParams, isFiltered } from './showroom-filter.ts';
import {
  absolute,
  countText,
  drawingHref,
  hrefTo,
  pathTo,
  pictureHref,
  priceText,
  type ShowroomView,
  showroomPage,
} from './showroom-frame.ts';
import { SHOWROOM_WORDS, type ShowroomWords } from './showroom-texts.ts';

export function showroomListPage(view: ShowroomView, filter: CarFilter, found: CarPage): string {
  const { showroom, locale } = view;
  const t = SHOWROOM_WORDS[locale];
  const path = pathTo(view);
  const params = filterParams(filter);
  const other = new URLSearchParams({ ...params, lang: locale === 'tr' ? 'en' : 'tr' });
  const cover = found.cars.find(({ photo }) => photo !== null)?.photo ?? null;
  const head = {
    title: showroom.city === null ? showroom.name : `${showroom.name} · ${showroom.city}`,
    description: t.about(showroom.name, showroom.city, found.for_sale),
    path,
    picture: cover && pictureHref(view, cover, 'full'),
    kind: 'website' as const,
    data: dealerData(view),
  };
  const isEmpty = found.facets.brands.length === 0;
  const content = html`<div class="count"><h1>${isEmpty ? showroom.name : t.cars(found.total)}</h1>${isFiltered(filter) && html`<a href="${hrefTo(view, path)}">${t.all}</a>`}</div>
${isEmpty ? html`<p class="none">${t.empty}</p>` : filterForm(t, view, filter, found)}
${found.cars.length === 0 && !isEmpty && html`<p class="none">${t.none}</p>`}
<ul class="grid">${found.cars.map((car, place) => cardOf(t, view, car, place))}</ul>
${pagesOf(t, view, filter, found)}`;
  return showroomPage(view, head, content, `${path}?${other}`);
}

export function dealerData(view: ShowroomView): Record<string, unknown> {
  const { name, phone, city, has_logo } = view.showroom;
  return {
    '@type': 'AutoDealer',
    name,
    url: absolute(view, pathTo(view)),
    ...(phone === null ? {} : { telephone: phone }),
    ...(has_logo ? { logo: absolute(view, pathTo(view, 'logo')) } : {}),
    // Only what the page shows: the street is not shown anywhere.
    ...(city === null ? {} : { address: { '@type': 'PostalAddress', addressLocality: city } }),
  };
}

/** The first pictures are loaded at once, the others when they come into view. */
const AT_ONCE = 2;

function cardOf(t: ShowroomWords, view: ShowroomView, car: ShowroomCar, place: number): Html {
  const { locale } = view;
  const { id, title, photo, is_sold, fuel_type, transmission } = car;
  const src = photo === null ? drawingHref(car) : pictureHref(view, photo, 'small');
  const facts = [`${countText(locale, car.km)} km`, vehicleWord(locale, fuel_type), vehicleWord(locale, transmission)];
  return html`<li><a class="car" href="${hrefTo(view, pathTo(view, id))}">
<img src="${src}" alt="${photo === null ? t.drawing : ''}" width="480" height="320"${place < AT_ONCE ? html` fetchpriority="high"` : html` loading="lazy"`} decoding="async">
<span class="name">${title}</span>
<span class="price">${is_sold ? html`<span class="sold">${t.sold}</span>` : priceText(locale, car.price_minor, car.currency)}</span>
<span class="facts">${facts.join(' · ')}</span>
<span class="facts">${car.model_year} · ${car.city}</span>
</a></li>
`;
}

function filterForm(t: ShowroomWords, view: ShowroomView, filter: CarFilter, { facets }: CarPage): Html {
  const word = (value: string) => vehicleWord(view.locale, value);
  const sorted = (values: readonly string[]) => values.toSorted((one, other) => one.localeCompare(other, 'tr'));
  const select = (
    name: string,
    label: string,
    values: readonly string[],
    chosen: string | null,
    text = (value: string) => value,
  ) =>
    html`<label>${label}<select name="${name}"><option value="">${t.any}</option>${sorted(values).map(
      (value) => html`<option value="${value}"${value === chosen && html` selected`}>${text(value)}</option>`,
    )}</select></label>
`;
  const params = filterParams(filter);
  const bounds = (label: string, names: readonly string[]) =>
    html`<fieldset><legend>${label}</legend>${names.map(
      (name) =>
        html`<input name="${name}" inputmode="numeric" maxlength="12" value="${params[name] ?? ''}" aria-label="${label}, ${name.endsWith('min') ? t.from : t.to}" placeholder="${name.endsWith('min') ? t.from : t.to}">`,
    )}</fieldset>
`;
  const one = facets.currencies.length === 1 ? facets.currencies[0] : null;
  const currency = one ? null : select('para', t.currency, facets.currencies, filter.currency);
  return html`<details class="filters"><summary>${t.filters}</summary>
<form method="get" action="${pathTo(view)}">
${view.keepsLocale && html`<input type="hidden" name="lang" value="${view.locale}">`}
${select('marka', t.brand, facets.brands, filter.brand)}${select('yakit', t.fuel, facets.fuels, filter.fuel, word)}${select('vites', t.gearbox, facets.gearboxes, filter.gearbox, word)}${select('kasa', t.body, facets.bodies, filter.body, word)}${currency}${bounds(t.price, ['fiyat_min', 'fiyat_max'])}${bounds(t.year, ['yil_min', 'yil_max'])}<label>${t.km}<input name="km_max" inputmode="numeric" maxlength="12" value="${params.km_max ?? ''}"></label>
<label>${t.sort}<select name="sirala">${SHOWROOM_SORTS.map(
    (sort) => html`<option value="${sort}"${sort === filter.sort && html` selected`}>${t.sorts[sort]}</option>`,
  )}</select></label>
<p class="buttons"><button type="submit">${t.apply}</button> <a href="${hrefTo(view, pathTo(view))}">${t.clear}</a></p>
</form></details>`;
}

function pagesOf(t: ShowroomWords, view: ShowroomView, filter: CarFilter, { total }: CarPage): Html | null {
  const pages = Math.ceil(total / CARS_A_PAGE);
  if (pages <= 1) return null;
  const { page } = filter;
  const link = (to: number, text: string, rel: string) =>
    html`<a href="${hrefTo(view, pathTo(view), filterParams({ ...filter, page: to }))}" rel="${rel}">${text}</a>`;
  return html`<nav class="pages-of">${page > 1 && link(page - 1, t.previous, 'prev')} <span>${t.page(page, pages)}</span> ${page < pages && link(page + 1, t.next, 'next')}</nav>`;
}
