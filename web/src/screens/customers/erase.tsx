// Dialogs to erase a customer for good, and to restore a deleted one.
import { useQueryClient } from '@tanstack/react-query';
import { ApiError, call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { type CustomerDetail, fullName, useCustomersChanged } from '../../records/customers/customers.ts';
import { partsTexts } from '../../texts/parts.ts';
import { customerWriteTexts } from './write-texts.ts';

interface Named {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly kind?: CustomerDetail['kind'];
  readonly company_name: string | null;
}

interface EraseDialogProps {
  readonly customer: Named;
  /** Called before cached data of the customer is removed, so that no screen still shows it. */
  readonly onGone?: () => Promise<void>;
  readonly onClose: () => void;
}

/** Requires the typed name and a recent password, because erasing cannot be undone. */
export function EraseDialog({ customer, onGone, onClose }: EraseDialogProps) {
  const w = useTexts(customerWriteTexts);
  const client = useQueryClient();
  const changed = useCustomersChanged();
  const name = fullName(customer);
  const run = async () => {
    await call('POST customers/{customer_id}/erase', { params: { customer_id: customer.id }, body: { typed_name: name } });
    notify({ title: w.erased });
    await onGone?.();
    client.removeQueries({ queryKey: ['customer', customer.id] });
    await changed();
  };
  return (
    <ConfirmDialog open onClose={onClose} title={w.eraseTitle} action={w.eraseAction} typed={name} run={run}>
      <p className="m-0">{w.eraseText}</p>
      <p className="mt-2 mb-0 font-medium text-text">{w.eraseNoWay}</p>
    </ConfirmDialog>
  );
}

export function useRestoreCustomer(): (customer: Named) => void {
  const w = useTexts(customerWriteTexts);
  const p = useTexts(partsTexts);
  const changed = useCustomersChanged();
  return (customer) => {
    call('POST customers/{customer_id}/restore', { params: { customer_id: customer.id } })
      .then((now) => {
        notify({ title: w.restored(fullName(now)) });
        return changed(now);
      })
      .catch((error: unknown) =>
        notify({ title: w.failed, text: error instanceof ApiError ? error.message : p.offline, failed: true }),
      );
  };
}
