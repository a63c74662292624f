// Drawings of a car as photos, for the demonstration and the sample data of sandboxes. Drawn in a process of their own, like photos that
// are uploaded.
import { join } from 'node:path';
import type { NewFile } from '../../kit/file.ts';
import { newFile } from '../files/stored-files.ts';
import { createWorkers } from '../sharing/worker-process.ts';
import type { DrawnCar } from './car-art.ts';
import type { CarPhotoJob } from './car-worker.ts';

export type PhotoView = CarPhotoJob['view'];

export interface CarPhoto {
  readonly picture: NewFile;
  readonly thumbnail: NewFile;
}

const workers = createWorkers({
  program: new URL('./car-worker.ts', import.meta.url),
  idleMs: 5_000,
  env: { MALLOC_ARENA_MAX: '2' },
});
const MAX_MS = 60_000;

export const VIEW_CAPTIONS: Readonly<Record<PhotoView, string>> = {
  angle: 'Önden ve yandan',
  side: 'Yandan',
  front: 'Önden',
  rear: 'Arkadan',
};

/** The files are written to the folder under names that begin with `name`. */
export async function drawCarPhoto(
  car: DrawnCar,
  view: PhotoView,
  { folder, name, signal }: { readonly folder: string; readonly name: string; readonly signal?: AbortSignal },
): Promise<CarPhoto> {
  const job: CarPhotoJob = { car, view, picture: join(folder, `${name}.jpg`), thumbnail: join(folder, `${name}-small.jpg`) };
  await workers.use((worker) => worker.ask(job, { maxMs: MAX_MS, ...(signal ? { signal } : {}) }));
  return { picture: await newFile(job.picture, 'image/jpeg'), thumbnail: await newFile(job.thumbnail, 'image/jpeg') };
}
