import type { ReactNode } from 'react';

/** A section of a connector's form with its heading. */
export function Step({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text?: string;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={title} className="card min-w-0 p-4">
      <h2 className="m-0 mb-3 text-14 font-semibold">{title}</h2>
      {text && <p className="mt-0 mb-3 text-13 text-text-2">{text}</p>}
      <div className="flex flex-col gap-4">{children}</div>
    </section>
  );
}
