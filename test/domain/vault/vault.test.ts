import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveSecrets } from '../../../src/domain/vault/secrets.ts';
import { blindIndex, type CellAddress, type KeyRing, seal, unseal, vaultKeys } from '../../../src/domain/vault/vault.ts';

const secrets = deriveSecrets('a secret of at least thirty-two characters');
const ring = vaultKeys(secrets);
const place: CellAddress = { account: 'account-1', table: 'customers', column: 'id_no_encrypted', row: 'row-1' };

describe('an encrypted value', () => {
  test('decrypts in its own place, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(unseal(ring, place, seal(ring, place, text))).toBe(text);
      }),
    );
  });

  test('does not decrypt in another account, table, column or row', () => {
    const sealed = seal(ring, place, '12345678901');
    for (const part of ['account', 'table', 'column', 'row'] as const) {
      expect(() => unseal(ring, { ...place, [part]: 'elsewhere' }, sealed)).toThrow('does not open');
    }
  });

  test('does not decrypt where the parts of two places concatenate to the same text', () => {
    const sealed = seal(ring, { ...place, column: 'ab', row: 'c' }, 'x');
    expect(() => unseal(ring, { ...place, column: 'a', row: 'bc' }, sealed)).toThrow('does not open');
  });

  test('does not decrypt after any bit was changed', () => {
    const sealed = seal(ring, place, 'Atatürk Caddesi 5');
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 0, max: 7 }), (at, bit) => {
        const changed = Buffer.from(sealed);
        changed[at]! ^= 1 << bit;
        expect(() => unseal(ring, place, changed)).toThrow();
      }),
    );
    expect(() => unseal(ring, place, sealed.subarray(0, 20))).toThrow('cut short');
  });

  test('looks different each time and never contains the text', () => {
    const [one, other] = [seal(ring, place, 'Lefkoşa 12345'), seal(ring, place, 'Lefkoşa 12345')];
    expect(one.equals(other)).toBe(false);
    expect(one.includes(Buffer.from('12345'))).toBe(false);
  });

  test('decrypts with the key it names after the current key has changed', () => {
    const old = seal(ring, place, 'eski');
    const rotated: KeyRing = { current: 2, keys: new Map([...ring.keys, [2, Buffer.alloc(32, 7)]]) };
    expect(unseal(rotated, place, old)).toBe('eski');
    const fresh = seal(rotated, place, 'yeni');
    expect(fresh[0]).toBe(2);
    expect(unseal(rotated, place, fresh)).toBe('yeni');
    expect(() => unseal(ring, place, fresh)).toThrow('key 2 of the vault is not at hand');
  });
});

test('a blind index is equal only for the same account, column and value', () => {
  const index = (account: string, column: string, value: string) =>
    blindIndex(secrets.vaults[0].index, account, column, value).toString('hex');
  expect(index('a', 'customers.id_no', '123')).toBe(index('a', 'customers.id_no', '123'));
  const others = [
    index('b', 'customers.id_no', '123'),
    index('a', 'guarantors.id_no', '123'),
    index('a', 'customers.id_no', '124'),
  ];
  for (const other of others) expect(other).not.toBe(index('a', 'customers.id_no', '123'));
  expect(blindIndex(deriveSecrets('another secret').vaults[0].index, 'a', 'customers.id_no', '123').toString('hex')).not.toBe(
    index('a', 'customers.id_no', '123'),
  );
});
