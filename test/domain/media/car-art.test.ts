import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { DEMO_COLORS } from '../../../src/demo/demo-words.ts';
import { drawCarAtAngle } from '../../../src/domain/media/car-angle.ts';
import { CAR_VIEWS, type DrawnCar, drawCar, paintOf } from '../../../src/domain/media/car-art.ts';
import { BODY_TYPES } from '../../../src/domain/stock/stock-states.ts';

const drawingsOf = (drawn: DrawnCar) => [drawCarAtAngle(drawn), ...CAR_VIEWS.map((view) => drawCar(drawn, view))];
const car = { bodyType: 'Sedan', color: 'Beyaz', plate: 'GL 482' };

test.each(BODY_TYPES)('%s is drawn from every side as well-formed SVG with finite coordinates', (bodyType) => {
  for (const svg of drawingsOf({ ...car, bodyType })) {
    expect(() => new SaxesParser().write(svg).close()).not.toThrow();
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  }
});

test('named body types differ, others are drawn as a sedan, and the same car is always the same drawing', () => {
  const drawn = BODY_TYPES.map((bodyType) => drawCar({ ...car, bodyType }, 'side'));
  expect(new Set(drawn).size).toBe(BODY_TYPES.length - 1);
  expect(drawn.at(BODY_TYPES.indexOf('Diğer'))).toBe(drawn.at(BODY_TYPES.indexOf('Sedan')));
  expect(drawCar(car, 'front')).toBe(drawCar({ ...car }, 'front'));
});

test('every color of the demonstration has a paint of its own; unknown ones are gray', () => {
  const colors = [...new Set(DEMO_COLORS)];
  expect(new Set(colors.map(paintOf)).size).toBe(colors.length);
  expect(colors.map(paintOf)).not.toContain(paintOf('Leylak'));
});

test.each([
  ['KIRMIZI', 'Kırmızı'],
  ['Metalik Gri', 'Gri'],
  ['GÜMÜŞ GRİ', 'Gümüş'],
  ['inci beyazı', 'Beyaz'],
  ['WHITE', 'Beyaz'],
  ['Navy blue', 'Lacivert'],
  ['koyu gri', 'Füme'],
  ['silver', 'Gümüş'],
])('%s is painted as %s', (typed, paint) => {
  expect(paintOf(typed)).toBe(paintOf(paint));
});

test('the plate is on the front, the rear and the angle, and cannot add markup', () => {
  const [angle, side, front, rear] = drawingsOf(car);
  const others = drawingsOf({ ...car, plate: 'GL 483' });
  expect([angle, side, front, rear].map((svg, at) => svg === others[at])).toEqual([false, true, false, false]);
  const hostile = drawingsOf({ ...car, plate: '</text><script>"&' });
  expect(hostile).toEqual(drawingsOf({ ...car, plate: 'TEXTSCRIPT' }));
});

test('bodies at an angle differ by body type', () => {
  const drawn = BODY_TYPES.map((bodyType) => drawCarAtAngle({ ...car, bodyType }));
  expect(new Set(drawn).size).toBe(BODY_TYPES.length - 1);
});
