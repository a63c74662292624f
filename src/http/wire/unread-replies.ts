// Replies that their callers do not take. What the network did not take at once is held in memory: it is counted for whoever asked for
// it, and whoever takes nothing for a while is cut off.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Shares } from '../../domain/sharing/shares.ts';
import type { Budgets } from './budgets.ts';
import { PIECE_BYTES, type Reply } from './reply.ts';

/** Whether a large reply may be held; a small one nearly always leaves at once. What a write has done is told in any case. */
export const hasRoomFor = ({ replyBytes }: Budgets, method: string, owner: string, { body }: Reply): boolean =>
  body === null || body.length <= PIECE_BYTES || method !== 'GET' || replyBytes.hasRoom(owner, body.length);

const held = new WeakMap<Socket, Set<() => void>>();

/** After it was written: counted until it is taken. Where that is too much, the connection ends: nobody is reading. */
export function countUnread(response: ServerResponse, shares: Shares, owner: string, { body }: Reply): void {
  if (body === null || response.destroyed || (response.writableEnded && response.writableLength === 0)) return;
  const { socket } = response.req;
  if (!shares.hasRoom(owner, body.length)) {
    socket.destroy();
    return;
  }
  const bytes = body.length;
  shares.take(owner, bytes);
  const release = () => {
    if (all.delete(release)) shares.leave(owner, bytes);
  };
  const all = releasesOf(socket).add(release);
  response.once('close', release);
}

/** One listener for a connection, however many replies wait on it: those behind the first are not told of its end. */
function releasesOf(socket: Socket): Set<() => void> {
  const known = held.get(socket);
  if (known !== undefined) return known;
  const all = new Set<() => void>();
  held.set(socket, all);
  socket.once('close', () => {
    for (const release of [...all]) release();
  });
  return all;
}

/**
 * Whoever takes nothing for so long is not reading. A stream without news has nothing to take, and stays. Long, because the network's own
 * buffers may have to drain by a megabyte before a slow reader is seen to have taken anything.
 */
const STALLED_MS = 60_000;

/** Looks at all connections now and then: a timer for each reply would cost more than the reply. Returns how to stop. */
export function cutStalled(sockets: ReadonlySet<Socket>, stalledMs = STALLED_MS): () => void {
  let waiting = new Map<Socket, { readonly taken: number; readonly since: number }>();
  const look = setInterval(() => {
    const still = new Map<Socket, { readonly taken: number; readonly since: number }>();
    const now = performance.now();
    for (const socket of sockets) {
      if (socket.writableLength === 0) continue;
      const taken = socket.bytesWritten - socket.writableLength;
      const before = waiting.get(socket);
      const since = before?.taken === taken ? before.since : now;
      if (now - since >= stalledMs) socket.destroy();
      else still.set(socket, { taken, since });
    }
    waiting = still;
  }, stalledMs / 12);
  look.unref();
  return () => clearInterval(look);
}
