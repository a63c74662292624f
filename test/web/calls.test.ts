// What a call sends; that a wrong one does not compile, refused-calls.ts shows.
import { afterEach, expect, it, vi } from 'vitest';
import { addressOf, call, callPage } from '../../web/src/api.ts';

const params = { vehicle_id: 'a/b' };

afterEach(() => vi.unstubAllGlobals());

it('names method and path, fills in the parameters and leaves out what is empty', async () => {
  const fetched = vi.fn(async () => Response.json({ data: [], meta: { limit: 25, offset: 0 } }));
  vi.stubGlobal('fetch', fetched);
  await callPage('GET v1/vehicles/{vehicle_id}/history', { params, query: { event: '', limit: 5 } });
  expect(fetched).toHaveBeenCalledWith(
    '/panel/api/v1/vehicles/a%2Fb/history?limit=5',
    expect.objectContaining({ method: 'GET' }),
  );
});

it('sends a body as it is, and an empty one where a write has none', async () => {
  const fetched = vi.fn(async () => Response.json({ data: {} }));
  vi.stubGlobal('fetch', fetched);
  await call('PATCH v1/vehicles/{vehicle_id}', { params, body: { status: 'Stokta' }, headers: { 'If-Match': 'x' } });
  await call('POST v1/customers', { rawBody: { first_name: 'Ada' } });
  await call('POST session/end-look');
  expect(fetched.mock.calls.map(([, sent]: unknown[]) => (sent as RequestInit).body)).toEqual([
    '{"status":"Stokta"}',
    '{"first_name":"Ada"}',
    '{}',
  ]);
  expect(fetched).toHaveBeenCalledWith(
    '/panel/api/v1/vehicles/a%2Fb',
    expect.objectContaining({ method: 'PATCH', headers: expect.objectContaining({ 'If-Match': 'x' }) }),
  );
});

it('gives the address of what is downloaded', () => {
  expect(addressOf('GET logs/export', { query: { status: 'errors', key: undefined } })).toBe(
    '/panel/api/logs/export?status=errors',
  );
});
