// Reorders the tiles of a grid by dragging: with the mouse anywhere on a tile, with a finger on its grip, so that the page can
// still scroll. While dragging the DOM order stays; tiles are only shown shifted, and move at the end.
import { type CSSProperties, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Drag {
  readonly from: number;
  readonly to: number;
  /** The distance it was dragged, in page coordinates. */
  readonly by: Point;
}

interface Start {
  readonly index: number;
  readonly pointerId: number;
  /** In page coordinates, so that it moves with scrolling. */
  readonly at: Point;
  /** The centres of all tiles. */
  readonly places: readonly Point[];
}

interface Dragging {
  /** The index of the dragged tile. */
  readonly dragged: number | null;
  /** The pointerdown handler of each tile. */
  start(event: PointerEvent, index: number): void;
  styleOf(index: number): CSSProperties | undefined;
  /** Whether the current click ended a drag and must not open the tile. */
  wasDragged(): boolean;
}

/** Smaller movements in pixels count as a click. */
const MEANT = 6;
const EDGE = 56;
const SCROLL_STEP = 12;

export function useDragging(grid: RefObject<HTMLElement | null>, onMove: (from: number, to: number) => void): Dragging {
  const [drag, setDrag] = useState<Drag | null>(null);
  const begun = useRef<Start | null>(null);
  const ended = useRef(false);
  const stopListening = useRef<() => void>(() => {});
  useEffect(() => () => stopListening.current(), []);

  const start = (event: PointerEvent, index: number) => {
    ended.current = false;
    const target = event.target as HTMLElement;
    const takes = event.pointerType === 'mouse' ? event.button === 0 : target.closest('[data-grip]') !== null;
    if (!takes || target.closest('[data-no-drag]') || grid.current === null) return;
    begun.current = {
      index,
      pointerId: event.pointerId,
      at: pagePoint(event),
      places: [...grid.current.querySelectorAll(':scope > [data-place]')].map((tile) => middleOf(tile)),
    };
    stopListening.current();
    stopListening.current = follow(begun.current, {
      show: setDrag,
      end: (last) => {
        begun.current = null;
        ended.current = last !== null;
        setDrag(null);
        if (last && last.from !== last.to) onMove(last.from, last.to);
      },
    });
  };

  return {
    dragged: drag?.from ?? null,
    start,
    styleOf: (index) => (drag && begun.current ? shiftOf(drag, begun.current.places, index) : undefined),
    wasDragged: () => ended.current,
  };
}

interface Follower {
  show(drag: Drag): void;
  /** Null where the drag was cancelled or was only a click. */
  end(drag: Drag | null): void;
}

/** Follows the pointer until release; Escape cancels. Returns a function that stops it. */
function follow(start: Start, { show, end }: Follower): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  let last: Drag | null = null;
  let at: Point = { x: 0, y: 0 };
  let frame = 0;
  const update = () => {
    const here = { x: at.x + scrollX, y: at.y + scrollY };
    const by = { x: here.x - start.at.x, y: here.y - start.at.y };
    if (last === null && Math.hypot(by.x, by.y) < MEANT) return;
    last = { from: start.index, to: nearest(start.places, here), by };
    show(last);
  };
  const finish = (drag: Drag | null) => {
    cancelAnimationFrame(frame);
    listening.abort();
    end(drag);
  };
  // Scrolls the page at the edges of the window.
  const scroll = () => {
    const step = at.y < EDGE ? -SCROLL_STEP : at.y > innerHeight - EDGE ? SCROLL_STEP : 0;
    if (last !== null && step !== 0) {
      scrollBy(0, step);
      update();
    }
    frame = requestAnimationFrame(scroll);
  };
  const mine = (event: globalThis.PointerEvent) => event.pointerId === start.pointerId;
  addEventListener(
    'pointermove',
    (event) => {
      if (!mine(event)) return;
      at = { x: event.clientX, y: event.clientY };
      update();
    },
    { signal },
  );
  addEventListener('pointerup', (event) => mine(event) && finish(last), { signal });
  addEventListener('pointercancel', (event) => mine(event) && finish(null), { signal });
  addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Escape' && last !== null) finish(null);
    },
    { signal },
  );
  frame = requestAnimationFrame(scroll);
  return () => {
    cancelAnimationFrame(frame);
    listening.abort();
  };
}

const pagePoint = ({ clientX, clientY }: PointerEvent): Point => ({ x: clientX + scrollX, y: clientY + scrollY });

function middleOf(tile: Element): Point {
  const { left, top, width, height } = tile.getBoundingClientRect();
  return { x: left + width / 2 + scrollX, y: top + height / 2 + scrollY };
}

function nearest(places: readonly Point[], to: Point): number {
  const far = places.map(({ x, y }) => Math.hypot(x - to.x, y - to.y));
  return far.indexOf(Math.min(...far));
}

/** The dragged tile follows the pointer; the tiles between its old and new position shift. */
function shiftOf({ from, to, by }: Drag, places: readonly Point[], index: number): CSSProperties | undefined {
  if (index === from) return { transform: `translate(${by.x}px, ${by.y}px)` };
  const shownAt = from < index && index <= to ? index - 1 : to <= index && index < from ? index + 1 : index;
  const [was, is] = [places[index], places[shownAt]];
  if (shownAt === index || !was || !is) return undefined;
  return { transform: `translate(${is.x - was.x}px, ${is.y - was.y}px)` };
}
