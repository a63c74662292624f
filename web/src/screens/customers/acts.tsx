// What can be done to a customer: edit, and delete, with its refusals explained and a way to what stands in it.
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { CustomerDetail } from '../../../../src/resources/customers.ts';
import { ApiError, del } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { useListBehind } from '../../list-state.ts';
import { useMay } from '../../may.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useWrite } from '../../parts/form-write.ts';
import { notify } from '../../parts/toast.tsx';
import { customerPath, fullName, useCustomersChanged } from './data.ts';
import { customerWriteTexts } from './write-texts.ts';

export function CustomerActs({ customer }: { readonly customer: CustomerDetail }) {
  const w = useTexts(customerWriteTexts);
  const may = useMay('customers:write');
  const [deletes, setDeletes] = useState(false);
  if (!may) return null;
  return (
    <>
      <Link to="/musteriler/$customerId/duzenle" params={{ customerId: customer.id }} className={buttonLook('secondary')}>
        <Pencil aria-hidden className="size-4" />
        {w.edit}
      </Link>
      <Button icon={Trash2} onClick={() => setDeletes(true)}>
        {w.delete}
      </Button>
      {deletes && <CustomerDelete customer={customer} onClose={() => setDeletes(false)} />}
    </>
  );
}

function CustomerDelete({ customer, onClose }: { readonly customer: CustomerDetail; readonly onClose: () => void }) {
  const w = useTexts(customerWriteTexts);
  const navigate = useNavigate();
  const client = useQueryClient();
  const changed = useCustomersChanged();
  const list = useListBehind();
  const write = useWrite({
    send: (_: undefined, headers) => del<CustomerDetail>(customerPath(customer.id), {}, headers),
    onDone: async () => {
      notify({ title: w.deleted(fullName(customer)) });
      await navigate({ to: '/musteriler', search: list });
      client.removeQueries({ queryKey: ['customer', customer.id] });
      await changed();
    },
  });
  const refusal = write.error instanceof ApiError ? write.error.code : null;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={w.deleteTitle(fullName(customer))}
      action={w.delete}
      run={() => write.runAndWait(undefined)}
    >
      <p className="m-0">{w.deleteText}</p>
      {refusal === 'customer_has_active_sale' && <p className="mt-2 mb-0 font-medium text-text">{w.hasSale}</p>}
      {refusal === 'customer_has_reservation' && (
        <p className="mt-2 mb-0 font-medium text-text">
          {w.hasReservation}{' '}
          <Link to="/araclar" search={{ status: 'Rezerve' }} className="link">
            {w.toReserved}
          </Link>
        </p>
      )}
    </ConfirmDialog>
  );
}
