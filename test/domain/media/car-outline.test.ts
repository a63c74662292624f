// The outline of a car from above, for the panel and for papers.
import { expect, test } from 'vitest';
import { OUTLINE_PARTS, OUTLINE_SIZE } from '../../../src/domain/media/car-outline.ts';
import { BODY_PARTS } from '../../../src/domain/stock/stock-states.ts';

test('has each of the thirteen parts once', () => {
  expect(OUTLINE_PARTS.map(({ part }) => part).toSorted()).toEqual([...BODY_PARTS].toSorted());
});

test('each part is within its box, boxes are within the drawing and do not overlap', () => {
  for (const { part, path, box } of OUTLINE_PARTS) {
    const numbers = path.match(/[\d.]+/g)!.map(Number);
    for (let at = 0; at < numbers.length; at += 2) {
      const [x, y] = [numbers[at]!, numbers[at + 1]!];
      expect(
        x >= box.x - 1 && x <= box.x + box.width + 1 && y >= box.y - 7 && y <= box.y + box.height + 7,
        `${part}: ${x} ${y}`,
      ).toBe(true);
    }
    expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= OUTLINE_SIZE.width && box.y + box.height <= OUTLINE_SIZE.height).toBe(
      true,
    );
    const overlapping = OUTLINE_PARTS.filter(
      (other) =>
        other.part !== part &&
        box.x < other.box.x + other.box.width &&
        other.box.x < box.x + box.width &&
        box.y < other.box.y + other.box.height &&
        other.box.y < box.y + box.height,
    );
    expect(overlapping.map((other) => other.part)).toEqual([]);
  }
});

test('left and right mirror each other', () => {
  const boxOf = (part: string) => OUTLINE_PARTS.find((one) => one.part === part)!.box;
  for (const left of BODY_PARTS.filter((part) => part.startsWith('Sol'))) {
    const [one, other] = [boxOf(left), boxOf(left.replace('Sol', 'Sağ'))];
    expect({ ...other, x: OUTLINE_SIZE.width - other.x - other.width }).toEqual(one);
  }
});
