// Another dealer that writes as fast as it can while the API is measured: the cost for other dealers.
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '../src/kit/ids.ts';
import { type BenchData, galeri } from './data.ts';

const WRITERS = 16;
const ROW = 'POST vehicles';

/** Vehicles in sequence over sixteen connections, each with a unique key. Returns a function that ends it. */
export async function startWriting({ dataDir }: BenchData, port: number): Promise<() => Promise<void>> {
  writer ??= makeWriter(dataDir);
  const key = await writer;
  const agent = new Agent({ keepAlive: true, maxSockets: WRITERS });
  // An activated endpoint is open on every node within a second.
  for (const until = Date.now() + 10_000; (await write(agent, port, key)) !== 201; await wait(100))
    if (Date.now() > until) throw new Error('no vehicle could be added');
  let isEnding = false;
  const writeOn = async () => {
    while (!isEnding) {
      const status = await write(agent, port, key);
      if (status !== 201 && status !== 503) throw new Error(`a vehicle was answered ${status}`);
    }
  };
  const writers = Promise.all(Array.from({ length: WRITERS }, writeOn));
  return async () => {
    isEnding = true;
    await writers;
    agent.destroy();
  };
}

let writer: Promise<string> | undefined;

/** Its key. */
async function makeWriter(dataDir: string): Promise<string> {
  const { id } = await galeri<{ id: string }>(dataDir, 'account', 'create', '--name', 'Yazan Oto');
  const policy = ['--name', 'Writes', '--per-minute', '1000000', '--endpoint', ROW];
  const { key } = await galeri<{ key: string }>(dataDir, 'key', 'create', '--account', id, ...policy);
  await galeri(dataDir, 'release', 'activate', ROW);
  return key;
}

function write(agent: Agent, port: number, key: string): Promise<number> {
  const number = newId();
  const body = JSON.stringify({ ...CAR, plate: number.slice(-12) });
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'idempotency-key': number,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port, path: '/api/v1/vehicles', method: 'POST', headers, agent },
      (incoming) => {
        incoming.resume().once('end', () => resolve(incoming.statusCode!));
      },
    );
    outgoing.once('error', reject).end(body);
  });
}

const CAR = {
  brand: 'Volkswagen',
  model: 'Passat Değişken',
  model_year: 2018,
  km: 84_000,
  fuel_type: 'Dizel',
  transmission: 'Otomatik',
  body_type: 'Sedan',
  color: 'Gümüş Gri',
  city: 'Gazimağusa',
  price: '14500.00',
  currency: 'STG',
};
