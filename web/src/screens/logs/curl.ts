// The same request for a terminal. Values are not kept in the log, so they are left to fill in, the key too.

interface LoggedRequest {
  readonly method: string;
  readonly path: string;
}

const WRITES: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);

/** In single quotes a shell takes everything literally, except the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export function curlOf({ method, path }: LoggedRequest, queryNames: readonly string[], origin: string): string {
  const query = queryNames.length === 0 ? '' : `?${queryNames.map((name) => `${name}=…`).join('&')}`;
  const lines = [
    `curl${method === 'GET' ? '' : method === 'HEAD' ? ' -I' : ` -X ${method}`} ${quoted(`${origin}${path}${query}`)}`,
    `-H "Authorization: Bearer $GALERI_KEY"`,
    ...(WRITES.has(method) ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(WRITES.has(method) && method !== 'DELETE' ? ["-H 'Content-Type: application/json'", "-d '{…}'"] : []),
  ];
  return lines.join(' \\\n  ');
}
