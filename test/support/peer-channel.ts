// A channel between nodes of one process, in place of the change channel of the database.
import type { PeerChannel } from '../../src/http/rate-limits/peers.ts';

export function openPeerChannel(): PeerChannel {
  const listeners: ((text: string) => void)[] = [];
  return {
    send: async (text) => {
      // As from the database: later, and to the sender too.
      await new Promise((resolve) => setImmediate(resolve));
      for (const listener of listeners) listener(text);
    },
    onMessage: (listener) => void listeners.push(listener),
  };
}
