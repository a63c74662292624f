// The merged cells of a sheet. A sheet lists them after its rows, so its bytes are searched for them before the rows are read.
import { columnOf, type SheetCell } from './xlsx-cells.ts';

export interface Merges {
  /** The row's cells, with the value of those that are merged with a row above. */
  fill(row: number, cells: readonly SheetCell[]): readonly SheetCell[];
  spansOf(row: number): readonly (readonly [number, number])[];
}

interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Further merged cells are read as they are stored. */
const MAX_MERGES = 5000;
/** A list of cells that is merged further down is no heading of a few rows. */
const MAX_ROWS = 1000;
const MARK = 'mergeCell ';
/** The longest element that is looked at. */
const MAX_ELEMENT = 200;

export async function readMerges(bytes: AsyncIterable<Uint8Array>): Promise<Merges> {
  const ranges: Range[] = [];
  let rest = '';
  for await (const piece of bytes) {
    if (ranges.length >= MAX_MERGES) continue;
    const text = rest + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
    let at = text.indexOf(MARK);
    let next = 0;
    while (at >= 0 && at + MAX_ELEMENT <= text.length && ranges.length < MAX_MERGES) {
      addRange(ranges, text.slice(at, at + MAX_ELEMENT));
      next = at + MARK.length;
      at = text.indexOf(MARK, next);
    }
    rest = at >= 0 ? text.slice(at) : text.slice(Math.max(next, text.length - MARK.length));
  }
  for (let at = rest.indexOf(MARK); at >= 0 && ranges.length < MAX_MERGES; at = rest.indexOf(MARK, at + 1))
    addRange(ranges, rest.slice(at, at + MAX_ELEMENT));
  return mergesOf(ranges);
}

function addRange(ranges: Range[], element: string): void {
  const [, left, top, right, bottom] =
    /^[^>]{0,100}\bref=["']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})["']/.exec(element) ?? [];
  if (left === undefined) return;
  const [from, to] = [columnOf(left), columnOf(right!)];
  if (from !== null && to !== null) ranges.push({ top: Number(top), bottom: Number(bottom), left: from, right: to });
}

function mergesOf(ranges: readonly Range[]): Merges {
  const spans = Map.groupBy(
    ranges.filter(({ left, right }) => right > left),
    ({ top }) => top,
  );
  const tall = ranges
    .filter(({ top, bottom }) => bottom > top && bottom - top < MAX_ROWS)
    .toSorted((one, other) => one.top - other.top);
  const open: { readonly range: Range; value: SheetCell['value'] | null }[] = [];
  let place = 0;
  return {
    spansOf: (row) => (spans.get(row) ?? []).map(({ left, right }) => [left, right] as const),
    fill: (row, cells) => {
      while (place < tall.length && tall[place]!.top <= row) open.push({ range: tall[place++]!, value: null });
      if (open.length === 0) return cells;
      const added: SheetCell[] = [];
      for (const one of open) {
        const { top, bottom, left } = one.range;
        if (row === top) one.value = cells.find(({ column }) => column === left)?.value ?? null;
        else if (row <= bottom && one.value !== null && !cells.some(({ column }) => column === left))
          added.push({ column: left, value: one.value });
      }
      for (let index = open.length - 1; index >= 0; index -= 1) if (open[index]!.range.bottom <= row) open.splice(index, 1);
      return added.length === 0 ? cells : [...cells, ...added].toSorted((one, other) => one.column - other.column);
    },
  };
}
