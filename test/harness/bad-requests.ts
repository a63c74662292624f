// Sends generated bad requests to its own service: no 5xx except 501 and 503, no stack trace, no SQL, an envelope on every reply,
// and flat memory. One in five is a valid request of the API or the panel with fields at their extremes (extreme-requests.ts).
// `--plant` serves an endpoint that fails, which must be noticed.
//
//   node test/harness/bad-requests.ts --seed 1 --n 100000 [--plant]
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { makeBadRequest } from './bad-input.ts';
import { tryExtremes } from './extreme-requests.ts';
import { createRandom } from './random.ts';
import { type Report, readArguments, report } from './report.ts';
import { startServiceProcess } from './service-process.ts';

const AT_ONCE = 12;
/** Memory is measured this many times; growth beyond this in the second half of the run is a violation. */
const LOOKS = 10;
const MAX_GROWTH = 1.1;

const EXTREME_SHARE = 0.2;

export async function badRequests(seed: number, n: number, plant: boolean): Promise<Report> {
  const extreme = Math.round(n * EXTREME_SHARE);
  const sent = await sendMalformed(seed, n - extreme, plant);
  // The other requests already notice the planted bug.
  if (plant) return { ...sent, n };
  const tried = await tryExtremes(createRandom(seed), extreme);
  return {
    ...sent,
    n,
    violations: [...sent.violations, ...tried.violations],
    figure: { ...sent.figure, extremes: { sent: tried.sent, statuses: tried.statuses } },
  };
}

async function sendMalformed(seed: number, n: number, plant: boolean): Promise<Report> {
  const service = await startServiceProcess({ plant: plant ? 'failing-row' : null });
  const random = createRandom(seed);
  const violations: string[] = [];
  const statuses: Record<string, number> = {};
  let sent = 0;
  const resident: number[] = [];
  try {
    const worker = async () => {
      while (sent < n) {
        sent += 1;
        const number = sent;
        const request = makeBadRequest(random, service.key);
        const reply = await exchange(service.port, request.bytes);
        const status = /^HTTP\/1\.1 (\d{3}) /.exec(reply)?.[1] ?? 'none';
        statuses[status] = (statuses[status] ?? 0) + 1;
        const problem = problemOf(reply, status, request.mustAnswer);
        if (problem !== null && violations.length < 20)
          violations.push(
            `${problem}: ${JSON.stringify(request.bytes.toString('latin1').slice(0, 300))} → ${JSON.stringify(reply.slice(0, 300))}`,
          );
        if (number % Math.ceil(n / LOOKS) === 0) resident.push(await residentBytes(service.pid));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const [half, end] = [resident[LOOKS / 2 - 1]!, resident.at(-1)!];
    if (n >= 20_000 && end > half * MAX_GROWTH) violations.push(`memory grew from ${half} to ${end} bytes`);
    return {
      name: 'bad-requests',
      seed,
      n,
      violations,
      figure: { statuses, resident_mb: resident.map((bytes) => Math.round(bytes / 1e6)) },
    };
  } finally {
    await service.stop();
  }
}

function problemOf(reply: string, status: string, mustAnswer: boolean): string | null {
  if (status === 'none') return mustAnswer ? 'no reply' : null;
  if (Number(status) >= 500 && status !== '501' && status !== '503') return `status ${status}`;
  if (/\n\s+at |node:internal|\.ts:\d+|syntax error at|relation "|column "|pg_catalog|select .* from /i.test(reply))
    return 'inner workings in the reply';
  if (
    !/\r\nX-Request-Id: req_/i.test(reply) &&
    !/^HTTP\/1\.1 (100|304)/.test(reply) &&
    !/\r\n(Location|Content-Security-Policy): /i.test(reply)
  )
    return 'no request id';
  const body = reply.slice(reply.indexOf('\r\n\r\n') + 4);
  if (body === '' || status === '304' || !/application\/json/i.test(reply)) return null;
  try {
    const parsed = JSON.parse(Buffer.from(body, 'latin1').toString());
    return typeof parsed.success === 'boolean' || 'status' in parsed || 'openapi' in parsed ? null : 'no envelope';
  } catch {
    return 'a body that is not JSON';
  }
}

/** One connection, one request, and all bytes up to the end of the first reply. */
function exchange(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let reply = '';
    let timer: NodeJS.Timeout;
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(reply);
    };
    const isWhole = () => {
      const head = reply.indexOf('\r\n\r\n');
      if (head < 0) return false;
      const length = /\r\ncontent-length: (\d+)/i.exec(reply.slice(0, head))?.[1];
      return length === undefined || reply.length >= head + 4 + Number(length);
    };
    // The server waits for incomplete requests, the harness does not.
    timer = setTimeout(done, 1500);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      reply += chunk;
      // A HEAD reply has a length and no body: it ends with its head.
      if (isWhole() || (bytes.subarray(0, 5).toString() === 'HEAD ' && reply.includes('\r\n\r\n'))) done();
    });
    socket.on('error', done);
    socket.on('close', done);
    socket.write(bytes);
    // Closes its side: everything has been sent.
    if (!bytes.includes('\r\n\r\n')) socket.end();
  });
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 100_000 });
  report(await badRequests(seed, n, plant));
}
