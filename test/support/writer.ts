// A dealer whose key may do anything, for tests of writing endpoints.
import { resources } from '../../src/resources/index.ts';
import { send } from '../contract/wire.ts';
import { requireDescribed } from './documented.ts';
import type { Answer, TestService } from './service.ts';

const allEndpoints = resources.flatMap(({ endpoints }) => endpoints);

/** Every endpoint that has a body, open. */
export const openAll = (api: TestService): Promise<void> =>
  api.release('Aktif', ...allEndpoints.filter((endpoint) => endpoint.body !== null).map((endpoint) => endpoint.id));

export interface Dealer {
  readonly accountId: string;
  readonly key: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
}

export async function newDealer(api: TestService, account: Record<string, unknown> = {}): Promise<Dealer> {
  const accountId = await api.account(account);
  const { secret: key } = await api.key(accountId, { endpoints: allEndpoints.map((endpoint) => endpoint.id) });
  return dealerWith(api, accountId, key);
}

export function dealerWith(api: TestService, accountId: string, key: string): Dealer {
  const ask = async (method: string, path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await send(api.service.url, {
      method,
      target: `/api/v1/${path}`,
      key,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    requireDescribed(api.service.url, method, path, answer.status, answer.text);
    return answer;
  };
  return {
    accountId,
    key,
    get: (path, headers) => ask('GET', path, undefined, headers),
    post: (path, body, headers) => ask('POST', path, body, headers),
    patch: (path, body, headers) => ask('PATCH', path, body, headers),
    delete: (path, headers) => ask('DELETE', path, undefined, headers),
  };
}

let plates = 0;

/** A vehicle as a dealer would enter it, with a unique plate. */
export const aCar = (overrides: Record<string, unknown> = {}) => ({
  brand: 'Volkswagen',
  model: 'Golf',
  model_year: 2018,
  km: 84_000,
  fuel_type: 'Benzin',
  transmission: 'Otomatik',
  body_type: 'Hatchback',
  color: 'Gümüş',
  plate: `TS ${++plates}`,
  city: 'Lefkoşa',
  price: '14500.00',
  currency: 'STG',
  ...overrides,
});

let people = 0;

/** A person as a dealer would enter one: a customer or a guarantor, personal data included. */
export const aPerson = (overrides: Record<string, unknown> = {}) => ({
  first_name: 'Ayşe',
  last_name: 'Yılmaz',
  phone: '0533 123 45 67',
  id_no: `IDNO7KEPT${++people}`,
  address: 'ADDRESS7KEPT',
  monthly_income: '8765432.19',
  ...overrides,
});
