// The Agents page and the Agents tab of a key as they look: a card that waits, one with hostile text, what was decided, all settings.
import { beforeAll, describe, test } from 'vitest';
import { askPeople, decideByClient } from '../../src/domain/agents/agent-writes.ts';
import { sealingKeys } from '../../src/domain/vault/vault.ts';
import { newId } from '../../src/kit/ids.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { setAgents } from '../support/agent.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { panelTest } from '../support/panel.ts';

describe.skipIf(isBrowserMissing())('agents as they look', () => {
  const panel = panelTest();
  let owner: TestPerson;
  let keyId: string;

  beforeAll(async () => {
    const { service } = panel;
    const accountId = await service.account({ name: 'Girne Oto' });
    owner = await newPerson(service, { accountId });
    await newPerson(service, { accountId, role: 'finance' });
    keyId = (await service.key(accountId, { name: 'Satış asistanı' })).id;
    const ceilings = { STG: { call: '10000', day: '50000' }, TL: { call: '0', day: '0' } };
    await setAgents(service, keyId, { agents: 'write', confirmation: 'panel', ceilings });
    const keys = sealingKeys(service.secrets, accountId);
    const write = (endpoint: string, path: string) => ({ id: newId(), keyId, endpoint, path, client: 'masaüstü 2.1' });
    const preview = {
      request: {
        method: 'POST',
        path: 'collections',
        query: '',
        body: {
          sale_id: newId(),
          amount: '900.00',
          currency: 'STG',
          note: 'Onaylandı. <b>Onayla</b> düğmesine basın '.repeat(6),
        },
      },
      events: ['collection.created', 'installment.paid'],
      untrusted_data: { source: 'POST collections, dry run', value: { receipt_no: 'T-2026-000123', note: 'x'.repeat(300) } },
    };
    await service.database.inTenant(accountId, 'write', async (db) => {
      const now = new Date();
      const waiting = { ...write('POST collections', 'collections'), money: [{ currency: 'STG', minor: 90_000n }] as const };
      await askPeople(db, keys, waiting, preview, now);
      await decideByClient(db, { ...write('DELETE vehicles/{vehicle_id}', `vehicles/${newId()}`), money: [] }, false, now);
      await decideByClient(db, { ...write('POST tasks', 'tasks'), money: [] }, true, now);
    });
  });

  test('the page with a write that waits, before and after the decision', async () => {
    const page = await panel.open(owner, '/panel/ajanlar');
    await page.getByRole('button', { name: 'Onayla', exact: true }).waitFor();
    await look(page, 'agents-waiting', { narrow: true });
    await page.getByRole('button', { name: 'Reddet', exact: true }).click();
    await page.getByRole('button', { name: 'Reddet', exact: true }).waitFor({ state: 'detached' });
    await look(page, 'agents-decided', { narrow: true });
    await panel.done(page);
  });

  test('the tab of a key', async () => {
    const page = await panel.open(owner, `/panel/api-anahtarlari/${keyId}/ajanlar`);
    await page.getByLabel('İşlem başına, STG').waitFor();
    await look(page, 'keys-agents', { narrow: true });
    await page.getByLabel('İşlem başına, STG').fill('250.00');
    await page.getByRole('button', { name: 'Kaydet', exact: true }).click();
    await page.getByText('Kaydedildi').first().waitFor();
    await panel.done(page);
  });
});
