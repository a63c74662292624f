// Running uploads of photos. They belong to no screen, so that other pages can be opened while they run.
import { useSyncExternalStore } from 'react';
import { ApiError, isLeavingToSignIn } from '../../api.ts';
import { isDecided } from '../../parts/form/form-write.ts';
import { notify } from '../../parts/overlay/toast.tsx';
import { preferences } from '../../preferences.ts';
import { queryClient } from '../../query-client.ts';
import { upload } from '../../upload.ts';
import { mediaChanged, type Photo, photosQuery, shownPhotos, withKnownLinks } from './photo-data.ts';
import { settleOrder, showMeant } from './photo-order.ts';
import { photoToSend, UnreadablePhoto } from './photo-resize.ts';
import { photoTexts } from './photo-texts.ts';

/** Why an upload failed: unreadable here, no answer, or the server's message. */
export type Problem = 'unreadable' | 'offline' | { readonly message: string };

export interface Upload {
  readonly id: string;
  readonly name: string;
  readonly state: 'waiting' | 'sending' | 'done' | 'failed';
  /** The share of sent bytes, from 0 to 1. */
  readonly sent: number;
  /** A local preview; null until it is made. */
  readonly preview: string | null;
  readonly problem: Problem | null;
}

const AT_ONCE = 3;
const NONE: readonly Upload[] = [];

interface Job {
  readonly file: File;
  /** The resized picture. A retry sends the same bytes, so that it is the same write. */
  blob: Blob | null;
  key: string;
  stop: AbortController;
  /** The id of the created photo. */
  photoId: string | null;
}

class VehicleUploads {
  list: readonly Upload[] = NONE;
  readonly #vehicleId: string;
  readonly #jobs = new Map<string, Job>();
  #busy = 0;
  /** An upload was cancelled but may have arrived. */
  #isUnsure = false;
  #settling: Promise<void> | null = null;

  constructor(vehicleId: string) {
    this.#vehicleId = vehicleId;
  }

  add(files: readonly File[]): void {
    const added = files.map((file): Upload => {
      const id = crypto.randomUUID();
      this.#jobs.set(id, { file, blob: null, key: crypto.randomUUID(), stop: new AbortController(), photoId: null });
      return { id, name: file.name, state: 'waiting', sent: 0, preview: null, problem: null };
    });
    this.#show([...this.list, ...added]);
    this.#next();
  }

  retry(id: string): void {
    const job = this.#jobs.get(id);
    if (!job) return;
    job.stop = new AbortController();
    this.#change(id, { state: 'waiting', sent: 0, problem: null });
    this.#next();
  }

  /** Cancels an upload. If it had already arrived, the next fetch of the list shows it. */
  drop(id: string): void {
    const job = this.#jobs.get(id);
    if (!job || job.photoId !== null) return;
    job.stop.abort();
    this.#forget([id]);
    if (this.#busy === 0) this.#next();
  }

  /** Cancels running uploads; failed ones stay visible. */
  stop(): void {
    for (const upload of this.list) if (isUnderWay(upload)) this.drop(upload.id);
  }

  #next(): void {
    for (const { id, state } of this.list) {
      if (this.#busy >= AT_ONCE) return;
      if (state === 'waiting') void this.#send(id);
    }
    if (this.#busy === 0 && (this.#isUnsure || this.list.some(({ state }) => state === 'done'))) void this.#settle();
  }

  async #send(id: string): Promise<void> {
    const job = this.#jobs.get(id)!;
    const { signal } = job.stop;
    this.#busy += 1;
    this.#change(id, { state: 'sending' });
    try {
      job.blob ??= await photoToSend(job.file, signal);
      signal.throwIfAborted();
      this.#change(id, { preview: this.#upload(id)?.preview ?? URL.createObjectURL(job.blob) });
      const form = new FormData();
      form.append('file', job.blob, 'foto.jpg');
      const photo = await upload('POST v1/vehicles/{vehicle_id}/photos', {
        params: { vehicle_id: this.#vehicleId },
        form,
        headers: { 'Idempotency-Key': job.key },
        onProgress: (sent) => this.#change(id, { sent }),
        signal,
      });
      this.#arrived(id, job, photo);
    } catch (error) {
      if (signal.aborted) {
        this.#isUnsure = true;
        return;
      }
      if (isDecided(error)) job.key = crypto.randomUUID();
      this.#change(id, { state: 'failed', sent: 0, problem: problemOf(error) });
    } finally {
      this.#busy -= 1;
      this.#next();
    }
  }

  /** Inserts the photo in the chosen order, after earlier ones that have arrived. */
  #arrived(id: string, job: Job, photo: Photo): void {
    job.photoId = photo.id;
    const before = this.list.slice(
      0,
      this.list.findIndex((one) => one.id === id),
    );
    const after = this.list.slice(before.length + 1);
    const idsOf = (some: readonly Upload[]) => new Set(some.map((one) => this.#jobs.get(one.id)?.photoId));
    const [earlier, later] = [idsOf(before), idsOf(after)];
    const photos = shownPhotos(this.#vehicleId).filter((one) => one.id !== photo.id);
    const afterEarlier = photos.findLastIndex((one) => earlier.has(one.id)) + 1;
    const ahead = photos.findIndex((one) => later.has(one.id));
    const at = afterEarlier > 0 ? afterEarlier : ahead >= 0 ? ahead : photos.length;
    showMeant(this.#vehicleId, photos.toSpliced(at, 0, ...withKnownLinks(this.#vehicleId, [photo])));
    this.#change(id, { state: 'done', sent: 1 });
  }

  /** After the last upload: saves the order and forgets finished uploads. */
  async #settle(): Promise<void> {
    this.#isUnsure = false;
    this.#settling ??= settleOrder(this.#vehicleId)
      // If the order cannot be saved, the server's order is shown.
      .catch(() => queryClient.invalidateQueries({ queryKey: photosQuery(this.#vehicleId).queryKey }))
      .finally(() => {
        this.#settling = null;
        const arrived = this.list.filter(({ state }) => state === 'done').map(({ id }) => id);
        this.#forget(arrived);
        mediaChanged(this.#vehicleId);
        if (arrived.length > 0) notify({ title: photoTexts[preferences().locale].allSent(arrived.length) });
      });
    await this.#settling;
  }

  #upload(id: string): Upload | undefined {
    return this.list.find((one) => one.id === id);
  }

  #change(id: string, changed: Partial<Upload>): void {
    this.#show(this.list.map((one) => (one.id === id ? { ...one, ...changed } : one)));
  }

  #forget(ids: readonly string[]): void {
    for (const id of ids) {
      const preview = this.#upload(id)?.preview;
      if (preview) URL.revokeObjectURL(preview);
      this.#jobs.delete(id);
    }
    this.#show(this.list.filter(({ id }) => !ids.includes(id)));
  }

  #show(list: readonly Upload[]): void {
    this.list = list;
    guardPage();
    for (const listener of listeners) listener();
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof UnreadablePhoto) return 'unreadable';
  return error instanceof ApiError ? { message: error.message } : 'offline';
}

const byVehicle = new Map<string, VehicleUploads>();
const listeners = new Set<() => void>();

export function uploadsOf(vehicleId: string): VehicleUploads {
  const known = byVehicle.get(vehicleId);
  if (known) return known;
  const uploads = new VehicleUploads(vehicleId);
  byVehicle.set(vehicleId, uploads);
  return uploads;
}

export const isUnderWay = ({ state }: Upload): boolean => state === 'waiting' || state === 'sending';

/** Closing the page asks first, because it would cancel the uploads. */
let isGuarded = false;
function guardPage(): void {
  const needed = [...byVehicle.values()].some(({ list }) => list.some(isUnderWay));
  if (needed === isGuarded) return;
  isGuarded = needed;
  if (needed) addEventListener('beforeunload', hold);
  else removeEventListener('beforeunload', hold);
}
const hold = (event: BeforeUnloadEvent): void => {
  if (!isLeavingToSignIn()) event.preventDefault();
};

const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The uploads of one vehicle, in the chosen order. */
export function useUploads(vehicleId: string): readonly Upload[] {
  return useSyncExternalStore(listen, () => byVehicle.get(vehicleId)?.list ?? NONE);
}
