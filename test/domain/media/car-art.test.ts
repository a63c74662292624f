import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { DEMO_COLORS } from '../../../src/demo/demo-words.ts';
import { CAR_VIEWS, drawCar, paintOf } from '../../../src/domain/media/car-art.ts';
import { BODY_TYPES } from '../../../src/domain/stock/stock-states.ts';

const car = { bodyType: 'Sedan', color: 'Beyaz', plate: 'GL 482' };

test.each(BODY_TYPES)('%s is drawn from every side as well-formed SVG with finite coordinates', (bodyType) => {
  for (const view of CAR_VIEWS) {
    const svg = drawCar({ ...car, bodyType }, view);
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

test('the plate is on front and rear, and cannot add markup', () => {
  expect(drawCar(car, 'front')).toContain('>GL 482<');
  expect(drawCar(car, 'rear')).toContain('>GL 482<');
  const hostile = drawCar({ ...car, plate: '</text><script>"&' }, 'front');
  expect(hostile).not.toMatch(/<script|"&/);
  expect(() => new SaxesParser().write(hostile).close()).not.toThrow();
});
