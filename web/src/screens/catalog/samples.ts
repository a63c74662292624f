// Code samples of a call with the values of the form, never with a secret.

export interface SampleCall {
  readonly api: string;
  readonly method: string;
  /** Contains `{name}` where a value is missing. */
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  /** A sample of the JSON body. */
  readonly body: unknown;
}

/** `vehicles/{vehicle_id}` with the typed values; missing ones stay in braces. */
export function filledPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (braces, name: string) => (values[name] ? encodeURIComponent(values[name]) : braces));
}

export function urlOf({ api, path, query }: SampleCall): string {
  const text = new URLSearchParams(query.map(([name, value]) => [name, value])).toString();
  return `${api}/${path}${text === '' ? '' : `?${text}`}`;
}

export const SAMPLES = {
  curl: curlSample,
  JavaScript: javascriptSample,
  PHP: phpSample,
} as const;

function curlSample(call: SampleCall): string {
  const lines = [`curl ${call.method === 'GET' ? '' : `-X ${call.method} `}"${urlOf(call)}"`];
  lines.push('-H "Authorization: Bearer $GALERI_KEY"');
  if (call.body !== undefined) {
    lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(call.body).replaceAll("'", "'\\''")}'`);
  }
  return lines.join(' \\\n  ');
}

function javascriptSample(call: SampleCall): string {
  const headers = [`Authorization: \`Bearer \${process.env.GALERI_KEY}\``];
  if (call.body !== undefined) headers.push("'Content-Type': 'application/json'");
  const options = [
    ...(call.method === 'GET' ? [] : [`method: '${call.method}'`]),
    `headers: { ${headers.join(', ')} }`,
    ...(call.body === undefined ? [] : [`body: JSON.stringify(${JSON.stringify(call.body)})`]),
  ];
  return `const response = await fetch('${urlOf(call)}', {
  ${options.join(',\n  ')},
});
const { success, data, error, meta } = await response.json();
if (!success) throw new Error(\`\${error.code} (\${meta.request_id})\`);`;
}

function phpSample(call: SampleCall): string {
  const headers = ["'Authorization: Bearer ' . getenv('GALERI_KEY')"];
  if (call.body !== undefined) headers.push("'Content-Type: application/json'");
  const options = [
    ...(call.method === 'GET' ? [] : [`CURLOPT_CUSTOMREQUEST => '${call.method}'`]),
    `CURLOPT_HTTPHEADER => [${headers.join(', ')}]`,
    'CURLOPT_RETURNTRANSFER => true',
    ...(call.body === undefined ? [] : [`CURLOPT_POSTFIELDS => '${JSON.stringify(call.body).replaceAll("'", "\\'")}'`]),
  ];
  return `$curl = curl_init('${urlOf(call)}');
curl_setopt_array($curl, [
  ${options.join(',\n  ')},
]);
$reply = json_decode(curl_exec($curl), true);
if (!$reply['success']) throw new Exception($reply['error']['code']);`;
}
