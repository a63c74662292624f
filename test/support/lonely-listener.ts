// For tests of forbidden calls: a listener on every address of this machine that counts connections, and a real name server whose
// answers the test sets.
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { patience } from './patience.ts';

export interface LonelyListener {
  readonly port: number;
  /** Resolver options for the guard: names are resolved by this server. */
  readonly resolve: (name: string) => Promise<string[]>;
  connects: number;
  asked: number;
  /** The addresses of any name, by the number of queries so far. */
  answer: (query: number) => readonly string[];
  close(): Promise<void>;
}

export async function openLonelyListener(): Promise<LonelyListener> {
  const listener = createServer((socket) => {
    lonely.connects += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, '::', resolve));
  const names = createSocket('udp4');
  names.on('message', (message, from) => {
    lonely.asked += 1;
    names.send(reply(message, lonely.answer(lonely.asked)), from.port, from.address);
  });
  names.bind(0, '127.0.0.1');
  await once(names, 'listening');
  const resolver = new Resolver({ timeout: patience(2000), tries: 2 });
  resolver.setServers([`127.0.0.1:${names.address().port}`]);
  const lonely: LonelyListener = {
    port: (listener.address() as AddressInfo).port,
    resolve: (name) => resolver.resolve4(name),
    connects: 0,
    asked: 0,
    answer: () => [],
    close: async () => {
      names.close();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
  return lonely;
}

/** The question as received, and an A record for each address. */
function reply(question: Buffer, addresses: readonly string[]): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt16BE(0, 10);
  let end = 12;
  while (head[end] !== 0) end += head[end]! + 1;
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([head.subarray(0, end + 5), ...records]);
}
