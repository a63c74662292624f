// A refused row in a drawer: its wrong fields first, the others below. It is imported without the file.
import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import type { Mended, MendedValues } from '../../../../src/domain/imports/runs/mend-row.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { FormLayer } from '../../parts/form/form.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { problemOf } from '../../parts/input/error-summary.tsx';
import { Field, Select, TextInput } from '../../parts/input/field.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { SkeletonRows } from '../../parts/page/states.tsx';
import { useImportsChanged } from './data.ts';
import { fieldName, fieldTexts } from './field-texts.ts';
import { isRequired, specOf, type Target } from './fields.ts';
import { useValueWord } from './import-parts.tsx';
import { runTexts } from './run-texts.ts';
import type { RowError } from './wire.ts';

interface MendRowProps {
  readonly error: RowError;
  /** Its number in the spreadsheet. */
  readonly row: number;
  readonly errors: readonly RowError[];
  readonly textOf: (error: RowError) => string;
  readonly onClose: () => void;
}

export function MendRow(props: MendRowProps) {
  const { error } = props;
  const row = useQuery({
    queryKey: ['imports', 'refused-row', error.id],
    queryFn: ({ signal }) =>
      call('GET import/runs/{run_id}/errors/{error_id}/row', { params: { run_id: error.run_id, error_id: error.id }, signal }),
    refetchOnWindowFocus: false,
  });
  if (row.data === undefined) return row.isPending ? <SkeletonRows /> : null;
  return <MendForm {...props} target={row.data.target} fields={row.data.fields} />;
}

type RowFields = readonly { readonly field: string; readonly value: string | null; readonly is_hidden: boolean }[];

function MendForm({ error, row, errors, textOf, onClose, target, fields }: MendRowProps & { target: Target; fields: RowFields }) {
  const t = useTexts(runTexts);
  const names = useTexts(fieldTexts);
  const changed = useImportsChanged();
  const before: Readonly<Record<string, string>> = Object.fromEntries(fields.map(({ field, value }) => [field, value ?? '']));
  const form = useForm(before);
  const write = useWrite<MendedValues, Mended>({
    send: (values, headers) =>
      call('POST import/runs/{run_id}/errors/{error_id}/row', {
        params: { run_id: error.run_id, error_id: error.id },
        body: { values },
        headers,
      }),
    onDone: async ({ outcome }) => {
      form.release();
      notify({ title: t.mended[outcome] });
      onClose();
      await changed();
    },
  });
  const wrong = new Set(errors.map(({ field }) => field));
  const isWrong = ({ field }: RowFields[number]) => wrong.has(field) || (isRequired(target, field) && before[field] === '');
  const submit = () => {
    const values: MendedValues = Object.fromEntries(
      Object.entries(form.values).filter(([field, value]) => value !== before[field]),
    );
    write.run(values);
  };
  const shown = (one: RowFields[number]) => (
    <MendField
      key={one.field}
      target={target}
      name={one.field}
      isHidden={one.is_hidden}
      value={form.values[one.field] ?? ''}
      fault={problemOf(write.error, one.field, fieldName(names, one.field) ?? '')}
      onChange={(value) => form.set(one.field, value)}
    />
  );
  return (
    <FormLayer
      drawer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      title={t.mendTitle(row)}
      description={t.mendText}
      action={t.mendAction}
      onSubmit={submit}
      onClose={onClose}
    >
      <ul className="m-0 mb-3 list-disc pl-5 text-13 text-dest">
        {errors.map((one) => (
          <li key={one.id}>{textOf(one)}</li>
        ))}
      </ul>
      <div className="flex flex-col gap-3">{fields.filter(isWrong).map(shown)}</div>
      <details className="group/more mt-4">
        <summary className="flex min-h-8 list-none items-center gap-1.5 text-13 font-medium">
          <ChevronRight aria-hidden className="size-4 text-text-3 transition-transform group-open/more:rotate-90" />
          {t.otherFields}
        </summary>
        <div className="mt-2 flex flex-col gap-3">{fields.filter((one) => !isWrong(one)).map(shown)}</div>
      </details>
    </FormLayer>
  );
}

interface MendFieldProps {
  readonly target: Target;
  readonly name: string;
  /** The row has a value that is never shown. */
  readonly isHidden: boolean;
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

function MendField({ target, name, isHidden, value, fault, onChange }: MendFieldProps) {
  const t = useTexts(runTexts);
  const names = useTexts(fieldTexts);
  const word = useValueWord();
  const values = specOf(target, name)?.values;
  const isOther = value !== '' && values !== undefined && !values.includes(value);
  return (
    <Field
      id={name}
      label={fieldName(names, name) ?? name}
      {...(isHidden ? { hint: t.hiddenValue } : {})}
      {...(fault ? { error: fault } : {})}
    >
      {values === undefined ? (
        <TextInput value={value} maxLength={5000} autoComplete="off" onChange={onChange} />
      ) : (
        <Select
          value={value}
          options={[
            { value: '', label: '—' },
            ...(isOther ? [{ value, label: value }] : []),
            ...values.map((one) => ({ value: one, label: word(one) })),
          ]}
          onChange={onChange}
        />
      )}
    </Field>
  );
}
