// A car of a showroom: photos, price, facts, equipment, the outline of its body, and how to reach the dealer.

import { MAX_MESSAGE } from '../../domain/enquiries/enquiry-states.ts';
import { writtenDay } from '../../domain/formats/written.ts';
import { OUTLINE_GLASS, OUTLINE_PARTS, OUTLINE_SIZE, OUTLINE_WHEELS } from '../../domain/media/car-outline.ts';
import { WORDS as PAPER_WORDS } from '../../domain/papers/templates/car-facts.ts';
import type { ShowroomCarDetail } from '../../domain/showroom/showroom-cars.ts';
import { vehicleWord } from '../../domain/stock/vehicle-words.ts';
import { formatMoney } from '../../kit/money.ts';
import { type Html, html } from '../wire/html.ts';
import { notice } from '../wire/page-frame.ts';
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
import { dealerData } from './showroom-list-page.ts';
import { SHOWROOM_WORDS, type ShowroomWords } from './showroom-texts.ts';

/** ISO 4217, which search engines read. */
const ISO_CURRENCIES = { TL: 'TRY', STG: 'GBP', USD: 'USD', EUR: 'EUR' } as const;

/** `isSent`: the form was sent; the page then thanks instead of showing it. */
export function showroomCarPage(view: ShowroomView, car: ShowroomCarDetail, isSent: boolean): string {
  const { showroom, locale } = view;
  const t = SHOWROOM_WORDS[locale];
  const path = pathTo(view, car.id);
  const price = priceText(locale, car.price_minor, car.currency);
  const [cover = null] = car.photos;
  const summary = [
    car.model_year,
    `${countText(locale, car.km)} km`,
    vehicleWord(locale, car.fuel_type),
    vehicleWord(locale, car.transmission),
  ];
  const head = {
    title: `${car.title} · ${showroom.name}`,
    description: [...(car.is_sold ? [t.sold] : [price]), ...summary, car.city].join(' · '),
    path,
    picture: cover && pictureHref(view, cover, 'full'),
    kind: 'product' as const,
    data: carData(view, car),
  };
  const content = html`<p class="back"><a href="${hrefTo(view, pathTo(view))}">← ${t.all}</a></p>
<article>
${gallery(t, view, car)}
<div class="lead-in"><h1>${car.title}</h1>
<p class="facts">${summary.join(' · ')} · ${car.city}</p>
${car.is_sold ? html`<p class="note calm">${t.soldLead}</p>` : html`<p class="sum">${price}</p>${contact(t, view, car)}`}</div>
<h2>${t.facts}</h2>
${factsOf(t, view, car)}
${car.equipment && car.equipment.length > 0 && html`<h2>${PAPER_WORDS[locale].equipment}</h2><ul class="equipment">${car.equipment.map((one) => html`<li>${one}</li>`)}</ul>`}
${car.condition && body(t, view, car.condition)}
${car.description && html`<h2>${t.description}</h2><p class="lines">${car.description}</p>`}
${!car.is_sold && enquiryForm(t, view, car, isSent)}
</article>`;
  return showroomPage(view, head, content, `${path}?lang=${locale === 'tr' ? 'en' : 'tr'}`);
}

function gallery(t: ShowroomWords, view: ShowroomView, car: ShowroomCarDetail): Html {
  if (car.photos.length === 0)
    return html`<div class="photos"><img src="${drawingHref(car)}" alt="${t.drawing}" width="480" height="320"></div>`;
  const picture = (photo: ShowroomCarDetail['photos'][number], place: number) =>
    html`<a href="${pictureHref(view, photo, 'full')}"><img src="${pictureHref(view, photo, 'full')}" alt="${t.photo(car.title, place + 1)}" width="1200" height="800"${place === 0 ? html` fetchpriority="high"` : html` loading="lazy"`} decoding="async"></a>`;
  return html`<div class="photos" role="region" aria-label="${t.photos}" tabindex="0">${car.photos.map(picture)}</div>`;
}

function contact(t: ShowroomWords, view: ShowroomView, car: ShowroomCarDetail): Html | null {
  const { phone } = view.showroom;
  if (phone === null) return null;
  return html`<p class="contact"><a class="button" href="${hrefTo(view, pathTo(view, car.id, 'whatsapp'))}" rel="nofollow">${t.whatsapp}</a>
<a class="button quiet" href="tel:${phone}">${t.call}</a></p>`;
}

/**
 * What `normalPhone` reads, for the browser: the reply to a form never says that a number could not be read, so a mistyped one would be
 * lost. `#` is for signs between digits.
 */
const PHONE_PATTERN = '#(?:(?:0|9#0)?#5(?:#[0-9]){9}|0#[1-9](?:#[0-9]){9}|(?:\\+|0#0)#[1-9](?:#[0-9]){6,14})#'.replaceAll(
  '#',
  String.raw`[\s\(\)\[\]\.\/\u2010-\u2015\-]*`,
);

/** The last field is a trap: people do not see it, programs fill it in. */
function enquiryForm(t: ShowroomWords, view: ShowroomView, { id }: ShowroomCarDetail, isSent: boolean): Html {
  if (isSent) return html`<h2 id="soru">${t.ask}</h2>${notice(t.thanks, true)}`;
  return html`<h2 id="soru">${t.ask}</h2><form class="enquiry" method="post" action="${hrefTo(view, pathTo(view, id, 'soru'))}">
<label>${t.name}<input name="name" autocomplete="name" minlength="2" maxlength="80" required></label>
<label>${t.phone}<input name="phone" type="tel" autocomplete="tel" maxlength="40" pattern="${PHONE_PATTERN}" title="${t.phoneForm}" required></label>
<label>${t.message}<textarea name="message" rows="3" maxlength="${MAX_MESSAGE}"></textarea></label>
<label class="tick"><input type="checkbox" name="consent" value="yes" required><span>${t.consent(view.showroom.name)}</span></label>
<p class="trap" aria-hidden="true"><label>Web<input name="website" tabindex="-1" autocomplete="off"></label></p>
<button type="submit">${t.send}</button>
</form>`;
}

export function whatsappHref(view: ShowroomView, car: { readonly id: string; readonly title: string }): string | null {
  const { phone } = view.showroom;
  if (phone === null) return null;
  const text = SHOWROOM_WORDS[view.locale].greeting(car.title, absolute(view, pathTo(view, car.id)));
  return `https://wa.me/${phone.slice(1)}?${new URLSearchParams({ text })}`;
}

function factsOf(t: ShowroomWords, { locale, showroom }: ShowroomView, car: ShowroomCarDetail): Html {
  const w = PAPER_WORDS[locale];
  const word = (value: string | null) => value && vehicleWord(locale, value);
  const all: readonly (readonly [string, string | number | null])[] = [
    [w.model_year, car.model_year],
    [w.km, countText(locale, car.km)],
    [t.trim, car.trim],
    [w.fuel, word(car.fuel_type)],
    [w.gearbox, word(car.transmission)],
    [w.body, word(car.body_type)],
    [w.color, car.color],
    [w.engine, car.engine_cc && `${countText(locale, car.engine_cc)} cc`],
    [w.power, car.power_hp && `${car.power_hp} hp`],
    [w.drive, word(car.drive)],
    [w.steering, word(car.steering)],
    [w.doors, car.doors],
    [w.seats, car.seats],
    [w.owners, car.owners],
    [w.inspection, car.inspection_until && writtenDay(car.inspection_until)[locale]],
    [w.warranty, car.warranty],
    [t.plate, showroom.shows_plate ? car.plate : null],
    [t.published, writtenDay(car.published_on)[locale]],
  ];
  const given = all.filter(([, value]) => value !== null && value !== '');
  return html`<dl class="details">${given.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
}

const STATES = ['painted', 'locally_painted', 'replaced'] as const;

function body(t: ShowroomWords, { locale }: ShowroomView, condition: NonNullable<ShowroomCarDetail['condition']>): Html {
  const w = PAPER_WORDS[locale];
  const parts = STATES.flatMap((state) => (condition[state] ?? []).map((part) => ({ part, state })));
  const tramer =
    condition.tramer_amount !== null &&
    html`<p>${w.tramer}: ${priceText(locale, BigInt(condition.tramer_amount.replace('.', '')), condition.tramer_currency ?? '')}</p>`;
  if (parts.length === 0) return html`<h2>${w.body_state}</h2><p>${w.all_original}</p>${tramer}`;
  const { width, height } = OUTLINE_SIZE;
  const stateOf = (name: string) => parts.find(({ part }) => part === name)?.state ?? null;
  const drawing = html`<svg class="outline" viewBox="0 0 ${width} ${height}" role="img" aria-label="${t.outline}">
${[...OUTLINE_WHEELS, ...OUTLINE_GLASS].map((path) => html`<path class="glass" d="${path}"/>`)}
${OUTLINE_PARTS.map(({ part, path, box }) => {
  const state = stateOf(part);
  const letter = state && html`<text x="${box.x + box.width / 2}" y="${box.y + box.height / 2 + 5}">${w.letters[state]}</text>`;
  return html`<path class="${state ?? 'original'}" d="${path}"><title>${vehicleWord(locale, part)}: ${state ? w.states[state] : t.original}</title></path>${letter}`;
})}</svg>`;
  const list = STATES.filter((state) => (condition[state] ?? []).length > 0).map(
    (state) =>
      html`<div><dt>${w.letters[state]} · ${w.states[state]}</dt><dd>${(condition[state] ?? []).map((part) => vehicleWord(locale, part)).join(', ')}</dd></div>`,
  );
  return html`<h2>${w.body_state}</h2><div class="body-state">${drawing}<dl class="details">${list}</dl></div>${tramer}`;
}

function carData(view: ShowroomView, car: ShowroomCarDetail): Record<string, unknown> {
  const { locale } = view;
  const url = absolute(view, pathTo(view, car.id));
  return {
    '@type': ['Vehicle', 'Car'],
    name: car.title,
    url,
    brand: { '@type': 'Brand', name: car.brand },
    model: car.model,
    vehicleModelDate: String(car.model_year),
    mileageFromOdometer: { '@type': 'QuantitativeValue', value: car.km, unitCode: 'KMT' },
    fuelType: vehicleWord(locale, car.fuel_type),
    vehicleTransmission: vehicleWord(locale, car.transmission),
    bodyType: vehicleWord(locale, car.body_type),
    color: car.color,
    image: car.photos.map((photo) => absolute(view, pictureHref(view, photo, 'full'))),
    itemCondition: 'https://schema.org/UsedCondition',
    offers: {
      '@type': 'Offer',
      url,
      // The page of a sold car does not show its price.
      ...(car.is_sold ? {} : { price: formatMoney(car.price_minor), priceCurrency: ISO_CURRENCIES[car.currency] }),
      availability: `https://schema.org/${car.is_sold ? 'SoldOut' : 'InStock'}`,
      seller: dealerData(view),
    },
  };
}
