// The service is killed with -9 between the approval of an agent's write and its end: the write happens once or not at all, and once
// after the agent repeats its call.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answered, aCar, ask, dataOf } from '../harness/ask.ts';
import { createRandom } from '../harness/random.ts';
import { openWorld, type World } from '../harness/world.ts';
import { provideMigrated } from '../start/prepared.ts';
import { newAgent } from '../support/agent.ts';
import { end } from '../support/child-processes.ts';
import { until } from '../support/patience.ts';

const KILLS = 8;
/** An act takes about 20 ms on an idle machine. */
const WITHIN_MS = 20;

let world: World;

beforeAll(async () => {
  await provideMigrated();
  world = await openWorld({ dealers: 1, postgres: 'address' });
});
afterAll(() => world.close());

async function openSale(api: string, key: string): Promise<string> {
  const post = async (path: string, body: unknown): Promise<Answered> =>
    ask(api, { method: 'POST', path, key, body, idempotencyKey: randomUUID() });
  const car = dataOf(await post('vehicles', aCar('34 KIL 01')));
  const customer = dataOf(await post('customers', { first_name: 'Ayşe', last_name: 'Yılmaz', phone: '+905331234567' }));
  const terms = { sale_price: '9000.00', currency: 'STG', installment_count: 3 };
  return dataOf(await post('sales', { vehicle_id: car.id, customer_id: customer.id, ...terms })).id;
}

test('a write that was approved is done once, no matter when the service is killed', async () => {
  const [{ key }] = world.dealers as [World['dealers'][0]];
  await world.query(`update api_keys set agents = 'write', agent_confirmation = 'panel'`);
  const random = createRandom(1);
  let { child, ready } = await world.serve();
  const sale = await openSale(ready.api, key);
  const agentOf = () => newAgent(new URL(ready.api).origin, key);
  const collected = async (): Promise<string[]> =>
    (await world.query<{ amount: string }>('select money_text(amount_minor) as amount from collections')).map(
      ({ amount }) => amount,
    );
  const expected: string[] = [];
  for (let round = 1; round <= KILLS; round += 1) {
    const amount = `${round}.00`;
    const args = { method: 'POST', path: 'collections', body: { sale_id: sale, amount, currency: 'STG' } };
    const agent = await agentOf();
    const { confirm } = await agent.use('write', args);
    expect(await agent.use('write', { ...args, confirm })).toMatchObject({ status: 'waiting' });
    await world.query(
      `update agent_writes set status = 'approved', confirmed_by = 'panel', decided_by = gen_random_uuid(), decided_at = now() where id = $1`,
      [confirm.split('.')[1]],
    );
    const acting = agent.use('write', { ...args, confirm }).catch(() => null);
    // Every second kill comes at once after the commit, before or while the reply is written and the act recorded.
    if (round % 2 === 0) await until(async () => (await collected()).includes(amount));
    else await wait(random.below(WITHIN_MS));
    await end(child, 'SIGKILL');
    await acting;
    expect((await collected()).filter((one) => one === amount).length, `${round}: after the kill`).toBeLessThanOrEqual(1);
    ({ child, ready } = await world.serve());
    const again = await agentOf();
    expect(await again.use('write', { ...args, confirm }), `${round}`).toMatchObject({ status: 'done' });
    expected.push(amount);
    expect((await collected()).toSorted(), `${round}: after the repetition`).toEqual(expected.toSorted());
    await Promise.allSettled([agent.close(), again.close()]);
  }
});
