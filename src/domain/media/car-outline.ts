// The outline of a car from above, its front on top, opened out into the thirteen parts of its condition: paths for the panel and for
// papers. Units are those of a drawing of 220 by 362. Pure, because the panel draws with it too.
import type { BodyPart } from '../stock/stock-states.ts';

export const OUTLINE_SIZE = { width: 220, height: 362 } as const;

export interface OutlinePart {
  readonly part: BodyPart;
  readonly path: string;
  /** The rectangle around it, and its middle, where a letter names its state. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

type Row = readonly [part: BodyPart, x: number, y: number, width: number, height: number, path: string];

// biome-ignore format: a table
const MIDDLE: readonly Row[] = [
  ['Ön Tampon', 62, 8, 96, 26, 'M62 30C62 14 80 8 110 8C140 8 158 14 158 30L150 34C140 26 80 26 70 34Z'],
  ['Motor Kaputu', 68, 34, 84, 70, 'M72 40C84 32 136 32 148 40L152 104C130 96 90 96 68 104Z'],
  ['Tavan', 76, 142, 68, 88, 'M78 146C94 141 126 141 142 146L144 226C126 231 94 231 76 226Z'],
  ['Bagaj Kapağı', 69, 266, 82, 60, 'M69 266C92 272 128 272 151 266L148 320C134 327 86 327 72 320Z'],
  ['Arka Tampon', 62, 327, 96, 27, 'M70 326C82 334 138 334 150 326L158 330C158 348 140 354 110 354C80 354 62 348 62 330Z'],
];
// biome-ignore format: a table
const SIDES: readonly (readonly [left: BodyPart, right: BodyPart, y: number, height: number, points: readonly (readonly number[])[]])[] = [
  ['Sol Ön Çamurluk', 'Sağ Ön Çamurluk', 40, 66, [[24, 50], [34, 42], [50, 38], [60, 42], [58, 102], [22, 106]]],
  ['Sol Ön Kapı', 'Sağ Ön Kapı', 108, 74, [[21, 112], [58, 108], [58, 182], [18, 182]]],
  ['Sol Arka Kapı', 'Sağ Arka Kapı', 188, 68, [[18, 188], [58, 188], [58, 256], [21, 252]]],
  ['Sol Arka Çamurluk', 'Sağ Arka Çamurluk', 258, 66, [[22, 258], [58, 262], [60, 320], [50, 324], [34, 320], [24, 312]]],
];

const polygon = (points: readonly (readonly number[])[]): string => `M${points.map((point) => point.join(' ')).join('L')}Z`;

const sides = SIDES.flatMap(([left, right, y, height, points]): OutlinePart[] => [
  { part: left, path: polygon(points), box: { x: 18, y, width: 42, height } },
  {
    part: right,
    path: polygon(points.map(([x, at]) => [OUTLINE_SIZE.width - x!, at!])),
    box: { x: OUTLINE_SIZE.width - 60, y, width: 42, height },
  },
]);

/** In the order in which a keyboard walks through them: from the front to the rear. */
export const OUTLINE_PARTS: readonly OutlinePart[] = [
  ...MIDDLE.map(([part, x, y, width, height, path]) => ({ part, path, box: { x, y, width, height } })),
  ...sides,
].toSorted((one, other) => one.box.y - other.box.y || one.box.x - other.box.x);

/** Glass and wheels, which have no condition. */
export const OUTLINE_GLASS: readonly string[] = [
  'M70 110C92 102 128 102 150 110L144 138C126 132 94 132 76 138Z',
  'M77 234C94 239 126 239 143 234L150 260C128 266 92 266 70 260Z',
];
export const OUTLINE_WHEELS: readonly string[] = ['M8 60H18V96H8ZM202 60H212V96H202Z', 'M8 268H18V304H8ZM202 268H212V304H202Z'];
