// A photo of a vehicle: a stored file or a link, its fields, and its API representation. The first photo is the cover.
import type { Db } from '../../kit/db.ts';
import type { FileLink } from '../../kit/endpoint.ts';
import { type Page, type Paging, stepOf } from '../../kit/page.ts';
import { flag, integer, nullable as maybe, type Of, object, text, timestamp, uuid } from '../../kit/schema.ts';
import { allOf, own, rawSql, sql } from '../../kit/sql.ts';
import {
  type Field,
  type Fields,
  flagField,
  listField,
  nullable,
  Refused,
  required,
  textField,
  uuidField,
  type Values,
} from '../records/fields.ts';
import { linkField } from './link-field.ts';
import { positionField } from './positions.ts';

export const MAX_PHOTOS = 30;

/** The text parts of an upload. */
export const PHOTO_FIELDS = { caption: nullable(textField(200)), position: positionField } as const satisfies Fields;
export const PHOTO_LINK_FIELDS = { url: required(linkField), ...PHOTO_FIELDS } as const satisfies Fields;

/** Only true can be given: a photo stops being the cover when another becomes the first. */
const coverField: Field<true> = {
  ...flagField,
  schema: { type: 'boolean', const: true },
  read: (value) =>
    value === true
      ? value
      : new Refused('not_allowed', {
          en: 'true (to change it, make another photo the cover)',
          tr: 'true (değiştirmek için başka bir fotoğrafı kapak yapın)',
        }),
};
export const PHOTO_EDIT_FIELDS = { ...PHOTO_FIELDS, is_cover: coverField } as const satisfies Fields;
export type PhotoEdit = Values<typeof PHOTO_EDIT_FIELDS>;

/** Longer than the number of photos allowed, so that too many ids are reported as a wrong set and not as a too long list. */
export const PHOTO_ORDER_FIELDS = { photo_ids: required(listField(uuidField, 100)) } as const satisfies Fields;

export const Photo = object({
  id: uuid(),
  vehicle_id: uuid(),
  url: text('https://galeri.example.com/files/AZqL3kQ…'),
  thumbnail_url: maybe(text('https://galeri.example.com/files/AZqL3kR…')),
  expires_at: maybe(timestamp()),
  content_type: text('image/jpeg'),
  size_bytes: maybe(integer()),
  caption: maybe(text('Ön konsol')),
  position: integer(),
  is_cover: flag(),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Photo = Of<typeof Photo>;

export interface StoredPhoto {
  readonly id: string;
  readonly vehicle_id: string;
  /** The link of a photo on another server. */
  readonly url: string | null;
  readonly file_id: string | null;
  readonly thumbnail_id: string | null;
  readonly content_type: string;
  readonly size_bytes: number | null;
  readonly caption: string | null;
  readonly position: number;
  readonly created_at: string;
  readonly updated_at: string;
}

const STORED = rawSql(`id, vehicle_id, url, file_id, thumbnail_id, content_type, size_bytes, caption, "position",
  utc_text(created_at) as created_at, utc_text(updated_at) as updated_at`);

type LinkTo = (fileId: string) => FileLink;

export function shownPhoto(photo: StoredPhoto, linkTo: LinkTo): Photo {
  const link = photo.file_id === null ? null : linkTo(photo.file_id);
  const url = link?.url ?? photo.url!;
  const thumbnail = photo.thumbnail_id === null ? null : linkTo(photo.thumbnail_id).url;
  return { ...withoutFileIds(photo), url, thumbnail_url: thumbnail, expires_at: link?.expires_at ?? null };
}

/** For events, which must not carry file links: a signed link would soon expire, and until then open the file for anyone. */
export function withoutFileIds({ file_id: _, thumbnail_id: __, ...photo }: StoredPhoto) {
  const { id, vehicle_id, url, content_type, size_bytes, caption, position, created_at, updated_at } = photo;
  return {
    id,
    vehicle_id,
    url,
    thumbnail_url: null,
    expires_at: null,
    content_type,
    size_bytes,
    caption,
    position,
    is_cover: position === 1,
    created_at,
    updated_at,
  };
}

/** Photos of a deleted vehicle can be read too, like its history. */
export async function listPhotos(db: Db, vehicleId: string, page: Paging, linkTo: LinkTo): Promise<Page> {
  await db.one(sql`select id from ${own('vehicles')} where id = ${vehicleId}`);
  const { where, order, position } = page.walk === undefined ? IN_ORDER : stepOf(page.walk);
  const found = await db.rows<StoredPhoto & { last: string }>(sql`select ${STORED}, ${position} as last
    from (select * from ${own('vehicle_photos')} where vehicle_id = ${vehicleId}${allOf(where)}
      order by ${order} limit ${page.limit + 1} offset ${page.offset}) chosen`);
  const hasMore = found.length > page.limit;
  const shown = found.slice(0, page.limit).map((photo) => shownPhoto(photo, linkTo));
  const last = hasMore ? JSON.parse(found[page.limit - 1]!.last) : null;
  return { json: JSON.stringify(shown), count: shown.length, hasMore, last, version: null };
}

const IN_ORDER = { where: [], order: rawSql('"position"'), position: rawSql('null') };

/** Of several vehicles, in their order. */
export const photosOf = async (db: Db, vehicleIds: readonly string[], linkTo: LinkTo): Promise<Photo[]> =>
  (
    await db.rows<StoredPhoto>(sql`select ${STORED} from ${own('vehicle_photos')} where vehicle_id = any(${vehicleIds}::uuid[])
      order by vehicle_id, "position"`)
  ).map((photo) => shownPhoto(photo, linkTo));

export const allPhotos = (db: Db, vehicleId: string): Promise<StoredPhoto[]> =>
  db.rows<StoredPhoto>(sql`select ${STORED} from ${own('vehicle_photos')} where vehicle_id = ${vehicleId} order by "position"`);

export const findPhoto = (db: Db, vehicleId: string, id: string): Promise<StoredPhoto> =>
  db.one<StoredPhoto>(sql`select ${STORED} from ${own('vehicle_photos')} where vehicle_id = ${vehicleId} and id = ${id}`);

const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
};

/** Guessed from the name, because linked files are never fetched. */
export function typeOfLink(url: string): string {
  const ending = /\.(\w+)$/.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(TYPES, ending) ? TYPES[ending]! : 'application/octet-stream';
}
