// Changes the order of a vehicle's photos: shown at once, then saved; if the server refuses, its order is shown again.
import { ApiError, call } from '../../api.ts';
import { queryClient } from '../../query-client.ts';
import {
  fetchPhotos,
  inOrder,
  meantOrder,
  type Photo,
  photosQuery,
  shownPhotos,
  showPhotos,
  withKnownLinks,
} from './photo-data.ts';

/** Moves one item; the others close up. */
export function moved<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const rest = items.toSpliced(from, 1);
  return rest.toSpliced(to, 0, items[from]!);
}

const idsOf = (photos: readonly Photo[]): readonly string[] => photos.map(({ id }) => id);
const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id, at) => id === other[at]);

/** One save at a time for each vehicle, because two could overtake each other. */
const running = new Map<string, Promise<void>>();

/** Shown at once; rejects if the server refuses. A running save also saves later moves. */
export async function movePhoto(vehicleId: string, from: number, to: number): Promise<void> {
  showMeant(vehicleId, moved(shownPhotos(vehicleId), from, to));
  if (!running.has(vehicleId)) await begin(vehicleId);
}

export function showMeant(vehicleId: string, photos: readonly Photo[]): void {
  meantOrder.set(vehicleId, idsOf(photos));
  showPhotos(vehicleId, photos);
}

function begin(vehicleId: string): Promise<void> {
  const sent = sendOrder(vehicleId).finally(() => running.delete(vehicleId));
  running.set(vehicleId, sent);
  return sent;
}

/** Saves until the saved order is the wanted one. */
async function sendOrder(vehicleId: string): Promise<void> {
  try {
    for (;;) {
      const meant = meantOrder.get(vehicleId) ?? [];
      const saved = await save(vehicleId, meant);
      if (meantOrder.get(vehicleId) !== meant) continue;
      meantOrder.delete(vehicleId);
      showPhotos(vehicleId, withKnownLinks(vehicleId, saved));
      return;
    }
  } catch (error) {
    meantOrder.delete(vehicleId);
    await queryClient.invalidateQueries({ queryKey: photosQuery(vehicleId).queryKey });
    throw error;
  }
}

/** If the set of photos has changed since (another window, an upload), it is fetched and sorted by the wanted order. */
async function save(vehicleId: string, meant: readonly string[]): Promise<readonly Photo[]> {
  try {
    return await reorder(vehicleId, meant);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'photo_set_mismatch') throw error;
    return reorder(vehicleId, idsOf(inOrder(await fetchPhotos(vehicleId), meant)));
  }
}

const reorder = (vehicleId: string, ids: readonly string[]): Promise<readonly Photo[]> =>
  call('POST v1/vehicles/{vehicle_id}/photos/reorder', {
    params: { vehicle_id: vehicleId },
    body: { photo_ids: ids },
    headers: { 'Idempotency-Key': crypto.randomUUID() },
  });

/** After uploads, which finish in any order, saves the order in which the photos were chosen. */
export async function settleOrder(vehicleId: string): Promise<void> {
  await running.get(vehicleId)?.catch(() => {});
  const present = await fetchPhotos(vehicleId);
  const ordered = inOrder(present, meantOrder.get(vehicleId) ?? []);
  meantOrder.delete(vehicleId);
  if (isSame(idsOf(ordered), idsOf(present))) return showPhotos(vehicleId, present);
  showMeant(vehicleId, ordered);
  await begin(vehicleId);
}
