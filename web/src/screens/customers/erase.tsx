// Out of the records for good, and the way back of those who were only deleted.
import { useQueryClient } from '@tanstack/react-query';
import type { CustomerDetail } from '../../../../src/resources/customers.ts';
import { ApiError, post } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { notify } from '../../parts/toast.tsx';
import { fullName, useCustomersChanged } from '../../records/customers.ts';
import { partsTexts } from '../../texts/parts.ts';
import { customerWriteTexts } from './write-texts.ts';

interface Named {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
}

const pathOf = (id: string): string => `customers/${encodeURIComponent(id)}`;

interface EraseDialogProps {
  readonly customer: Named;
  /** Before what is kept of them here is dropped: nothing may still show it. */
  readonly onGone?: () => Promise<void>;
  readonly onClose: () => void;
}

/** The name is typed, and the password asked for unless it was given just now: there is no way back. */
export function EraseDialog({ customer, onGone, onClose }: EraseDialogProps) {
  const w = useTexts(customerWriteTexts);
  const client = useQueryClient();
  const changed = useCustomersChanged();
  const name = fullName(customer);
  const run = async () => {
    await post(`${pathOf(customer.id)}/erase`, { typed_name: name });
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
    post<CustomerDetail>(`${pathOf(customer.id)}/restore`)
      .then((now) => {
        notify({ title: w.restored(fullName(now)) });
        return changed(now);
      })
      .catch((error: unknown) =>
        notify({ title: w.failed, text: error instanceof ApiError ? error.message : p.offline, failed: true }),
      );
  };
}
