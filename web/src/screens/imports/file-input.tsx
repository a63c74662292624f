// Chooses the file of a feed, by dialog or drag and drop, and checks it before it is sent.
import { FileSpreadsheet, Upload } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { useFieldProps } from '../../parts/field.tsx';
import { useFormat } from '../../session.ts';
import { MAX_BYTES } from './data.ts';
import { importsTexts } from './texts.ts';

interface FileInputProps {
  readonly file: File | null;
  readonly onChoose: (file: File) => void;
}

/** Used within a `Field`, which has its label and error. */
export function FileInput({ file, onChoose }: FileInputProps) {
  const t = useTexts(importsTexts);
  const format = useFormat();
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
        accept=".csv,.xlsx,.txt,.tsv,.json,.xml,text/csv,application/json,application/xml,text/xml"
        onChange={(event) => take(event.target.files)}
        tabIndex={-1}
        className="sr-only"
      />
      {file === null ? (
        <>
          <Button icon={Upload} onClick={() => input.current?.click()}>
            {t.chooseFile}
          </Button>
          <span className="text-13 text-text-2">
            {t.dropFile} <span className="text-text-3">({t.fileTypes})</span>
          </span>
        </>
      ) : (
        <>
          <FileSpreadsheet aria-hidden className="size-5 shrink-0 text-text-3" />
          <span className="min-w-0 flex-1 wrap-anywhere">
            <span className="font-medium">{file.name}</span>{' '}
            <span className="text-13 whitespace-nowrap text-text-2">{format.bytes(file.size)}</span>
          </span>
          <Button onClick={() => input.current?.click()}>{t.otherFile}</Button>
        </>
      )}
    </div>
  );
}

/** Why this file cannot be used; null where it can. */
export function fileProblem(file: File, t: (typeof importsTexts)['tr']): string | null {
  if (/\.(xls|xlsb|ods|numbers)$/i.test(file.name)) return t.spreadsheet;
  if (file.size === 0) return t.fileEmpty;
  return file.size > MAX_BYTES ? t.fileTooLarge : null;
}

/** Reads the file into memory. Null where the file has changed since it was chosen, which would otherwise break the upload. */
export async function wholeFile(file: File): Promise<File | null> {
  try {
    return new File([await file.arrayBuffer()], file.name, { type: file.type });
  } catch {
    return null;
  }
}
