// A program of an integrator for the compiler: what must compile, and, after each `@ts-expect-error`, what must not.
import {
  type EventOf,
  Galeri,
  isEvent,
  type KnownErrorCode,
  type NotFound,
  verifyWebhook,
  type WebhookEvent,
} from '@galeri/client';

const galeri = new Galeri({ key: 'gal_sand_…', url: 'https://galeri.example', timeoutMs: 5000, userAgent: 'erp/1' });
const params = { vehicle_id: '0190a6c0-0000-7000-8000-000000000000' };
const car = {
  brand: 'Volkswagen',
  model: 'Golf',
  model_year: 2018,
  km: 84_000,
  fuel_type: 'Benzin',
  transmission: 'Otomatik',
  body_type: 'Hatchback',
  color: 'Gri',
  plate: 'TS 1',
  city: 'Girne',
  price: '14500.00',
} as const;

export async function bodies(): Promise<void> {
  const made = await galeri.post('/vehicles', { body: car, idempotencyKey: 'car-1' });
  made.data.plate satisfies string;
  await galeri.patch('/vehicles/{vehicle_id}', { params, body: { km: 1 }, ifMatch: made.etag! });
  await galeri.post('/vehicles/{vehicle_id}/publish', { params });
  // @ts-expect-error the body is missing
  await galeri.post('/vehicles', {});
  // @ts-expect-error the body is missing
  await galeri.post('/vehicles');
  // @ts-expect-error required fields are missing
  await galeri.post('/vehicles', { body: { brand: 'VW' } });
  // @ts-expect-error there is no such field
  await galeri.post('/vehicles', { body: { ...car, colour: 'Gri' } });
  // @ts-expect-error not one of the values
  await galeri.post('/vehicles', { body: { ...car, fuel_type: 'Kömür' } });
  // @ts-expect-error the body of an edit is missing
  await galeri.patch('/vehicles/{vehicle_id}', { params });
  // @ts-expect-error this endpoint takes no body
  await galeri.delete('/vehicles/{vehicle_id}', { params, body: {} });
}

export async function reads(): Promise<void> {
  const { data } = await galeri.get('/vehicles', { query: { status: 'Stokta', limit: 5 } });
  data[0]?.price satisfies string | undefined;
  await galeri.get('/account');
  const changed = await galeri.getIfChanged('/vehicles/{vehicle_id}', '"tag"', { params });
  changed?.data.km satisfies number | undefined;
  // @ts-expect-error the path's id is missing
  await galeri.get('/vehicles/{vehicle_id}');
  // @ts-expect-error there is no such path
  await galeri.get('/vehicle');
  // @ts-expect-error there is no such parameter
  await galeri.get('/vehicles', { query: { colour: 'Gri' } });
  // @ts-expect-error a required parameter is missing
  await galeri.get('/reports/custom');
  // @ts-expect-error a required parameter is missing
  await galeri.get('/reports/custom', { query: { dataset: 'sales' } });
  // @ts-expect-error the path has no such method
  await galeri.delete('/vehicles');
  for await (const vehicle of galeri.each('/vehicles', { query: { updated_since: '2026-01-01' } })) vehicle.id satisfies string;
  // @ts-expect-error not a list
  for await (const _ of galeri.each('/account')) break;
  // @ts-expect-error not a list
  for await (const _ of galeri.each('/vehicles/{vehicle_id}', { params })) break;
  // @ts-expect-error a walk has its own cursor
  for await (const _ of galeri.each('/vehicles', { query: { cursor: 'start' } })) break;
}

export async function files(picture: Blob): Promise<void> {
  const path = '/vehicles/{vehicle_id}/photos';
  await galeri.post(path, { params, form: { file: picture, caption: 'Ön' } });
  await galeri.post(path, { params, form: { file: { data: new Uint8Array(3), name: 'front.jpg', type: 'image/jpeg' } } });
  await galeri.post(path, { params, body: { url: 'https://example.com/front.jpg' } });
  await galeri.post('/documents', { form: { file: picture, title: 'Ruhsat' } });
  // @ts-expect-error either a form or a body
  await galeri.post(path, { params });
  // @ts-expect-error the file is missing
  await galeri.post('/documents', { form: { title: 'Ruhsat' } });
  // @ts-expect-error documents come as a form
  await galeri.post('/documents', { body: { title: 'Ruhsat' } });
}

export async function events(body: string, headers: Headers): Promise<string> {
  const event: WebhookEvent = await verifyWebhook(body, headers, 'whsec_…');
  switch (event.type) {
    case 'vehicle.price_changed':
      event.data.object.price satisfies string | undefined;
      // @ts-expect-error a vehicle has no installments
      event.data.object.installments;
      return 'price';
    case 'customer.updated':
      event.data.object.id satisfies string;
      // @ts-expect-error events about people carry ids only
      event.data.object.phone satisfies string;
      return 'customer';
    // @ts-expect-error there is no such type
    case 'car.sold':
      return '';
    default:
  }
  if (isEvent(event, 'sale')) (event satisfies EventOf<Extract<WebhookEvent['type'], `sale.${string}`>>).data.object.status;
  return event.type;
}

export const shown = (error: NotFound): string => {
  if (error.code === ('not_found' satisfies KnownErrorCode)) return error.docUrl ?? '';
  return error.code === 'a_code_of_tomorrow' ? `${error.retryAfter}` : (error.requiredScope ?? '');
};
