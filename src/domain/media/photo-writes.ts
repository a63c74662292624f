// Writes on a vehicle's photos: add, edit, move, make the cover, remove, reorder. The vehicle is locked first; photos of a
// deleted vehicle cannot be changed.

import { type Detail, fail } from '../../kit/errors.ts';
import type { NewFile } from '../../kit/file.ts';
import { newId } from '../../kit/ids.ts';
import { sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { dropFiles, keepFiles } from '../files/stored-files.ts';
import { changedColumns, insertRecord, updateRecord, updateStamped } from '../records/record.ts';
import { lockVehicle } from '../stock/vehicle.ts';
import { recordHistory } from '../stock/vehicle-history.ts';
import { emitChange } from '../writes/record-events.ts';
import { allPhotos, findPhoto, MAX_PHOTOS, type PhotoEdit, type StoredPhoto, typeOfLink, withoutFileIds } from './photo.ts';
import { idsInOrder, isPermutation, orderWith, setPositions } from './positions.ts';

const TABLE = 'vehicle_photos';

export interface NewPhoto {
  /** The link of a photo on another server; absent for an uploaded photo. */
  readonly url?: string;
  readonly caption?: string | null;
  readonly position?: number;
}

export async function addPhoto(
  work: Work,
  vehicleId: string,
  { url, caption = null, position }: NewPhoto,
  [picture, thumbnail]: readonly NewFile[],
): Promise<StoredPhoto> {
  const { db, now } = work;
  await holdVehicle(work, vehicleId);
  const order = await idsInOrder(db, TABLE, vehicleId);
  if (order.length >= MAX_PHOTOS) fail('photo_limit_reached', { words: { limit: MAX_PHOTOS } });
  const id = newId(now.getTime());
  const newOrder = orderWith(order, id, position);
  if (picture !== undefined && thumbnail !== undefined) await keepFiles(work, [picture.id, thumbnail.id]);
  await insertRecord(db, TABLE, {
    id,
    vehicle_id: vehicleId,
    url: url ?? null,
    file_id: picture?.id ?? null,
    thumbnail_id: thumbnail?.id ?? null,
    content_type: picture?.contentType ?? typeOfLink(url!),
    size_bytes: picture?.sizeBytes ?? null,
    caption,
    position: newOrder.length,
    created_at: now,
    updated_at: now,
  });
  await setPositions(db, TABLE, vehicleId, newOrder);
  recordHistory(work, vehicleId, 'photo_added', [countChange(order.length, newOrder.length)]);
  await updateStamped(work, 'vehicles', vehicleId);
  const photo = await findPhoto(db, vehicleId, id);
  emitPhotoEvent(work, 'created', photo);
  return photo;
}

export async function editPhoto(work: Work, vehicleId: string, id: string, body: PhotoEdit): Promise<StoredPhoto> {
  const { db, now } = work;
  await holdVehicle(work, vehicleId);
  const before = await findPhoto(db, vehicleId, id);
  const { position, is_cover, ...fields } = body;
  if (is_cover && position !== undefined && position !== 1) fail('validation_failed', { details: [COVER_IS_FIRST] });
  const order = await idsInOrder(db, TABLE, vehicleId);
  const newOrder = is_cover || position !== undefined ? orderWith(order, id, is_cover ? 1 : position) : order;
  const changes = changedColumns({ caption: before.caption }, fields);
  if (Object.keys(changes).length === 0 && newOrder.indexOf(id) === order.indexOf(id)) return before;
  await setPositions(db, TABLE, vehicleId, newOrder);
  await updateRecord(db, TABLE, id, { ...changes, updated_at: now });
  await updateStamped(work, 'vehicles', vehicleId);
  const photo = await findPhoto(db, vehicleId, id);
  emitPhotoEvent(work, 'updated', photo, before);
  return photo;
}

/** Photos after it move up, and its files are deleted. */
export async function removePhoto(work: Work, vehicleId: string, id: string): Promise<StoredPhoto> {
  const { db } = work;
  await holdVehicle(work, vehicleId);
  const photo = await findPhoto(db, vehicleId, id);
  const order = await idsInOrder(db, TABLE, vehicleId);
  const left = order.filter((one) => one !== id);
  await db.exec(sql`delete from vehicle_photos where account_id = ${theAccount} and id = ${id}`);
  if (photo.file_id !== null) await dropFiles(work, [photo.file_id, photo.thumbnail_id!]);
  await setPositions(db, TABLE, vehicleId, left);
  recordHistory(work, vehicleId, 'photo_removed', [countChange(order.length, left.length)]);
  await updateStamped(work, 'vehicles', vehicleId);
  emitPhotoEvent(work, 'deleted', photo);
  return photo;
}

export async function reorderPhotos(work: Work, vehicleId: string, ids: readonly string[]): Promise<StoredPhoto[]> {
  const { db } = work;
  await holdVehicle(work, vehicleId);
  const order = await idsInOrder(db, TABLE, vehicleId);
  if (!isPermutation(order, ids)) fail('photo_set_mismatch', { details: [OTHER_SET] });
  if (order.join() !== ids.join()) {
    await setPositions(db, TABLE, vehicleId, ids);
    await updateStamped(work, 'vehicles', vehicleId);
    work.emit({
      kind: 'vehicle_photo.reordered',
      id: vehicleId,
      path: `vehicles/${vehicleId}/photos`,
      object: { vehicle_id: vehicleId, photo_ids: ids },
      changed: ['photo_ids'],
      previous: { photo_ids: order },
    });
  }
  return allPhotos(db, vehicleId);
}

const countChange = (old: number, now: number) => ({ field: 'photo_count', old, new: now });

const OTHER_SET: Detail = {
  field: 'photo_ids',
  code: 'photo_set_mismatch',
  message: {
    en: 'photo_ids must name each of the vehicle’s photos once',
    tr: 'photo_ids aracın her fotoğrafını bir kez içermeli',
  },
};

const COVER_IS_FIRST: Detail = {
  field: 'position',
  code: 'invalid',
  message: { en: 'position of the cover is 1', tr: 'kapağın position değeri 1 olur' },
};

async function holdVehicle({ db }: Work, id: string): Promise<void> {
  if ((await lockVehicle(db, id)).deleted_at !== null) fail('vehicle_deleted');
}

function emitPhotoEvent(
  work: Work,
  verb: 'created' | 'updated' | 'deleted',
  photo: StoredPhoto,
  before: StoredPhoto = photo,
): void {
  const path = `vehicles/${photo.vehicle_id}/photos/${photo.id}`;
  emitChange(work, { kind: 'vehicle_photo', path }, verb, withoutFileIds(photo), withoutFileIds(before));
}
