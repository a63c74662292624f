// An integrator who follows the event stream through the balancer, and resumes with the last sequence whenever it ends.
import type { ClientRequest } from 'node:http';
import { request } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { patience } from '../../support/patience.ts';
import type { Dealer } from '../world.ts';
import type { Caller } from './caller.ts';
import type { Site } from './site.ts';

/** Two heartbeats: a stream without any is dead. */
const SILENCE_MS = patience(35_000);

export class Listener {
  readonly violations: string[] = [];
  readonly accountId: string;
  /** The last sequence received; all before it were, each once. */
  position = 0;
  opened = 0;
  private readonly url: string;
  private readonly caller: Caller;
  private readonly key: string;
  private stream: ClientRequest | null = null;

  constructor({ api }: Site, caller: Caller, { accountId, key }: Dealer) {
    this.url = new URL('/events/v1?since=0', api).href;
    this.caller = caller;
    this.accountId = accountId;
    this.key = key;
  }

  async run(isOver: () => boolean): Promise<void> {
    for (; !isOver(); await wait(200)) await this.open();
  }

  close(): void {
    this.stream?.destroy();
  }

  /** Until it ends. */
  private open(): Promise<void> {
    return new Promise((resolve) => {
      const headers = {
        authorization: `Bearer ${this.key}`,
        accept: 'text/event-stream',
        ...(this.position === 0 ? {} : { 'last-event-id': String(this.position) }),
      };
      const { ca, servername } = this.caller.tls.options;
      const stream = request(this.url, { agent: false, ca, servername, headers, timeout: SILENCE_MS });
      this.stream = stream;
      stream.on('timeout', () => stream.destroy());
      stream.on('error', () => resolve());
      stream.on('close', () => resolve());
      stream.on('response', (incoming) => {
        if (incoming.statusCode !== 200) {
          incoming.resume();
          if (incoming.statusCode! < 500) this.violations.push(`the event stream was answered ${incoming.statusCode}`);
          return;
        }
        this.opened += 1;
        let text = '';
        incoming.setEncoding('utf8').on('data', (chunk: string) => {
          const frames = (text + chunk).split('\n\n');
          text = frames.pop()!;
          for (const frame of frames) this.take(frame);
        });
        incoming.on('error', () => {});
      });
      stream.end();
    });
  }

  private take(frame: string): void {
    if (frame.includes('event: missed')) this.violations.push(`the event stream of ${this.accountId} missed events: ${frame}`);
    if (!/^data: /m.test(frame)) return;
    const sequence = Number(/^id: (\d+)$/m.exec(frame)?.[1]);
    if (sequence !== this.position + 1)
      this.violations.push(`the event stream of ${this.accountId} sent ${sequence} after ${this.position}`);
    this.position = sequence;
  }
}
