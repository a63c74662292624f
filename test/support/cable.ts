// A cable to the database, through a TCP forwarder in this process: it can be slowed, cut, half-closed and left hanging.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface Cable {
  /** The database's address, through the cable. */
  readonly url: string;
  /** Every byte arrives this much later, in order. */
  slow(milliseconds: number): void;
  /** Connections end, and new ones are refused. */
  cut(): void;
  /** Connections stay open but nothing arrives, as with a firewall that dropped them; new ones hang too. */
  hang(): void;
  /**
   * Our side sees that PostgreSQL ends the connections and PostgreSQL sees nothing: a half-closed connection. New ones are
   * refused.
   */
  halfClose(): void;
  /** New connections work again; hanging ones stay hanging. */
  mend(): void;
  /** New connections go to this server, as with an address that moves. */
  leadTo(url: string): void;
  /** Open now. */
  connections(): number;
  close(): Promise<void>;
}

export async function layCable(databaseUrl: string): Promise<Cable> {
  let { host, port } = targetOf(databaseUrl);
  let mode: 'open' | 'cut' | 'hanging' = 'open';
  let delay = 0;
  const pairs = new Set<{ ends: [Socket, Socket]; hanging: boolean }>();
  const sockets = new Set<Socket>();
  const server = createServer((inner) => {
    if (mode === 'cut') {
      inner.destroy();
      return;
    }
    const outer = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    const pair = { ends: [inner, outer] as [Socket, Socket], hanging: mode === 'hanging' };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      // Hanging connections are not notified that the other side is gone.
      if (pair.hanging) return;
      for (const socket of pair.ends) socket.destroy();
    };
    const carry = (from: Socket, to: Socket) => {
      sockets.add(from.setNoDelay(true));
      from.on('error', () => {});
      from.on('close', () => sockets.delete(from));
      from.on('close', end);
      // In order, even if the delay was changed in between.
      let carried = Promise.resolve();
      from.on('data', (bytes) => {
        const due = performance.now() + delay;
        carried = carried.then(async () => {
          if (due > performance.now()) await wait(due - performance.now());
          if (!pair.hanging && !to.destroyed) to.write(bytes);
        });
      });
    };
    carry(inner, outer);
    carry(outer, inner);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  const endAll = () => {
    for (const { ends } of pairs) for (const socket of ends) socket.destroy();
  };
  return {
    url: url.href,
    slow: (milliseconds) => {
      delay = milliseconds;
    },
    cut: () => {
      mode = 'cut';
      endAll();
    },
    halfClose: () => {
      mode = 'cut';
      for (const pair of pairs) {
        pair.hanging = true;
        pair.ends[0].end();
      }
    },
    hang: () => {
      mode = 'hanging';
      for (const pair of pairs) pair.hanging = true;
    },
    mend: () => {
      mode = 'open';
    },
    leadTo: (target) => {
      ({ host, port } = targetOf(target));
    },
    connections: () => pairs.size,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function targetOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: decodeURIComponent(hostname), port: Number(port || 5432) };
}
