// HAProxy with the configurations that are shipped, on loopback.
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { testCertificate } from './certificate.ts';
import { end } from './child-processes.ts';
import { freePort } from './free-port.ts';

const run = promisify(execFile);
const SHIPPED = new URL('../../deploy/haproxy/', import.meta.url);

export interface ApiBalancer {
  /** Of HTTPS. */
  readonly port: number;
  /** The certificate of its authority; its name is localhost. */
  readonly ca: string;
  /** As the balancer sees the node, counted from 0: `UP`, `DOWN` and others. */
  stateOf(place: number): Promise<string>;
  isUp(place: number): Promise<boolean>;
  close(): Promise<void>;
}

/** Another deployment: keys that begin so go to a node on this port. */
export interface OtherCell {
  readonly prefix: string;
  readonly port: number;
}

/** haproxy-api.cfg with its certificate and map of cells in the folder; the nodes listen on these ports of loopback. */
export async function startApiBalancer(folder: string, nodes: readonly number[], other?: OtherCell): Promise<ApiBalancer> {
  const certificate = await testCertificate(folder);
  const port = await freePort();
  const [stats, map] = [join(folder, 'stats'), join(folder, 'galeri-cells.map')];
  await writeFile(map, `${shipped('galeri-cells.map')}${other === undefined ? '' : `${other.prefix} cell2\n`}`);
  let config = shipped('haproxy-api.cfg')
    .replace('/etc/haproxy/galeri.pem', certificate)
    .replaceAll('/etc/haproxy/galeri-cells.map', map)
    .replace('bind :443', `bind 127.0.0.1:${port}`)
    .replace('bind :80', `bind 127.0.0.1:${await freePort()}`)
    .replace('global\n', `global\n  stats socket ${stats} mode 600\n`);
  const backend = config.slice(config.indexOf('\nbackend nodes\n'));
  for (const [place, own] of nodes.entries()) config = config.replace(`10.0.0.1${place + 1}:3000`, `127.0.0.1:${own}`);
  if (other !== undefined)
    config += backend.replace('backend nodes', 'backend cell2').replace('10.0.0.11:3000', `127.0.0.1:${other.port}`);
  config = config.replace(/^ {2}server \S+ 10\.0\.0\.\d+:3000\n/gm, '');
  const close = await start(join(folder, 'haproxy-api.cfg'), config);
  const stateOf = async (place: number) => {
    const socket = connect(stats, () => socket.write('show stat\n'));
    const lines = (await text(socket)).split('\n');
    return lines.find((line) => line.startsWith(`nodes,node${place + 1},`))?.split(',')[17] ?? '';
  };
  return {
    port,
    ca: readFileSync(certificate, 'utf8'),
    stateOf,
    isUp: async (place) => (await stateOf(place).catch(() => '')).startsWith('UP'),
    close,
  };
}

export interface PostgresBalancer {
  /** Of the primary. */
  readonly port: number;
  close(): Promise<void>;
}

/** haproxy-postgres.cfg; the machines of the databases have addresses that begin so, instead of `10.0.0.`. */
export async function startPostgresBalancer(folder: string, prefix: string): Promise<PostgresBalancer> {
  const port = await freePort();
  const config = shipped('haproxy-postgres.cfg')
    .replaceAll('10.0.0.', prefix)
    .replace('bind 127.0.0.1:5432', `bind 127.0.0.1:${port}`)
    .replace('bind 127.0.0.1:5433', `bind 127.0.0.1:${await freePort()}`);
  return { port, close: await start(join(folder, 'haproxy-postgres.cfg'), config) };
}

const shipped = (name: string): string => readFileSync(new URL(name, SHIPPED), 'utf8');

/** Returns its end. */
async function start(path: string, config: string): Promise<() => Promise<void>> {
  if (/\b10\.0\.0\.\d|bind :/.test(config))
    throw new Error(`${path}: the shipped file has addresses that its test does not know`);
  await writeFile(path, config);
  await run('haproxy', ['-c', '-q', '-f', path]);
  const child = spawn('haproxy', ['-f', path], { stdio: 'ignore' });
  return () => end(child, 'SIGKILL');
}
