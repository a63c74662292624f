// Key secrets and IP ranges against straightforward definitions: a bitwise CRC32, and addresses as numbers.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWellFormed, newSecret } from '../../src/domain/keys/key-secret.ts';
import { clientAddress, formatRange, inRanges, parseAddress, parseRange } from '../../src/domain/net/address.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** CRC-32 (ISO-HDLC), one bit at a time. */
function naiveCrc(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text, 'ascii')) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

const naiveChecksum = (text: string): string => {
  let rest = BigInt(naiveCrc(text));
  let digits = '';
  for (; rest > 0n; rest /= 62n) digits = BASE62[Number(rest % 62n)] + digits;
  return digits.padStart(6, '0');
};

const letter = fc.constantFrom(...BASE62);
const payload = fc.array(letter, { minLength: 30, maxLength: 30 }).map((letters) => letters.join(''));
const secret = fc
  .tuple(fc.constantFrom('gal_prod_', 'gal_sand_'), payload)
  .map(([prefix, random]) => prefix + random + naiveChecksum(prefix + random));

describe('a key', () => {
  test('is its prefix, 30 base62 characters and their CRC32 in six more, left-padded with 0', () => {
    for (const [environment, prefix] of [
      ['production', 'gal_prod_'],
      ['sandbox', 'gal_sand_'],
    ] as const) {
      const made = Array.from({ length: 200 }, () => newSecret(environment));
      for (const key of made) {
        expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{36}$`));
        expect(key.slice(-6)).toBe(naiveChecksum(key.slice(0, -6)));
        expect(isWellFormed(key)).toBe(true);
      }
      expect(new Set(made).size).toBe(200);
    }
  });

  test('is well formed for any random part, small checksums included', () => {
    fc.assert(
      fc.property(secret, (key) => isWellFormed(key)),
      { numRuns: 1000 },
    );
  });

  test('is malformed after any one character is mistyped', () => {
    fc.assert(
      fc.property(secret, fc.nat(44), letter, (key, at, typed) => {
        fc.pre(key[at] !== typed);
        return !isWellFormed(key.slice(0, at) + typed + key.slice(at + 1));
      }),
      { numRuns: 3000 },
    );
  });

  test('is malformed after two neighbours are swapped, one character is lost, or one is added', () => {
    fc.assert(
      fc.property(secret, fc.nat(43), letter, (key, at, typed) => {
        const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
        const lost = key.slice(0, at) + key.slice(at + 1);
        const added = key.slice(0, at) + typed + key.slice(at);
        return (swapped === key || !isWellFormed(swapped)) && !isWellFormed(lost) && !isWellFormed(added);
      }),
      { numRuns: 2000 },
    );
  });

  test('is not well formed under another prefix, case or with anything around it', () => {
    const key = newSecret('production');
    for (const other of ['', ' ', `${key} `, ` ${key}`, `${key}\n`, key.toUpperCase(), key.replace('prod', 'test'), `x${key}`]) {
      expect(isWellFormed(other), other).toBe(false);
    }
    const renamed = key.replace('gal_prod_', 'gal_sand_');
    expect(isWellFormed(renamed)).toBe(false);
  });
});

const ipv4Text = (value: number): string => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');

/** The ways to write IPv6: in full, without leading zeros, compressed, in capitals. */
function ipv6Text(value: bigint, style: number): string {
  const groups = Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(112 - index * 16)) & 0xffffn).toString(16));
  if (style === 0) return groups.map((group) => group.padStart(4, '0')).join(':');
  const plain = groups.join(':');
  if (style === 1) return plain.toUpperCase();
  const run = [...plain.matchAll(/(?<=^|:)0(?::0)+(?=:|$)/g)].sort((one, other) => other[0].length - one[0].length)[0];
  if (run === undefined) return plain;
  const before = plain.slice(0, run.index).replace(/:$/, '');
  const after = plain.slice(run.index + run[0].length).replace(/^:/, '');
  return `${before}::${after}`;
}

const MAPPED = 0xffffn << 32n;
const isMapped = (value: bigint): boolean => value >> 32n === 0xffffn;
const uint32 = fc.integer({ min: 0, max: 0xffffffff });
const uint128 = fc.oneof(
  fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
  fc.bigInt({ min: 0n, max: 0xffffffffn }).map((low) => (0x20010db8n << 96n) | low),
);
const samePrefix = (one: bigint, other: bigint, width: number, prefix: number): boolean =>
  one >> BigInt(width - prefix) === other >> BigInt(width - prefix);
const networkOf = (value: bigint, width: number, prefix: number): bigint =>
  (value >> BigInt(width - prefix)) << BigInt(width - prefix);

const holds = (range: string, address: string): boolean | null => {
  const parsed = parseRange(range);
  const one = parseAddress(address);
  return parsed === null || one === null ? null : inRanges(one, [parsed]);
};

describe('an address range', () => {
  test('of IPv4 holds the addresses that share its first bits, and no other', () => {
    fc.assert(
      fc.property(uint32, uint32, fc.integer({ min: 0, max: 32 }), fc.boolean(), (base, other, prefix, near) => {
        const network = Number(networkOf(BigInt(base), 32, prefix));
        const address = near ? (network ^ (2 ** (other % 32))) >>> 0 : other;
        const expected = samePrefix(BigInt(network), BigInt(address), 32, prefix);
        return holds(`${ipv4Text(network)}/${prefix}`, ipv4Text(address)) === expected;
      }),
      { numRuns: 2000 },
    );
  });

  test('of IPv6 holds the addresses that share its first bits, in any spelling', () => {
    const style = fc.integer({ min: 0, max: 2 });
    fc.assert(
      fc.property(
        uint128,
        uint128,
        fc.integer({ min: 0, max: 128 }),
        fc.boolean(),
        style,
        style,
        (base, other, prefix, near, a, b) => {
          const network = networkOf(base, 128, prefix);
          const address = near ? network ^ (1n << (other % 128n)) : other;
          fc.pre(!isMapped(network) && !isMapped(address));
          const expected = samePrefix(network, address, 128, prefix);
          return holds(`${ipv6Text(network, a)}/${prefix}`, ipv6Text(address, b)) === expected;
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('with bits set beyond its prefix is refused, so that a typo does not open more than intended', () => {
    fc.assert(
      fc.property(uint32, fc.integer({ min: 0, max: 31 }), (base, prefix) => {
        const isNetwork = networkOf(BigInt(base), 32, prefix) === BigInt(base);
        return (parseRange(`${ipv4Text(base)}/${prefix}`) !== null) === isNetwork;
      }),
    );
    expect(parseRange('2001:db8::1/64')).toBeNull();
    expect(parseRange('10.0.0.1/8')).toBeNull();
  });

  test('a bare address matches only itself', () => {
    fc.assert(fc.property(uint32, uint32, (one, other) => holds(ipv4Text(one), ipv4Text(other)) === (one === other)));
    expect(holds('2001:db8::1', '2001:DB8:0:0:0:0:0:1')).toBe(true);
    expect(holds('2001:db8::1', '2001:db8::2')).toBe(false);
    expect(formatRange(parseRange('10.1.2.3')!)).toBe('10.1.2.3/32');
    expect(formatRange(parseRange('2001:db8::1')!)).toBe('2001:db8::1/128');
  });

  test('IPv4 written as IPv6 is IPv4, in dotted and in hexadecimal form', () => {
    fc.assert(
      fc.property(uint32, fc.integer({ min: 0, max: 2 }), (value, style) => {
        const forms = [`::ffff:${ipv4Text(value)}`, `::FFFF:${ipv4Text(value)}`, ipv6Text(MAPPED | BigInt(value), style)];
        return forms.every((form) => parseAddress(form)?.toString() === ipv4Text(value) && holds(ipv4Text(value), form) === true);
      }),
    );
  });

  test('a range of IPv4 written as IPv6 counts its prefix over 128 bits, in dotted and in hexadecimal form', () => {
    fc.assert(
      fc.property(
        uint32,
        uint32,
        fc.integer({ min: 0, max: 32 }),
        fc.integer({ min: 0, max: 2 }),
        (base, other, prefix, style) => {
          const network = networkOf(BigInt(base), 32, prefix);
          const expected = samePrefix(network, BigInt(other), 32, prefix);
          const forms = [`::ffff:${ipv4Text(Number(network))}`, ipv6Text(MAPPED | network, style)];
          return forms.every((form) => holds(`${form}/${prefix + 96}`, ipv4Text(other)) === expected);
        },
      ),
    );
  });

  test('a mapped address with a prefix that reaches into its fixed part is refused', () => {
    for (const text of ['::ffff:1.2.3.0/24', '::ffff:102:300/24', '0:0:0:0:0:ffff:1.2.3.0/24', '::ffff:0:0/32']) {
      expect(parseRange(text), text).toBeNull();
    }
  });

  test('anything else is refused', () => {
    // biome-ignore format: one list
    for (const text of ['', ' ', '10', '10.0.0', '10.0.0.256', '010.0.0.1', '0x7f.0.0.1', '10.0.0.0/', '10.0.0.0/33', '10.0.0.0/08', '10.0.0.0/-1',
      '10.0.0.0/8/8', '10.0.0.0/8.0', '1.2.3.4.5', '::1/129', 'fe80::1%eth0', '[::1]', 'localhost', '*', '1::2::3', '12345::', ':::', '10.0.0.1:80', '٣.0.0.1']) {
      expect(parseRange(text), text).toBeNull();
    }
  });

  test('is the same range after formatting and parsing', () => {
    fc.assert(
      fc.property(uint128, fc.integer({ min: 0, max: 128 }), (base, prefix) => {
        const network = networkOf(base, 128, prefix);
        fc.pre(!isMapped(network));
        const range = parseRange(`${ipv6Text(network, 2)}/${prefix}`)!;
        return formatRange(parseRange(formatRange(range))!) === formatRange(range);
      }),
    );
  });
});

describe("the caller's address", () => {
  const trusted = [parseRange('10.0.0.0/8')!, parseRange('2001:db8::/32')!];

  test("is the socket's, ignoring X-Forwarded-For, when the socket is not a trusted proxy", () => {
    fc.assert(
      fc.property(uint32, fc.string(), (value, forwarded) => {
        const socket = ipv4Text(value);
        fc.pre(!socket.startsWith('10.'));
        return clientAddress(socket, forwarded, trusted) === socket && clientAddress(socket, forwarded, []) === socket;
      }),
    );
  });

  test('is the nearest address that is not a trusted proxy, read from the right', () => {
    expect(clientAddress('10.0.0.1', '203.0.113.9', trusted)).toBe('203.0.113.9');
    expect(clientAddress('::ffff:10.0.0.1', '203.0.113.9', trusted)).toBe('203.0.113.9');
    expect(clientAddress('10.0.0.1', '1.1.1.1, 203.0.113.9, 10.2.2.2', trusted)).toBe('203.0.113.9');
    expect(clientAddress('10.0.0.1', '1.1.1.1, 203.0.113.9:4711', trusted)).toBe('203.0.113.9');
    expect(clientAddress('10.0.0.1', '[2001:db9::7]:4711, 2001:db8::1', trusted)).toBe('2001:db9::7');
    expect(clientAddress('10.0.0.1', '::ffff:203.0.113.9', trusted)).toBe('203.0.113.9');
    expect(clientAddress('10.0.0.1', '10.3.3.3, 10.2.2.2', trusted)).toBe('10.3.3.3');
    expect(clientAddress('10.0.0.1', '203.0.113.9, nonsense', trusted)).toBe('10.0.0.1');
    expect(clientAddress('10.0.0.1', undefined, trusted)).toBe('10.0.0.1');
  });
});
