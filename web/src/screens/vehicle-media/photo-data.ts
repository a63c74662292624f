// Queries of a vehicle's photos and videos, and the order that the person wants.
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Photo } from '../../../../src/domain/media/photo.ts';
import type { Video } from '../../../../src/domain/media/video.ts';
import { call, callPage } from '../../api.ts';
import { queryClient } from '../../query-client.ts';

export type { Photo, Video };

/** Signed links are valid for fifteen minutes, so they are refreshed earlier. */
const LINKS_LAST = 10 * 60_000;
const MAX_PER_PAGE = 100;

export const photosQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: ['vehicle-photos', vehicleId],
    queryFn: async ({ signal }) => inOrder(await fetchPhotos(vehicleId, signal), meantOrder.get(vehicleId) ?? []),
    staleTime: LINKS_LAST,
    // Never dropped, because it holds the wanted order while photos are uploaded, on any page.
    gcTime: Number.POSITIVE_INFINITY,
    // Refreshes the links of a page that stays open.
    refetchInterval: LINKS_LAST,
    refetchIntervalInBackground: false,
  });

/** The shown order, which the server does not have yet; lists fetched until then are sorted by it. */
export const meantOrder = new Map<string, readonly string[]>();

/** Sorted by the wanted order, with unknown items at the end. */
export function inOrder<T extends { readonly id: string }>(items: readonly T[], meant: readonly string[]): readonly T[] {
  const place = new Map(meant.map((id, at) => [id, at]));
  const at = ({ id }: T) => place.get(id) ?? meant.length;
  return items.toSorted((one, other) => at(one) - at(other));
}

/** In the server's order. */
export const fetchPhotos = async (vehicleId: string, signal?: AbortSignal): Promise<readonly Photo[]> =>
  withKnownLinks(
    vehicleId,
    (
      await callPage('GET v1/vehicles/{vehicle_id}/photos', {
        params: { vehicle_id: vehicleId },
        query: { limit: MAX_PER_PAGE },
        signal,
      })
    ).items,
  );

/** The links of photos and until when they are valid. */
const links = new Map<string, { readonly url: string; readonly thumbnail: string | null; readonly until: number }>();

/** Keeps links that are still valid, because a new link would make the browser download the picture again. */
export function withKnownLinks(vehicleId: string, photos: readonly Photo[]): readonly Photo[] {
  const now = Date.now();
  return photos.map((photo) => {
    const known = links.get(`${vehicleId}/${photo.id}`);
    if (known && known.until > now) return { ...photo, url: known.url, thumbnail_url: known.thumbnail };
    links.set(`${vehicleId}/${photo.id}`, { url: photo.url, thumbnail: photo.thumbnail_url, until: now + LINKS_LAST });
    return photo;
  });
}

/** Links are not refreshed again within this time, for example by every tile of a grid. */
const ASKED_FOR = 30_000;
const requests = new Map<string, { readonly at: number; readonly done: Promise<void> }>();

/** Called when a picture failed to load, because its link may have expired. */
export function refetchLinks(vehicleId: string): Promise<void> {
  const last = requests.get(vehicleId);
  const now = Date.now();
  if (last && now - last.at < ASKED_FOR) return last.done;
  for (const name of links.keys()) if (name.startsWith(`${vehicleId}/`)) links.delete(name);
  const done = queryClient.invalidateQueries({ queryKey: photosQuery(vehicleId).queryKey });
  requests.set(vehicleId, { at: now, done });
  return done;
}

/** Our own link as a path, because PUBLIC_URL may differ from this page's origin. */
const ownPath = (link: string): string => {
  const { pathname, search } = new URL(link, location.href);
  return pathname + search;
};
/** Null for a linked photo, because the content security policy allows only our own pictures. */
export const thumbnailOf = ({ thumbnail_url }: Photo): string | null => thumbnail_url && ownPath(thumbnail_url);
export const pictureOf = ({ url, thumbnail_url }: Photo): string | null => thumbnail_url && ownPath(url);
export const hostOf = ({ url }: { readonly url: string }): string => URL.parse(url)?.host ?? url;

export const videosQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: ['vehicle-videos', vehicleId],
    queryFn: async ({ signal }) =>
      (
        await callPage('GET v1/vehicles/{vehicle_id}/videos', {
          params: { vehicle_id: vehicleId },
          query: { limit: MAX_PER_PAGE },
          signal,
        })
      ).items,
  });

/** The account's limits of photos and videos per vehicle; undefined until loaded. */
export function useMediaLimits(): { readonly photos: number; readonly videos: number } | undefined {
  const { data } = useQuery({
    queryKey: ['media-limits'],
    queryFn: ({ signal }) => call('GET v1/account/capabilities', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data && { photos: data.account.max_photos_per_vehicle, videos: data.account.max_videos_per_vehicle };
}

/** The cached list, in the wanted order. */
export const shownPhotos = (vehicleId: string): readonly Photo[] =>
  queryClient.getQueryData(photosQuery(vehicleId).queryKey) ?? [];

export function showPhotos(vehicleId: string, photos: readonly Photo[]): void {
  const { queryKey } = photosQuery(vehicleId);
  // Running requests were sent before this change.
  void queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(
    queryKey,
    photos.map((photo, at) => ({ ...photo, position: at + 1, is_cover: at === 0 })),
  );
}

/** Invalidates the vehicle's page and history. */
export function mediaChanged(vehicleId: string): void {
  for (const name of ['vehicle', 'vehicle-history']) void queryClient.invalidateQueries({ queryKey: [name, vehicleId] });
}
