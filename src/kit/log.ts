// The service's own log: one line per event, JSON for machines, readable text for people. Requests are not logged here (a line
// each costs 6 % of throughput); they are in the request log.
import { inspect } from 'node:util';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Log {
  debug(message: string, facts?: Record<string, unknown>): void;
  info(message: string, facts?: Record<string, unknown>): void;
  warn(message: string, facts?: Record<string, unknown>): void;
  error(message: string, facts?: Record<string, unknown>): void;
}

const COLOUR = { debug: 90, info: 36, warn: 33, error: 31 } as const;

/** `to`: a command whose result goes to stdout logs to stderr. `always`: facts of each JSON line. */
export function createLog(level: LogLevel, to: NodeJS.WriteStream = process.stdout, always: object = {}): Log {
  const readable = to.isTTY === true;
  const write =
    (at: keyof typeof COLOUR) =>
    (message: string, facts: Record<string, unknown> = {}) => {
      if (LOG_LEVELS.indexOf(at) < LOG_LEVELS.indexOf(level)) return;
      const time = new Date().toISOString();
      if (readable) {
        const rest = Object.entries(facts).map(([name, value]) => ` \x1b[90m${name}=\x1b[0m${plain(value)}`);
        to.write(
          `\x1b[90m${time.slice(11, 19)}\x1b[0m \x1b[${COLOUR[at]}m${at.padEnd(5)}\x1b[0m ${plain(message)}${rest.join('')}\n`,
        );
      } else to.write(`${asJson({ time, level: at, message, ...always, ...facts })}\n`);
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/** Logging must never fail: a bigint, or an object that contains itself, is written as text. */
function asJson(line: Record<string, unknown>): string {
  try {
    return JSON.stringify(line);
  } catch {
    return JSON.stringify(Object.fromEntries(Object.entries(line).map(([name, value]) => [name, inspect(value)])));
  }
}

/** Control characters would let a caller's text change the terminal or fake a line. */
function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : inspect(value, { breakLength: Number.POSITIVE_INFINITY });
  return text.replace(/\p{Cc}/gu, '?');
}
