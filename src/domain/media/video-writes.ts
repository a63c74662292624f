// Writes on a vehicle's videos: add, edit, move, remove, reorder. The vehicle is locked first; those of a deleted one cannot be
// changed.
import { type Detail, fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import type { CreateBody } from '../records/body.ts';
import { changedColumns, insertRecord, updateRecord, updateStamped } from '../records/record.ts';
import { lockVehicle } from '../stock/vehicle.ts';
import { emitChange } from '../writes/record-events.ts';
import { idsInOrder, isPermutation, orderWith, setPositions } from './positions.ts';
import { allVideos, MAX_VIDEOS, providerOf, readVideo, type VIDEO_FIELDS, type Video, type VideoValues } from './video.ts';

const TABLE = 'vehicle_videos';

export async function addVideo(work: Work, vehicleId: string, body: CreateBody<typeof VIDEO_FIELDS>): Promise<Video> {
  const { db, now } = work;
  await holdVehicle(work, vehicleId);
  const order = await idsInOrder(db, TABLE, vehicleId);
  if (order.length >= MAX_VIDEOS) fail('video_limit_reached', { words: { limit: MAX_VIDEOS } });
  const { position, url, title = null, duration_seconds = null } = body;
  const id = newId(now.getTime());
  const newOrder = orderWith(order, id, position);
  const written = { created_at: now, updated_at: now };
  await insertRecord(db, TABLE, {
    id,
    vehicle_id: vehicleId,
    url,
    provider: providerOf(url),
    title,
    duration_seconds,
    position: newOrder.length,
    ...written,
  });
  await setPositions(db, TABLE, vehicleId, newOrder);
  await updateStamped(work, 'vehicles', vehicleId);
  const video = await readVideo(db, vehicleId, id);
  emitVideoEvent(work, 'created', video);
  return video;
}

export async function editVideo(work: Work, vehicleId: string, id: string, body: VideoValues): Promise<Video> {
  const { db, now } = work;
  await holdVehicle(work, vehicleId);
  const before = await readVideo(db, vehicleId, id);
  const { position, ...fields } = body;
  const order = await idsInOrder(db, TABLE, vehicleId);
  const newOrder = position === undefined ? order : orderWith(order, id, position);
  const provider = fields.url === undefined ? {} : { provider: providerOf(fields.url) };
  const changes = changedColumns(before, { ...fields, ...provider });
  if (Object.keys(changes).length === 0 && newOrder.indexOf(id) === order.indexOf(id)) return before;
  await setPositions(db, TABLE, vehicleId, newOrder);
  await updateRecord(db, TABLE, id, { ...changes, updated_at: now });
  await updateStamped(work, 'vehicles', vehicleId);
  const video = await readVideo(db, vehicleId, id);
  emitVideoEvent(work, 'updated', video, before);
  return video;
}

/** Videos after it move up. */
export async function removeVideo(work: Work, vehicleId: string, id: string): Promise<Video> {
  const { db } = work;
  await holdVehicle(work, vehicleId);
  const video = await readVideo(db, vehicleId, id);
  const order = await idsInOrder(db, TABLE, vehicleId);
  await db.exec(sql`delete from vehicle_videos where account_id = ${theAccount} and id = ${id}`);
  await setPositions(
    db,
    TABLE,
    vehicleId,
    order.filter((one) => one !== id),
  );
  await updateStamped(work, 'vehicles', vehicleId);
  emitVideoEvent(work, 'deleted', video);
  return video;
}

export async function reorderVideos(work: Work, vehicleId: string, ids: readonly string[]): Promise<Video[]> {
  const { db } = work;
  await holdVehicle(work, vehicleId);
  const order = await idsInOrder(db, TABLE, vehicleId);
  if (!isPermutation(order, ids)) fail('video_set_mismatch', { details: [OTHER_SET] });
  if (order.join() !== ids.join()) {
    await setPositions(db, TABLE, vehicleId, ids);
    await updateStamped(work, 'vehicles', vehicleId);
    work.emit({
      kind: 'vehicle_video.reordered',
      id: vehicleId,
      path: `vehicles/${vehicleId}/videos`,
      object: { vehicle_id: vehicleId, video_ids: ids },
      changed: ['video_ids'],
      previous: { video_ids: order },
    });
  }
  return allVideos(db, vehicleId);
}

const OTHER_SET: Detail = {
  field: 'video_ids',
  code: 'video_set_mismatch',
  message: {
    en: 'video_ids must name each of the vehicle’s videos once',
    tr: 'video_ids aracın her videosunu bir kez içermeli',
  },
};

async function holdVehicle({ db }: Work, id: string): Promise<void> {
  if ((await lockVehicle(db, id)).deleted_at !== null) fail('vehicle_deleted');
}

const emitVideoEvent = (work: Work, verb: 'created' | 'updated' | 'deleted', video: Video, before?: Video): void =>
  emitChange(work, { kind: 'vehicle_video', path: `vehicles/${video.vehicle_id}/videos/${video.id}` }, verb, video, before);
