// DATABASE_URL: hosts, TLS modes, and what is refused without repeating the password.
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import {
  addressOfHost,
  hostsIn,
  readDatabaseUrl,
  settingsByStatement,
  withSettingsByStatement,
} from '../../../src/domain/net/database-url.ts';

const urlOf = (text: string): string => (readDatabaseUrl(text) as { url: string }).url;

describe('hosts', () => {
  test.each([
    'postgresql://u:p%40ss@db1:5432/galeri',
    'postgres://postgres@%2Ftmp%2Ffolder/postgres',
    'postgresql://u@[::1]:5433/x?application_name=galeri',
  ])('one stays as it is: %s', (text) => {
    expect(urlOf(text)).toBe(text);
    expect(addressOfHost(urlOf(text), hostsIn(urlOf(text))[0]!)).toBe(text);
  });

  test('several are kept with their ports, and each has its address', () => {
    const url = urlOf('postgresql://u:p%40ss@db1:5432,db2,[::1]:5433/galeri?target_session_attrs=read-write&sslmode=disable');
    expect(URL.canParse(url)).toBe(true);
    expect(hostsIn(url)).toEqual(['db1:5432', 'db2', '[::1]:5433']);
    expect(addressOfHost(url, 'db2')).toBe('postgresql://u:p%40ss@db2/galeri?sslmode=disable');
    expect(addressOfHost(url, '[::1]:5433')).toBe('postgresql://u:p%40ss@[::1]:5433/galeri?sslmode=disable');
  });

  test('the mark for poolers does not reach the driver', () => {
    const url = withSettingsByStatement(urlOf('postgresql://u@db1,db2/galeri'));
    expect(settingsByStatement(url)).toBe(true);
    expect(addressOfHost(url, 'db2')).toBe('postgresql://u@db2/galeri');
    const single = withSettingsByStatement('postgresql://u@db1/galeri');
    expect(addressOfHost(single, hostsIn(single)[0]!)).toBe('postgresql://u@db1/galeri');
  });
});

test.each([
  ['require', 'verify-full'],
  ['verify-ca', 'verify-full'],
  ['verify-full', 'verify-full'],
  ['no-verify', 'no-verify'],
  ['disable', 'disable'],
])('sslmode=%s is %s', (mode, meant) => {
  expect(new URL(urlOf(`postgresql://u@db/x?sslmode=${mode}`)).searchParams.get('sslmode')).toBe(meant);
});

test.each([
  ['mysql://u:geheim@db/x', /must begin with postgres/],
  ['postgresql://u:geheim@db1,,db2/x', /host1:5432,host2:5432/],
  ['postgresql://u:geheim@db1:port,db2/x', /host1:5432,host2:5432/],
  ['postgresql://u:geheim@db:port/x', /not an address/],
  ['postgresql://u:geheim@db1,db2/x?target_session_attrs=any', /target_session_attrs must be read-write, not "any"/],
  ['postgresql://u:geheim@db/x?sslmode=prefer', /sslmode must be one of disable, no-verify, require/],
])('%s is refused in one line without the password', (text, problem) => {
  const refuse = () => readConfig({ DATABASE_URL: text });
  expect(refuse).toThrow(problem);
  expect(refuse).toThrow(/^DATABASE_URL: [^\n]*$/);
  expect(refuse).not.toThrow(/geheim/);
});
