// Actions on a customer: edit and delete, with explained refusals and a link to what prevents the deletion.
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Ellipsis, Eraser, Handshake, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { CustomerDetail } from '../../../../src/resources/customers.ts';
import { ApiError, call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { useListBehind } from '../../list-state.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { useWrite } from '../../parts/form/form-write.ts';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { Menu, MenuItem, MenuLine } from '../../parts/overlay/menu.tsx';
import { RowMenuButton } from '../../parts/overlay/row-menu-button.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { useMay } from '../../permissions.ts';
import { fullName, type ListedCustomer, useCustomersChanged } from '../../records/customers/customers.ts';
import { useRole } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { DebtActs, isDebtor } from './debt.tsx';
import { EraseDialog, useRestoreCustomer } from './erase.tsx';
import { customerWriteTexts } from './write-texts.ts';

export function CustomerActs({ customer }: { readonly customer: CustomerDetail }) {
  const w = useTexts(customerWriteTexts);
  const may = useMay('customers:write');
  const maySell = useMay('sales:write') && customer.risk_level !== 'blocked';
  const isOwner = useRole('owner');
  const [deletes, setDeletes] = useState(false);
  const [erases, setErases] = useState(false);
  const goneTo = useGoneTo();
  const owes = isDebtor(customer);
  if (!may) return owes ? <DebtActs customer={customer} /> : null;
  return (
    <>
      {owes && <DebtActs customer={customer} />}
      {maySell && (
        <Link to="/satislar/yeni" search={{ customer_id: customer.id }} className={buttonLook(owes ? 'secondary' : 'primary')}>
          <Handshake aria-hidden className="size-4" />
          {w.sell}
        </Link>
      )}
      <Link to="/musteriler/$customerId/duzenle" params={{ customerId: customer.id }} className={buttonLook('secondary')}>
        <Pencil aria-hidden className="size-4" />
        {w.edit}
      </Link>
      <Menu trigger={<Button icon={Ellipsis} aria-label={w.acts} title={w.acts} className="px-2" />}>
        <MenuItem icon={Trash2} danger onSelect={() => setDeletes(true)}>
          {w.delete}
        </MenuItem>
        {isOwner && (
          <MenuItem icon={Eraser} danger onSelect={() => setErases(true)}>
            {w.erase}
          </MenuItem>
        )}
      </Menu>
      {erases && <EraseDialog customer={customer} onGone={goneTo} onClose={() => setErases(false)} />}
      {deletes && <CustomerDelete customer={customer} onGone={goneTo} onClose={() => setDeletes(false)} />}
    </>
  );
}

/** Goes back to the list after the customer of this page was deleted. */
function useGoneTo(): () => Promise<void> {
  const navigate = useNavigate();
  const list = useListBehind();
  return () => navigate({ to: '/musteriler', search: list });
}

/** The menu in a list row. The dialog belongs to the list, because the row may disappear. */
export function CustomerRowActs({ customer, onDelete }: { readonly customer: ListedCustomer; readonly onDelete: () => void }) {
  const w = useTexts(customerWriteTexts);
  return (
    <Menu trigger={<RowMenuButton label={w.installmentActs(fullName(customer))} />}>
      <MenuItem icon={Pencil} render={<Link to="/musteriler/$customerId/duzenle" params={{ customerId: customer.id }} />}>
        {w.edit}
      </MenuItem>
      <MenuLine />
      <MenuItem icon={Trash2} danger onSelect={onDelete}>
        {w.delete}
      </MenuItem>
    </Menu>
  );
}

interface CustomerDeleteProps {
  readonly customer: ListedCustomer | CustomerDetail;
  /** Called before cached data of the customer is removed, so that no screen still shows it. */
  readonly onGone?: () => Promise<void>;
  readonly onClose: () => void;
}

export function CustomerDelete({ customer, onGone, onClose }: CustomerDeleteProps) {
  const w = useTexts(customerWriteTexts);
  const p = useTexts(partsTexts);
  const client = useQueryClient();
  const changed = useCustomersChanged();
  const restore = useRestoreCustomer();
  const write = useWrite({
    send: (_: undefined, headers) => call('DELETE v1/customers/{customer_id}', { params: { customer_id: customer.id }, headers }),
    onDone: async () => {
      notify({ title: w.deleted(fullName(customer)), undo: { label: p.undo, run: () => restore(customer) } });
      await onGone?.();
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
