// A caller of the API through the balancer, as an integrator writes one: a deadline for each request, and the same request again with the
// same key until its outcome is known.
import { Agent } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { deadline } from '../../support/patience.ts';
import { type Answered, ask, codeOf, type HarnessRequest } from '../ask.ts';
import type { Site } from './site.ts';

export type CallerRequest = Omit<HarnessRequest, 'tls'>;

export interface Caller {
  readonly tls: Agent;
  /** How often requests were answered with each status; `none`: without a reply. */
  readonly statuses: Record<string, number>;
  /** Requests that had to be sent again. */
  repeated(): number;
  /** Throws without a complete reply. */
  ask(request: CallerRequest): Promise<Answered>;
  /** Null if it was never answered. */
  untilAnswered(request: CallerRequest): Promise<Answered | null>;
  close(): void;
}

/**
 * The outcome is unknown, or nothing has happened. HAProxy answers 502 and 504 for a node that ended or was silent; 429 comes for a moment
 * while nodes that lost Redis inform each other of what they admitted.
 */
export const AGAIN: readonly number[] = [429, 502, 503, 504];

export function openCaller({ api, balancer }: Site): Caller {
  const tls = new Agent({ keepAlive: true, ca: balancer.ca, servername: 'localhost' });
  const statuses: Record<string, number> = {};
  let repeated = 0;
  const count = (answer: Answered | null): void => {
    const name = answer === null ? 'none' : String(answer.status);
    statuses[name] = (statuses[name] ?? 0) + 1;
  };
  return {
    tls,
    statuses,
    repeated: () => repeated,
    ask: (request) => ask(api, { ...request, tls }),
    untilAnswered: async (request) => {
      for (const isOver = deadline(180_000); !isOver(); await wait(100)) {
        const answer = await ask(api, { ...request, tls }).catch(() => null);
        count(answer);
        const isOpen = answer === null || AGAIN.includes(answer.status) || isInProgress(answer);
        if (!isOpen) return answer;
        repeated += 1;
      }
      return null;
    },
    close: () => tls.destroy(),
  };
}

const isInProgress = (answer: Answered): boolean => answer.status === 409 && codeOf(answer) === 'idempotency_in_progress';
