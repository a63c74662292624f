// The requests of the video endpoints.
import type { RequestBuilder, World } from './requests.ts';

export const VIDEO_REQUESTS: Readonly<Record<string, RequestBuilder>> = {
  'GET vehicles/{vehicle_id}/videos': async (world) => ({ path: videosOf(await theVideo(world)) }),
  'POST vehicles/{vehicle_id}/videos': async (world) => ({
    path: `vehicles/${await world.api.vehicle(world.accountId)}/videos`,
    body: { url: 'https://youtu.be/dQw4w9WgXcQ', title: 'Tur' },
  }),
  'GET vehicles/{vehicle_id}/videos/{video_id}': async (world) => ({ path: await theVideo(world) }),
  'PATCH vehicles/{vehicle_id}/videos/{video_id}': async (world) => ({
    path: await aVideo(world),
    body: { title: 'İç mekân', duration_seconds: 90 },
  }),
  'DELETE vehicles/{vehicle_id}/videos/{video_id}': async (world) => ({ path: await aVideo(world) }),
  'POST vehicles/{vehicle_id}/videos/reorder': async (world) => {
    const first = await aVideo(world);
    const second = await aVideo(world, videosOf(first));
    const ids = [second, first].map((path) => path.slice(path.lastIndexOf('/') + 1));
    return { path: `${videosOf(first)}/reorder`, body: { video_ids: ids } };
  },
};

const videosOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

const read = new WeakMap<World, Promise<string>>();

/** For reads, which must find the same each time. */
function theVideo(world: World): Promise<string> {
  const video = read.get(world) ?? aVideo(world);
  read.set(world, video);
  return video;
}

/** Of a new vehicle unless one is given: a vehicle has five at most. */
async function aVideo({ api, accountId, key }: World, overrides?: string): Promise<string> {
  const path = overrides ?? `vehicles/${await api.vehicle(accountId)}/videos`;
  const body = JSON.stringify({ url: 'https://vimeo.com/76979871' });
  const headers = { 'content-type': 'application/json' };
  const { status, text, json } = await api.call(path, { key, method: 'POST', headers, body });
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return `${path}/${json.data.id}`;
}
