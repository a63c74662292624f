// DATABASE_URL: one host or several, TLS, and a mark for poolers. Readable parts come first, so that a bad value is one clear line at
// the start. Inside the service it is always an address that `URL` can read: further hosts are in its parameter `hosts`.

/** `new URL` rejects ports between commas, so the hosts are cut out first. */
const AUTHORITY = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;
const HOSTS = 'hosts';
const BY_STATEMENT = 'settings';
const TLS_MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'];

/** The problem never repeats the address, because it may hold a password. */
export function readDatabaseUrl(text: string): { readonly url: string } | { readonly problem: string } {
  const parts = AUTHORITY.exec(text);
  if (parts === null) return { problem: 'it must begin with postgres:// or postgresql://' };
  const [, before = '', authority = '', after = ''] = parts;
  const hosts = authority.split(',');
  if (hosts.length > 1 && !hosts.every((host) => host !== '' && URL.canParse(`postgresql://${host}/`)))
    return { problem: 'several hosts are written as host1:5432,host2:5432' };
  if (!URL.canParse(`${before}${hosts[0]}${after}`))
    return { problem: 'it is not an address such as postgresql://user@host/name' };
  const url = new URL(`${before}${hosts[0]}${after}`);
  const { searchParams } = url;
  const wanted = searchParams.get('target_session_attrs') ?? 'read-write';
  if (wanted !== 'read-write' && wanted !== 'primary')
    return { problem: `target_session_attrs must be read-write, not "${wanted}": the service writes` };
  searchParams.delete('target_session_attrs');
  const mode = searchParams.get('sslmode');
  if (mode !== null && !TLS_MODES.includes(mode) && !searchParams.has('uselibpqcompat'))
    return { problem: `sslmode must be one of ${TLS_MODES.join(', ')}, not "${mode}"` };
  // The driver verifies the name in both cases and warns that this may change. Here it never gets weaker.
  if (mode === 'require' || mode === 'verify-ca')
    if (!searchParams.has('uselibpqcompat')) searchParams.set('sslmode', 'verify-full');
  if (hosts.length > 1) searchParams.set(HOSTS, hosts.join(','));
  // An address without these parts stays as it is, because `URL` would write some characters differently.
  return { url: hosts.length === 1 && url.href === new URL(text).href ? text : url.href };
}

/** As in the setting: `db1:5432`. */
export function hostsIn(url: string): readonly string[] {
  const { host, searchParams } = new URL(url);
  return searchParams.get(HOSTS)?.split(',') ?? [host];
}

/** What the driver gets. */
export function addressOfHost(url: string, host: string): string {
  const { searchParams } = new URL(url);
  if (!searchParams.has(HOSTS) && !searchParams.has(BY_STATEMENT)) return url;
  const [, before = '', , after = ''] = AUTHORITY.exec(url)!;
  const one = new URL(`${before}${host}${after}`);
  for (const name of [HOSTS, BY_STATEMENT]) one.searchParams.delete(name);
  return one.href;
}

/** A pooler does not pass the options of a connection on, so its settings are made by statements. */
export const settingsByStatement = (url: string): boolean => new URL(url).searchParams.has(BY_STATEMENT);

export function withSettingsByStatement(url: string): string {
  const marked = new URL(url);
  marked.searchParams.set(BY_STATEMENT, 'statement');
  return marked.href;
}

const NEXT_ADDRESS = /,(?=postgres(?:ql)?:\/\/)/;
const STANDBY_SESSIONS = ['any', 'standby', 'prefer-standby', 'read-only'];

/** DATABASE_READ_URL: addresses of standbys, each with one host or several. Every host becomes an address of its own. */
export function readStandbyUrls(text: string): { readonly urls: readonly string[] } | { readonly problem: string } {
  const urls: string[] = [];
  for (const part of text.split(NEXT_ADDRESS)) {
    const [, wanted] = /[?&]target_session_attrs=([^&]*)/.exec(part) ?? [];
    if (wanted !== undefined && !STANDBY_SESSIONS.includes(wanted))
      return { problem: `target_session_attrs must be one of ${STANDBY_SESSIONS.join(', ')}, not "${wanted}"` };
    const read = readDatabaseUrl(part.trim().replace(/target_session_attrs=[^&]*/, 'target_session_attrs=read-write'));
    if ('problem' in read) return read;
    for (const host of hostsIn(read.url)) urls.push(addressOfHost(read.url, host));
  }
  return { urls: [...new Set(urls)] };
}
