// The cars of a showroom: those whose listing is published and, if the dealer wants it, those sold within a week. Never costs, chassis
// number, documents or people; the plate only if the dealer shows it.
import { allAnswers, type Db } from '../../kit/db.ts';
import type { Currency } from '../../kit/money.ts';
import { allOf, own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import type { PastCondition } from '../stock/vehicle-condition.ts';
import type { Showroom } from './showroom-settings.ts';
import type { ShowroomSort } from './showroom-states.ts';

export interface CarFilter {
  readonly brand: string | null;
  readonly fuel: string | null;
  readonly gearbox: string | null;
  readonly body: string | null;
  readonly currency: Currency | null;
  readonly priceMin: bigint | null;
  readonly priceMax: bigint | null;
  readonly yearMin: number | null;
  readonly yearMax: number | null;
  readonly kmMax: number | null;
  readonly sort: ShowroomSort;
  readonly page: number;
}

export interface ShowroomPhoto {
  readonly url: string | null;
  readonly file_id: string | null;
  readonly thumbnail_id: string | null;
}

export interface ShowroomCar {
  readonly id: string;
  readonly title: string;
  readonly is_sold: boolean;
  readonly price_minor: bigint;
  readonly currency: Currency;
  readonly brand: string;
  readonly model: string;
  readonly model_year: number;
  readonly km: number;
  readonly fuel_type: string;
  readonly transmission: string;
  readonly body_type: string;
  readonly color: string;
  readonly city: string;
  /** The cover. */
  readonly photo: ShowroomPhoto | null;
}

export interface ShowroomCarDetail extends Omit<ShowroomCar, 'photo'> {
  readonly description: string | null;
  readonly plate: string;
  readonly trim: string | null;
  readonly condition: Omit<PastCondition, 'expertise_document_id'> | null;
  readonly engine_cc: number | null;
  readonly power_hp: number | null;
  readonly drive: string | null;
  readonly steering: string | null;
  readonly doors: number | null;
  readonly seats: number | null;
  readonly owners: number | null;
  readonly inspection_until: string | null;
  readonly equipment: readonly string[] | null;
  readonly warranty: string | null;
  readonly published_on: string;
  readonly photos: readonly ShowroomPhoto[];
}

export const CARS_A_PAGE = 24;

const PHOTO = `json_build_object('url', url, 'file_id', file_id, 'thumbnail_id', thumbnail_id)`;
const FIELDS = `listed.id, listed.title, listed.status <> 'Yayında' as is_sold, vehicles.price_minor, vehicles.currency, vehicles.brand, vehicles.model,
  vehicles.model_year, vehicles.km, vehicles.fuel_type, vehicles.transmission, vehicles.body_type, vehicles.color, vehicles.city`;

const shown = (showroom: Showroom): Sql => sql`(listings.status = 'Yayında' or listings.id = any(${showroom.sold}::uuid[]))`;

/** The listings that are shown, each with its vehicles. */
const listed = (
  showroom: Showroom,
): Sql => sql`(select id, vehicle_id, title, description, status, published_at from ${own('listings')}
  where ${shown(showroom)}) listed join ${own('vehicles')} on vehicles.id = listed.vehicle_id and vehicles.deleted_at is null`;

const ORDERS: Readonly<Record<ShowroomSort, Sql>> = {
  newest: rawSql('listed.published_at desc, listed.id desc'),
  price_asc: rawSql('vehicles.currency, vehicles.price_minor, listed.id'),
  price_desc: rawSql('vehicles.currency, vehicles.price_minor desc, listed.id'),
  year: rawSql('vehicles.model_year desc, vehicles.km, listed.id'),
  km: rawSql('vehicles.km, listed.id'),
};

function carWhere(filter: CarFilter): Sql[] {
  const where: Sql[] = [];
  const { brand, fuel, gearbox, body, currency, priceMin, priceMax, yearMin, yearMax, kmMax } = filter;
  if (brand !== null) where.push(sql`vehicles.brand = ${brand}`);
  if (fuel !== null) where.push(sql`vehicles.fuel_type = ${fuel}`);
  if (gearbox !== null) where.push(sql`vehicles.transmission = ${gearbox}`);
  if (body !== null) where.push(sql`vehicles.body_type = ${body}`);
  if (currency !== null) where.push(sql`vehicles.currency = ${currency}`);
  if (priceMin !== null) where.push(sql`vehicles.price_minor >= ${priceMin}`);
  if (priceMax !== null) where.push(sql`vehicles.price_minor <= ${priceMax}`);
  if (yearMin !== null) where.push(sql`vehicles.model_year >= ${yearMin}`);
  if (yearMax !== null) where.push(sql`vehicles.model_year <= ${yearMax}`);
  if (kmMax !== null) where.push(sql`vehicles.km <= ${kmMax}`);
  return where;
}

/** What the cars of a showroom have, for the choices of its filters. */
export interface Facets {
  readonly brands: readonly string[];
  readonly fuels: readonly string[];
  readonly gearboxes: readonly string[];
  readonly bodies: readonly string[];
  readonly currencies: readonly Currency[];
}

export interface CarPage {
  readonly cars: readonly ShowroomCar[];
  readonly total: number;
  /** Of them, without those that are sold. */
  readonly for_sale: number;
  readonly facets: Facets;
}

/** The page of cars and the choices of the filters, which do not depend on the filter. */
export async function listShowroomCars(db: Db, showroom: Showroom, filter: CarFilter): Promise<CarPage> {
  const from = listed(showroom);
  const where = allOf(carWhere(filter));
  const offset = (filter.page - 1) * CARS_A_PAGE;
  const [cars, [counted]] = await allAnswers([
    db.rows<ShowroomCar>(sql`select ${rawSql(FIELDS)},
        (select ${rawSql(PHOTO)} from ${own('vehicle_photos')} where vehicle_photos.vehicle_id = vehicles.id and position = 1) as photo
      from ${from} where true${where} order by listed.status <> 'Yayında', ${ORDERS[filter.sort]} limit ${CARS_A_PAGE} offset ${offset}`),
    db.rows<Facets & { total: number; for_sale: number }>(sql`select (count(*) filter (where true${where}))::int as total,
        (count(*) filter (where listed.status = 'Yayında'${where}))::int as for_sale,
        coalesce(array_agg(distinct vehicles.brand), '{}') as brands, coalesce(array_agg(distinct vehicles.fuel_type), '{}') as fuels,
        coalesce(array_agg(distinct vehicles.transmission), '{}') as gearboxes, coalesce(array_agg(distinct vehicles.body_type), '{}') as bodies,
        coalesce(array_agg(distinct vehicles.currency), '{}') as currencies from ${from}`),
  ]);
  const { total, for_sale, ...facets } = counted!;
  return { cars, total, for_sale, facets };
}

/** The currencies of the cars, the most frequent first. */
export async function listShowroomCurrencies(db: Db, showroom: Showroom): Promise<Currency[]> {
  const found = await db.rows<{ currency: Currency }>(
    sql`select vehicles.currency from ${listed(showroom)} group by vehicles.currency order by count(*) desc, vehicles.currency`,
  );
  return found.map(({ currency }) => currency);
}

/** Null if the car is not shown. */
export async function findShowroomCar(db: Db, showroom: Showroom, listingId: string): Promise<ShowroomCarDetail | null> {
  const [found] = await db.rows<ShowroomCarDetail & { condition: string | null; equipment: string | null }>(
    sql`select ${rawSql(FIELDS)}, listed.description, vehicles.plate, vehicles.trim,
        (vehicles.condition::jsonb - 'expertise_document_id') as condition, vehicles.engine_cc, vehicles.power_hp, vehicles.drive, vehicles.steering, vehicles.doors,
        vehicles.seats, vehicles.owners, vehicles.inspection_until, vehicles.equipment::json as equipment, vehicles.warranty,
        (listed.published_at at time zone ${showroom.timezone})::date as published_on,
        (select coalesce(json_agg(${rawSql(PHOTO)} order by position), '[]') from ${own('vehicle_photos')}
          where vehicle_photos.vehicle_id = vehicles.id) as photos
      from ${listed(showroom)} where listed.id = ${listingId}`,
  );
  return found ?? null;
}

/** The listing that shows the same car now: a car that is published again has a new one. */
export async function findLaterListing(db: Db, listingId: string): Promise<string | null> {
  const [found] = await db.rows<{ id: string }>(sql`select later.id from (select id, vehicle_id from ${own('listings')}) earlier
    join (select id, vehicle_id from ${own('listings')} where status = 'Yayında') later on later.vehicle_id = earlier.vehicle_id
    where earlier.id = ${listingId} and later.id <> earlier.id`);
  return found?.id ?? null;
}

export interface ShowroomFile {
  readonly name: string;
  readonly content_type: string;
}

/** A picture of a car that is shown, or its thumbnail. */
export async function findShowroomPicture(db: Db, showroom: Showroom, fileId: string): Promise<ShowroomFile | null> {
  const [found] = await db.rows<ShowroomFile>(sql`select name, content_type from ${own('stored_files')}
    where id = ${fileId} and state = 'kept' and exists (
      select from ${own('vehicle_photos')} join ${own('listings')} on listings.vehicle_id = vehicle_photos.vehicle_id
      where (vehicle_photos.file_id = stored_files.id or vehicle_photos.thumbnail_id = stored_files.id) and ${shown(showroom)})`);
  return found ?? null;
}

/** For the sitemap, newest first. */
export const listShowroomIds = (db: Db, showroom: Showroom, max: number): Promise<{ id: string; day: string }[]> =>
  db.rows(sql`select id, (updated_at at time zone 'UTC')::date as day from ${own('listings')} where ${shown(showroom)}
    order by created_at desc, id desc limit ${max}`);
