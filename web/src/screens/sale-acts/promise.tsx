// «Söz al»: the amount that the customer promises and the date; and cancelling an open promise.

import type { ReactNode } from 'react';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useLocale, useTexts } from '../../language.ts';
import { FormLayer } from '../../parts/form/form.tsx';
import { amountOf, amountToSend } from '../../parts/form/form-amount.ts';
import { withoutEmpty } from '../../parts/form/form-body.ts';
import { type FieldsOf, LinesField, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { chipLook } from '../../parts/input/choice-chips.tsx';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import type { Locale } from '../../preferences.ts';
import { typedOf } from '../../records/amounts.ts';
import { useSalesChanged, useToday } from '../../records/sales/sales.ts';
import { useFormat, useSession } from '../../session.ts';
import { saleActsTexts } from './texts.ts';

interface PromiseProps {
  readonly saleId: string;
  readonly installmentId?: string | undefined;
  /** What is likely to be promised: the installment, or what is overdue. */
  readonly amount: string;
  readonly currency: string;
  readonly description?: ReactNode;
  readonly onClose: () => void;
}

const MAX_DAYS = 90;
const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

export function TakePromise({ saleId, installmentId, amount, currency, description, onClose }: PromiseProps) {
  const t = useTexts(saleActsTexts);
  const { account } = useSession();
  const changed = useSalesChanged();
  const form = useForm({ amount: typedOf(amount, useLocale()), promised_date: '', note: '' });
  const write = useWrite({
    send: (typed: RawBody<'POST v1/payment-promises'>, headers) =>
      call('POST v1/payment-promises', { rawBody: withoutEmpty(typed), headers }),
    onDone: () => {
      notify({ title: t.promiseSaved });
      onClose();
      return changed();
    },
  });
  const names = { amount: t.promiseAmount, promised_date: t.promised_date, note: t.note };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  const submit = () =>
    write.run({
      sale_id: saleId,
      amount: amountToSend(form.values.amount),
      promised_date: form.values.promised_date,
      ...(installmentId === undefined ? {} : { installment_id: installmentId }),
      ...(form.values.note.trim() === '' ? {} : { note: form.values.note }),
      ...(account?.member_id ? { staff_id: account.member_id } : {}),
    });
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={submit}
      onClose={onClose}
      title={t.promiseTitle}
      description={description}
      action={t.promise}
    >
      <PromiseFields of={of} currency={currency} />
    </FormLayer>
  );
}

/** Tomorrow, the next Friday after it, and a week and two weeks from today. */
function promiseDays(today: string, locale: Locale): readonly { readonly day: string; readonly name: string }[] {
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  const toFriday = (5 - weekday + 7) % 7;
  const inDays = [1, toFriday <= 1 ? toFriday + 7 : toFriday, 7, 14];
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const names = [words.format(1, 'day'), null, words.format(1, 'week'), words.format(2, 'week')];
  return [...new Set(inDays)].map((days) => {
    const day = daysAfter(today, days);
    const friday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
    return { day, name: names[inDays.indexOf(days)] ?? friday.toLocaleLowerCase(locale) };
  });
}

type PromiseForm = { readonly amount: string; readonly promised_date: string; readonly note: string };

export function PromiseFields({ of, currency }: { readonly of: FieldsOf<PromiseForm>; readonly currency: string }) {
  const t = useTexts(saleActsTexts);
  const format = useFormat();
  const today = useToday();
  const locale = useLocale();
  const typed = amountOf(of.form.values.amount);
  return (
    <>
      <fieldset className="col-span-full m-0 flex flex-wrap gap-1.5 border-0 p-0">
        <legend className="sr-only">{t.promised_date}</legend>
        {promiseDays(today, locale).map(({ day, name }) => (
          <button
            key={day}
            type="button"
            aria-pressed={of.form.values.promised_date === day}
            onClick={() => of.form.set('promised_date', day)}
            className={chipLook(of.form.values.promised_date === day)}
          >
            {name}
          </button>
        ))}
      </fieldset>
      <TextField
        of={of}
        name="promised_date"
        type="date"
        autoFocus
        min={today}
        max={daysAfter(today, MAX_DAYS)}
        hint={t.promiseHint}
      />
      <TextField
        of={of}
        name="amount"
        inputMode="decimal"
        hint={typed === undefined ? currency : format.money(typed, currency)}
      />
      <LinesField of={of} name="note" rows={2} maxLength={2000} optional />
    </>
  );
}

export function CancelPromise({ promiseId, onClose }: { readonly promiseId: string; readonly onClose: () => void }) {
  const t = useTexts(saleActsTexts);
  const changed = useSalesChanged();
  const write = useWrite({
    send: (_: undefined, headers) =>
      call('PATCH v1/payment-promises/{promise_id}', {
        params: { promise_id: promiseId },
        body: { status: 'İptal' },
        headers,
      }),
    onDone: () => {
      notify({ title: t.promiseCancelled });
      void changed();
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t.promiseCancel}
      action={t.promiseCancel}
      run={() => write.runAndWait(undefined)}
    >
      {t.promiseCancelText}
    </ConfirmDialog>
  );
}
