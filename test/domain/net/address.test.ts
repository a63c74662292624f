import { describe, expect, test } from 'vitest';
import { addressGroup, addressGroups } from '../../../src/domain/net/address.ts';

describe('the group in which an address is counted', () => {
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

test('an IPv6 address belongs to the networks of each size that providers assign', () => {
  expect(addressGroups('2001:db8:1:2ff::5')).toEqual([
    '2001:db8:1:2ff:0:0:0:0/64',
    '2001:db8:1:200:0:0:0:0/56',
    '2001:db8:1:0:0:0:0:0/48',
  ]);
  expect(addressGroups('203.0.113.7')).toEqual(['203.0.113.7']);
  expect(addressGroups('::ffff:203.0.113.7')).toEqual(['203.0.113.7']);
});
