// The languages of the samples: each writes a request as a whole program that runs as it is printed. The key comes from the
// environment (GALERI_KEY); nothing has to be installed.
import { JAVASCRIPT, literal, PHP, PYTHON } from './sample-literals.ts';
import type { SampleRequest } from './sample-request.ts';

export interface SampleLanguage {
  readonly id: string;
  readonly name: string;
  write(request: SampleRequest): string;
}

const curl = ({ method, url, headers, json, form }: SampleRequest): string => {
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}"${url}"`, '-H "Authorization: Bearer $GALERI_KEY"'];
  for (const [name, value] of headers) lines.push(`-H "${name}: ${value}"`);
  if (json !== undefined) lines.push('-H "Content-Type: application/json"', `-d '${shellJson(json)}'`);
  if (form !== undefined) {
    lines.push(`-F "file=@${form.file}"`);
    for (const [name, value] of Object.entries(form.fields)) lines.push(`-F "${name}=${value}"`);
  }
  return lines.join(' \\\n  ');
};

/** JSON in single quotes, which end at the next one. */
function shellJson(value: unknown): string {
  const short = JSON.stringify(value);
  return (short.length > 80 ? JSON.stringify(value, null, 2) : short).replaceAll("'", "'\\''");
}

const javascript = ({ method, url, headers, json, form }: SampleRequest): string => {
  const named = headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const all = ['Authorization: `Bearer ${process.env.GALERI_KEY}`', ...named];
  if (json !== undefined) all.push('"Content-Type": "application/json"');
  const options = [
    ...(method === 'GET' ? [] : [`method: "${method}",`]),
    all.length === 1 ? `headers: { ${all[0]} },` : `headers: {\n    ${all.join(',\n    ')},\n  },`,
    ...(json === undefined ? [] : [`body: JSON.stringify(${literal(json, JAVASCRIPT, 1, 22)}),`]),
    ...(form === undefined ? [] : ['body: form,']),
  ];
  return [
    ...(form === undefined ? [] : javascriptForm(form)),
    `const response = await fetch("${url}", {\n  ${options.join('\n  ')}\n});`,
    'const { success, data, error } = await response.json();',
    'if (!success) throw new Error(`${error.code}: ${error.message}`);',
    'console.log(data);',
  ].join('\n');
};

const javascriptForm = ({ file, fields }: NonNullable<SampleRequest['form']>): string[] => [
  'import { openAsBlob } from "node:fs";\n',
  'const form = new FormData();',
  `form.set("file", await openAsBlob("${file}"), "${file}");`,
  ...Object.entries(fields).map(([name, value]) => `form.set("${name}", ${JSON.stringify(value)});`),
];

const php = ({ method, url, headers, json, form }: SampleRequest): string => {
  const lines = headers.map(([name, value]) => `'${name}: ${value}',`);
  if (json !== undefined) lines.push("'Content-Type: application/json',");
  if (form !== undefined) lines.push('"Content-Type: multipart/form-data; boundary=$boundary",');
  const all = ["'Authorization: Bearer ' . getenv('GALERI_KEY'),", ...lines];
  return [
    '<?php',
    ...(form === undefined ? [] : phpForm(form)),
    "$context = stream_context_create(['http' => [",
    ...(method === 'GET' ? [] : [`    'method' => '${method}',`]),
    `    'header' => [\n        ${all.join('\n        ')}\n    ],`,
    ...(json === undefined ? [] : [`    'content' => json_encode(${phpBody(json)}),`]),
    ...(form === undefined ? [] : ["    'content' => $body,"]),
    "    'ignore_errors' => true, // the reply of a refusal is wanted too",
    ']]);',
    `$url = '${url}';`,
    '$reply = json_decode(file_get_contents($url, false, $context), true);',
    "if (!$reply['success']) {",
    "    throw new RuntimeException($reply['error']['code'] . ': ' . $reply['error']['message']);",
    '}',
    "print_r($reply['data']);",
  ].join('\n');
};

/** An empty array would be written as `[]`, which is no object. */
const phpBody = (json: unknown): string => (JSON.stringify(json) === '{}' ? 'new stdClass()' : literal(json, PHP, 1, 27));

const phpForm = ({ file, fields }: NonNullable<SampleRequest['form']>): string[] => [
  '$boundary = bin2hex(random_bytes(16));',
  `$body = "--$boundary\\r\\nContent-Disposition: form-data; name=\\"file\\"; filename=\\"${file}\\"\\r\\n\\r\\n"`,
  `    . file_get_contents('${file}') . "\\r\\n";`,
  ...Object.entries(fields).map(
    ([name, value]) =>
      `$body .= "--$boundary\\r\\nContent-Disposition: form-data; name=\\"${name}\\"\\r\\n\\r\\n" . ${literal(value, PHP)} . "\\r\\n";`,
  ),
  '$body .= "--$boundary--\\r\\n";',
];

const python = ({ method, url, headers, json, form }: SampleRequest): string => {
  const lines = headers.map(([name, value]) => `"${name}": "${value}",`);
  if (json !== undefined) lines.push('"Content-Type": "application/json",');
  if (form !== undefined) lines.push('"Content-Type": f"multipart/form-data; boundary={boundary}",');
  const all = ['"Authorization": f"Bearer {os.environ[\'GALERI_KEY\']}",', ...lines];
  return [
    'import json',
    'import os',
    'import urllib.request',
    ...(form === undefined ? [] : ['import uuid']),
    '',
    ...(form === undefined ? [] : pythonForm(form)),
    'request = urllib.request.Request(',
    `    "${url}",`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    `    headers={\n        ${all.join('\n        ')}\n    },`,
    ...(json === undefined ? [] : [`    data=json.dumps(${literal(json, PYTHON, 1, 16)}).encode(),`]),
    ...(form === undefined ? [] : ['    data=body,']),
    ')',
    'with urllib.request.urlopen(request) as response:  # a refusal raises HTTPError; its body says why',
    '    reply = json.load(response)',
    'print(reply["data"])',
  ].join('\n');
};

const pythonForm = ({ file, fields }: NonNullable<SampleRequest['form']>): string[] => [
  'boundary = uuid.uuid4().hex',
  'parts = [',
  `    ('name="file"; filename="${file}"', open("${file}", "rb").read()),`,
  ...Object.entries(fields).map(([name, value]) => `    ('name="${name}"', ${JSON.stringify(value)}.encode()),`),
  ']',
  'body = b"".join(',
  '    f"--{boundary}\\r\\nContent-Disposition: form-data; {name}\\r\\n\\r\\n".encode() + content + b"\\r\\n"',
  '    for name, content in parts',
  ') + f"--{boundary}--\\r\\n".encode()',
];

export const LANGUAGES: readonly SampleLanguage[] = [
  { id: 'curl', name: 'cURL', write: curl },
  { id: 'js', name: 'JavaScript', write: javascript },
  { id: 'php', name: 'PHP', write: php },
  { id: 'py', name: 'Python', write: python },
];
