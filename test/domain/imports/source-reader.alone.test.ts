// Sources are read in another process, with limits of elements, time and memory, and in turns.
import { afterAll, expect, test } from 'vitest';
import { FeedFailure, type SourceRow } from '../../../src/domain/imports/feed-row.ts';
import { openRunSource, previewSource } from '../../../src/domain/imports/feeds/source-reader.ts';
import { Unavailable } from '../../../src/kit/db.ts';
import { childrenNamed, isRunning } from '../../support/child-processes.ts';
import { until } from '../../support/patience.ts';
import { workbookOfElements } from '../../support/workbooks.ts';

const PROGRAM = 'source-program.ts';
const REQUEST = {
  type: undefined,
  delimiter: undefined,
  encoding: undefined,
  record_path: undefined,
  sheet: undefined,
  isCut: false,
} as const;
const CSV = { type: 'csv', delimiter: null, encoding: null, record_path: null, sheet: null } as const;
const never = () => new AbortController().signal;
const preview = (bytes: Buffer, account = 'account', signal = never(), maxMs?: number) =>
  previewSource(bytes, REQUEST, account, signal, maxMs);
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'read',
    (error) => (error instanceof FeedFailure ? error.code : error),
  );
const small = Buffer.from('Plaka;KM\nAB 1;5\n');

/** A process that reads sources, stopped in the middle of its next request. */
async function stoppedReader(): Promise<number> {
  await preview(small);
  const [pid, ...others] = await childrenNamed(PROGRAM);
  expect(others).toEqual([]);
  process.kill(pid!, 'SIGSTOP');
  return pid!;
}

afterAll(async () => {
  for (const pid of await childrenNamed(PROGRAM)) process.kill(pid, 'SIGKILL');
});

test('a small workbook with millions of elements is refused, and costs this process almost nothing', async () => {
  const bytes = workbookOfElements(3_100_000);
  expect(bytes.length).toBeLessThan(1_000_000);
  const before = process.cpuUsage();
  expect(await failureOf(preview(bytes))).toBe('source_too_large');
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(1000);
});

test('a source that takes too long is refused, and its process is ended', async () => {
  const pid = await stoppedReader();
  expect(await failureOf(preview(small, 'account', never(), 50))).toBe('source_too_large');
  await until(async () => !(await isRunning(PROGRAM, pid)));
  expect((await preview(small)).rows_seen).toBe(1);
});

test('a source that takes too much memory is refused', async () => {
  const pid = await stoppedReader();
  const refused = failureOf(preview(small));
  // As Node ends a process whose heap is full.
  process.kill(pid, 'SIGABRT');
  process.kill(pid, 'SIGCONT');
  expect(await refused).toBe('source_too_large');
});

test('reading ends when the caller leaves, also while it waits in the queue', async () => {
  const pid = await stoppedReader();
  const leaves = new AbortController();
  const both = [preview(small, 'account', leaves.signal), preview(small, 'account', leaves.signal)].map(failureOf);
  // The first has been sent to the process by then.
  await new Promise(setImmediate);
  leaves.abort();
  expect(await Promise.all(both)).toEqual([expect.any(Unavailable), expect.any(Unavailable)]);
  await until(async () => !(await isRunning(PROGRAM, pid)));
  expect((await preview(small)).rows_seen).toBe(1);
});

test('a run reads its rows unchanged, for any column names', async () => {
  const content = ['Plaka;constructor;__proto__', ...Array.from({ length: 1000 }, (_, at) => `AB ${at};;x`)].join('\n');
  const source = await openRunSource(CSV, [Buffer.from(content)], never());
  const rows: SourceRow[] = [];
  try {
    const survey = await source.survey({ columns: ['Plaka', 'KM'], numberColumns: [], dayColumns: [], maxRows: 10_000 });
    expect(survey).toMatchObject({ rows: 1000, missing: ['KM'], broken: null });
    for await (const row of source.rows()) rows.push(row);
  } finally {
    await source.close();
  }
  expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: 1000 }, (_, at) => at + 1));
  const { cells } = rows[7] as Extract<SourceRow, { cells: unknown }>;
  expect(Object.entries(cells)).toEqual([
    ['Plaka', 'AB 7'],
    ['__proto__', 'x'],
  ]);
  expect([cells.constructor, cells.toString]).toEqual([undefined, undefined]);
});

test('the rest of one source is never read with the next', async () => {
  const first = await openRunSource(CSV, [Buffer.from('Plaka\nAB 1\nAB 2\n')], never());
  for await (const row of first.rows()) if (row.row === 1) break;
  await first.close();
  const second = await openRunSource(CSV, [Buffer.from('KM\n5\n')], never());
  const rows: unknown[] = [];
  for await (const row of second.rows()) rows.push({ ...('cells' in row ? row.cells : {}) });
  await second.close();
  expect(rows).toEqual([{ KM: '5' }]);
});

test('accounts take turns, and one account never uses every process', async () => {
  const pid = await stoppedReader();
  const order: string[] = [];
  const named = async (account: string) => {
    await preview(small, account);
    order.push(account);
  };
  // The first of them is in the stopped process, so the others of its account wait.
  const many = ['many', 'many', 'many'].map(named);
  await named('few');
  expect(order).toEqual(['few']);
  process.kill(pid, 'SIGCONT');
  await Promise.all(many);
});
