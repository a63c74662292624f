// `sandbox` on an integrator's machine: /sandbox/v1 of a service, with a sandbox key.
import { UsageError } from '../command.ts';
import { readKey, reasonOf, serviceAddress } from '../service-key.ts';
import type { SandboxControl } from './sandbox-control.ts';

/** A move of the clock over years, after the moves of other callers. */
const TIMEOUT_MS = 180_000;

export async function overHttp(act: (control: SandboxControl) => Promise<void>): Promise<void> {
  const service = serviceAddress();
  const key = await readKey();
  const ask = <T>(path: string, body?: object): Promise<T> => send(service, key, path, body) as Promise<T>;
  await act({
    show: () => ask(''),
    reset: (body) => ask('/reset', body),
    clock: () => ask('/clock'),
    advance: (body) => ask('/clock', body),
    messages: (query) => {
      const parameters = Object.entries(query).filter(([, value]) => value !== undefined);
      return ask(`/messages?${new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, String(value)]))}`);
    },
  });
}

async function send(service: string, key: string, path: string, body: object | undefined): Promise<unknown> {
  const unreachable = (error: unknown): never => {
    throw new UsageError(`no reply from the service at ${service} (${reasonOf(error)}); check GALERI_URL`);
  };
  const response = await fetch(`${service}/sandbox/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(unreachable);
  const reply = (await response.json().catch(() => null)) as SandboxReply | null;
  if (response.ok && reply?.data !== undefined) return reply.data;
  throw new UsageError(refusalText(service, response.status, reply?.error));
}

interface SandboxReply {
  readonly data?: unknown;
  readonly error?: { code: string; message: string; details?: { field: string; message: string }[] };
}

function refusalText(service: string, status: number, error: SandboxReply['error']): string {
  if (error === undefined) return `${service} sent an unexpected reply with status ${status}; this may not be a Galeri service`;
  const fields = (error.details ?? []).map(({ message }) => message);
  return [`${service} refused the request: ${error.message} (${error.code})`, ...fields].join('; ');
}
