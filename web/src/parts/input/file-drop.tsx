// A file, by a dialog or dropped onto the field.
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { cx } from '../cx.ts';
import { useFieldProps } from './field.tsx';

interface FileDropProps {
  readonly accept: string;
  readonly onChoose: (file: File) => void;
  /** Shows what was chosen, and a button that opens the dialog. */
  readonly children: (open: () => void) => ReactNode;
}

/** Used within a `Field`, which has its label and error. */
export function FileDrop({ accept, onChoose, children }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const [first] = files ?? [];
    if (first) onChoose(first);
    // Reset, so that choosing the same file again after correcting it counts as a change.
    if (input.current) input.current.value = '';
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button does the same
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx(
        'flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-dashed px-3 py-3',
        isOver ? 'border-accent bg-accent-soft' : 'border-line-strong',
      )}
    >
      <input
        {...useFieldProps()}
        ref={input}
        type="file"
        accept={accept}
        onChange={(event) => take(event.target.files)}
        tabIndex={-1}
        className="sr-only"
      />
      {children(() => input.current?.click())}
    </div>
  );
}
