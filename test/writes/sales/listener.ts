// A webhook receiver that records a dealer's whole story: each event once, signed, in order.
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { startWebhookSender } from '../../../src/jobs/deliver-webhooks.ts';
import { createLog } from '../../../src/kit/log.ts';
import { openReceiver } from '../../jobs/receiver.ts';
import { dataOf, type Shown } from '../../support/books.ts';
import { eventsOf } from '../../support/events.ts';
import type { TestService } from '../../support/service.ts';
import type { Dealer } from '../../support/writer.ts';

export interface Listener {
  /** Everything received, in order; it must be every event that happened. */
  received(): Promise<Shown[]>;
  close(): Promise<void>;
}

/** The service must allow webhooks to loopback addresses. */
export async function listenTo(api: TestService, dealer: Dealer): Promise<Listener> {
  const { writer } = api.service.parts;
  const sender = startWebhookSender({
    writer,
    clock: api.clock,
    log: createLog('silent'),
    outbound: { loopback: true },
    pollMs: 1_000_000_000,
  });
  const receiver = await openReceiver();
  const { secret } = dataOf(await dealer.post('webhooks', { url: receiver.url, events: ['*'] }));
  return {
    received: async () => {
      while ((await sender.drain()) > 0);
      // Signed at the moved clock's time, which the package's own check would reject as too old.
      for (const { headers, body } of receiver.got) {
        const at = new Date(Number(headers['webhook-timestamp']) * 1000);
        expect(headers['webhook-signature']).toBe(new Webhook(secret).sign(String(headers['webhook-id']), at, body));
      }
      const received = receiver.got.map(({ json }) => json).toSorted((one, other) => one.sequence - other.sequence);
      const happened = await eventsOf(api, dealer.accountId);
      expect(received.map(({ id, type }) => [id, type])).toEqual(happened.map(({ kind, payload }) => [payload.id, kind]));
      return received;
    },
    close: async () => {
      await sender.close();
      await receiver.close();
    },
  };
}

/** The number of events received of each kind. */
export const counted = (received: readonly Shown[]): Record<string, number> =>
  Object.fromEntries(Object.entries(Object.groupBy(received, ({ type }) => type)).map(([type, same]) => [type, same!.length]));
