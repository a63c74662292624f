// When the reader of a stream that a stopping node ends comes back.
import { randomInt } from 'node:crypto';

const [SOONEST_MS, LATEST_MS] = [500, 3000];

/** A field of text/event-stream. Each reader gets another time, so that they do not reach the other nodes all at once. */
export const reconnectHint = (): string => `retry: ${randomInt(SOONEST_MS, LATEST_MS)}\n`;
