import { describe, expect, test } from 'vitest';
import { addressGroup } from '../../../src/domain/net/address.ts';

describe('the group an address is counted in', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '::/64'],
    ['fe80::1', 'fe80::/64'],
    ['', ''],
    ['not an address', 'not an address'],
  ])('of %s is %s', (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });
});
