// Draws a car as SVG from its body type, colour and plate: the pictures of the demonstration and of sandboxes, and the placeholder of a car
// without a photo. Units are pixels of a canvas of 480 by 320; cars face left. Pure, because the panel draws placeholders with it too.
import type { BODY_TYPES } from '../stock/stock-states.ts';

type BodyType = (typeof BODY_TYPES)[number];
export type Point = readonly [x: number, y: number];

export const CAR_VIEWS = ['side', 'front', 'rear'] as const;
export type CarView = (typeof CAR_VIEWS)[number];

export interface DrawnCar {
  readonly bodyType: string;
  /** As dealers write it: `Beyaz`, `Füme`. */
  readonly color: string;
  readonly plate: string;
}

export const CAR_ART_SIZE = { width: 480, height: 320 } as const;
export const GROUND = 264;
export const SILL = 246;

/** The outline of a body from the side. `roofEnd` is null without a roof. */
export interface Profile {
  readonly nose: Point;
  readonly cowl: Point;
  readonly roofStart: Point;
  readonly roofEnd: Point | null;
  readonly deck: Point;
  readonly tail: Point;
  readonly wheels: readonly [front: number, rear: number];
  readonly wheelRadius: number;
  readonly pillars: readonly number[];
  /** Width and height of the car from the front. */
  readonly front: readonly [width: number, height: number];
}

type Outline = readonly [nose: Point, cowl: Point, roofStart: Point, roofEnd: Point | null, deck: Point, tail: Point];

const profile = (
  [nose, cowl, roofStart, roofEnd, deck, tail]: Outline,
  wheels: Profile['wheels'],
  wheelRadius: number,
  pillars: readonly number[],
  front: Profile['front'],
): Profile => ({ nose, cowl, roofStart, roofEnd, deck, tail, wheels, wheelRadius, pillars, front });

const PROFILES: Readonly<Partial<Record<string, Profile>>> = {
  Sedan: profile(
    [
      [58, 207],
      [160, 187],
      [222, 151],
      [314, 150],
      [382, 183],
      [426, 190],
    ],
    [130, 352],
    26,
    [266],
    [198, 148],
  ),
  Hatchback: profile(
    [
      [74, 205],
      [154, 183],
      [210, 147],
      [336, 148],
      [388, 182],
      [404, 194],
    ],
    [138, 346],
    26,
    [264],
    [196, 153],
  ),
  SUV: profile(
    [
      [60, 194],
      [146, 173],
      [196, 134],
      [362, 134],
      [404, 172],
      [416, 186],
    ],
    [130, 350],
    30,
    [252, 328],
    [208, 177],
  ),
  'Station Wagon': profile(
    [
      [52, 207],
      [152, 187],
      [212, 151],
      [384, 151],
      [416, 184],
      [428, 194],
    ],
    [124, 354],
    26,
    [258, 334],
    [198, 150],
  ),
  Coupe: profile(
    [
      [52, 211],
      [170, 191],
      [238, 157],
      [304, 156],
      [398, 187],
      [428, 191],
    ],
    [128, 354],
    27,
    [288],
    [203, 142],
  ),
  Cabrio: profile([[54, 211], [170, 191], [216, 163], null, [300, 190], [428, 191]], [128, 354], 27, [], [203, 137]),
  'Pick-up': profile(
    [
      [42, 194],
      [132, 174],
      [180, 133],
      [266, 133],
      [288, 184],
      [440, 184],
    ],
    [114, 366],
    30,
    [224],
    [211, 182],
  ),
  Minivan: profile(
    [
      [56, 202],
      [120, 178],
      [190, 131],
      [388, 132],
      [418, 176],
      [424, 196],
    ],
    [124, 352],
    27,
    [230, 314],
    [208, 180],
  ),
  Panelvan: profile(
    [
      [48, 194],
      [82, 176],
      [136, 117],
      [412, 116],
      [426, 172],
      [430, 196],
    ],
    [114, 354],
    27,
    [182],
    [214, 198],
  ),
} satisfies Partial<Record<BodyType, Profile>>;

export const profileOf = (bodyType: string): Profile => PROFILES[bodyType] ?? PROFILES.Sedan!;

const PAINTS: Readonly<Record<string, string>> = {
  Beyaz: '#f2f3f4',
  Siyah: '#1d1f22',
  Gri: '#8a9097',
  Gümüş: '#c3c8cd',
  Füme: '#4b5056',
  Lacivert: '#1b2f57',
  Mavi: '#2a62a8',
  Kırmızı: '#b3202a',
  Bordo: '#5b2430',
  Kahverengi: '#5d4433',
  Bej: '#cdb893',
  Turuncu: '#d96b1e',
  Yeşil: '#2f6b46',
  Sarı: '#e0b32a',
  Mor: '#5a3b7a',
};

/** Other words for a paint, or parts of them. A light or dark shade comes before the colour that is part of its name. */
const PAINT_WORDS: readonly (readonly [word: RegExp, paint: string])[] = [
  [/lacivert|navy|dark blue|koyu mavi/, 'Lacivert'],
  [/füme|antrasit|anthracite|graphite|grafit|dark gr[ea]y|koyu gri/, 'Füme'],
  [/gümüş|silver/, 'Gümüş'],
  [/bordo|burgundy|maroon|vişne/, 'Bordo'],
  [/beyaz|white|sedef|fildişi/, 'Beyaz'],
  [/siyah|black/, 'Siyah'],
  [/gri|gr[ea]y|titan/, 'Gri'],
  [/mavi|blue|turkuaz|turquoise/, 'Mavi'],
  [/kırmızı|red\b/, 'Kırmızı'],
  [/kahve|brown|bronz/, 'Kahverengi'],
  [/bej|beige|krem|cream|şampanya|champagne/, 'Bej'],
  [/turuncu|orange/, 'Turuncu'],
  [/yeşil|green|haki/, 'Yeşil'],
  [/sarı|yellow|gold|altın/, 'Sarı'],
  [/mor\b|purple/, 'Mor'],
];

/** Grey for a colour that is not known. */
export function paintOf(color: string): string {
  const known = PAINTS[color];
  if (known !== undefined) return known;
  // «KIRMIZI» in small letters has dotless ones, «WHITE» a dotted one.
  const words = [color.toLowerCase(), color.replaceAll('I', 'ı').toLowerCase().replaceAll('i\u0307', 'i')];
  const named = PAINT_WORDS.find(([test]) => words.some((word) => test.test(word)));
  return PAINTS[named?.[1] ?? ''] ?? '#9aa1a8';
}

export function drawCar(car: DrawnCar, view: CarView): string {
  const paint = paintOf(car.color);
  const shape = profileOf(car.bodyType);
  const drawing = view === 'side' ? `${SIDE_SHADOW}${drawSide(shape, paint)}` : drawEnd(shape, paint, car.plate, view === 'rear');
  return `${opening(paint)}${drawing}</svg>`;
}

/** The showroom, and the paints that all parts use. */
export const opening = (paint: string): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 320">
<defs>${vertical('wall', ['#eef1f4', '#dfe4e9'])}${vertical('floor', ['#cfd5db', '#e6e9ed'])}${vertical('glass', ['#3b4a59', '#1b232c'])}
<linearGradient id="paint" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${tint(paint, 0.28)}"/>
<stop offset=".42" stop-color="${paint}"/><stop offset="1" stop-color="${tint(paint, -0.32)}"/></linearGradient>
<radialGradient id="shadow"><stop offset="0" stop-opacity=".42"/><stop offset="1" stop-opacity="0"/></radialGradient></defs>
<rect width="480" height="320" fill="url(#wall)"/><path d="M0 220H480V320H0Z" fill="url(#floor)"/>
<path d="M40 40H150V196H40ZM170 40H310V196H170ZM330 40H440V196H330Z" fill="#fff" opacity=".38"/>`;

const vertical = (id: string, [top, bottom]: readonly [string, string]): string =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>`;

/** Lighter for a positive share, darker for a negative one. */
export function tint(paint: string, share: number): string {
  const channel = (at: number) => {
    const value = Number.parseInt(paint.slice(at, at + 2), 16);
    const changed = share < 0 ? value * (1 + share) : value + (255 - value) * share;
    return Math.round(changed).toString(16).padStart(2, '0');
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

export const n = (value: number): number => Math.round(value * 10) / 10;
export const at = (x: number, y: number): string => `${n(x)} ${n(y)}`;
const between = (from: number, to: number, share: number): number => from + (to - from) * share;

// The side

const SIDE_SHADOW = `<ellipse cx="242" cy="${GROUND}" rx="212" ry="15" fill="url(#shadow)"/>`;

export function drawSide(shape: Profile, paint: string): string {
  const { nose, cowl, deck, tail, wheels, wheelRadius } = shape;
  const body = sideOutline(shape);
  const belt = (cowl[1] + deck[1]) / 2;
  const edge = tint(paint, -0.5);
  return `<clipPath id="body"><path d="${body}"/></clipPath>
<path d="${body}" fill="url(#paint)" stroke="${edge}"/>
<g clip-path="url(#body)"><path d="M0 ${n(belt + 10)}C120 ${n(belt + 2)} 330 ${n(belt + 2)} 480 ${n(belt + 12)}V${n(belt + 15)}C330 ${n(belt + 6)} 120 ${n(belt + 6)} 0 ${n(belt + 13)}Z" fill="#fff" opacity=".35"/>
<path d="M0 ${SILL - 16}H480V${SILL + 8}H0Z" fill="${tint(paint, -0.55)}" opacity=".55"/>
<path d="M${at(nose[0] - 8, nose[1] + 4)}C${at(nose[0] + 10, nose[1])} ${at(nose[0] + 30, nose[1] - 3)} ${at(nose[0] + 36, nose[1] - 2)}C${at(nose[0] + 32, nose[1] + 10)} ${at(nose[0] + 14, nose[1] + 15)} ${at(nose[0] - 8, nose[1] + 16)}Z" fill="#f4f7fa" stroke="#9aa4ae"/>
<path d="M${at(tail[0] + 10, tail[1] + 4)}L${at(tail[0] - 20, tail[1] + 5)}C${at(tail[0] - 18, tail[1] + 16)} ${at(tail[0] - 6, tail[1] + 20)} ${at(tail[0] + 10, tail[1] + 20)}Z" fill="#c4242b"/></g>
${shape.roofEnd === null ? openTop(shape) : sideGlass(shape, shape.roofEnd, belt, paint)}${doors(shape, belt, paint)}
<path d="M${at(cowl[0] + 22, belt + 2)}c-2-10 8-13 18-11l2 10z" fill="${tint(paint, -0.25)}"/>
${wheels.map((x) => wheel(x, wheelRadius)).join('')}`;
}

export function sideOutline(shape: Profile): string {
  const { nose, tail } = shape;
  return (
    `M${at(nose[0] + 4, SILL - 6)}C${at(nose[0] - 6, SILL - 18)} ${at(nose[0] - 6, nose[1] + 10)} ${at(...nose)}${topOutline(shape)}` +
    `C${at(tail[0] + 6, tail[1] + 16)} ${at(tail[0] + 6, SILL - 16)} ${at(tail[0] - 2, SILL - 6)}` +
    `C${at(tail[0] - 8, SILL + 2)} ${at(nose[0] + 14, SILL + 2)} ${at(nose[0] + 4, SILL - 6)}Z`
  );
}

/** From the nose over bonnet and roof to the tail. */
function topOutline({ nose, cowl, roofStart, roofEnd, deck, tail }: Profile): string {
  const bonnet = `C${at(nose[0] + 6, nose[1] - 8)} ${at(nose[0] + 40, cowl[1] + 8)} ${at(...cowl)}`;
  if (roofEnd === null)
    return `${bonnet}L${at(roofStart[0] + 2, roofStart[1])}L${at(roofStart[0] + 8, roofStart[1] + 2)}L${at(cowl[0] + 22, cowl[1] + 2)}C224 194 270 194 300 189C316 180 336 179 352 182C384 184 410 186 ${at(...tail)}`;
  const length = roofEnd[0] - roofStart[0];
  const screen = `C${at(between(cowl[0], roofStart[0], 0.5), between(cowl[1], roofStart[1], 0.6))} ${at(roofStart[0] - 20, roofStart[1] + 7)} ${at(...roofStart)}`;
  const roof = `C${at(roofStart[0] + length * 0.22, roofStart[1] - length * 0.075)} ${at(roofEnd[0] - length * 0.28, roofEnd[1] - length * 0.05)} ${at(...roofEnd)}`;
  // The bed of a pick-up begins with an edge.
  if (deck[1] === tail[1])
    return `${bonnet}${screen}${roof}L${at(deck[0] - 4, deck[1] - 8)}L${at(...deck)}L${at(tail[0] - 4, tail[1])}L${at(...tail)}`;
  const fall = deck[0] - roofEnd[0];
  return `${bonnet}${screen}${roof}C${at(roofEnd[0] + fall * 0.3, roofEnd[1] + fall * 0.054)} ${at(roofEnd[0] + fall * 0.75, between(roofEnd[1], deck[1], 0.7))} ${at(...deck)}C${at(between(deck[0], tail[0], 0.5), deck[1] + 1)} ${at(tail[0] - 6, tail[1] - 6)} ${at(...tail)}`;
}

function sideGlass({ cowl, roofStart, deck, tail, pillars }: Profile, roofEnd: Point, belt: number, paint: string): string {
  const top = roofStart[1] + 6;
  const length = roofEnd[0] - roofStart[0];
  const isPickUp = deck[1] === tail[1];
  const rear: Point = isPickUp ? [roofEnd[0] - 4, deck[1] - 6] : [deck[0] - 16, deck[1] - 4];
  const back = isPickUp
    ? `L${at(...rear)}`
    : `C${at(between(roofEnd[0], deck[0], 0.35) - 4, between(roofEnd[1], deck[1], 0.3) + 4)} ${at(between(roofEnd[0], deck[0], 0.65) - 6, between(roofEnd[1], deck[1], 0.65) + 2)} ${at(...rear)}`;
  const glass =
    `M${at(cowl[0] + 14, cowl[1] - 1)}C${at(between(cowl[0], roofStart[0], 0.55) + 8, between(cowl[1], roofStart[1], 0.6))} ${at(roofStart[0] - 4, top + 3)} ${at(roofStart[0] + 10, top)}` +
    `C${at(roofStart[0] + length * 0.4, top - 5)} ${at(roofStart[0] + length * 0.75, roofEnd[1] + 1)} ${at(roofEnd[0] - 6, roofEnd[1] + 7)}${back}` +
    `C${at(rear[0] - 40, belt - 2)} ${at(cowl[0] + 60, cowl[1] - 2)} ${at(cowl[0] + 14, cowl[1] - 1)}Z`;
  const x = roofStart[0];
  const posts = pillars.map((left) => `<path d="M${left} 80h7v120h-7z" fill="${tint(paint, -0.45)}"/>`).join('');
  return `<clipPath id="glazing"><path d="${glass}"/></clipPath><path d="${glass}" fill="url(#glass)"/><g clip-path="url(#glazing)">
<path d="M${x + 30} 80h32L${x - 10} 200h-32ZM${x + 72} 80h10L${x + 10} 200h-10Z" fill="#fff" opacity=".13"/>${posts}
<path d="M${x - 60} ${n(belt - 5)}h400v2.5h-400z" fill="#d7dbe0" opacity=".65"/></g>`;
}

/** Windscreen and seats of a car without a roof. */
const openTop = ({ cowl, roofStart }: Profile): string =>
  `<path d="M${at(cowl[0] + 10, cowl[1] - 1)}L${at(roofStart[0], roofStart[1] + 4)}L${at(roofStart[0] + 5, roofStart[1] + 5)}L${at(cowl[0] + 20, cowl[1])}Z" fill="#24303c"/>
<path d="M238 193C238 174 247 169 256 171C262 173 262 184 260 193ZM284 191C284 174 293 169 301 172C307 175 306 184 304 190Z" fill="#2a2f36"/>`;

function doors({ cowl, deck, roofEnd, wheels, wheelRadius, pillars }: Profile, belt: number, paint: string): string {
  const top = roofEnd === null ? belt + 6 : belt - 1;
  const last = roofEnd === null ? 286 : Math.min(wheels[1] - wheelRadius - 2, deck[0] - 60);
  const middle = pillars.filter((x) => x < last - 30);
  const seams = [cowl[0] + 18, ...middle.map((x) => x + 3), last].map(
    (x) => `M${at(x, top)}C${at(x - 3, top + 30)} ${at(x - 2, SILL - 20)} ${at(x + 3, SILL - 10)}`,
  );
  const handles = [...middle.map((x) => x - 22), last - 26].map(
    (x) => `<rect x="${n(x)}" y="${n(belt + 13)}" width="17" height="4" rx="2"/>`,
  );
  return `<path d="${seams.join('')}" fill="none" stroke="${tint(paint, -0.5)}" stroke-width="1.4" opacity=".75"/><g fill="${tint(paint, -0.35)}">${handles.join('')}</g>`;
}

function wheel(x: number, radius: number): string {
  const y = GROUND - radius;
  const ring = (share: number, fill: string) => `<circle cx="${x}" cy="${y}" r="${n(radius * share)}" fill="${fill}"/>`;
  const spokes = [0, 72, 144, 216, 288].map(
    (turn) =>
      `<rect x="${n(x - 3.4)}" y="${n(y - radius * 0.64)}" width="6.8" height="${n(radius * 0.64)}" rx="2" transform="rotate(${turn} ${x} ${y})"/>`,
  );
  const rim = `${ring(0.68, '#c6ccd3')}${ring(0.6, '#8d959e')}<g fill="#dfe3e8">${spokes.join('')}</g>${ring(0.17, '#6b737c')}`;
  return `${ring(1.17, '#15181c')}${ring(1, '#23262b')}${rim}`;
}

// Front and rear

function drawEnd({ front: [width, height], roofEnd }: Profile, paint: string, plate: string, isRear: boolean): string {
  const half = width / 2;
  const ground = GROUND + 8;
  const belt = ground - height * 0.56;
  const beltHalf = half * 0.9;
  /** Distances from the middle of the picture. */
  const mid = (x: number, y: number) => at(240 + x, y);
  const body = `M${mid(-half, ground - 14)}C${mid(-half - 3, ground - height * 0.3)} ${mid(-half, belt + 16)} ${mid(-beltHalf, belt)}L${mid(beltHalf, belt)}C${mid(half, belt + 16)} ${mid(half + 3, ground - height * 0.3)} ${mid(half, ground - 14)}C${mid(half - 4, ground - 6)} ${mid(-half + 4, ground - 6)} ${mid(-half, ground - 14)}Z`;
  const bumper = `M${mid(-half * 0.96, ground - 30)}C${mid(-half * 0.5, ground - 34)} ${mid(half * 0.5, ground - 34)} ${mid(half * 0.96, ground - 30)}L${mid(half * 0.97, ground - 16)}C${mid(half * 0.5, ground - 8)} ${mid(-half * 0.5, ground - 8)} ${mid(-half * 0.97, ground - 16)}Z`;
  const lampTop = belt + height * 0.13;
  const lampHeight = height * 0.1;
  const tyres = `<g fill="#1c1f23"><rect x="${n(240 + half * 0.6)}" y="${ground - 26}" width="${n(half * 0.34)}" height="30" rx="7"/><rect x="${n(240 - half * 0.94)}" y="${ground - 26}" width="${n(half * 0.34)}" height="30" rx="7"/></g>`;
  const mirrors = `<path d="M${mid(-beltHalf - 4, belt - 4)}c-16-8-20 4-14 9l14 2zM${mid(beltHalf + 4, belt - 4)}c16-8 20 4 14 9l-14 2z" fill="${tint(paint, -0.2)}"/>`;
  const face = isRear ? tailgate(half, lampTop, lampHeight, paint) : grille(half, lampTop, lampHeight);
  return `<ellipse cx="240" cy="${ground + 3}" rx="${n(half * 1.25)}" ry="13" fill="url(#shadow)"/>${tyres}
${cabin({ half, beltHalf, belt, top: ground - height, height }, paint, roofEnd !== null)}${mirrors}<path d="${body}" fill="url(#paint)" stroke="${tint(paint, -0.5)}"/>${face}
<path d="${bumper}" fill="${tint(paint, -0.6)}" opacity=".7"/>${plateAt(isRear ? ground - height * 0.27 : ground - height * 0.2, plate)}`;
}

interface Cabin {
  readonly half: number;
  readonly beltHalf: number;
  readonly belt: number;
  readonly top: number;
  readonly height: number;
}

function cabin({ half, beltHalf, belt, top, height }: Cabin, paint: string, hasRoof: boolean): string {
  const roof = half * 0.62;
  const glassTop = top + height * 0.075;
  const mid = (x: number, y: number) => at(240 + x, y);
  const glass = `M${mid(-beltHalf + 10, belt - 2)}C${mid(-half * 0.7, top + height * 0.2)} ${mid(-roof, glassTop + 4)} ${mid(-roof + 12, glassTop)}L${mid(roof - 12, glassTop)}C${mid(roof, glassTop + 4)} ${mid(half * 0.7, top + height * 0.2)} ${mid(beltHalf - 10, belt - 2)}C${mid(half * 0.4, belt + 3)} ${mid(-half * 0.4, belt + 3)} ${mid(-beltHalf + 10, belt - 2)}Z`;
  if (!hasRoof) return `<path d="${glass}" fill="#2a3440" opacity=".9" stroke="${tint(paint, -0.3)}" stroke-width="4"/>`;
  const shell = `M${mid(-beltHalf, belt + 2)}C${mid(-half * 0.8, top + height * 0.18)} ${mid(-roof - 4, top + 4)} ${mid(-roof + 8, top)}C${mid(-roof * 0.5, top - 4)} ${mid(roof * 0.5, top - 4)} ${mid(roof - 8, top)}C${mid(roof + 4, top + 4)} ${mid(half * 0.8, top + height * 0.18)} ${mid(beltHalf, belt + 2)}Z`;
  return `<path d="${shell}" fill="url(#paint)" stroke="${tint(paint, -0.5)}"/><path d="${glass}" fill="url(#glass)"/>
<path d="M${mid(-roof * 0.2, glassTop)}L${mid(roof * 0.35, glassTop)}L${mid(-roof * 0.25, belt)}L${mid(-roof * 0.8, belt)}Z" fill="#fff" opacity=".1"/>`;
}

function grille(half: number, top: number, height: number): string {
  const lamp = (side: number) => {
    const x = (share: number) => 240 + side * half * share;
    return `<path d="M${at(x(0.98), top - 4)}C${at(x(0.8), top - 1)} ${at(x(0.6), top + 4)} ${at(x(0.55), top + height * 0.55)}C${at(x(0.66), top + height + 2)} ${at(x(0.86), top + height + 1)} ${at(x(0.99), top + height - 4)}Z" fill="#f6f8fa" stroke="#98a2ac"/><circle cx="${n(x(0.78))}" cy="${n(top + height * 0.5)}" r="${n(height * 0.3)}" fill="#b9c2cb"/>`;
  };
  const left = n(240 - half * 0.46);
  return `${lamp(1)}${lamp(-1)}<rect x="${left}" y="${n(top + 2)}" width="${n(half * 0.92)}" height="${n(height * 0.9)}" rx="5" fill="#1a1d21"/>
<path d="M${n(left + 4)} ${n(top + 2 + height * 0.3)}h${n(half * 0.84)}M${n(left + 4)} ${n(top + 2 + height * 0.6)}h${n(half * 0.84)}" stroke="#59626b" stroke-width="1.5"/>
<circle cx="240" cy="${n(top + 2 + height * 0.45)}" r="${n(height * 0.28)}" fill="#cfd5db"/>`;
}

function tailgate(half: number, top: number, height: number, paint: string): string {
  const lamp = (side: number) => {
    const x = (share: number) => 240 + side * half * share;
    return `<path d="M${at(x(0.98), top - 2)}L${at(x(0.58), top)}L${at(x(0.62), top + height)}L${at(x(1), top + height + 3)}Z" fill="#c4242b"/><path d="M${at(x(0.74), top)}L${at(x(0.58), top)}L${at(x(0.6), top + height)}L${at(x(0.73), top + height)}Z" fill="#f0f2f4" opacity=".85"/>`;
  };
  return `${lamp(1)}${lamp(-1)}<path d="M${at(240 - half * 0.5, top - 6)}H${n(240 + half * 0.5)}" stroke="${tint(paint, -0.4)}" stroke-width="1.4"/>`;
}

/** Strokes on a grid of four by six, so that a plate looks the same where no font is installed. */
const GLYPHS: Readonly<Record<string, string>> = {
  A: 'M0 6L2 0L4 6M.7 4H3.3',
  B: 'M0 0V6H2.6L4 5V4L2.8 3L4 2V1L2.6 0H0M0 3H2.8',
  C: 'M4 1L3 0H1L0 1V5L1 6H3L4 5',
  D: 'M0 0V6H2.5L4 4.6V1.4L2.5 0Z',
  E: 'M4 0H0V6H4M0 3H3',
  F: 'M4 0H0V6M0 3H3',
  G: 'M4 1L3 0H1L0 1V5L1 6H3L4 5V3.2H2.2',
  H: 'M0 0V6M4 0V6M0 3H4',
  I: 'M2 0V6',
  J: 'M3.6 0V5L2.8 6H1L.2 5',
  K: 'M0 0V6M4 0L0 3.4M1.4 2.4L4 6',
  L: 'M0 0V6H4',
  M: 'M0 6V0L2 3L4 0V6',
  N: 'M0 6V0L4 6V0',
  O: 'M1 0H3L4 1V5L3 6H1L0 5V1Z',
  P: 'M0 6V0H3L4 1V2.4L3 3.4H0',
  Q: 'M1 0H3L4 1V5L3 6H1L0 5V1ZM2.6 4.6L4.2 6.4',
  R: 'M0 6V0H3L4 1V2.3L3 3.3H0M2 3.3L4 6',
  S: 'M4 1L3 0H1L0 1V2L1 3H3L4 4V5L3 6H1L0 5',
  T: 'M0 0H4M2 0V6',
  U: 'M0 0V5L1 6H3L4 5V0',
  V: 'M0 0L2 6L4 0',
  W: 'M0 0L1 6L2 2.4L3 6L4 0',
  X: 'M0 0L4 6M4 0L0 6',
  Y: 'M0 0L2 3L4 0M2 3V6',
  Z: 'M0 0H4L0 6H4',
  0: 'M1 0H3L4 1V5L3 6H1L0 5V1Z',
  1: 'M.8 1.2L2.3 0V6',
  2: 'M0 1L1 0H3L4 1V2.2L0 6H4',
  3: 'M0 .8L1 0H3L4 1V2L3 3H1.6M3 3L4 4V5L3 6H1L0 5.2',
  4: 'M3 6V0L0 4.2H4',
  5: 'M4 0H.4L.2 2.7L1 2.3H3L4 3.3V5L3 6H1L0 5.2',
  6: 'M3.6 .4L2.6 0H1.4L0 1.4V5L1 6H3L4 5V3.6L3 2.7H1L0 3.6',
  7: 'M0 0H4L1.4 6',
  8: 'M1 3L0 2V1L1 0H3L4 1V2L3 3H1L0 4V5L1 6H3L4 5V4L3 3',
  9: 'M.4 5.6L1.4 6H2.6L4 4.6V1L3 0H1L0 1V2.4L1 3.3H3L4 2.4',
};
const LETTER_WIDTH = 5.6;
const SPACE_WIDTH = 3;

/** The text is as wide as the plate allows. Letters that plates do not have are left out. */
export function plateAt(y: number, plate: string): string {
  return `<g transform="translate(240 ${n(y)})">${drawPlate(plate)}</g>`;
}

/** Around the origin, 74 wide and 18 high. */
export function drawPlate(plate: string): string {
  const letters = [...plate.toUpperCase()].filter((one) => one === ' ' || Object.hasOwn(GLYPHS, one)).slice(0, 12);
  let width = 0;
  const drawn = letters.map((letter) => {
    const glyph = letter === ' ' ? '' : `<path transform="translate(${n(width)} 0)" d="${GLYPHS[letter]}"/>`;
    width += letter === ' ' ? SPACE_WIDTH : LETTER_WIDTH;
    return glyph;
  });
  const scale = Math.min(1.5, 60 / Math.max(1, width));
  const place = `translate(${n(4 - ((width - 1.6) * scale) / 2)} ${n(-3 * scale)}) scale(${scale.toFixed(2)})`;
  return `<rect x="-37" y="-9" width="74" height="18" rx="2.5" fill="#fbfbf7" stroke="#33383e"/><rect x="-37" y="-9" width="8" height="18" rx="2" fill="#1d4fa3"/>
<g transform="${place}" fill="none" stroke="#16181b" stroke-width="1.1" stroke-linejoin="round" stroke-linecap="round">${drawn.join('')}</g>`;
}
