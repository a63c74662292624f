// Whether a request comes directly from this machine: only then the demonstration's sign-ins are shown and accepted.
import type { IncomingMessage } from 'node:http';
import { isLoopback, isLoopbackHost, parseAddress } from '../../domain/net/address.ts';

/** Headers that proxies, tunnels and CDNs add; browsers and curl never send them. */
const ADDED_ON_THE_WAY = [
  /forwarded|(real|client|connecting|remote|original|source|peer)-?(ip|addr|host|port|proto|scheme|ur[il])/,
  /^(x-)?(via|proxy|cdn|cf|fly|fastly|akamai|ali|incap|sucuri|tailscale|ngrok|envoy|azure|arr|appengine|amzn?|vercel|nf|varnish)(-|$)/,
  /^x-(cache|cloud-trace|edge|gateway|haproxy|host|port|scheme|ssl|squid|traefik)(-|$)/,
];

/** True for a request from a loopback address to a loopback address and name, without a proxy. False in doubt. */
export function isLocalRequest(request: IncomingMessage): boolean {
  const { remoteAddress, localAddress } = request.socket;
  if (!isLoopbackAddress(remoteAddress) || !isLoopbackAddress(localAddress)) return false;
  // nginx uses HTTP/1.0 for its upstream by default; a proxy may also send an absolute target.
  if (request.httpVersion === '1.0' || !request.url?.startsWith('/')) return false;
  let hosts = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index]!.toLowerCase();
    const value = request.rawHeaders[index + 1]!;
    if (name === 'host') {
      hosts += 1;
      if (!isLocalName(value)) return false;
    } else if (ADDED_ON_THE_WAY.some((added) => added.test(name))) return false;
    else if ((name === 'origin' || name === 'referer') && !isLocalPage(value)) return false;
  }
  return hosts === 1;
}

function isLoopbackAddress(text: string | undefined): boolean {
  const address = text === undefined ? null : parseAddress(text);
  return address !== null && isLoopback(address);
}

/** `127.0.0.1:3000`, `[::1]:3000` or `localhost`, on any port, because an SSH tunnel uses its own. */
function isLocalName(host: string): boolean {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d+)?$/.exec(host) ?? [];
  return isLoopbackHost(bracketed ?? plain ?? '');
}

/** On any port, because the development server of the panel uses another one. */
const isLocalPage = (address: string): boolean =>
  URL.canParse(address) && isLoopbackHost(new URL(address).hostname.replace(/^\[(.*)\]$/, '$1'));
