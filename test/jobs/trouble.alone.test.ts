// A job that fails every second is told of once a minute, and when it goes on.
import { afterEach, expect, test, vi } from 'vitest';
import { createFailureLog } from '../../src/jobs/failure-log.ts';

afterEach(() => vi.useRealTimers());

test('one line a minute while it lasts, at once where the reason is another, and one when it is over', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const lines: string[] = [];
  const say = (message: string, facts = {}) => void lines.push(`${message} ${JSON.stringify(facts)}`);
  const trouble = createFailureLog({ debug: say, info: say, warn: say, error: say }, 'the sweep of files');
  trouble.worked();
  expect(lines).toEqual([]);
  for (let second = 0; second < 70; second += 1) {
    trouble.failed(new Error('no room'));
    vi.advanceTimersByTime(1000);
  }
  trouble.failed(new Error('no connection'));
  trouble.worked();
  trouble.worked();
  const failed = 'the sweep of files failed; it will be tried again';
  expect(lines).toEqual([
    `${failed} {"reason":"no room"}`,
    `${failed} {"reason":"no room","times_since":59}`,
    `${failed} {"reason":"no connection","times_since":9}`,
    'the sweep of files works again {}',
  ]);
});
