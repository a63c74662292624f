// The first rows of a table as they are, among which a person chooses the header.
import { useId } from 'react';
import { useTexts } from '../../language.ts';
import { importsTexts } from './texts.ts';
import type { Preview } from './wire.ts';

interface HeaderChoiceProps {
  readonly preview: Preview;
  readonly onChange: (row: number) => void;
}

export function HeaderChoice({ preview: { lines, header_row }, onChange }: HeaderChoiceProps) {
  const t = useTexts(importsTexts);
  const name = useId();
  const width = Math.max(...lines.map(({ cells }) => cells.length));
  return (
    <fieldset className="m-0 mt-3 min-w-0 border-0 p-0">
      <legend className="mb-1 p-0 text-13 font-medium">{t.headerRow}</legend>
      <p className="mt-0 mb-2 text-13 text-text-2">{header_row === 0 ? t.headerNone : t.headerFound(header_row ?? 0)}</p>
      <section aria-label={t.firstRows} className="overflow-x-auto rounded-control border border-line">
        <table className="w-max min-w-full border-collapse text-12">
          <tbody>
            {lines.map(({ row, cells }) => {
              const isHeader = row === header_row;
              return (
                <tr key={row} className={`border-b border-line last:border-0 ${isHeader ? 'bg-read-bg font-semibold' : ''}`}>
                  <th scope="row" className="sticky left-0 bg-card px-2 py-0 text-left font-normal">
                    <label className="flex min-h-8 items-center gap-2 whitespace-nowrap">
                      <input
                        type="radio"
                        name={name}
                        checked={isHeader}
                        onChange={() => onChange(row)}
                        aria-label={t.headerIs(row)}
                        className="size-4 accent-accent"
                      />
                      <span className="tabular text-text-2">{row}</span>
                    </label>
                  </th>
                  {Array.from({ length: width }, (_, column) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a file have no other name than their place
                    <td key={column} className="max-w-48 truncate px-2 py-1 whitespace-nowrap" title={cells[column] ?? ''}>
                      {cells[column] ?? ''}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      <label className="mt-2 flex min-h-8 items-center gap-2 text-13">
        <input
          type="radio"
          name={name}
          checked={header_row === 0}
          onChange={() => onChange(0)}
          className="size-4 accent-accent"
        />
        {t.headerIsNone}
      </label>
    </fieldset>
  );
}
