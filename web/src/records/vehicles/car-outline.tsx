// The condition of a car's body as a drawing from above: each part has the colour and the letter of its state.
import { OUTLINE_GLASS, OUTLINE_PARTS, OUTLINE_SIZE, OUTLINE_WHEELS } from '../../../../src/domain/media/car-outline.ts';
import type { BodyPart } from '../../../../src/domain/stock/stock-states.ts';
import { useLocale, useTexts } from '../../language.ts';
import { cx } from '../../parts/cx.ts';
import { outlineTexts } from './outline-texts.ts';
import { type BodyParts, PART_STATES, type PartState, stateOf } from './part-states.ts';
import { wireWord } from './vehicle-texts.ts';

const FILL: Readonly<Record<PartState, string>> = {
  original: 'fill-subtle',
  locally_painted: 'fill-write-bg',
  painted: 'fill-read-bg',
  replaced: 'fill-dest-bg',
};
const INK: Readonly<Record<PartState, string>> = {
  original: 'fill-text-3',
  locally_painted: 'fill-write',
  painted: 'fill-read',
  replaced: 'fill-dest',
};

interface CarOutlineProps {
  readonly parts: BodyParts;
  /** With it, each part is a button that gives it the next state. */
  readonly onChange?: ((part: BodyPart, state: PartState) => void) | undefined;
}

export function CarOutline({ parts, onChange }: CarOutlineProps) {
  const { width, height } = OUTLINE_SIZE;
  return (
    <div className={cx('relative mx-auto w-full', onChange ? 'max-w-72' : 'max-w-44')}>
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden className="block h-auto w-full">
        <title>{''}</title>
        {OUTLINE_WHEELS.map((path) => (
          <path key={path} d={path} className="fill-line-strong" />
        ))}
        {OUTLINE_GLASS.map((path) => (
          <path key={path} d={path} className="fill-line" />
        ))}
        {OUTLINE_PARTS.map(({ part, path, box }) => (
          <Part key={part} path={path} box={box} state={stateOf(parts, part)} />
        ))}
      </svg>
      {onChange &&
        OUTLINE_PARTS.map(({ part, box }) => <PartButton key={part} part={part} box={box} parts={parts} onChange={onChange} />)}
    </div>
  );
}

type Drawn = (typeof OUTLINE_PARTS)[number];

function Part({ path, box, state }: Pick<Drawn, 'path' | 'box'> & { readonly state: PartState }) {
  const t = useTexts(outlineTexts);
  return (
    <g>
      <path
        d={path}
        strokeWidth={1.2}
        className={cx(FILL[state], state === 'original' ? 'stroke-line-strong' : 'stroke-text-3')}
      />
      {state !== 'original' && (
        <text
          x={box.x + box.width / 2}
          y={box.y + box.height / 2}
          textAnchor="middle"
          dominantBaseline="central"
          className={cx('text-[15px] font-semibold', INK[state])}
        >
          {t.letters[state]}
        </text>
      )}
    </g>
  );
}

interface PartButtonProps extends Pick<Drawn, 'part' | 'box'> {
  readonly parts: BodyParts;
  readonly onChange: (part: BodyPart, state: PartState) => void;
}

/** Over its part of the drawing. */
function PartButton({ part, box, parts, onChange }: PartButtonProps) {
  const t = useTexts(outlineTexts);
  const locale = useLocale();
  const state = stateOf(parts, part);
  const next = PART_STATES[(PART_STATES.indexOf(state) + 1) % PART_STATES.length]!;
  const name = `${wireWord(locale, part)}: ${t.states[state]}`;
  const share = (length: number, of: number) => `${(100 * length) / of}%`;
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      onClick={() => onChange(part, next)}
      onKeyDown={(event) => {
        if (event.key === 'Backspace' || event.key === 'Delete') onChange(part, 'original');
      }}
      className="absolute rounded-badge hover:bg-text/5"
      style={{
        left: share(box.x, OUTLINE_SIZE.width),
        top: share(box.y, OUTLINE_SIZE.height),
        width: share(box.width, OUTLINE_SIZE.width),
        height: share(box.height, OUTLINE_SIZE.height),
      }}
    />
  );
}

/** The states that occur with their parts in words, which screen readers and printed pages need. */
export function PartsList({ parts, all = false }: { readonly parts: BodyParts; readonly all?: boolean }) {
  const t = useTexts(outlineTexts);
  const locale = useLocale();
  const states = (['replaced', 'painted', 'locally_painted'] as const).filter((state) => all || parts[state].length > 0);
  if (states.length === 0) return <p className="m-0">{t.allOriginal}</p>;
  return (
    <dl className="m-0 flex flex-col gap-2">
      {states.map((state) => (
        <div key={state} className="flex items-baseline gap-2">
          <dt className="flex shrink-0 items-baseline gap-2 text-13 text-text-2">
            <span
              aria-hidden
              className={cx('inline-grid size-5 place-items-center rounded-badge text-12 font-semibold', KEY[state])}
            >
              {t.letters[state]}
            </span>
            {t.states[state]}
          </dt>
          <dd className="m-0 min-w-0">{parts[state].map((part) => wireWord(locale, part)).join(', ') || t.none}</dd>
        </div>
      ))}
    </dl>
  );
}

const KEY: Readonly<Record<Exclude<PartState, 'original'>, string>> = {
  locally_painted: 'bg-write-bg text-write',
  painted: 'bg-read-bg text-read',
  replaced: 'bg-dest-bg text-dest',
};
