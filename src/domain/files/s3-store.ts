// Files in an S3-compatible store: path-style addresses, signature version 4. The address is the operator's setting (S3_URL), not
// a user's: it may be on a private network, so it does not use outbound.ts.
import { createReadStream } from 'node:fs';
import { type IncomingMessage, Agent as PlainAgent, request as requestPlain } from 'node:http';
import { request as requestSecure, Agent as SecureAgent } from 'node:https';
import { pipeline } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { Unavailable } from '../../kit/db.ts';
import type { FileStore } from './file-store.ts';
import type { S3Config } from './s3-config.ts';

export interface S3Timing {
  /** How long a connection may be silent. */
  readonly idleMs: number;
  /** The limit for one call with all its tries, up to the head of the answer. */
  readonly totalMs: number;
  /** The pause before the second try; the third waits four times as long. */
  readonly backoffMs: number;
}

const TIMING: S3Timing = { idleMs: 5_000, totalMs: 12_000, backoffMs: 150 };
const READING_IDLE_MS = 60_000;
const MAX_TRIES = 3;
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

interface Call {
  readonly method: 'PUT' | 'GET' | 'DELETE';
  readonly name: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sha256?: string;
  /** Opened again for each try. */
  readonly path?: string;
}

export function createS3Store(config: S3Config, timing: S3Timing = TIMING): FileStore {
  const send = createSender(createWire(config, timing), timing);
  async function done(call: Call, ...statuses: readonly number[]): Promise<void> {
    const answer = await send(call);
    if (!statuses.includes(answer.statusCode ?? 0)) throw await refusalOf(answer);
    answer.resume();
  }
  return {
    put: (name, path, { sizeBytes, sha256, contentType }) => {
      const headers = { 'content-length': String(sizeBytes), 'content-type': contentType };
      return done({ method: 'PUT', name, path, sha256, headers }, 200);
    },
    get: async (name) => {
      const answer = await send({ method: 'GET', name });
      if (answer.statusCode === 200) return { stream: answer, sizeBytes: Number(answer.headers['content-length']) };
      const refusal = await refusalOf(answer);
      if (answer.statusCode === 404 && !/NoSuchBucket/.test(refusal.message)) return null;
      throw refusal;
    },
    delete: (name) => done({ method: 'DELETE', name }, 200, 204, 404),
  };
}

type Send = (call: Call) => Promise<IncomingMessage>;
type Attempt = (call: Call, signal: AbortSignal) => Promise<IncomingMessage>;

/** One signed request, up to the head of its answer. */
function createWire(config: S3Config, timing: S3Timing): Attempt {
  const secure = config.origin.startsWith('https:');
  const agent = new (secure ? SecureAgent : PlainAgent)({ keepAlive: true, maxSockets: 64, timeout: 30_000 });
  const signingKeys = new Map<string, ArrayBuffer>();
  return async (call, signal) => {
    const url = new URL(`${config.origin}/${config.bucket}/${config.prefix}${call.name}`);
    const signer = new AwsV4Signer({
      url: url.href,
      method: call.method,
      headers: { ...call.headers, 'x-amz-content-sha256': call.sha256 ?? EMPTY_SHA256 },
      accessKeyId: config.accessKey,
      secretAccessKey: config.secretKey,
      service: 's3',
      region: config.region,
      cache: signingKeys,
    });
    const headers = Object.fromEntries((await signer.sign()).headers);
    return new Promise((resolve, reject) => {
      const outgoing = (secure ? requestSecure : requestPlain)(url, { method: call.method, headers, agent, signal });
      outgoing.setTimeout(timing.idleMs, () => outgoing.destroy(new Error('it does not answer')));
      outgoing.on('response', (answer) => {
        // From here on the reader sets the pace, so only a long silence counts as a failure.
        outgoing.setTimeout(READING_IDLE_MS);
        resolve(answer);
      });
      outgoing.on('error', reject);
      // If either the file or the connection breaks, both are closed.
      if (call.path === undefined) outgoing.end();
      else pipeline(createReadStream(call.path), outgoing, () => {});
    });
  };
}

/** Every call may be repeated, because putting, reading and deleting a file are all idempotent. */
function createSender(attempt: Attempt, timing: S3Timing): Send {
  return async (call) => {
    const deadline = AbortSignal.timeout(timing.totalMs);
    for (let tries = 1; ; tries += 1) {
      // Each try has its own signal, because reading an answer may take longer than the time limit for getting it.
      const stop = new AbortController();
      const late = () => stop.abort(new Error('it does not answer'));
      deadline.addEventListener('abort', late, { once: true });
      try {
        const answer = await attempt(call, stop.signal);
        const { statusCode: status = 0 } = answer;
        if (status < 500 && status !== 429) return answer;
        const refusal = await refusalOf(answer);
        if (tries >= MAX_TRIES || deadline.aborted) throw refusal;
      } catch (error) {
        const isLast = tries >= MAX_TRIES || deadline.aborted;
        if (error instanceof Unavailable || isLast || isOurs(error)) throw unavailable(error);
      } finally {
        deadline.removeEventListener('abort', late);
      }
      await wait(timing.backoffMs * 4 ** (tries - 1) * (0.5 + Math.random()));
    }
  };
}

/** The file cannot be read: another try would not help. */
const isOurs = (error: unknown): boolean => (error as NodeJS.ErrnoException).syscall === 'open';

const unavailable = (error: unknown): Unavailable =>
  error instanceof Unavailable ? error : new Unavailable(`the store for files: ${(error as Error).message}`);

/** The store's own error code (NoSuchBucket, SignatureDoesNotMatch), for our log and never for a caller. */
async function refusalOf(answer: IncomingMessage): Promise<Unavailable> {
  let text = '';
  try {
    for await (const part of answer) {
      text += part;
      if (text.length > 8_192) break;
    }
  } catch {
    // The part that was read is enough.
  }
  answer.destroy();
  const code = /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1];
  return new Unavailable(`the store for files answered ${answer.statusCode}${code === undefined ? '' : ` ${code}`}`);
}
