import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { Day, Money, None } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { isAbove } from '../../records/amounts.ts';
import { useInstallmentNames } from '../../records/installment-names.ts';
import { InstallmentBadge } from '../../records/sales/sale-badges.tsx';
import { saleWord } from '../../records/sales/sale-texts.ts';
import type { Installment, PlanWithInstallments } from '../../records/sales/sales.ts';
import { useFormat } from '../../session.ts';
import { saleActsTexts } from '../sale-acts/texts.ts';
import { RowActs } from './acts.tsx';
import type { BeginAct } from './sale-act.ts';
import { salesTexts } from './texts.ts';

interface SalePlanProps {
  readonly plan: UseQueryResult<PlanWithInstallments>;
  readonly begin: BeginAct;
}

export function SalePlan({ plan, begin }: SalePlanProps) {
  const t = useTexts(salesTexts);
  return (
    <section aria-label={t.plan} className="min-w-0">
      <h2 className="m-0 mb-2 flex flex-wrap items-baseline gap-x-2 text-14 font-semibold">
        {t.plan}
        {plan.data && plan.data.installment_count > 0 && (
          <span className="text-13 font-normal text-text-2">{t.planCount(plan.data.installment_count)}</span>
        )}
      </h2>
      <Loaded query={plan}>{(loaded) => <PlanTable plan={loaded} begin={begin} />}</Loaded>
    </section>
  );
}

function PlanTable({ plan, begin }: { readonly plan: PlanWithInstallments; readonly begin: BeginAct }) {
  const t = useTexts(salesTexts);
  const [showsOld, setShowsOld] = useState(false);
  const old = plan.installments.filter(({ status }) => status === 'Yapılandırıldı');
  const installments = showsOld ? plan.installments : plan.installments.filter((installment) => !old.includes(installment));
  const columns = useColumns(plan, begin);
  return (
    <>
      <Table slim label={t.plan} rows={installments} rowKey={({ id }) => id} columns={columns} />
      {old.length > 0 && (
        <Button look="quiet" className="mt-1" onClick={() => setShowsOld(!showsOld)}>
          {showsOld ? t.hideOld : t.showOld(old.length)}
        </Button>
      )}
    </>
  );
}

function useColumns(plan: PlanWithInstallments, begin: BeginAct): readonly Column<Installment>[] {
  const t = useTexts(salesTexts);
  const a = useTexts(saleActsTexts);
  const locale = useLocale();
  const names = useInstallmentNames(plan);
  const mayAct = [useMay('collections:write'), useMay('payment-promises:write'), useMay('customers:write')].some(Boolean);
  const { currency } = plan;
  const acts: Column<Installment> = {
    id: 'acts',
    head: a.acts,
    headHidden: true,
    width: 'w-12',
    align: 'end',
    cell: (installment) => <RowActs installment={installment} name={names.long(installment.id)} begin={begin} />,
  };
  return [
    {
      id: 'row',
      head: t.row,
      cell: (installment) => (
        <>
          <span className="font-medium whitespace-nowrap">{names.short(installment.id)}</span>
          {installment.kind === 'Ara Ödeme' && (
            <span className="block text-12 text-text-2">{saleWord(locale, installment.kind)}</span>
          )}
        </>
      ),
    },
    {
      id: 'due',
      head: t.due,
      cell: (installment) => (
        <>
          <Day day={installment.due_date} />
          {/* On a phone there is no column for it. */}
          <span className="mt-0.5 block sm:hidden">
            <InstallmentBadge {...installment} />
          </span>
          {installment.postpone_count > 0 && (
            <span className="block text-12 text-text-2">{t.postponed(installment.postpone_count)}</span>
          )}
        </>
      ),
    },
    {
      id: 'amount',
      head: t.amount,
      align: 'end',
      onCard: 'hide',
      cell: ({ amount }) => <Money amount={amount} currency={currency} />,
    },
    {
      id: 'paid',
      head: t.paid,
      align: 'end',
      onCard: 'hide',
      cell: ({ paid_amount }) => (isAbove(paid_amount) ? <Money amount={paid_amount} currency={currency} /> : <None />),
    },
    {
      id: 'left',
      head: t.left,
      narrowHead: t.amount,
      align: 'end',
      cell: (installment) => <LeftCell installment={installment} currency={currency} />,
    },
    { id: 'status', head: t.status, onCard: 'hide', cell: (installment) => <InstallmentBadge {...installment} /> },
    ...(mayAct ? [acts] : []),
  ];
}

function LeftCell({ installment, currency }: { readonly installment: Installment; readonly currency: string }) {
  const t = useTexts(salesTexts);
  const format = useFormat();
  const { amount, paid_amount, remaining_amount, late_interest } = installment;
  return (
    <>
      {isAbove(remaining_amount) ? (
        <>
          <Money amount={remaining_amount} currency={currency} />
          {isAbove(paid_amount) && <span className="block text-12 text-text-2 sm:hidden">{t.left}</span>}
        </>
      ) : (
        <>
          <span className="max-sm:hidden">
            <None />
          </span>
          {/* On a phone it is the only column of amounts. */}
          <span className="text-text-2 sm:hidden">
            <Money amount={amount} currency={currency} />
          </span>
        </>
      )}
      {isAbove(late_interest) && (
        <span className="block text-12 text-text-2 sm:whitespace-nowrap">
          {t.lateInterest(format.money(late_interest, currency))}
        </span>
      )}
    </>
  );
}
