// For commands that call a service over HTTP with a key, from an integrator's machine.
import { isWellFormed } from '../domain/keys/key-secret.ts';
import { UsageError } from './command.ts';

const DEFAULT_SERVICE = 'http://127.0.0.1:3000';

export const serviceAddress = (): string => addressOf(process.env.GALERI_URL || DEFAULT_SERVICE, 'GALERI_URL').replace(/\/$/, '');

export function addressOf(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${name} must be an address that begins with http:// or https://, not "${text}"`);
  if (url.username !== '' || url.password !== '') throw new UsageError(`${name} must not contain a user name or password`);
  return url.href;
}

/** Never an argument: everyone on the machine can read those. */
export async function readKey(): Promise<string> {
  const key = process.env.GALERI_KEY?.trim() || (process.stdin.isTTY ? '' : (await firstLine(process.stdin)).trim());
  if (key === '') throw new UsageError('the key is missing: set GALERI_KEY, or send it on stdin');
  if (!isWellFormed(key)) throw new UsageError('the key is not well formed; check that it was copied completely');
  return key;
}

const MAX_KEY_TEXT = 1000;

async function firstLine(stream: NodeJS.ReadStream): Promise<string> {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    text += chunk;
    if (text.includes('\n') || text.length > MAX_KEY_TEXT) break;
  }
  return text.split('\n', 1)[0]!;
}

/** The cause of fetch's error, in a few words. */
export function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError') return 'it took too long';
  const { code, message: inner } = (cause ?? {}) as NodeJS.ErrnoException;
  return code ?? (inner || message);
}
