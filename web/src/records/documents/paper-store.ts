// A paper that was opened from a menu or a message, which then close: the shell shows it above the current screen.
import { useSyncExternalStore } from 'react';

/** One way of printing it: a size, or the only one. */
export interface PaperForm {
  readonly href: string;
  /** Where there are several. */
  readonly label?: string;
  /** Of a file whose link is its permission: it is asked for as anybody would. */
  readonly isLink?: boolean;
}

export interface ShownPaper {
  readonly title: string;
  /** What has just been done, where it is shown because of that. */
  readonly message?: string;
  readonly forms: readonly [PaperForm, ...PaperForm[]];
}

let shown: ShownPaper | null = null;
const listeners = new Set<() => void>();

function show(next: ShownPaper | null): void {
  shown = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useShownPaper = (): ShownPaper | null => useSyncExternalStore(subscribe, () => shown);
export const closePaper = (): void => show(null);

/** Phones and some browsers cannot show a PDF within a page: there it has a tab of its own, or is saved. */
export const canPreview = (): boolean => navigator.pdfViewerEnabled && innerWidth >= 640;

/** A paper that was made just now is shown at once where that leaves no page: in a viewer, or on a phone as what can be done with it. */
export const opensAtOnce = (): boolean => canPreview() || innerWidth < 640;

export function openPaper(paper: ShownPaper): void {
  if (canPreview() || paper.forms.length > 1) show(paper);
  else window.open(paper.forms[0].href, '_blank', 'noreferrer');
}

interface Pressed {
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  preventDefault(): void;
}

/** Of a link to a paper: pressed plainly it is shown over the screen; a tab of its own is a key away. */
export function previewed(event: Pressed, paper: ShownPaper): void {
  if (!canPreview() || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(paper);
}
