// Which environment this tab works in. It is part of the address, so that one tab never changes that of another: a page is loaded for one
// environment, and the other is a new page with nothing of the first in memory.

export type Environment = 'production' | 'sandbox';

/** The addresses of the panel in the isolated sandbox begin with this. */
export const SANDBOX_PATH = '/panel/sandbox';
const LIVE_PATH = '/panel';

/** Tests of single functions run without a page. */
const pathname = (): string => globalThis.location?.pathname ?? LIVE_PATH;

export const isSandbox = (path = pathname()): boolean => path === SANDBOX_PATH || path.startsWith(`${SANDBOX_PATH}/`);

/** The beginning of every address of this tab. */
export const basePath = (): string => (isSandbox() ? SANDBOX_PATH : LIVE_PATH);

/** The beginning of the addresses of this tab's calls. */
export const apiPath = (): string => (isSandbox() ? '/panel/api/sandbox' : '/panel/api');

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;
/** Only administrators have these, and a sandbox has none of them. */
const LIVE_ONLY = 'yonetim';
const SANDBOX_ONLY = 'kontrol';

/** The same screen in the other environment. No record is in both, so the page of a record leads to the list that it is in. */
export function addressIn(environment: Environment, path = pathname()): string {
  const to = environment === 'sandbox' ? SANDBOX_PATH : LIVE_PATH;
  const from = isSandbox(path) ? SANDBOX_PATH : LIVE_PATH;
  const parts = path.slice(from.length).split('/').filter(Boolean);
  if (parts[0] === LIVE_ONLY || parts[0] === SANDBOX_ONLY) return to;
  const record = parts.findIndex((part) => ID.test(part));
  return [to, ...(record === -1 ? parts : parts.slice(0, record))].join('/');
}
