// Chooses the file of a feed, by dialog or drag and drop, and checks it before it is sent.
import { FileSpreadsheet, Upload } from 'lucide-react';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { FileDrop } from '../../parts/input/file-drop.tsx';
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
  return (
    <FileDrop accept=".csv,.xlsx,.txt,.tsv,.json,.xml,text/csv,application/json,application/xml,text/xml" onChoose={onChoose}>
      {(open) =>
        file === null ? (
          <>
            <Button icon={Upload} onClick={open}>
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
            <Button onClick={open}>{t.otherFile}</Button>
          </>
        )
      }
    </FileDrop>
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
