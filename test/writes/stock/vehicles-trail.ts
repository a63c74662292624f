// What a write stored: its events in order and the vehicle's history, read from the tables.
import { openSession, type Session } from '../../../src/postgres/database.ts';
import type { Answer, TestService } from '../../support/service.ts';
import { aCar, type Dealer } from '../../support/writer.ts';

export interface Payload {
  readonly type: string;
  readonly resource: { readonly kind: string; readonly id: string; readonly path: string };
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary JSON
  readonly data: { readonly object: any; readonly changed: string[]; readonly previous: Record<string, unknown> };
}

export interface Trail {
  readonly admin: Session;
  /** The events that `act` caused, oldest first. */
  during(act: () => Promise<unknown>): Promise<Payload[]>;
  kindsDuring(act: () => Promise<unknown>): Promise<string[]>;
  close(): Promise<void>;
}

export async function trailOf(api: TestService, { accountId }: Dealer): Promise<Trail> {
  const admin = await openSession(api.adminUrl);
  const read = async (after: bigint) => {
    const found = await admin.rows<{ payload: string }>(
      `select payload from events where account_id = '${accountId}' and sequence > ${after} order by sequence`,
    );
    return found.map(({ payload }) => JSON.parse(payload) as Payload);
  };
  const during = async (act: () => Promise<unknown>) => {
    const [{ sequence }] = (await admin.rows<{ sequence: bigint }>(
      `select sequence from data_sets where id = '${accountId}'`,
    )) as [{ sequence: bigint }];
    await act();
    return read(sequence);
  };
  return {
    admin,
    during,
    kindsDuring: async (act) => (await during(act)).map(({ type }) => type),
    close: () => admin.close(),
  };
}

export const made = async (dealer: Dealer, overrides: Record<string, unknown> = {}): Promise<string> => {
  const { status, text, json } = await dealer.post('vehicles', aCar(overrides));
  if (status !== 201) throw new Error(text);
  return json.data.id;
};

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary JSON
export const historyOf = async (dealer: Dealer, id: string): Promise<any[]> =>
  (await dealer.get(`vehicles/${id}/history`)).json.data;

export const verdict = ({ status, json }: Answer): string =>
  status === 200 ? (json.data.deleted_at === null ? json.data.status : 'deleted') : `${status} ${json.error.code}`;
