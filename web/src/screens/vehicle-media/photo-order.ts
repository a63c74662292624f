// The order of a vehicle's photos: shown at once, told to the server after, and as the server has it where that is refused.
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

/** One from here to there, the others closing up. */
export function moved<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const rest = items.toSpliced(from, 1);
  return rest.toSpliced(to, 0, items[from]!);
}

const idsOf = (photos: readonly Photo[]): readonly string[] => photos.map(({ id }) => id);
const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id, at) => id === other[at]);

/** One at a time for each vehicle: two on their way could overtake each other. */
const running = new Map<string, Promise<void>>();

/** Shown at once; rejects with what the server refused. While one is told, that one tells the next too. */
export async function movePhoto(vehicleId: string, from: number, to: number): Promise<void> {
  showMeant(vehicleId, moved(shownPhotos(vehicleId), from, to));
  if (!running.has(vehicleId)) await begin(vehicleId);
}

export function showMeant(vehicleId: string, photos: readonly Photo[]): void {
  meantOrder.set(vehicleId, idsOf(photos));
  showPhotos(vehicleId, photos);
}

function begin(vehicleId: string): Promise<void> {
  const told = tell(vehicleId).finally(() => running.delete(vehicleId));
  running.set(vehicleId, told);
  return told;
}

/** Until what was told is what is meant. */
async function tell(vehicleId: string): Promise<void> {
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

/** Where the set has changed meanwhile (another window, a photo that arrived) it is asked for, and the order put on it. */
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

/** After photos have arrived in whatever order the lines brought them: as they were chosen. */
export async function settleOrder(vehicleId: string): Promise<void> {
  await running.get(vehicleId)?.catch(() => {});
  const present = await fetchPhotos(vehicleId);
  const ordered = inOrder(present, meantOrder.get(vehicleId) ?? []);
  meantOrder.delete(vehicleId);
  if (isSame(idsOf(ordered), idsOf(present))) return showPhotos(vehicleId, present);
  showMeant(vehicleId, ordered);
  await begin(vehicleId);
}
