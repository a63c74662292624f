// «Senet düzenle»: a note for each chosen installment of a sale.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api.ts';
import type { RawBody } from '../../../endpoints.ts';
import { formatFor } from '../../../format.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { FormLayer } from '../../../parts/form/form.tsx';
import { withoutEmpty } from '../../../parts/form/form-body.ts';
import { type FieldsOf, TextField } from '../../../parts/form/form-fields.tsx';
import { useForm } from '../../../parts/form/form-state.ts';
import { useWrite } from '../../../parts/form/form-write.ts';
import { Checkbox } from '../../../parts/input/choices.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { Skeleton } from '../../../parts/page/states.tsx';
import type { PromissoryNote } from '../../../records/sales/notes.ts';
import { SalePicker } from '../../../records/sales/sale-picker.tsx';
import { type Installment, planQuery, saleQuery, useSalesChanged, useToday } from '../../../records/sales/sales.ts';
import { useFormat } from '../../../session.ts';
import { noteActsTexts } from './note-texts.ts';

interface IssueProps {
  /** Chosen in the form where it is not given. */
  readonly saleId?: string | undefined;
  /** The account's city, where most of its notes are written. */
  readonly place: string;
  readonly onIssued: (notes: readonly PromissoryNote[]) => void;
  readonly onClose: () => void;
}

const hasNoNote = ({ seq, status, promissory_note_id }: Installment): boolean =>
  seq > 0 && (status === 'Bekliyor' || status === 'Kısmi Ödendi') && promissory_note_id === null;

export function IssueNotes({ saleId, place, onIssued, onClose }: IssueProps) {
  const t = useTexts(noteActsTexts);
  const today = useToday();
  const changed = useSalesChanged();
  const form = useForm({ sale_id: saleId ?? '', issue_date: today, issue_place: place, payment_place: '' });
  const { sale_id, issue_date, issue_place, payment_place } = form.values;
  const sale = useQuery({ ...saleQuery(sale_id), enabled: sale_id !== '' });
  const plan = useQuery({ ...planQuery(sale_id), enabled: sale_id !== '' });
  const installments = plan.data?.installments.filter(hasNoNote);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = installments?.filter(({ id }) => !left.has(id)) ?? [];
  const write = useWrite({
    send: (typed: RawBody<'POST v1/promissory-notes'>, headers) =>
      call('POST v1/promissory-notes', { rawBody: withoutEmpty(typed), headers }),
    onDone: async (notes) => {
      notify({ title: t.issued(notes.length) });
      await changed();
      onIssued(notes);
    },
  });
  const names = { sale_id: t.sale, issue_date: t.issue_date, issue_place: t.issue_place, payment_place: t.payment_place };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  const submit = () =>
    write.run({
      sale_id,
      issue_date,
      issue_place,
      ...(payment_place.trim() === '' ? {} : { payment_place }),
      ...(left.size === 0 ? {} : { installment_ids: chosen.map(({ id }) => id) }),
    });
  return (
    <FormLayer
      drawer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={submit}
      onClose={onClose}
      title={t.issueTitle}
      description={t.issueText}
      action={t.issueCount(chosen.length)}
    >
      {saleId === undefined && (
        <SalePicker
          id="sale_id"
          label={t.sale}
          only={{ status: 'Aktif', payment_type: 'Taksitli' }}
          value={sale_id}
          onChange={(id) => {
            form.set('sale_id', id);
            setLeft(new Set());
          }}
        />
      )}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextField of={of} name="issue_place" maxLength={120} autoFocus={saleId !== undefined} />
        <TextField of={of} name="payment_place" maxLength={120} optional hint={t.samePlace} />
        <TextField of={of} name="issue_date" type="date" max={today} {...(sale.data ? { min: sale.data.sale_date } : {})} />
      </div>
      {sale_id !== '' &&
        (installments === undefined ? (
          <Skeleton className="h-40 w-full" />
        ) : (
          <Rows installments={installments} left={left} onChange={setLeft} />
        ))}
    </FormLayer>
  );
}

interface RowsProps {
  readonly installments: readonly Installment[];
  /** Those that get none. */
  readonly left: ReadonlySet<string>;
  readonly onChange: (left: ReadonlySet<string>) => void;
}

function Rows({ installments, left, onChange }: RowsProps) {
  const t = useTexts(noteActsTexts);
  const format = useFormat();
  const day = formatFor(useLocale(), 'UTC').date;
  const toggle = (id: string, on: boolean) => onChange(new Set(on ? [...left].filter((one) => one !== id) : [...left, id]));
  if (installments.length === 0) return <p className="m-0 text-text-2">{t.noRows}</p>;
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0">
      <legend className="mb-1 p-0 text-13 font-medium">{t.rows}</legend>
      <Checkbox
        label={t.allRows(installments.length)}
        checked={left.size === 0 ? true : left.size === installments.length ? false : 'mixed'}
        onChange={(on) => onChange(new Set(on ? [] : installments.map(({ id }) => id)))}
      />
      <div className="ml-6 flex flex-col">
        {installments.map(({ id, seq, due_date, remaining_amount, currency }) => (
          <Checkbox
            key={id}
            label={<span className="tabular">{t.row(seq, day(due_date), format.money(remaining_amount, currency))}</span>}
            checked={!left.has(id)}
            onChange={(on) => toggle(id, on)}
          />
        ))}
      </div>
    </fieldset>
  );
}
