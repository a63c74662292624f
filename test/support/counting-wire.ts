// A connection to the database that counts round trips: how often data was sent after a reply, for any number of statements.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface CountingWire {
  /** The database's address, through the wire. */
  readonly url: string;
  /** Round trips since the last call. */
  taken(): number;
  close(): Promise<void>;
}

export async function openCountingWire(databaseUrl: string): Promise<CountingWire> {
  const url = new URL(databaseUrl);
  const host = decodeURIComponent(url.hostname);
  const port = Number(url.port || 5432);
  const sockets = new Set<Socket>();
  let trips = 0;
  const server = createServer((inner) => {
    const outer = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    let isAnswered = true;
    inner.on('data', (bytes) => {
      if (isAnswered) trips += 1;
      isAnswered = false;
      outer.write(bytes);
    });
    outer.on('data', (bytes) => {
      isAnswered = true;
      inner.write(bytes);
    });
    for (const [socket, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    taken: () => {
      const taken = trips;
      trips = 0;
      return taken;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
