// Keyboard use of the picker: arrows move between rows, Shift+Space picks a range, A picks all shown rows. Space belongs to the
// checkbox.
import type { KeyboardEvent, RefObject } from 'react';

interface Acts {
  readonly pick: (id: string, range: boolean) => void;
  readonly pickShown: () => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e6, End: 1e6 };

export function usePickerKeys(list: RefObject<HTMLElement | null>, { pick, pickShown }: Acts) {
  return (event: KeyboardEvent) => {
    const box = event.target as HTMLElement;
    const id = box.dataset.row;
    if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step !== undefined) move(list.current, box, step);
    else if (event.key === ' ' && event.shiftKey) pick(id, true);
    else if (event.key.toLowerCase() === 'a') pickShown();
    else return;
    event.preventDefault();
  };
}

/** Only the row that was reached last is in the tab order. */
function move(list: HTMLElement | null, from: HTMLElement, step: number): void {
  const boxes = [...(list?.querySelectorAll<HTMLElement>('ul:not([hidden]) [data-row]') ?? [])];
  const next = boxes[Math.min(Math.max(boxes.indexOf(from) + step, 0), boxes.length - 1)];
  if (next === undefined) return;
  for (const box of boxes) box.tabIndex = box === next ? 0 : -1;
  next.focus();
  next.closest('li')?.scrollIntoView({ block: 'nearest' });
}
