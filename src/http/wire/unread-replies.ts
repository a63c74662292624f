// Replies that callers do not read. Bytes that the network did not accept at once stay in memory and count on the caller's
// budget; a caller who reads nothing for a while is disconnected.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Quota } from '../../domain/sharing/quota.ts';
import type { Budgets } from './budgets.ts';
import { PIECE_BYTES, type Reply } from './reply.ts';

/** Whether a large reply fits in the budget. Small replies nearly always leave at once, and replies to writes are always sent. */
export const hasRoomFor = ({ replyBytes }: Budgets, method: string, owner: string, { body }: Reply): boolean =>
  body === null || body.length <= PIECE_BYTES || method !== 'GET' || replyBytes.hasRoom(owner, body.length);

const held = new WeakMap<Socket, Set<() => void>>();

/** Counts a written reply until it is read. If that exceeds the budget, the connection is closed. */
export function countUnread(response: ServerResponse, shares: Quota, owner: string, { body }: Reply): void {
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

/** One listener per connection, because replies behind the first one get no close event. */
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
 * A caller who reads nothing for this long is disconnected; a stream without pending data stays. It is long, because network
 * buffers may have to drain a megabyte before the progress of a slow reader is visible.
 */
const STALLED_MS = 60_000;

/** Checks all connections from time to time, because a timer for each reply would cost too much. Returns a function that stops it. */
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
