// IP addresses and the lists a key or a proxy setting holds. IPv4 written as IPv6 (::ffff:1.2.3.4) is IPv4.
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Range = readonly [Address, number];

/** Four decimal parts without leading zeros, or IPv6 without a zone; null for anything else (`010.0.0.1`, `1.2.3`, `0x7f.1`). */
export function parseAddress(text: string): Address | null {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text))
    return /(^|\.)0\d/.test(text) || !ipaddr.IPv4.isValid(text) ? null : ipaddr.IPv4.parse(text);
  if (!/^[0-9a-fA-F:.]+$/.test(text) || !text.includes(':') || !ipaddr.IPv6.isValid(text)) return null;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** `10.0.0.0/8`, or a bare address as /32 or /128; null when it is neither, or when bits are set beyond the prefix. */
export function parseRange(text: string): Range | null {
  const [base = '', bits, ...rest] = text.trim().split('/');
  const address = parseAddress(base);
  if (address === null || rest.length > 0) return null;
  // IPv4 written as IPv6: its prefix counts from the front of all 128 bits.
  const mapped = base.includes(':') && address.kind() === 'ipv4';
  const widest = address.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return [address, widest];
  if (!/^(0|[1-9]\d{0,2})$/.test(bits)) return null;
  const prefix = Number(bits) - (mapped ? 96 : 0);
  if (prefix < 0 || prefix > widest) return null;
  return networkOf(address, prefix) === address.toNormalizedString() ? [address, prefix] : null;
}

function networkOf(address: Address, prefix: number): string {
  const bytes = address
    .toByteArray()
    .map((byte, index) => byte & (0xff << Math.max(0, Math.min(8, 8 - (prefix - index * 8)))) & 0xff);
  return ipaddr.fromByteArray(bytes).toNormalizedString();
}

export const formatRange = ([address, prefix]: Range): string => `${address.toString()}/${prefix}`;

/** Shows only the network of an address: `185.12.•.•`, `2a02:ff0:•`. */
export function maskAddress(text: string): string {
  const address = parseAddress(text);
  if (address === null) return '•';
  const kept = address
    .toString()
    .split(address.kind() === 'ipv4' ? '.' : ':')
    .slice(0, 2);
  return address.kind() === 'ipv4' ? `${kept.join('.')}.•.•` : `${kept.join(':')}:•`;
}

/** What counts as one caller: an IPv4 address, or the /64 of an IPv6 address, because one customer has 2^64 of those. */
export function addressGroup(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) return address;
  return parsed.kind() === 'ipv4' ? parsed.toString() : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`)}/64`;
}

/** The networks that an address belongs to, the smallest first: an IPv4 address alone, or the /64, /56 and /48 that IPv6 customers are given. */
export function addressGroups(address: string): readonly string[] {
  const parsed = parseAddress(address);
  if (parsed === null || parsed.kind() === 'ipv4') return [addressGroup(address)];
  return [64, 56, 48].map((prefix) => `${networkOf(parsed, prefix)}/${prefix}`);
}

export function inRanges(address: Address, ranges: readonly Range[]): boolean {
  return ranges.some(([base, prefix]) => base.kind() === address.kind() && address.match(base as never, prefix));
}

/**
 * The caller's address: the socket's, or with trusted proxies the nearest address in X-Forwarded-For that is not one of them,
 * read from the right, so that values written by the caller are never trusted.
 */
export function clientAddress(socketAddress: string, forwardedFor: string | undefined, trusted: readonly Range[]): string {
  let current = parseAddress(socketAddress.split('%', 1)[0]!);
  if (current === null) return socketAddress;
  if (trusted.length > 0 && forwardedFor !== undefined) {
    const hops = forwardedFor.split(',').slice(-50);
    while (hops.length > 0 && inRanges(current, trusted)) {
      const hop = parseHop(hops.pop()!);
      if (hop === null) break;
      current = hop;
    }
  }
  return current.toString();
}

/** Some proxies append a port to the address. */
function parseHop(text: string): Address | null {
  const hop = text.trim();
  const withPort = /^\[(.+)\](?::\d+)?$/.exec(hop) ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop);
  return parseAddress(withPort?.[1] ?? hop);
}

export const isLoopback = (address: Address): boolean => address.range() === 'loopback';

/** Whether the host is this machine, by name or by a whole address; `127.evil.example` is not. */
export function isLoopbackHost(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  const address = parseAddress(host);
  return address !== null && isLoopback(address);
}

const GLOBAL_IPV6: Range = [ipaddr.IPv6.parse('2000::'), 3];
/** Looks like a public address but belongs to the cloud provider's internal services. */
const CLOUD_INSIDE: readonly Range[] = [[ipaddr.IPv4.parse('168.63.129.16'), 32]];

/** Whether the address is on the internet: not private, local, shared, reserved, mapped or tunnelled. */
export function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || inRanges(address, CLOUD_INSIDE)) return false;
  return address.kind() === 'ipv4' || inRanges(address, [GLOBAL_IPV6]);
}
