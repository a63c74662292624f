// Draws a car from the front and the side at once: the shape of car-art.ts in three dimensions. The near side is its side view, drawn at an
// angle; strips across the car connect it to the far side.
import {
  at,
  type DrawnCar,
  drawPlate,
  drawSide,
  GROUND,
  opening,
  type Point,
  type Profile,
  paintOf,
  profileOf,
  SILL,
  sideOutline,
  tint,
} from './car-art.ts';

/** How a unit of length and the whole width appear in the picture. */
const [ALONG_X, ALONG_Y] = [0.84, -0.06];
const [ACROSS_X, ACROSS_Y] = [-92, -17];
const WIDTH = 150;
/** The share of the width by which the roof is narrower on each side. */
const NARROWING = 0.13;
const [LEFT, TOP] = [84, 12];

/** Where a point of the side view is in the picture; `across` is 0 on the near side and 1 on the far side. */
type Place = (x: number, y: number, across: number) => Point;

export function drawCarAtAngle(car: DrawnCar): string {
  const paint = paintOf(car.color);
  const shape = profileOf(car.bodyType);
  const belt = (shape.cowl[1] + shape.deck[1]) / 2;
  const rise = belt - (shape.roofEnd === null ? shape.roofStart[1] : Math.min(shape.roofStart[1], shape.roofEnd[1]));
  const place: Place = (x, y, across) => {
    const narrowed = y < belt ? (NARROWING * (belt - y)) / rise : 0;
    const share = narrowed + across * (1 - 2 * narrowed);
    return [LEFT + ALONG_X * x + ACROSS_X * share, TOP + y + ALONG_Y * x + ACROSS_Y * share];
  };
  return `${opening(paint)}${shadow(shape, place)}${farWheel(shape, place)}${strips(shape, place, paint)}${face(shape, place, paint, car.plate)}
${nearSide(shape, { belt, rise }, paint)}</svg>`;
}

function quad(points: readonly Point[], fill: string): string {
  return `<path d="M${points.map((point) => at(...point)).join('L')}Z" fill="${fill}" stroke="${fill}" stroke-width=".6"/>`;
}

function shadow({ nose, tail, wheels }: Profile, place: Place): string {
  const [left, right] = [place(nose[0], GROUND, 1), place(tail[0], GROUND, 0)];
  const middle = `${at((left[0] + right[0]) / 2, (left[1] + right[1]) / 2 + 8)}`;
  const under = [
    place(nose[0] + 6, SILL, 0),
    place(nose[0] + 6, SILL, 1),
    place(wheels[1], SILL, 1),
    place(wheels[1] + 10, SILL, 0),
  ];
  const ground = under.map(([x, y], corner) => [x, y + (corner === 1 || corner === 2 ? 8 : 14)] as const);
  return `<ellipse rx="${(right[0] - left[0]) * 0.54}" ry="30" transform="translate(${middle}) rotate(-3)" fill="url(#shadow)"/>${quad(ground, '#22262b')}`;
}

function farWheel({ wheels, wheelRadius }: Profile, place: Place): string {
  const [x, y] = place(wheels[0], GROUND - wheelRadius, 0.94);
  return `<ellipse cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" rx="${wheelRadius * 0.8}" ry="${wheelRadius}" fill="#1c1f23"/>`;
}

/** The surfaces across the car, the farthest first. */
function strips(shape: Profile, place: Place, paint: string): string {
  const { cowl, roofStart, roofEnd, deck, tail } = shape;
  const points = pointsOf(sideOutline(shape)).filter(([, y]) => y < SILL - 2);
  const drawn: string[] = [];
  for (let index = points.length - 1; index > 0; index -= 1) {
    const [from, to] = [points[index - 1]!, points[index]!];
    const corners = (near: number, far: number) => [
      place(...from, near),
      place(...to, near),
      place(...to, far),
      place(...from, far),
    ];
    const isOpen = roofEnd === null ? from[0] >= roofStart[0] + 8 && to[0] <= 301 : deck[1] === tail[1] && from[0] >= deck[0] - 1;
    drawn.push(quad(corners(0, 1), isOpen ? '#24282d' : shaded(from, to, paint)));
    const isScreen = from[0] >= cowl[0] - 1 && to[0] <= roofStart[0] + 3 && to[1] < from[1];
    if (isScreen) drawn.push(quad(corners(0.06, 0.94), '#2b3743'));
  }
  return drawn.join('');
}

/** Light falls from above. */
function shaded([x1, y1]: Point, [x2, y2]: Point, paint: string): string {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [upward, forward] = [(x2 - x1) / length, (y1 - y2) / length];
  return tint(paint, Math.round((0.24 * upward + (forward > 0 ? -0.08 : 0.3) * forward - 0.04) * 50) / 50);
}

/** Lamps, grille, bumper and plate. */
function face({ nose }: Profile, place: Place, paint: string, plate: string): string {
  const [x, top] = nose;
  const between = (from: number, to: number, y1: number, y2: number, fill: string) =>
    quad([place(x - 5, y1, from), place(x - 5, y1, to), place(x - 5, y2, to), place(x - 5, y2, from)], fill);
  const lamp = (from: number, to: number) => between(from, to, top + 5, top + 15, '#f3f6f9');
  const [plateX, plateY] = place(x - 6, SILL - 18, 0.5);
  const turned = `matrix(${(-ACROSS_X / WIDTH).toFixed(3)} ${(-ACROSS_Y / WIDTH).toFixed(3)} 0 1 ${at(plateX, plateY)})`;
  return `${between(0.24, 0.76, top + 6, top + 17, '#1a1d21')}${between(0.27, 0.73, top + 10, top + 11.5, '#59626b')}${lamp(0.02, 0.22)}${lamp(0.78, 0.98)}
${between(0.03, 0.97, SILL - 12, SILL - 5, tint(paint, -0.6))}<g transform="${turned}">${drawPlate(plate)}</g>`;
}

/** The side view twice: below the belt as it is, above it leaning towards the middle of the car. */
function nearSide(shape: Profile, { belt, rise }: { readonly belt: number; readonly rise: number }, paint: string): string {
  const lean = NARROWING / rise;
  const below = `matrix(${ALONG_X} ${ALONG_Y} 0 1 ${LEFT} ${TOP})`;
  const [c, d] = [-ACROSS_X * lean, 1 - ACROSS_Y * lean];
  const above = `matrix(${ALONG_X} ${ALONG_Y} ${c.toFixed(4)} ${d.toFixed(4)} ${at(LEFT - c * belt, TOP + (1 - d) * belt)})`;
  const part = (id: string, y: number, height: number, turned: string) =>
    `<clipPath id="${id}"><path d="M0 ${y}H480V${y + height}H0Z"/></clipPath><g transform="${turned}"><g clip-path="url(#${id})"><use href="#near"/></g></g>`;
  return `<defs><g id="near">${drawSide(shape, paint)}</g></defs>${part('above', belt - 200, 200.4, above)}${part('below', belt, 200, below)}`;
}

const STEPS = 6;

/** The corners of a path of absolute M, L and C, whose curves become short lines. */
function pointsOf(path: string): Point[] {
  const points: Point[] = [];
  for (const [, command, text] of path.matchAll(/([MLC])([^MLCZ]*)/g)) {
    const numbers = text!.trim().split(/[ ,]+/).map(Number);
    if (command !== 'C') points.push([numbers[0]!, numbers[1]!]);
    for (let from = 0; command === 'C' && from < numbers.length; from += 6) {
      const [x0, y0] = points.at(-1)!;
      const [x1, y1, x2, y2, x3, y3] = numbers.slice(from, from + 6) as [number, number, number, number, number, number];
      for (let step = 1; step <= STEPS; step += 1) {
        const [t, u] = [step / STEPS, 1 - step / STEPS];
        const curve = (a: number, b: number, c: number, d: number) =>
          u ** 3 * a + 3 * u * u * t * b + 3 * u * t * t * c + t ** 3 * d;
        points.push([curve(x0, x1, x2, x3), curve(y0, y1, y2, y3)]);
      }
    }
  }
  return points;
}
