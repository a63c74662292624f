// Photos of the demonstration's cars: three or four drawings of each, stored like photos that are uploaded.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Files } from '../domain/files/file-store.ts';
import { announceFiles } from '../domain/files/stored-files.ts';
import type { DrawnCar } from '../domain/media/car-art.ts';
import { drawCarPhoto, type PhotoView, VIEW_CAPTIONS } from '../domain/media/car-photos.ts';
import { type Columns, insertRecord } from '../domain/records/record.ts';
import { allAnswers, type Database } from '../kit/db.ts';
import type { NewFile } from '../kit/file.ts';
import { own, sql, theAccount } from '../kit/sql.ts';
import type { DemoDealer } from './demo-dealer.ts';
import { idOf, randomOf } from './demo-random.ts';

interface Car {
  readonly id: string;
  readonly body_type: string;
  readonly color: string;
  readonly plate: string;
  readonly created_at: Date;
}

interface Photo {
  readonly view: PhotoView;
  readonly picture: NewFile;
  readonly thumbnail: NewFile;
}

export const drawnCar = ({ body_type, color, plate }: Pick<Car, 'body_type' | 'color' | 'plate'>): DrawnCar => ({
  bodyType: body_type,
  color,
  plate,
});

/** The first is the cover. */
export const demoViews = (vehicleId: string): readonly PhotoView[] =>
  randomOf('views', vehicleId).chance(0.6) ? ['angle', 'side', 'front', 'rear'] : ['angle', 'side', 'front'];

const AT_ONCE = 2;

interface PhotoParts {
  readonly database: Database;
  readonly files: Files;
  readonly realNow: () => Date;
  /** Ends the work; the next call continues it. */
  readonly signal?: AbortSignal;
}

/** Cars that have photos, or had some, stay as they are. Returns how many cars got photos. */
export async function loadDemoPhotos(parts: PhotoParts, dealers: readonly DemoDealer[]): Promise<number> {
  let done = 0;
  const folder = await mkdtemp(join(parts.files.incoming, 'demo-'));
  try {
    for (const dealer of dealers) {
      const waiting = await parts.database.inTenant(dealer.id, 'read', (db) =>
        db.rows<Car>(sql`select id, body_type, color, plate, created_at from ${own('vehicles')} where deleted_at is null
          and not exists (select from ${own('vehicle_photos')} where vehicle_id = vehicles.id and file_id is not null)
          and not exists (select from ${own('vehicle_history')} where vehicle_id = vehicles.id and event = 'photo_removed')
          order by status = 'Satıldı', created_at desc, id`),
      );
      const next = waiting.values();
      const walk = async () => {
        for (const car of next) {
          if (parts.signal?.aborted) return;
          await addPhotos(parts, dealer, car, folder);
          done += 1;
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, walk));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return done;
}

/** In one transaction: a car has all of them or none. */
async function addPhotos(
  { database, files, realNow, signal }: PhotoParts,
  dealer: DemoDealer,
  car: Car,
  folder: string,
): Promise<void> {
  const photos: Photo[] = [];
  for (const view of demoViews(car.id)) {
    const drawn = await drawCarPhoto(drawnCar(car), view, { folder, name: `${car.id}-${view}`, ...(signal ? { signal } : {}) });
    photos.push({ view, ...drawn });
  }
  const all = photos.flatMap(({ picture, thumbnail }) => [picture, thumbnail]);
  await database.inTenant(dealer.id, 'write', (db) => announceFiles(db, all, realNow()));
  for (const file of all) await files.store.put(file.name, file.path, file);
  await database.inTenant(dealer.id, 'write', async (db) => {
    // A photo on another server cannot be the cover that the panel shows.
    await db.exec(sql`update vehicle_photos set "position" = "position" + ${photos.length}
      where account_id = ${theAccount} and vehicle_id = ${car.id}`);
    await db.exec(
      sql`update stored_files set state = 'kept', state_at = ${realNow()}
        where account_id = ${theAccount} and id = any(${all.map(({ id }) => id)}::uuid[])`,
    );
    await allAnswers(photos.map((photo, place) => insertRecord(db, 'vehicle_photos', photoRow(car, photo, place + 1))));
  });
}

const photoRow = (car: Car, { view, picture, thumbnail }: Photo, position: number): Columns => ({
  id: idOf('photo', view, car.id),
  vehicle_id: car.id,
  file_id: picture.id,
  thumbnail_id: thumbnail.id,
  content_type: picture.contentType,
  size_bytes: picture.sizeBytes,
  caption: VIEW_CAPTIONS[view],
  position,
  created_at: car.created_at,
  updated_at: car.created_at,
});
