// The dealer of the reference's examples: the demonstration with an office, and a key with every endpoint.
import { loadDemo } from '../../src/demo/demo-data.ts';
import { loadDemoOffice } from '../../src/demo/demo-office.ts';
import { AUTHORIZATIONS } from '../../src/domain/keys/key-policy.ts';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { rotateRequestLog } from '../../src/jobs/rotate-request-log.ts';
import { resources } from '../../src/resources/index.ts';
import { storeBulletinFor } from '../support/bulletins.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Dealer, dealerWith, openAll } from '../support/writer.ts';
import { DEALER, LOADED_AT } from './example-requests.ts';

export interface ExampleDealer {
  readonly api: TestService;
  readonly dealer: Dealer;
  readonly keyId: string;
}

export async function exampleDealer(): Promise<ExampleDealer> {
  const api = await testService({ at: LOADED_AT.toISOString() });
  const now = LOADED_AT;
  await rotateRequestLog(api.database, now);
  await loadDemo(api.database, api.secrets, { dealers: 2, vehicles: 60, customers: 40, now });
  // The base URL of the codes on papers: a varying port would change their sizes.
  const publicUrl = 'https://galeri.example.com';
  await loadDemoOffice(api.database, api.secrets, DEALER, now, { files: api.service.parts.files, publicUrl });
  const today = new Date().toISOString().slice(0, 10);
  for (const day of ['2026-10-01', '2026-10-02', today]) await storeBulletinFor(api.database, 'KKTCMB', { day });
  await openAll(api);
  const { id, secret } = await api.key(DEALER.id, {
    name: 'Web sitesi',
    limitPerMinute: 6000,
    authorizations: [...AUTHORIZATIONS],
    endpoints: apiEndpoints(resources).map(({ id }) => id),
  });
  return { api, dealer: dealerWith(api, DEALER.id, secret), keyId: id };
}
