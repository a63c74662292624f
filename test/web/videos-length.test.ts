// How long a video is: typed as people write it, shown as players do.
import { expect, it } from 'vitest';
import { clockText, secondsOf } from '../../web/src/screens/vehicle-media/videos-length.ts';

it.each([
  ['2:45', 165],
  ['165', 165],
  [' 0:07 ', 7],
  ['1:02:05', 3725],
  ['', null],
])('reads «%s»', (typed, seconds) => expect(secondsOf(typed)).toBe(seconds));

it.each(['2:75', '2:5', '1:60:00', 'iki dakika', '-5', '2.45'])('takes «%s» for no length', (typed) =>
  expect(secondsOf(typed)).toBeUndefined(),
);

it('shows minutes, and hours where there are any', () => {
  expect([7, 165, 3725].map(clockText)).toEqual(['0:07', '2:45', '1:02:05']);
});
