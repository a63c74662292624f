// Reads S3_URL, the address of an S3-compatible store. Errors do not repeat the value, because it holds a secret.

export interface S3Config {
  /** https://host[:port] */
  readonly origin: string;
  readonly bucket: string;
  /** Ends with a slash, or is empty. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** The configuration, or what is wrong with the text. */
export function readS3Url(text: string): S3Config | string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return 'it begins with https:// (or http://)';
  if (url.username === '' || url.password === '') return 'put KEY:SECRET@ before the host, with / + @ : percent-encoded';
  const [accessKey, secretKey] = [decoded(url.username), decoded(url.password)];
  if (accessKey === null || secretKey === null) return 'a % in KEY or SECRET must be written %25';
  const [bucket = '', ...folders] = url.pathname.split('/').filter((part) => part !== '');
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) return 'the name of a bucket follows the host';
  if (!folders.every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part)))
    return 'the folders after the bucket are of letters, digits, dots, hyphens and underscores';
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'region');
  if (unknown !== undefined || url.hash !== '') return 'after the ? only region= is known';
  const region = url.searchParams.get('region') ?? 'us-east-1';
  if (!/^[a-z0-9-]{1,40}$/.test(region)) return 'region= is a name such as eu-central-1';
  const prefix = folders.map((part) => `${part}/`).join('');
  return { origin: url.origin, bucket, prefix, region, accessKey, secretKey };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
