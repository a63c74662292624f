import { useEffect, useRef } from 'react';
import { ApiError } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { preferences } from '../../preferences.ts';
import { partsTexts } from '../../texts/parts.ts';

type Names = Readonly<Record<string, string>>;

/** The problem of one field, with the form's label instead of the server's field name. */
export function problemOf(error: unknown, field: string, name: string, names: Names = {}): string | undefined {
  const message = error instanceof ApiError ? error.of(field) : undefined;
  return message === undefined ? undefined : named(message, field, { ...names, [field]: name });
}

/** The server's error in one line, for a dry run while a form is filled in. */
export function refusalOf(error: unknown, names: Names, offline: string): string {
  if (!(error instanceof ApiError)) return offline;
  return error.details.map(({ field, message }) => named(message, field, names)).join(' ') || error.message;
}

/** The amount in the server's messages is written as programs send it; a Turkish form takes a comma. */
const SAMPLE_AMOUNT = '1500.50';

/**
 * The server speaks of fields by the names that programs send; a person reads the form's labels. Of a field within another
 * (`trade_in.vehicle.brand`) its message names the last part.
 */
function named(message: string, field: string, names: Names): string {
  const serverName = [field, field.split('.').at(-1)!].find(
    (one) => message.startsWith(`${one} `) || message.startsWith(`${one},`),
  );
  const own = names[field];
  const withLabel = own === undefined || serverName === undefined ? message : `${own}${message.slice(serverName.length)}`;
  const shown = preferences().locale === 'tr' ? withLabel.replace(SAMPLE_AMOUNT, '1500,50') : withLabel;
  return shown.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => (names[word] === undefined ? word : `“${names[word]}”`));
}

/** The server names them in its own order; a person goes through the form from its top. What has no field of its own comes last. */
function inScreenOrder<Problem extends { readonly field: string }>(problems: readonly Problem[]): readonly Problem[] {
  const ids = Array.from(document.querySelectorAll('[id]'), ({ id }) => id);
  const placeOf = ({ field }: Problem) => ids.indexOf(field) + 1 || ids.length + 1;
  return [...problems].sort((one, other) => placeOf(one) - placeOf(other));
}

interface ErrorSummaryProps {
  readonly error: unknown;
  /** Field → its label in the form. */
  readonly names?: Names;
  /** Whether the field has changed since it was refused. Its error is then hidden; without errors the box is not shown. */
  readonly isFixed?: (field: string) => boolean;
}

/** The problems of a refused form; each line links to its field (whose `Field` has `id={field}`). */
export function ErrorSummary({ error, names = {}, isFixed = () => false }: ErrorSummaryProps) {
  const t = useTexts(partsTexts);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) box.current?.focus();
  }, [error]);
  if (!error) return null;
  const known = error instanceof ApiError ? error : null;
  const all = known?.details ?? [];
  const details = inScreenOrder(all.filter(({ field }) => !isFixed(field)));
  if (all.length > 0 && details.length === 0) return null;
  return (
    <div
      ref={box}
      role="alert"
      // A fixed field is no reason to read out the others again.
      aria-atomic={false}
      tabIndex={-1}
      className="mb-4 scroll-mt-20 rounded-card border border-danger bg-dest-bg p-3 text-dest"
    >
      <p className="m-0 font-medium">{details.length > 0 ? t.errors(details.length) : (known?.message ?? t.offline)}</p>
      {details.length > 0 && (
        <ul className="mt-1 mb-0 pl-5 text-13">
          {details.map(({ field, message }) => (
            <li key={field + message}>
              <a
                href={`#${field}`}
                onClick={() => document.getElementById(field)?.focus()}
                className="inline-block min-h-6 py-0.5 text-dest underline"
              >
                {named(message, field, names)}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
