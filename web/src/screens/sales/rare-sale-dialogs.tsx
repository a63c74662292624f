// Dialogs of rare actions, loaded when one is opened.
import { useInstallmentNames } from '../../records/installment-names.ts';
import type { PlanWithInstallments, SaleDetail } from '../../records/sales/sales.ts';
import { CancelSale } from '../sale-acts/cancel.tsx';
import { ChangePromise } from '../sale-acts/change-promise.tsx';
import { EditInstallment } from '../sale-acts/edit-installment.tsx';
import { Remind } from '../sale-acts/remind.tsx';
import { Restructure } from '../sale-acts/restructure.tsx';
import { ReverseCollection } from '../sale-acts/reverse.tsx';
import type { SaleAct } from './sale-act.ts';

interface RareSaleDialogsProps {
  readonly sale: SaleDetail;
  readonly plan: PlanWithInstallments | undefined;
  readonly open: SaleAct;
  readonly onClose: () => void;
}

export function RareSaleDialogs({ sale, plan, open, onClose }: RareSaleDialogsProps) {
  const { long: rowName } = useInstallmentNames(plan);
  switch (open.act) {
    case 'restructure':
      return plan ? <Restructure sale={sale} plan={plan} onClose={onClose} /> : null;
    case 'editRow':
      return plan ? (
        <EditInstallment installment={open.installment} name={rowName(open.installment.id)} plan={plan} onClose={onClose} />
      ) : null;
    case 'changePromise':
      return <ChangePromise promise={open.promise} onClose={onClose} />;
    case 'cancel':
      return <CancelSale sale={sale} onClose={onClose} />;
    case 'reverse':
      return <ReverseCollection collection={open.collection} onClose={onClose} />;
    case 'remind':
      return <Remind saleId={sale.id} installmentId={open.installment?.id} onClose={onClose} />;
    default:
      return null;
  }
}
