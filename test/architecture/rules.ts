// The rules of the architecture as functions over source text, so that a test can also show that they fail when broken.

import { SUBJECTS } from './subjects.ts';

export interface SourceFile {
  /** Relative to the project: src/kit/db.ts */
  readonly path: string;
  readonly text: string;
}

/** Imports go from right to left only. */
const ROOMS = [
  'kit',
  'domain',
  'config',
  'postgres',
  'demo',
  'sandbox',
  'jobs',
  'resources',
  'panel',
  'http',
  'commands',
  'main',
] as const;

/** A folder of src/domain imports only from those before it. Files at the root of src/domain import every subject. */
const DOMAIN_ORDER = Object.keys(SUBJECTS);
/** The lists that name every subject, and nothing else. */
const DOMAIN_ROOT = ['timed-transitions.ts', 'consequences.ts', 'reseal.ts'];

/** A folder of src/http imports only from those before it; docs, events, sandbox, panel and public do not import each other. */
const HTTP_ORDER: Readonly<Record<string, readonly string[]>> = {
  wire: [],
  'rate-limits': [],
  api: ['wire', 'rate-limits'],
  docs: ['wire', 'api'],
  events: ['wire', 'api'],
  sandbox: ['wire', 'api'],
  panel: ['wire', 'rate-limits', 'api'],
  public: ['wire', 'rate-limits', 'api'],
  mcp: ['wire', 'rate-limits', 'api', 'docs'],
};
/**
 * Folders inside a folder of src, with the folders beside them that they may import; files of the folder itself are listed as
 * `.`.
 */
const INNER_ORDER: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'src/domain/imports': {
    '.': [],
    connectors: ['.'],
    feeds: ['.', 'connectors'],
    files: ['.', 'feeds', 'targets'],
    targets: ['.', 'connectors'],
    runs: ['.', 'connectors', 'targets'],
  },
  'src/domain/papers': { '.': [], templates: ['.'], drawing: ['.', 'templates'] },
  'src/domain/documents': {
    '.': [],
    signing: ['.'],
    generated: ['.', 'signing'],
    uploaded: ['.', 'signing'],
  },
  'src/http/docs': {
    '.': [],
    openapi: ['.'],
    samples: ['.', 'openapi'],
    parts: ['.', 'openapi', 'samples'],
    guide: ['.', 'openapi', 'samples', 'parts'],
    pages: ['.', 'openapi', 'samples', 'parts', 'guide'],
    markdown: ['.', 'openapi', 'samples', 'parts', 'guide', 'pages'],
  },
  'src/panel': {
    kit: [],
    account: ['kit', 'admin'],
    agents: ['kit', 'keys'],
    home: ['kit'],
    stock: ['kit'],
    sales: ['kit'],
    imports: ['kit'],
    developer: ['kit'],
    keys: ['kit'],
    logs: ['kit'],
    auctions: ['kit'],
    admin: ['kit', 'auctions', 'developer'],
    files: ['kit', 'sales', 'stock'],
    '.': [
      'kit',
      'account',
      'agents',
      'home',
      'stock',
      'sales',
      'imports',
      'developer',
      'keys',
      'logs',
      'auctions',
      'admin',
      'files',
    ],
  },
  'src/commands': { '.': [], account: ['.'], serve: ['.'], doctor: ['.'], platform: ['.'], listen: ['.'], sandbox: ['.'] },
};
const HTTP_ROOT = ['server.ts', 'service.ts', 'site.ts', 'file-links.ts', 'process-figures.ts'];

/** Each library is imported by one file. */
const LIBRARIES: Readonly<Record<string, string>> = {
  pg: 'src/postgres/database.ts',
  zod: 'src/kit/schema.ts',
  '@redis/client': 'src/http/rate-limits/redis-scripts.ts',
  'csv-parse': 'src/domain/imports/feeds/feed-csv.ts',
  saxes: 'src/domain/formats/xml.ts',
  'ipaddr.js': 'src/domain/net/address.ts',
  nodemailer: 'src/domain/mail/smtp.ts',
  sharp: 'src/domain/media/image-resize.ts',
  '@fastify/busboy': 'src/http/wire/upload.ts',
  aws4fetch: 'src/domain/files/s3-store.ts',
  pdfkit: 'src/domain/formats/pdf.ts',
  uqr: 'src/domain/formats/qr.ts',
};

/** Outbound calls: one file makes them, and checks the address. */
const CALLS_OUT =
  /\bfetch\(|from 'node:(https|http2|tls|dgram)'|\b(request|get|connect|createConnection)\b[^;]*from 'node:(http|net)'|undici|EventSource\(|WebSocket\(/;
const OUTBOUND = 'src/domain/net/outbound.ts';
/** Calls the operator's own store (S3_URL), which may be on a private network: no caller can influence the address. */
const OWN_STORE = 'src/domain/files/s3-store.ts';

/** Posts traces to the operator's own collector (OTEL_EXPORTER_OTLP_ENDPOINT): no caller can influence the address. */
const OWN_COLLECTOR = 'src/domain/tracing/otlp-tracer.ts';

/** `galeri listen`, `galeri sandbox` and `galeri logs tail` run on the integrator's machine and call the addresses that they give them. */
const OWN_RECEIVER = 'src/commands/listen/listen-calls.ts';
const OWN_SERVICE = 'src/commands/sandbox/sandbox-over-http.ts';
const OWN_LOG = 'src/commands/logs-client.ts';
/** `galeri mcp` hands the messages of a client on this machine to the service that its settings name. */
const OWN_AGENT = 'src/commands/mcp-calls.ts';

/** Generates programs for readers of the reference, which make calls themselves. */
const PRINTED_CODE = 'src/http/docs/samples/sample-languages.ts';
/** Has the service worker as text: its `fetch(` is the browser's. */
const PRINTED_WORKER = 'src/http/panel/offline.ts';

const FORBIDDEN_NAMES = /(^|[-/])(utils?|helpers?|common|managers?|services?-?base|misc)(\.ts|[-/])/;
/**
 * Times come from the clock (kit/clock.ts), business or real. These few need the machine's own, or the database's in a statement.
 */
const MACHINE_TIME = [
  'src/kit/clock.ts',
  'src/kit/ids.ts',
  'src/kit/log.ts',
  'src/domain/clock/database-clock.ts',
  'src/domain/files/open-files.ts',
  'src/domain/tracing/otlp-tracer.ts',
  'src/domain/webhooks/send-delivery.ts',
  'src/jobs/sweep-files.ts',
  'src/postgres/changes.ts',
  'src/postgres/embedded.ts',
  'src/commands/doctor/check-machine.ts',
  'src/commands/doctor/check-server.ts',
  'src/commands/key.ts',
  'src/commands/last-backup.ts',
  'src/commands/listen/listen-calls.ts',
  'src/commands/serve/serve-demo.ts',
];
/** Of keys, people, releases and the request log, and of the database itself: all real time. */
const DATABASE_TIME = [
  'src/commands/doctor/check-log.ts',
  'src/commands/doctor/check-server.ts',
  'src/commands/account/move.ts',
  'src/commands/account/moved-tables.ts',
  'src/commands/account/old-place.ts',
  'src/domain/clock/database-clock.ts',
  'src/domain/clock/test-clock.ts',
  'src/sandbox/clock-row.ts',
  'src/domain/identity/people.ts',
  'src/domain/keys/keys.ts',
  'src/domain/releases/releases.ts',
  'src/domain/usage/log-retention.ts',
  'src/domain/usage/log-tail-reader.ts',
  'src/panel/account/session.ts',
  'src/panel/admin/accounts.ts',
  'src/postgres/backup.ts',
  'src/postgres/changes.ts',
  'src/postgres/migrate.ts',
  'src/demo/remove-demo.ts',
  'src/postgres/restore.ts',
];
/** Functions of this name that are not times of PostgreSQL. */
const OTHER_NOW = [
  'src/kit/clock.ts',
  'src/postgres/fair-queue.ts',
  'src/http/rate-limits/rate-limit.ts',
  'src/http/api/release-cache.ts',
];

const MAX_FILE_LINES = 500;
const MAX_FUNCTION_LINES = 70;
const MAX_ROW_BODY_LINES = 25;
/** Every other folder may use the kit; the list of error messages is not counted. */
const MAX_KIT_LINES = 970;

export function problemsIn(files: readonly SourceFile[]): string[] {
  return [
    ...files.flatMap((file) => [
      ...placeProblems(file.path),
      ...importProblems(file),
      ...formProblems(file),
      ...timeProblems(file),
      ...sizeProblems(file),
    ]),
    ...kitProblems(files),
    ...folderProblems(files),
    ...circleProblems(files),
  ];
}

const roomOf = (path: string): string => /^src\/(?:(\w+)\/|(\w+)\.ts$)/.exec(path)?.slice(1).find(Boolean) ?? '';

function importsOf(text: string): string[] {
  return [...text.matchAll(/^(?:import|export)\b[^;]*?from '([^']+)';$|^import '([^']+)';$|\bimport\('([^']+)'\)/gms)].map(
    (match) => (match[1] ?? match[2] ?? match[3])!,
  );
}

/** Those that load the module: types are erased. */
const loadedBy = (text: string): string[] => importsOf(text.replaceAll(/^(?:import|export) type\b[^;]*;$/gm, ''));

/** What the package of commands (`sdk/cli`) may load: no database, no library. */
const OVER_HTTP = /^src\/(kit|domain|commands)\/(?!sql\.ts|db\.ts)/;

/** Modules beyond that which its entry would load, through any number of others. */
export function cliProblems(entry: SourceFile, files: readonly SourceFile[]): string[] {
  const texts = new Map([entry, ...files].map(({ path, text }) => [path, text]));
  const loaded = new Set([entry.path]);
  const problems: string[] = [];
  for (const path of loaded) {
    for (const target of loadedBy(texts.get(path) ?? '').filter((name) => !name.startsWith('node:'))) {
      const other = target.startsWith('.') ? new URL(target, `file:///${path}`).pathname.slice(1) : target;
      if (OVER_HTTP.test(other)) loaded.add(other);
      else problems.push(`${path}: loads ${other}, which the commands of sdk/cli do without`);
    }
  }
  return problems;
}

function importProblems({ path, text }: SourceFile): string[] {
  const room = roomOf(path);
  const place = ROOMS.indexOf(room as (typeof ROOMS)[number]);
  if (place < 0) return [`${path}: is in no known layer (${ROOMS.join(', ')})`];
  return importsOf(text).flatMap((target) => {
    if (target.startsWith('node:')) return [];
    if (!target.startsWith('.')) {
      const name = target.startsWith('@') ? target.split('/').slice(0, 2).join('/') : target.split('/')[0]!;
      if (LIBRARIES[name] === undefined) return [`${path}: imports ${name}, which no file of the house is known for`];
      return LIBRARIES[name] === path ? [] : [`${path}: imports ${name}, which only ${LIBRARIES[name]} may`];
    }
    if (!target.endsWith('.ts')) return [`${path}: imports ${target} without .ts`];
    const resolved = new URL(target, `file:///${path}`).pathname.slice(1);
    const other = roomOf(resolved);
    const folder =
      innerProblem(path, resolved) ??
      (room === 'domain' ? domainProblem(path, resolved) : room === 'http' ? httpProblem(path, resolved) : null);
    if (folder !== null) return [folder];
    if (/-states\.ts$/.test(path)) return [`${path}: is read by the panel in the browser, so it imports nothing (${resolved})`];
    if (room === 'resources' && other === 'resources' && path !== 'src/resources/index.ts') {
      return [`${path}: a resource imports another (${resolved}); what two share goes to domain/`];
    }
    return ROOMS.indexOf(other as (typeof ROOMS)[number]) > place ? [`${path}: imports ${resolved} against the direction`] : [];
  });
}

const partsOf = (path: string): string[] => path.split('/').slice(2);

/** A subject that imports a later one, or a list that knows every subject. */
function domainProblem(path: string, target: string): string | null {
  if (!target.startsWith('src/domain/')) return null;
  const [from, to] = [partsOf(path), partsOf(target)];
  if (to.length === 1 && from.length > 1) return `${path}: imports ${target}, which knows every subject; have it handed in`;
  if (from.length === 1 || to.length === 1) return null;
  return DOMAIN_ORDER.indexOf(to[0]!) > DOMAIN_ORDER.indexOf(from[0]!)
    ? `${path}: imports ${target} against the order of subjects`
    : null;
}

function httpProblem(path: string, target: string): string | null {
  if (!target.startsWith('src/http/')) return null;
  const [from, to] = [partsOf(path), partsOf(target)];
  if (from.length === 1 || from[0] === to[0]) return null;
  return to.length > 1 && HTTP_ORDER[from[0]!]?.includes(to[0]!)
    ? null
    : `${path}: imports ${target} against the order of entry points`;
}

/** The folder with inner folders that `path` is in, and the inner folder's name. */
function innerFolder(path: string): readonly [outer: string, inner: string] | null {
  const outer = Object.keys(INNER_ORDER).find((folder) => path.startsWith(`${folder}/`));
  if (outer === undefined) return null;
  const parts = path.slice(outer.length + 1).split('/');
  return [outer, parts.length === 1 ? '.' : parts.slice(0, -1).join('/')];
}

function innerProblem(path: string, target: string): string | null {
  const [from, to] = [innerFolder(path), innerFolder(target)];
  if (from === null || to === null || from[0] !== to[0] || from[1] === to[1]) return null;
  return INNER_ORDER[from[0]]![from[1]]?.includes(to[1])
    ? null
    : `${path}: imports ${target} against the order inside ${from[0]}`;
}

/** Whether the folder of a file is planned. */
function placeProblems(path: string): string[] {
  const [room, ...rest] = path.split('/').slice(1);
  const inner = innerFolder(path);
  if (inner !== null && INNER_ORDER[inner[0]]![inner[1]] === undefined) return [`${path}: ${inner[0]} has no folder ${inner[1]}`];
  if (room === 'domain') {
    const depth = inner === null || inner[1] === '.' ? 2 : 3;
    const known = rest.length === 1 ? DOMAIN_ROOT.includes(rest[0]!) : rest.length === depth && DOMAIN_ORDER.includes(rest[0]!);
    if (!known) return [`${path}: is in no subject's folder`];
  }
  if (room === 'http') {
    const depth = inner === null || inner[1] === '.' ? 2 : 3;
    const known = rest.length === 1 ? HTTP_ROOT.includes(rest[0]!) : rest.length === depth && HTTP_ORDER[rest[0]!] !== undefined;
    if (!known) return [`${path}: is in no folder of src/http that is known`];
  }
  return [];
}

/** A folder with more files than this is split by meaning. */
const MAX_FOLDER_FILES = 30;

function folderProblems(files: readonly SourceFile[]): string[] {
  const counts = Map.groupBy(files, ({ path }) => path.slice(0, path.lastIndexOf('/')));
  return [...counts].flatMap(([folder, inside]) =>
    inside.length > MAX_FOLDER_FILES ? [`${folder}: ${inside.length} files, at most ${MAX_FOLDER_FILES}`] : [],
  );
}

/** A circle of imports, types included, is reported once, by its files. */
function circleProblems(files: readonly SourceFile[]): string[] {
  const imports = new Map(
    files.map(({ path, text }) => [
      path,
      importsOf(text).flatMap((target) => (target.startsWith('.') ? [new URL(target, `file:///${path}`).pathname.slice(1)] : [])),
    ]),
  );
  const done = new Set<string>();
  const problems: string[] = [];
  const visit = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path);
    if (start >= 0) problems.push(`${way.slice(start).join(' → ')} → ${path}: a circle of imports`);
    if (start >= 0 || done.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...way, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return problems;
}

/** embedded-install.ts passes its environment on to the programs of PostgreSQL. */
function formProblems({ path, text }: SourceFile): string[] {
  const problems: string[] = [];
  if (FORBIDDEN_NAMES.test(path)) problems.push(`${path}: the name does not say what it is`);
  if (/^export default\b/m.test(text)) problems.push(`${path}: has a default export`);
  if (/\.\.\.\{/.test(text)) problems.push(`${path}: spreads an object literal; write its properties out`);
  if (/^export \*|^export \{[^}]*\} from/m.test(text)) problems.push(`${path}: is a barrel`);
  const readsSettings = /^src\/(main|config|commands\/|postgres\/embedded-install)/.test(path) || path === PRINTED_CODE;
  if (/\bprocess\.env\b/.test(text) && !readsSettings) problems.push(`${path}: reads the environment; settings are passed down`);
  if (
    ![OUTBOUND, OWN_STORE, OWN_COLLECTOR, OWN_RECEIVER, OWN_SERVICE, OWN_LOG, OWN_AGENT, PRINTED_CODE, PRINTED_WORKER].includes(
      path,
    ) &&
    CALLS_OUT.test(text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, ''))
  )
    problems.push(`${path}: calls out; only ${OUTBOUND} does`);
  return problems;
}

function sizeProblems({ path, text }: SourceFile): string[] {
  const lines = text.split('\n');
  const problems = lines.length > MAX_FILE_LINES + 1 ? [`${path}: ${lines.length} lines, at most ${MAX_FILE_LINES}`] : [];
  lines.forEach((line, start) => {
    // Functions at the left edge, or one level in; the formatter closes them at the same indentation.
    const opens =
      /^( {0,2})(?:export )?(?:async )?function\b|^( {0,2})(?:export )?const \w+ = (?:async )?(?:<.*>)?\(.*=> \{$/.exec(line);
    if (opens) {
      const end = lines.indexOf(`${opens[1] ?? opens[2] ?? ''}}`, start);
      const alternative = lines.indexOf(`${opens[1] ?? opens[2] ?? ''}};`, start);
      const last = Math.min(...[end, alternative].filter((place) => place >= 0), lines.length);
      if (last - start + 1 > MAX_FUNCTION_LINES)
        problems.push(`${path}:${start + 1}: a function of ${last - start + 1} lines, at most ${MAX_FUNCTION_LINES}`);
    }
    if (path.startsWith('src/resources/') && /^ {4}run: /.test(line)) {
      const last = lines.findIndex((other, index) => index > start && /^ {2}\}\),?$/.test(other));
      if (last - start > MAX_ROW_BODY_LINES)
        problems.push(`${path}:${start + 1}: a row body of ${last - start} lines, at most ${MAX_ROW_BODY_LINES}`);
    }
  });
  return problems;
}

function timeProblems({ path, text }: SourceFile): string[] {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, '');
  const problems: string[] = [];
  if (/\bnew Date\(\)|\bDate\.now\(/.test(code) && !MACHINE_TIME.includes(path))
    problems.push(`${path}: asks this machine for the time; clock.now() is business time, clock.realNow() real time`);
  const asksDatabase =
    /(?<![.\w])now\(\)|\b(clock|statement|transaction)_timestamp\(|\bcurrent_(date|time|timestamp)\b|\blocaltime/i;
  if (asksDatabase.test(code) && ![...DATABASE_TIME, ...OTHER_NOW].includes(path))
    problems.push(`${path}: asks the database for the time, which is real time; business time is a parameter`);
  return problems;
}

function kitProblems(files: readonly SourceFile[]): string[] {
  const code = files
    .filter(({ path }) => path.startsWith('src/kit/') && !/^src\/kit\/((business-)?errors|tenant-tables)\.ts$/.test(path))
    .map(
      ({ text }) =>
        text
          .replace(/\/\*[\s\S]*?\*\//g, '')
          .split('\n')
          .filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length,
    )
    .reduce((sum, count) => sum + count, 0);
  return code > MAX_KIT_LINES ? [`src/kit: ${code} lines of code, at most ${MAX_KIT_LINES}`] : [];
}
