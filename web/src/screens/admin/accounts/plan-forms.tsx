// Forms over a dealer's plan and wallet.

import { useQueryClient } from '@tanstack/react-query';
import { LIMITS, MEMBERSHIP_STATUSES, PLANS } from '../../../../../src/domain/membership/membership-states.ts';
import type { AdminPlan } from '../../../../../src/panel/admin/plans.ts';
import { call } from '../../../api.ts';
import type { RawBody } from '../../../endpoints.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { FormLayer } from '../../../parts/form/form.tsx';
import { amountToSend, wholeToSend } from '../../../parts/form/form-amount.ts';
import { filled, withoutEmpty } from '../../../parts/form/form-body.ts';
import { CheckField, ChoiceField, type FieldsOf, LinesField, TextField } from '../../../parts/form/form-fields.tsx';
import { useForm } from '../../../parts/form/form-state.ts';
import { useWrite } from '../../../parts/form/form-write.ts';
import { notify } from '../../../parts/overlay/toast.tsx';
import { typedOf } from '../../../records/amounts.ts';
import { walletWord } from '../../../records/wallet-words.tsx';
import { decisionTexts } from '../decisions/decision-texts.ts';
import { moneyTexts } from '../money-texts.ts';

interface OfAccount {
  readonly accountId: string;
  readonly onClose: () => void;
}

type Limit = (typeof LIMITS)[number];

function planForm(membership: AdminPlan['membership'], locale: 'tr' | 'en') {
  const limits = Object.fromEntries(LIMITS.map((name) => [name, membership.limits[name]?.toString() ?? '']));
  return {
    plan: membership.plan as string,
    status: membership.status as string,
    price: typedOf(membership.price, locale),
    period_start: membership.period_start,
    period_end: membership.period_end,
    auto_renew: membership.auto_renew,
    ...(limits as Record<Limit, string>),
  };
}
export type PlanForm = ReturnType<typeof planForm>;

/** A limit that is left empty does not limit. */
export const planBody = (values: PlanForm): RawBody<'PATCH admin/accounts/{account_id}/plan'> => ({
  plan: values.plan,
  status: values.status,
  price: amountToSend(values.price),
  period_start: values.period_start,
  period_end: values.period_end,
  auto_renew: values.auto_renew,
  limits: Object.fromEntries(LIMITS.map((name) => [name, filled(values[name], wholeToSend) ?? null])) as Limits,
});
type Limits = RawBody<'PATCH admin/accounts/{account_id}/plan'>['limits'];

export function ChangePlan({ accountId, membership, onClose }: OfAccount & { readonly membership: AdminPlan['membership'] }) {
  const t = useTexts(moneyTexts);
  const locale = useLocale();
  const client = useQueryClient();
  const form = useForm(planForm(membership, locale));
  const write = useWrite({
    send: (typed: RawBody<'PATCH admin/accounts/{account_id}/plan'>) =>
      call('PATCH admin/accounts/{account_id}/plan', { params: { account_id: accountId }, rawBody: typed }),
    onDone: () => {
      notify({ title: t.planChanged });
      form.release();
      onClose();
      return client.invalidateQueries({ queryKey: ['admin', 'plan', accountId] });
    },
  });
  const names: Readonly<Record<string, string>> = {
    plan: t.plan,
    status: t.planStatus,
    price: t.price,
    period_start: t.periodStart,
    period_end: t.periodEnd,
    auto_renew: t.renew,
    ...Object.fromEntries(LIMITS.map((name) => [name, t.limitOf(t.limits[name])])),
  };
  const of: FieldsOf<PlanForm> = { form, error: write.error, names };
  const submit = () => write.run(planBody(form.values));
  const words = (all: readonly string[]) => all.map((value) => ({ value, label: walletWord(locale, value) }));
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={submit}
      onClose={onClose}
      title={t.changePlan}
      action={t.save}
      drawer
    >
      <ChoiceField of={of} name="plan" options={words(PLANS)} />
      <ChoiceField of={of} name="status" options={words(MEMBERSHIP_STATUSES)} />
      <TextField of={of} name="price" inputMode="decimal" />
      <TextField of={of} name="period_start" type="date" />
      <TextField of={of} name="period_end" type="date" />
      <CheckField of={of} name="auto_renew" />
      {LIMITS.map((name) => (
        <TextField key={name} of={of} name={name} inputMode="numeric" optional hint={t.limitHint} />
      ))}
    </FormLayer>
  );
}

export function CorrectWallet({ accountId, onClose }: OfAccount) {
  const t = useTexts(moneyTexts);
  const d = useTexts(decisionTexts);
  const client = useQueryClient();
  const form = useForm({ amount: '', description: '' });
  const write = useWrite({
    send: (typed: RawBody<'POST admin/accounts/{account_id}/wallet-corrections'>) =>
      call('POST admin/accounts/{account_id}/wallet-corrections', {
        params: { account_id: accountId },
        rawBody: withoutEmpty(typed),
      }),
    onDone: (answer) => {
      notify({ title: 'waits_for_second' in answer ? d.waits : t.corrected });
      form.release();
      onClose();
      return client.invalidateQueries({ queryKey: ['admin'] });
    },
  });
  const names = { amount: t.signedAmount, description: t.about };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  const submit = () => {
    const { amount, description } = form.values;
    const [, sign = '', size = ''] = /^\s*([+\-−]?)(.*)$/.exec(amount) ?? [];
    write.run({ amount: `${sign === '' || sign === '+' ? '' : '-'}${amountToSend(size)}`, description });
  };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={submit}
      onClose={onClose}
      title={t.correct}
      description={t.correctText}
      action={t.correct}
    >
      <TextField of={of} name="amount" autoFocus />
      <LinesField of={of} name="description" rows={2} maxLength={500} />
    </FormLayer>
  );
}
