// Which standby is asked, and whether its answer is used.
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/kit/db.ts';
import type { Change } from '../../src/postgres/changes.ts';
import { watchVersions } from '../../src/postgres/known-versions.ts';
import { judge, type Needed, pickStandby, type Shown, type StandbyState } from '../../src/postgres/standby-rules.ts';

const beats = new Map([
  [7n, 8000],
  [8n, 9500],
]);
const needed: Needed = { version: 5n, askedAt: 10_000, sentAt: (beat) => beats.get(beat), since: () => 0 };
const shown: Shown = { is_standby: true, beat: 8n, version: 5n };

test('an answer with the known version from a standby that follows closely is used', () => {
  expect(judge(shown, needed)).toBeNull();
  expect(judge({ ...shown, version: 6n }, needed)).toBeNull();
});

test('an answer with an older version is not, nor one without the dealer', () => {
  expect(judge({ ...shown, version: 4n }, needed)).toBe('old');
  expect(judge({ ...shown, version: null }, { ...needed, version: 0n })).toBe('old');
});

test('a standby is late that shows no heartbeat, one from before the loss of the channel, or one over a second old', () => {
  for (const beat of [null, 6n, 7n]) expect(judge({ ...shown, beat }, needed)).toBe('late');
});

test('once known versions are forgotten, only an answer with a later heartbeat is used', () => {
  expect(judge(shown, { ...needed, since: () => 9499 })).toBeNull();
  expect(judge(shown, { ...needed, since: () => 9500 })).toBe('old');
});

test('a promoted standby is not used, however new it seems', () => {
  expect(judge({ ...shown, is_standby: false, version: 99n }, needed)).toBe('promoted');
});

test('the least loaded standby in good state is asked, in turns where several are equal', () => {
  const standby = (name: string, state: StandbyState, load: number) => ({ name, state: () => state, load: () => load });
  const [busy, first, second] = [standby('busy', 'good', 2), standby('first', 'good', 1), standby('second', 'good', 1)];
  expect([0, 1, 2, 3].map((turn) => pickStandby([busy, first, second], turn)!.name)).toEqual([
    'first',
    'first',
    'second',
    'first',
  ]);
  const bad = (['unknown', 'late', 'promoted', 'lost'] as const).map((state) => standby(state, state, 0));
  expect(pickStandby([...bad, busy], 0)!.name).toBe('busy');
  expect(pickStandby(bad, 0)).toBeNull();
});

test('versions are known from own writes and from the channel, never fall, and are forgotten when they are too many', () => {
  const ofOwn: Parameters<Database['onWritten']>[0][] = [];
  const ofOthers: ((change: Change) => void)[] = [];
  const versions = watchVersions(
    { onWritten: (listener) => ofOwn.push(listener) },
    { onChange: (listener) => ofOthers.push(listener) },
    2,
  );
  const [own, heard] = [ofOwn[0]!, ofOthers[0]!];
  let forgotten = 0;
  versions.onForgotten(() => {
    forgotten += 1;
  });
  own('a', { version: 4n, next_due_at: null });
  heard({ topic: 'data', id: 'a', version: 3n, dueAt: null });
  heard({ topic: 'data', id: 'b', version: 7n, dueAt: null });
  heard({ topic: 'key', id: 'c', version: null, dueAt: null });
  expect(['a', 'b', 'c'].map(versions.of)).toEqual([4n, 7n, 0n]);
  expect([forgotten, versions.forgottenAt()]).toEqual([0, Number.NEGATIVE_INFINITY]);
  own('c', { version: 2n, next_due_at: null });
  expect(['a', 'b', 'c'].map(versions.of)).toEqual([0n, 0n, 2n]);
  expect(forgotten).toBe(1);
  expect(versions.forgottenAt()).toBeLessThanOrEqual(performance.now());
});

test('DATABASE_READ_URL has several hosts or several addresses, and needs DATABASE_URL', () => {
  const DATABASE_URL = 'postgresql://u@db1/galeri';
  const read = (DATABASE_READ_URL: string) => readConfig({ DATABASE_URL, DATABASE_READ_URL }).databaseReadUrls;
  expect(readConfig({ DATABASE_URL }).databaseReadUrls).toEqual([]);
  expect(read('postgresql://u@db2:5433,db3/galeri?target_session_attrs=standby')).toEqual([
    'postgresql://u@db2:5433/galeri',
    'postgresql://u@db3/galeri',
  ]);
  expect(read('postgresql://u@db2/galeri?sslmode=verify-full,postgres://u@db3,db2/galeri')).toEqual([
    'postgresql://u@db2/galeri?sslmode=verify-full',
    'postgres://u@db3/galeri',
    'postgres://u@db2/galeri',
  ]);
  expect(() => read('postgresql://u@db2/galeri?target_session_attrs=read-write')).toThrow(
    'DATABASE_READ_URL: target_session_attrs must be one of any, standby, prefer-standby, read-only, not "read-write"',
  );
  expect(() => read('mysql://u@db2/galeri')).toThrow('DATABASE_READ_URL: it must begin with postgres:// or postgresql://');
  expect(() => readConfig({ DATABASE_READ_URL: DATABASE_URL })).toThrow(
    'DATABASE_READ_URL requires DATABASE_URL, which is not set',
  );
});
