// J and K move through the rows of a list, wherever the focus is, unless something is being typed or a layer is open.
import { type RefObject, useEffect } from 'react';

export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if ((key !== 'j' && key !== 'k') || event.defaultPrevented || isTakenElsewhere(event)) return;
      const rows = [...(list.current?.children ?? [])] as HTMLElement[];
      if (rows.length === 0) return;
      event.preventDefault();
      const at = rows.findIndex((row) => row.contains(document.activeElement));
      const next = at < 0 ? 0 : Math.min(Math.max(at + (key === 'j' ? 1 : -1), 0), rows.length - 1);
      rows[next]?.focus();
      rows[next]?.scrollIntoView({ block: 'nearest' });
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [list]);
}

/** Single-letter shortcuts are ignored while something is typed or a dialog is open. */
export function isTakenElsewhere(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (target?.closest('input, textarea, select, [contenteditable]')) return true;
  // Dialogs and menus have this attribute; toasts do not, because they take no keys.
  return document.querySelector('[data-layer]') !== null;
}

/** A single-letter shortcut of a screen: `useShortcut('c', create)`. */
export function useShortcut(key: string, run: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== key || event.defaultPrevented || isTakenElsewhere(event)) return;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
}
