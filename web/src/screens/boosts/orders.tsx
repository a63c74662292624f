import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { BOOST_STATUSES } from '../../../../src/domain/boosts/boost-states.ts';
import { call, callPage } from '../../api.ts';
import type { ItemOf } from '../../endpoints.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime, Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { VehicleName } from '../../records/vehicles/vehicle-name.tsx';
import { BoostBadge, walletWord } from '../../records/wallet-words.tsx';
import { useFormat } from '../../session.ts';
import { packageName } from './package-name.ts';
import { boostsTexts } from './texts.ts';

type Order = ItemOf<'GET v1/boost-orders'>;

/** Every order, newest first. One that has not begun can be cancelled. */
export function BoostOrders() {
  const t = useTexts(boostsTexts);
  const locale = useLocale();
  const search = useSearch({ from: '/shell/boost' });
  const navigate = useNavigate({ from: '/boost' });
  const [cancels, setCancels] = useState<Order | null>(null);
  const columns = useColumns(setCancels);
  const { status, offset } = search;
  const orders = useQuery({
    queryKey: ['boosts', status, offset],
    queryFn: ({ signal }) => callPage('GET v1/boost-orders', { query: { status, offset }, signal }),
    placeholderData: keepPreviousData,
  });
  const set = (next: Partial<typeof search>) => navigate({ search: (now) => ({ ...now, offset: undefined, ...next }) });
  const chips = [
    { value: '', label: t.all },
    ...BOOST_STATUSES.map((value) => ({ value: value as string, label: walletWord(locale, value) })),
  ];
  return (
    <section aria-label={t.orders}>
      <h2 className="m-0 mb-2 text-16 font-semibold">{t.orders}</h2>
      <ChoiceChips
        label={t.statuses}
        value={status ?? ''}
        chips={chips}
        onChange={(value) => set({ status: value === '' ? undefined : value })}
      />
      <Loaded query={orders}>
        {(page) => (
          <Table
            label={t.orders}
            rows={page.items}
            rowKey={({ id }) => id}
            columns={columns}
            empty={<EmptyState title={t.noOrders} />}
            footer={<Pagination page={page} onMove={(next) => set({ offset: next === 0 ? undefined : String(next) })} />}
          />
        )}
      </Loaded>
      {cancels && <CancelBoost order={cancels} onClose={() => setCancels(null)} />}
    </section>
  );
}

function useColumns(onCancel: (order: Order) => void): readonly Column<Order>[] {
  const t = useTexts(boostsTexts);
  const locale = useLocale();
  const may = useMay('boost:write', 'destructive');
  return [
    { id: 'vehicle', head: t.vehicle, onCard: 'title', cell: ({ vehicle_id }) => <VehicleName id={vehicle_id} /> },
    { id: 'package', head: t.package, cell: (order) => packageName(locale, order.package) },
    { id: 'status', head: t.status, cell: ({ status }) => <BoostBadge status={status} /> },
    {
      id: 'span',
      head: t.span,
      cell: ({ starts_at, ends_at }) => (
        <>
          <DateTime at={starts_at} /> – <DateTime at={ends_at} />
        </>
      ),
    },
    {
      id: 'price',
      head: t.price,
      align: 'end',
      cell: ({ price, currency }) => <Money amount={price} currency={currency} />,
    },
    {
      id: 'acts',
      head: t.acts,
      headHidden: true,
      align: 'end',
      cell: (order) =>
        may &&
        order.status === 'Beklemede' && (
          <Button look="quiet" onClick={() => onCancel(order)}>
            {t.cancel}
          </Button>
        ),
    },
  ];
}

function CancelBoost({ order, onClose }: { readonly order: Order; readonly onClose: () => void }) {
  const t = useTexts(boostsTexts);
  const format = useFormat();
  const client = useQueryClient();
  const cancel = async () => {
    await call('DELETE v1/boost-orders/{order_id}', { params: { order_id: order.id } });
    notify({ title: t.cancelled });
    await Promise.all(['boosts', 'wallet'].map((name) => client.invalidateQueries({ queryKey: [name] })));
  };
  return (
    <ConfirmDialog open onClose={onClose} title={t.cancelTitle} action={t.cancel} run={cancel}>
      <p className="mt-0 mb-3">{t.cancelText(format.money(order.price, order.currency))}</p>
    </ConfirmDialog>
  );
}
