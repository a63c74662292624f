// Maps the file's columns to our fields, beside samples of each column.
import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { callPage } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { problemOf } from '../../parts/input/error-summary.tsx';
import { Field, type Option, Select, TextInput } from '../../parts/input/field.tsx';
import { fieldTexts } from './field-texts.ts';
import { fieldsOf, isRequired, type OurField, specOf } from './fields.ts';
import { targetOf, withEntry } from './form-values.ts';
import { missingIn } from './guess-mapping.ts';
import { unreadable } from './guess-values.ts';
import { Remark, useValueWord } from './import-parts.tsx';
import { openQuestions, type Question, readingOf } from './questions.ts';
import type { StepProps } from './source-step.tsx';
import { Step } from './step.tsx';
import { importsTexts } from './texts.ts';
import type { Preview } from './wire.ts';

// Only for columns of fixed values.
const ValueMapFields = lazy(async () => ({ default: (await import('./value-map.tsx')).ValueMapFields }));

type Props = Pick<StepProps, 'of' | 'source'>;

export function MappingStep({ of, source: { preview } }: Props) {
  const t = useTexts(importsTexts);
  const names = useTexts(fieldTexts);
  const { values } = of.form;
  const target = targetOf(values);
  const mapping = values.mapping;
  const isOpen = preview !== null || Object.keys(mapping).length > 0;
  // The order is fixed, so that a row does not move while its column is chosen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only with another file or target
  const [main, more] = useMemo(() => {
    const all = fieldsOf(target);
    const inSight = all.filter((field) => isRequired(target, field) || mapping[field] || values.defaults[field]);
    return [inSight, all.filter((field) => !inSight.includes(field))];
  }, [preview, target, isOpen]);
  if (!isOpen)
    return (
      <Step title={t.mapping}>
        <p className="m-0 text-text-2">{t.mappingWaits}</p>
      </Step>
    );
  const missing = missingIn(target, mapping, values.defaults);
  const questions = preview === null ? [] : openQuestions(values, preview);
  const columns = columnsOf(preview, Object.values(mapping));
  const row = (field: OurField) => <FieldRow key={field} of={of} field={field} columns={columns} preview={preview} />;
  return (
    <Step title={t.mapping} text={t.mappingText}>
      {missing.length === 0 && <Remark tone="live">{t.allMapped}</Remark>}
      {preview === null && missing.length > 0 && (
        <Remark tone="write">{t.missing(missing.map((field) => names[field]).join(', '))}</Remark>
      )}
      {questions.map((question) => (
        <Asked
          key={JSON.stringify(question)}
          question={question}
          currency={values.defaults.currency ?? preview!.usual.currency}
        />
      ))}
      <div className="@container">
        <div aria-hidden className={`hidden pb-1 text-12 text-text-2 @3xl:grid ${GRID}`}>
          <span />
          <span>{t.column}</span>
          <span>{t.samples}</span>
          <span>{t.fallback}</span>
        </div>
        {main.map(row)}
        {more.length > 0 && (
          <details className="group/more pt-2">
            <summary className="flex min-h-8 list-none items-center gap-1.5 text-13 font-medium">
              <ChevronRight aria-hidden className="size-4 text-text-3 transition-transform group-open/more:rotate-90" />
              {t.moreFields(more.length)}
            </summary>
            {more.map(row)}
          </details>
        )}
      </div>
      <Unused preview={preview} used={Object.values(mapping)} />
    </Step>
  );
}

/** What a person has to decide, in a sentence. */
function Asked({ question, currency }: { readonly question: Question; readonly currency: string }) {
  const t = useTexts(importsTexts);
  const names = useTexts(fieldTexts);
  switch (question.kind) {
    case 'missing':
      return <Remark tone="write">{t.missing(question.fields.map((field) => names[field]).join(', '))}</Remark>;
    case 'words':
      return <Remark tone="write">{t.askWords(names[question.field], question.words.slice(0, 5).join(', '))}</Remark>;
    case 'numbers':
      return <Remark tone="write">{t.askNumbers(names[question.field])}</Remark>;
    case 'currency':
      return <Remark tone="read">{t.askCurrency(currency)}</Remark>;
  }
}

/** In narrow containers column and default share a line, and the samples are below. */
const GRID = 'gap-x-3 @3xl:grid-cols-[9.5rem_minmax(0,5fr)_minmax(0,5fr)_minmax(0,4fr)]';

/** The file's columns, and chosen columns that the file lacks, which are shown as missing. */
function columnsOf(preview: Preview | null, chosen: readonly string[]): readonly { name: string; isThere: boolean }[] {
  const there = preview?.columns.map(({ name }) => name) ?? [];
  const lost = [...new Set(chosen)].filter((name) => !there.includes(name));
  return [
    ...there.map((name) => ({ name, isThere: true })),
    // Before a file is read, no column is known to be missing.
    ...lost.map((name) => ({ name, isThere: preview === null })),
  ];
}

interface FieldRowProps {
  readonly of: Props['of'];
  readonly field: OurField;
  readonly columns: ReturnType<typeof columnsOf>;
  readonly preview: Preview | null;
}

function FieldRow({ of, field, columns, preview }: FieldRowProps) {
  const t = useTexts(importsTexts);
  const name = useTexts(fieldTexts)[field];
  const { form, error } = of;
  const target = targetOf(form.values);
  const mapping = form.values.mapping;
  const column = mapping[field] ?? '';
  const found = preview?.columns.find((one) => one.name === column);
  const choose = (next: string) => {
    form.set('mapping', withEntry(mapping, field, next));
    if (specOf(target, field)?.kind !== 'choice') return;
    form.set('value_map', withEntry(form.values.value_map, field, ''));
  };
  const options: Option[] = [
    { value: '', label: t.noColumn },
    ...columns.map((one) => ({ value: one.name, label: one.isThere ? one.name : t.lostColumn(one.name) })),
  ];
  const fault = problemOf(error, `mapping.${field}`, name);
  return (
    <div className={`grid grid-cols-[minmax(0,3fr)_minmax(0,2fr)] items-start gap-y-1.5 border-t border-line py-2.5 ${GRID}`}>
      <span className="col-span-full pt-1.5 text-13 font-medium @3xl:col-span-1">
        {name}
        {isRequired(target, field) && <span className="font-normal text-text-3"> ({t.required})</span>}
      </span>
      <Field id={`mapping.${field}`} label={t.columnOf(name)} labelHidden {...(fault ? { error: fault } : {})}>
        <Select value={column} options={options} onChange={choose} />
      </Field>
      <Samples of={of} field={field} samples={found?.samples ?? []} preview={preview} />
      <Fallback of={of} field={field} />
      {specOf(target, field)?.kind === 'choice' && (
        <Suspense fallback={null}>
          <ValueMapFields of={of} field={field} column={found} />
        </Suspense>
      )}
    </div>
  );
}

/** The column's first values, and the first unreadable one. */
function Samples({
  of,
  field,
  samples,
  preview,
}: {
  readonly of: Props['of'];
  readonly field: OurField;
  readonly samples: readonly string[];
  readonly preview: Preview | null;
}) {
  const t = useTexts(importsTexts);
  const target = targetOf(of.form.values);
  const kind = specOf(target, field)?.kind;
  const { values } = of.form;
  const how = { map: values.value_map[field], reading: readingOf(values, preview, field) };
  const bad = kind === 'choice' ? undefined : unreadable(target, field, samples, how);
  if (samples.length === 0) return <span className="hidden @3xl:block" />;
  return (
    <div className="order-2 col-span-full min-w-0 text-13 @3xl:order-none @3xl:col-span-1 @3xl:pt-1.5">
      <p title={samples.join(' · ')} className="m-0 line-clamp-2 wrap-anywhere text-text-2">
        <span className="sr-only">{t.samples}: </span>
        {[...new Set(samples)].slice(0, 3).join(' · ')}
      </p>
      {bad !== undefined && kind !== undefined && kind !== 'text' && (
        <p className="mt-1 mb-0 font-medium text-write">{t.unreadable[kind](bad, field === 'model_year' ? '2019' : '84.000')}</p>
      )}
    </div>
  );
}

/** The default value for rows without one. */
function Fallback({ of, field }: { readonly of: Props['of']; readonly field: OurField }) {
  const t = useTexts(importsTexts);
  const name = useTexts(fieldTexts)[field];
  const word = useValueWord();
  const { form, error } = of;
  const spec = specOf(targetOf(form.values), field);
  const defaults = form.values.defaults;
  const branches = useQuery({
    queryKey: ['branches'],
    queryFn: ({ signal }) => callPage('GET v1/account/branches', { query: { limit: 100 }, signal }),
    enabled: field === 'branch_id',
  });
  // Write-only fields have no default for all records.
  if (spec?.secret) return <span className="hidden @3xl:block" />;
  const set = (value: string) => form.set('defaults', withEntry(defaults, field, value));
  const value = defaults[field] ?? '';
  const options: readonly Option[] | undefined =
    field === 'branch_id'
      ? branches.data?.items.map((branch) => ({ value: branch.id, label: branch.name }))
      : spec?.values?.map((one) => ({ value: one, label: word(one) }));
  const fault = problemOf(error, `defaults.${field}`, name);
  return (
    <div className="order-1 @3xl:order-none">
      <Field id={`defaults.${field}`} label={t.fallbackOf(name)} labelHidden {...(fault ? { error: fault } : {})}>
        {options ? (
          <Select value={value} options={[{ value: '', label: t.noFallback }, ...options]} onChange={set} />
        ) : (
          <TextInput
            type={spec?.kind === 'day' ? 'date' : 'text'}
            value={value}
            maxLength={500}
            placeholder={t.fallback}
            autoComplete="off"
            onChange={set}
          />
        )}
      </Field>
    </div>
  );
}

function Unused({ preview, used }: { readonly preview: Preview | null; readonly used: readonly string[] }) {
  const t = useTexts(importsTexts);
  const left = preview?.columns.filter(({ name }) => !used.includes(name)) ?? [];
  if (left.length === 0) return null;
  return (
    <div className="text-13">
      <p className="m-0 mb-1 font-medium">
        {t.unused} <span className="font-normal text-text-2">— {t.unusedText}</span>
      </p>
      <ul className="m-0 flex list-none flex-wrap gap-1.5 p-0">
        {left.map(({ name, samples }) => (
          <li
            key={name}
            title={samples.join(' · ')}
            className="max-w-full truncate rounded-badge bg-soon-bg px-1.5 py-0.5 text-12 text-soon"
          >
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}
