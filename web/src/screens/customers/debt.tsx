// What a customer owes, first on every page of theirs, and what one does about it: take a payment, remind by WhatsApp.
import { useQuery } from '@tanstack/react-query';
import { HandCoins, MessageCircle } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { CustomerDetail } from '../../../../src/resources/customers.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { Menu, MenuItem } from '../../parts/overlay/menu.tsx';
import { Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { isAbove } from '../../records/amounts.ts';
import { reminderTexts } from '../../records/sales/reminder-texts.ts';
import { type ListedSale, listSales, useMayCollect } from '../../records/sales/sales.ts';
import { useFormat, useSession } from '../../session.ts';
import { customerMoneyTexts } from './money-texts.ts';
import { customersTexts } from './texts.ts';

const Collect = lazy(async () => ({ default: (await import('../sale-acts/collect/collect.tsx')).Collect }));
const Remind = lazy(async () => ({ default: (await import('../sale-acts/remind.tsx')).Remind }));

export const isDebtor = ({ balances }: Pick<CustomerDetail, 'balances'>): boolean =>
  balances.some(({ outstanding }) => isAbove(outstanding));

/** The account's own currency first. */
export function DebtCard({ customer }: { readonly customer: CustomerDetail }) {
  const t = useTexts(customersTexts);
  const own = useSession().account?.default_currency;
  const owed = customer.balances
    .filter(({ outstanding }) => isAbove(outstanding))
    .toSorted((one, other) => Number(other.currency === own) - Number(one.currency === own));
  if (owed.length === 0) return null;
  const isLate = owed.some(({ overdue }) => isAbove(overdue));
  return (
    <section
      aria-label={t.debt}
      className={cx('card mb-4 flex flex-wrap items-baseline gap-x-8 gap-y-2 p-4', isLate && 'border-danger')}
    >
      <h2 className="m-0 text-14 font-semibold">{t.debt}</h2>
      {owed.map(({ currency, outstanding, overdue }) => (
        <p key={currency} className="m-0">
          <span className="text-20 font-semibold">
            <Money amount={outstanding} currency={currency} />
          </span>
          {isAbove(overdue) && (
            <span className="block text-13 font-medium text-dest">
              {t.overdue}: <Money amount={overdue} currency={currency} />
            </span>
          )}
        </p>
      ))}
    </section>
  );
}

/** The sales that are open, the most overdue first. */
const useOpenSales = (customerId: string): readonly ListedSale[] | undefined =>
  useQuery({
    queryKey: ['customer-money', 'open-sales', customerId],
    queryFn: ({ signal }) => listSales({ customer_id: customerId, status: 'Aktif', limit: 100 }, signal),
  }).data?.items.toSorted((one, other) => Number(other.overdue_amount) - Number(one.overdue_amount));

export function DebtActs({ customer }: { readonly customer: CustomerDetail }) {
  const m = useTexts(customerMoneyTexts);
  const r = useTexts(reminderTexts);
  const format = useFormat();
  const sales = useOpenSales(customer.id);
  const isCollectable = useMayCollect();
  const mayCollect = useMay('collections:write');
  const collectable = sales?.filter(isCollectable) ?? [];
  const mayRemind = useMay('customers:write');
  const [open, setOpen] = useState<{ readonly act: 'collect' | 'remind'; readonly saleId: string } | null>(null);
  // The place of the buttons is kept while the sales are read.
  if (sales === undefined)
    return (
      <>
        {mayCollect && (
          <Button look="primary" icon={HandCoins} disabled>
            {m.collect}
          </Button>
        )}
        {mayRemind && (
          <Button icon={MessageCircle} disabled>
            {r.whatsapp}
          </Button>
        )}
      </>
    );
  const [first] = sales;
  if (first === undefined || !(collectable.length > 0 || mayRemind)) return null;
  const collect = (saleId: string) => setOpen({ act: 'collect', saleId });
  return (
    <>
      {collectable.length > 0 &&
        (collectable.length === 1 ? (
          <Button look="primary" icon={HandCoins} onClick={() => collect(collectable[0]!.id)}>
            {m.collect}
          </Button>
        ) : (
          <Menu
            trigger={
              <Button look="primary" icon={HandCoins}>
                {m.collect}
              </Button>
            }
          >
            {collectable.map((sale) => (
              <MenuItem key={sale.id} icon={HandCoins} onSelect={() => collect(sale.id)}>
                {sale.named?.vehicle ?? sale.sale_no} · {format.money(sale.outstanding_amount, sale.currency)}
              </MenuItem>
            ))}
          </Menu>
        ))}
      {mayRemind && (
        <Button icon={MessageCircle} onClick={() => setOpen({ act: 'remind', saleId: first.id })}>
          {r.whatsapp}
        </Button>
      )}
      <Suspense fallback={null}>
        {open?.act === 'collect' && <Collect saleId={open.saleId} onClose={() => setOpen(null)} />}
        {open?.act === 'remind' && <Remind saleId={open.saleId} onClose={() => setOpen(null)} />}
      </Suspense>
    </>
  );
}
