import type { ReactNode } from 'react';

/** One number with its name, in a `<dl>`. */
export function Figure({ name, value, hint }: { readonly name: string; readonly value: ReactNode; readonly hint?: ReactNode }) {
  return (
    <div className="card min-w-0 px-4 py-3">
      <dt className="text-13 text-text-2">{name}</dt>
      <dd className="m-0">
        <span className="tabular block text-24 font-semibold tracking-tight wrap-anywhere">{value}</span>
        <span className="tabular block min-h-4 text-12 text-text-2">{hint}</span>
      </dd>
    </div>
  );
}
