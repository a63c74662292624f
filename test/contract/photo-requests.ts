// The requests of the photo endpoints. Reads use an uploaded file: the endpoints return its links.
import { aJpeg, fileParts, sendForm } from '../support/pictures.ts';
import type { RequestBuilder, World } from './requests.ts';

export const PHOTO_REQUESTS: Readonly<Record<string, RequestBuilder>> = {
  'GET vehicles/{vehicle_id}/photos': async (world) => ({ path: photosOf(await thePhoto(world)) }),
  'POST vehicles/{vehicle_id}/photos': async (world) => ({
    path: `vehicles/${await world.api.vehicle(world.accountId)}/photos`,
    body: { url: 'https://cdn.example.com/golf/1.jpg', caption: 'Ön' },
  }),
  'GET vehicles/{vehicle_id}/photos/{photo_id}': async (world) => ({ path: await thePhoto(world) }),
  'PATCH vehicles/{vehicle_id}/photos/{photo_id}': async (world) => ({ path: await aPhoto(world), body: { caption: 'Arka' } }),
  'DELETE vehicles/{vehicle_id}/photos/{photo_id}': async (world) => ({ path: await aPhoto(world) }),
  'POST vehicles/{vehicle_id}/photos/reorder': async (world) => {
    const first = await aPhoto(world);
    const second = await aPhoto(world, photosOf(first));
    const ids = [second, first].map((path) => path.slice(path.lastIndexOf('/') + 1));
    return { path: `${photosOf(first)}/reorder`, body: { photo_ids: ids } };
  },
};

const photosOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

const read = new WeakMap<World, Promise<string>>();

function thePhoto(world: World): Promise<string> {
  const photo = read.get(world) ?? anUpload(world);
  read.set(world, photo);
  return photo;
}

async function anUpload({ api, accountId, key }: World): Promise<string> {
  const path = `vehicles/${await api.vehicle(accountId)}/photos`;
  const { status, text, json } = await sendForm({ url: api.service.url, key }, path, fileParts(await aJpeg()));
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return `${path}/${json.data.id}`;
}

/** Of a new vehicle unless one is given. */
async function aPhoto({ api, accountId, key }: World, overrides?: string): Promise<string> {
  const path = overrides ?? `vehicles/${await api.vehicle(accountId)}/photos`;
  const body = JSON.stringify({ url: 'https://cdn.example.com/golf/2.jpg' });
  const headers = { 'content-type': 'application/json' };
  const { status, text, json } = await api.call(path, { key, method: 'POST', headers, body });
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return `${path}/${json.data.id}`;
}
