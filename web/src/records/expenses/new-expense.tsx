// A new expense, with its receipt if there is one.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  CATEGORIES_OF,
  EXPENSE_KINDS,
  EXPENSE_METHODS,
  type ExpenseKind,
} from '../../../../src/domain/expenses/expenses-states.ts';
import { call } from '../../api.ts';
import { useCurrencies } from '../../currencies.ts';
import type { RawBody } from '../../endpoints.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { FormLayer } from '../../parts/form/form.tsx';
import { amountToSend, rateToSend } from '../../parts/form/form-amount.ts';
import { filled, withoutEmpty } from '../../parts/form/form-body.ts';
import { ChoiceField, type FieldsOf, LinesField, MoneyField, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { problemOf } from '../../parts/input/error-summary.tsx';
import { Field } from '../../parts/input/field.tsx';
import { FileDrop } from '../../parts/input/file-drop.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { useRole } from '../../session.ts';
import { upload } from '../../upload.ts';
import { useBranches } from '../branches.ts';
import { saleWord } from '../sales/sale-texts.ts';
import { useToday } from '../sales/sales.ts';
import { VehiclePicker } from '../vehicles/vehicle-picker.tsx';
import { expensesTexts } from './expenses-texts.ts';

const initial = (vehicleId: string | undefined, currency: string, day: string, isSeller: boolean) => {
  const kind = (vehicleId || isSeller ? 'Araç' : 'İşletme') as string;
  const category = CATEGORIES_OF[kind as ExpenseKind][kind === 'Araç' ? 2 : 0] as string;
  const paid = { amount: '', currency, exchange_rate: '', day, method: 'Nakit', branch_id: '' };
  return { kind, category, ...paid, vehicle_id: vehicleId ?? '', supplier: '', note: '' };
};
type Values = ReturnType<typeof initial>;

export const expenseBody = (values: Values): RawBody<'POST expenses'> => ({
  kind: values.kind,
  category: values.category,
  amount: filled(values.amount, amountToSend),
  currency: values.currency,
  exchange_rate: filled(values.exchange_rate, rateToSend),
  day: filled(values.day),
  branch_id: filled(values.branch_id),
  method: values.method,
  vehicle_id: values.kind === 'Araç' ? filled(values.vehicle_id) : undefined,
  supplier: filled(values.supplier),
  note: filled(values.note),
});

interface Props {
  /** The car of the page on which the form was opened. */
  readonly vehicleId?: string | undefined;
  readonly onClose: () => void;
}

export const useExpensesChanged = () => {
  const client = useQueryClient();
  return () => Promise.all(['expenses', 'till', 'receivables'].map((first) => client.invalidateQueries({ queryKey: [first] })));
};

export function NewExpense({ vehicleId, onClose }: Props) {
  const t = useTexts(expensesTexts);
  const isSeller = useRole('sales');
  const today = useToday();
  const form = useForm(initial(vehicleId, useCurrencies()[0]!.value, today, isSeller));
  const [file, setFile] = useState<File | null>(null);
  const changed = useExpensesChanged();
  const write = useWrite({
    send: (typed: RawBody<'POST expenses'>, headers) => call('POST expenses', { rawBody: withoutEmpty(typed), headers }),
    onDone: async ({ id, expense_no }) => {
      if (file !== null) await attach(id, file).catch(() => notify({ title: t.fileFailed, failed: true }));
      notify({ title: t.added(expense_no) });
      onClose();
      await changed();
    },
  });
  const of: FieldsOf<Values> = { form, error: write.error, names: t.names };
  return (
    <FormLayer
      form={form}
      names={t.names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(expenseBody(form.values))}
      onClose={onClose}
      title={t.add}
      action={t.add}
    >
      <ExpenseFields of={of} isSeller={isSeller} />
      <ReceiptField file={file} onChoose={setFile} />
    </FormLayer>
  );
}

export async function attach(id: string, file: File): Promise<void> {
  const form = new FormData();
  form.set('file', file);
  await upload('POST expenses/{expense_id}/file', { params: { expense_id: id }, form });
}

function ExpenseFields({ of, isSeller }: { readonly of: FieldsOf<Values>; readonly isSeller: boolean }) {
  const t = useTexts(expensesTexts);
  const locale = useLocale();
  const branches = useBranches();
  const { values, set } = of.form;
  const kind = values.kind as ExpenseKind;
  const choose = (next: string) => {
    set('kind', next);
    set('category', CATEGORIES_OF[next as ExpenseKind][next === 'Araç' ? 2 : 0]!);
  };
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {!isSeller && (
          <ChoiceField
            of={{ ...of, form: { ...of.form, set: ((_, next) => choose(String(next))) as typeof set } }}
            name="kind"
            options={EXPENSE_KINDS.map((value) => ({ value, label: t.kinds[value] }))}
          />
        )}
        <ChoiceField
          of={of}
          name="category"
          options={CATEGORIES_OF[kind].map((value) => ({ value, label: t.categories[value] }))}
        />
      </div>
      {kind === 'Araç' && (
        <VehiclePicker
          id="vehicle_id"
          label={t.names.vehicle_id}
          error={problemOf(of.error, 'vehicle_id', t.names.vehicle_id)}
          value={values.vehicle_id}
          onChange={(id) => set('vehicle_id', id)}
        />
      )}
      <MoneyField of={of} name="amount" currency="currency" />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField of={of} name="day" type="date" />
        <ChoiceField
          of={of}
          name="method"
          options={EXPENSE_METHODS.map((value) => ({ value, label: saleWord(locale, value) }))}
        />
      </div>
      <TextField of={of} name="supplier" optional maxLength={120} />
      {branches.length > 1 && (
        <ChoiceField
          of={of}
          name="branch_id"
          none={kind === 'Araç' ? t.carBranch : t.mainBranch}
          options={branches.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {!isSeller && <TextField of={of} name="exchange_rate" optional inputMode="decimal" hint={t.rateHint} />}
      <LinesField of={of} name="note" optional rows={2} maxLength={2000} />
    </>
  );
}

function ReceiptField({ file, onChoose }: { readonly file: File | null; readonly onChoose: (file: File) => void }) {
  const t = useTexts(expensesTexts);
  return (
    <Field id="file" label={t.names.file} optional hint={t.fileHint}>
      <FileDrop accept=".pdf,.jpg,.jpeg,.png,.webp" onChoose={onChoose}>
        {(open) => (
          <>
            <Button onClick={open}>{t.chooseFile}</Button>
            {file && <span className="text-13 wrap-anywhere">{t.chosenFile(file.name)}</span>}
          </>
        )}
      </FileDrop>
    </Field>
  );
}
