// Photos and videos of a vehicle as the server gives them, and the order they are meant to have.
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Photo } from '../../../../src/domain/media/photo.ts';
import type { Video } from '../../../../src/domain/media/video.ts';
import { call, callPage } from '../../api.ts';
import { queryClient } from '../../query-client.ts';

export type { Photo, Video };

/** A signed link is good for fifteen minutes: asked for again well before. */
const LINKS_LAST = 10 * 60_000;
const MAX_PER_PAGE = 100;

export const photosQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: ['vehicle-photos', vehicleId],
    queryFn: async ({ signal }) => inOrder(await fetchPhotos(vehicleId, signal), meantOrder.get(vehicleId) ?? []),
    staleTime: LINKS_LAST,
    // It holds the order that is meant while photos are still sent, whatever page is looked at.
    gcTime: Number.POSITIVE_INFINITY,
    // A page that is left open over lunch still shows its photos.
    refetchInterval: LINKS_LAST,
    refetchIntervalInBackground: false,
  });

/** An order that is shown and not yet the server's: a list that was asked for meanwhile is shown in it. */
export const meantOrder = new Map<string, readonly string[]>();

/** By what is meant, the ones nobody here knew of behind them. */
export function inOrder<T extends { readonly id: string }>(items: readonly T[], meant: readonly string[]): readonly T[] {
  const place = new Map(meant.map((id, at) => [id, at]));
  const at = ({ id }: T) => place.get(id) ?? meant.length;
  return items.toSorted((one, other) => at(one) - at(other));
}

/** As the server has them. */
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

/** Where a photo's file is, and until when that is to be believed. */
const links = new Map<string, { readonly url: string; readonly thumbnail: string | null; readonly until: number }>();

/** A new link to the same picture would make the browser fetch it anew: one that still holds is kept. */
export function withKnownLinks(vehicleId: string, photos: readonly Photo[]): readonly Photo[] {
  const now = Date.now();
  return photos.map((photo) => {
    const known = links.get(`${vehicleId}/${photo.id}`);
    if (known && known.until > now) return { ...photo, url: known.url, thumbnail_url: known.thumbnail };
    links.set(`${vehicleId}/${photo.id}`, { url: photo.url, thumbnail: photo.thumbnail_url, until: now + LINKS_LAST });
    return photo;
  });
}

/** What has just been asked for is not asked for again, by each tile of a grid say, or for a file that is not there. */
const ASKED_FOR = 30_000;
const asked = new Map<string, { readonly at: number; readonly done: Promise<void> }>();

/** A picture did not come: its link may be too old, whatever we believed. */
export function refetchLinks(vehicleId: string): Promise<void> {
  const last = asked.get(vehicleId);
  const now = Date.now();
  if (last && now - last.at < ASKED_FOR) return last.done;
  for (const name of links.keys()) if (name.startsWith(`${vehicleId}/`)) links.delete(name);
  const done = queryClient.invalidateQueries({ queryKey: photosQuery(vehicleId).queryKey });
  asked.set(vehicleId, { at: now, done });
  return done;
}

/** Ours, on this page's own address whatever the links of mails are based on. */
const ownPath = (link: string): string => {
  const { pathname, search } = new URL(link, location.href);
  return pathname + search;
};
/** Null for one that lies elsewhere: the content policy shows our own pictures only. */
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

/** How many photos and videos a vehicle may have here; undefined until it is known. */
export function useMediaLimits(): { readonly photos: number; readonly videos: number } | undefined {
  const { data } = useQuery({
    queryKey: ['media-limits'],
    queryFn: ({ signal }) => call('GET v1/account/capabilities', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data && { photos: data.account.max_photos_per_vehicle, videos: data.account.max_videos_per_vehicle };
}

/** The list as it is shown; it holds the order that is meant, also while the server has not heard of it. */
export const shownPhotos = (vehicleId: string): readonly Photo[] =>
  queryClient.getQueryData(photosQuery(vehicleId).queryKey) ?? [];

export function showPhotos(vehicleId: string, photos: readonly Photo[]): void {
  const { queryKey } = photosQuery(vehicleId);
  // What is on its way was asked before this was known.
  void queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(
    queryKey,
    photos.map((photo, at) => ({ ...photo, position: at + 1, is_cover: at === 0 })),
  );
}

/** The numbers on the vehicle's own page, and its history. */
export function mediaChanged(vehicleId: string): void {
  for (const name of ['vehicle', 'vehicle-history']) void queryClient.invalidateQueries({ queryKey: [name, vehicleId] });
}
