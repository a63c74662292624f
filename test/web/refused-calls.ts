// Calls are checked by the tables the server runs: what is wrong below must not compile (`tsc -p web`), or the mark over it is an error.
import { call, callPage, callTagged } from '../../web/src/api.ts';
import { upload } from '../../web/src/upload.ts';

const params = { vehicle_id: '1' };

/** Never run: only its types matter. */
export async function refused(): Promise<void> {
  // @ts-expect-error no such path
  await call('GET v1/vehicle');
  // @ts-expect-error of that path, not by that method
  await call('PATCH v1/vehicles/{vehicle_id}/history', { params });
  // @ts-expect-error a list is called by callPage
  await call('GET v1/vehicles', {});
  // @ts-expect-error and one record is no list
  await callPage('GET v1/vehicles/{vehicle_id}', { params });
  // @ts-expect-error a download has an address and no data
  await call('GET logs/export', {});
  // @ts-expect-error the path's parameter is missing
  await call('GET v1/vehicles/{vehicle_id}', {});
  // @ts-expect-error is called otherwise
  await call('GET v1/vehicles/{vehicle_id}', { params: { id: '1' } });
  // @ts-expect-error a query parameter it does not know
  await callPage('GET v1/vehicles', { query: { colour: 'red' } });
  const search = { brand: 'Audi', colour: 'red' };
  // @ts-expect-error also where the object was made elsewhere
  await callPage('GET v1/vehicles', { query: search });
  // @ts-expect-error or was spread
  await callPage('GET v1/vehicles', { query: { ...search } });
  // @ts-expect-error a field it does not take
  await call('PATCH v1/vehicles/{vehicle_id}', { params, body: { colour: 'red' } });
  // @ts-expect-error a value it does not take
  await call('PATCH v1/vehicles/{vehicle_id}', { params, body: { status: 'Sold' } });
  // @ts-expect-error a required field is missing
  await call('POST keys/{key_id}/revoke', { params: { key_id: '1' } });
  // @ts-expect-error a body where none is taken
  await call('POST v1/vehicles/{vehicle_id}/restore', { params, body: { now: true } });
  // @ts-expect-error the same in a form's body
  await call('POST v1/vehicles', { rawBody: { colour: 'red' } });
  const { data } = await callTagged('GET v1/vehicles/{vehicle_id}', { params });
  // @ts-expect-error a field that the reply has not
  data.colour;
  const { items } = await callPage('GET keys', {});
  // @ts-expect-error nor a line of the list
  items[0]?.secret_hash;
  // @ts-expect-error a file goes to an endpoint that is posted to
  await upload('GET v1/vehicles/{vehicle_id}', { params, form: new FormData() });
}
