import { FileText, Upload } from 'lucide-react';
import { useRef } from 'react';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { useFieldProps } from '../../parts/input/field.tsx';
import { useFormat } from '../../session.ts';
import { walletTexts } from './texts.ts';

export const RECEIPT_TYPES = 'application/pdf,image/jpeg,image/png,image/webp';
export const MAX_RECEIPT_BYTES: number = 10 * 1024 * 1024;

interface ReceiptInputProps {
  readonly file: File | null;
  readonly onChoose: (file: File) => void;
}

/** Used within a `Field`, which has its label and error. */
export function ReceiptInput({ file, onChoose }: ReceiptInputProps) {
  const t = useTexts(walletTexts);
  const format = useFormat();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-card border border-dashed border-line-strong px-3 py-3">
      <input
        {...useFieldProps()}
        ref={input}
        type="file"
        accept={RECEIPT_TYPES}
        onChange={(event) => {
          const [first] = event.target.files ?? [];
          if (first) onChoose(first);
        }}
        tabIndex={-1}
        className="sr-only"
      />
      {file !== null && (
        <span className="flex min-w-0 flex-1 items-center gap-2">
          <FileText aria-hidden className="size-5 shrink-0 text-text-3" />
          <span className="min-w-0 wrap-anywhere">
            <span className="font-medium">{file.name}</span>{' '}
            <span className="text-13 whitespace-nowrap text-text-2">{format.bytes(file.size)}</span>
          </span>
        </span>
      )}
      <Button icon={Upload} onClick={() => input.current?.click()}>
        {file === null ? t.chooseReceipt : t.otherReceipt}
      </Button>
    </div>
  );
}
