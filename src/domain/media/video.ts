// A video of a vehicle: a link, its fields, and its API representation.
import type { Db } from '../../kit/db.ts';
import { listPage, type Page, type Paging } from '../../kit/page.ts';
import { columnsOf, integer, nullable as maybe, type Of, object, oneOf, text, timestamp, uuid } from '../../kit/schema.ts';
import { own, rawSql, sql } from '../../kit/sql.ts';
import {
  type Fields,
  integerField,
  listField,
  nullable,
  required,
  textField,
  uuidField,
  type Values,
} from '../records/fields.ts';
import { linkField } from './link-field.ts';
import { positionField } from './positions.ts';

export const MAX_VIDEOS = 5;
const VIDEO_PROVIDERS = ['youtube', 'vimeo', 'other'] as const;
export type VideoProvider = (typeof VIDEO_PROVIDERS)[number];

export const VIDEO_FIELDS = {
  url: required(linkField),
  title: nullable(textField(200)),
  duration_seconds: nullable(integerField(1, 86_400)),
  position: positionField,
} as const satisfies Fields;
export type VideoValues = Values<typeof VIDEO_FIELDS>;

/** Longer than the number of videos allowed, so that too many ids are reported as a wrong set and not as a too long list. */
export const VIDEO_ORDER_FIELDS = { video_ids: required(listField(uuidField, 100)) } as const satisfies Fields;

export const Video = object({
  id: uuid(),
  vehicle_id: uuid(),
  url: text('https://www.youtube.com/watch?v=dQw4w9WgXcQ'),
  provider: oneOf(VIDEO_PROVIDERS),
  title: maybe(text('İç mekân turu')),
  duration_seconds: maybe(integer()),
  position: integer(),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Video = Of<typeof Video>;

const HOSTS: Readonly<Record<string, VideoProvider>> = {
  'youtube.com': 'youtube',
  'www.youtube.com': 'youtube',
  'm.youtube.com': 'youtube',
  'music.youtube.com': 'youtube',
  'www.youtube-nocookie.com': 'youtube',
  'youtu.be': 'youtube',
  'www.youtu.be': 'youtube',
  'vimeo.com': 'vimeo',
  'www.vimeo.com': 'vimeo',
  'player.vimeo.com': 'vimeo',
};

/** Compares the whole host name, because youtube.com.example.com belongs to someone else. */
export function providerOf(url: string): VideoProvider {
  const host = new URL(url).hostname.replace(/\.$/, '');
  return Object.hasOwn(HOSTS, host) ? HOSTS[host]! : 'other';
}

const IN_ORDER = rawSql('"position"');

/** Videos of a deleted vehicle can be read too, like its history. */
export async function listVideos(db: Db, vehicleId: string, page: Paging): Promise<Page> {
  await db.one(sql`select id from ${own('vehicles')} where id = ${vehicleId}`);
  return listPage(db, { table: 'vehicle_videos', shows: Video, where: [sql`vehicle_id = ${vehicleId}`], order: IN_ORDER }, page);
}

export const allVideos = (db: Db, vehicleId: string): Promise<Video[]> =>
  db.rows<Video>(
    sql`select ${columnsOf(Video)} from ${own('vehicle_videos')} where vehicle_id = ${vehicleId} order by ${IN_ORDER}`,
  );

export const readVideo = (db: Db, vehicleId: string, id: string): Promise<Video> =>
  db.one<Video>(sql`select ${columnsOf(Video)} from ${own('vehicle_videos')} where vehicle_id = ${vehicleId} and id = ${id}`);
