// Clients that no library would write: they send half of what they announce, or read nothing.
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A connection that has sent `bytes` and nothing more. The reply is kept; with `reads` false, nothing is read. */
export interface RudeClient {
  readonly socket: Socket;
  received(): string;
  readonly closed: Promise<void>;
}

export function rudeClient(
  url: string,
  bytes: string | readonly Buffer[],
  { reads = true, from }: { reads?: boolean; from?: string } = {},
): Promise<RudeClient> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), ...(from === undefined ? {} : { localAddress: from }) });
    let text = '';
    if (reads)
      socket.on('data', (piece) => {
        text += piece.toString('latin1');
      });
    const closed = new Promise<void>((end) => socket.once('close', () => end()));
    socket.on('error', () => {});
    socket.once('connect', () => {
      for (const piece of typeof bytes === 'string' ? [bytes] : bytes) socket.write(piece);
      resolve({ socket, received: () => text, closed });
    });
  });
}

/** A regular request from another address of this machine. */
export function askFrom(url: string, path: string, from: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const sent = request({ hostname, port, path, headers, localAddress: from, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode!));
    });
    sent.once('error', reject).end();
  });
}

export const leave = (clients: readonly RudeClient[]): void => {
  for (const { socket } of clients) socket.destroy();
};
