import { describe, expect, test } from 'vitest';
import { type LiveView, roomFor } from '../../../src/domain/sharing/live-views.ts';

const LIMITS = { session: 2, person: 3, account: 4, process: 8 };
const view = (account: string | null, person: string, session = `${person} 1`): LiveView => ({ account, person, session });
const room = (open: LiveView[], coming: LiveView) => roomFor(open, coming, LIMITS);

describe('another live view', () => {
  test('fits while no one exceeds their share', () => {
    expect(room([], view('a', 'p'))).toBeNull();
    expect(room([view('a', 'p'), view('a', 'q')], view('a', 'p'))).toBeNull();
  });

  test('does not fit beyond the share of a session or a person, despite free room', () => {
    expect(room([view('a', 'p'), view('a', 'p')], view('a', 'p'))).toBe('full');
    const many = [view('a', 'p', 's1'), view('a', 'p', 's2'), view('b', 'p', 's3')];
    expect(room(many, view('b', 'p', 's4'))).toBe('full');
  });

  test('in a full account replaces the oldest of the colleague with the most, if that is more than the caller’s', () => {
    const open = [view('a', 'q'), view('a', 'p', 's1'), view('a', 'p', 's2'), view('a', 'p', 's3')];
    expect(room(open, view('a', 'r'))).toBe(open[1]);
    const even = ['p', 'q', 'r', 's'].map((person) => view('a', person));
    expect(room(even, view('a', 't'))).toBe('full');
  });

  test('in a full process replaces one of the account with the most, and there of the person with the most', () => {
    const open = [
      ...[view('b', 'x'), view('b', 'y'), view('c', 'z'), view(null, 'admin')],
      ...[view('a', 'q'), view('a', 'p', 's1'), view('a', 'p', 's2'), view('a', 'r')],
    ];
    expect(room(open, view('d', 'new'))).toBe(open[5]);
    expect(room(open, view(null, 'other admin'))).toBe(open[5]);
    expect(room(open, view('a', 'new'))).toBe(open[5]);
  });

  test('does not fit where everyone has one', () => {
    const open = Array.from({ length: 8 }, (_, index) => view(`a${index}`, `p${index}`));
    expect(room(open, view('new', 'new'))).toBe('full');
  });
});
