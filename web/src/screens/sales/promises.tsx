import { useQuery } from '@tanstack/react-query';
import { Pencil, X } from 'lucide-react';
import { useTexts } from '../../language.ts';
import { IconButton } from '../../parts/button.tsx';
import { ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { Day, Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { isAbove } from '../../records/amounts.ts';
import { PromiseBadge } from '../../records/sales/sale-badges.tsx';
import { type PaymentPromise, promisesQuery, type SaleDetail } from '../../records/sales/sales.ts';
import { useFormat } from '../../session.ts';
import { saleActsTexts } from '../sale-acts/texts.ts';
import type { BeginAct } from './sale-act.ts';
import { salesTexts } from './texts.ts';

/** The newest first: the one that is open is what matters. */
export function SalePromises({ sale, begin }: { readonly sale: SaleDetail; readonly begin: BeginAct }) {
  const t = useTexts(salesTexts);
  const promises = useQuery(promisesQuery({ sale_id: sale.id }));
  return (
    <section className="card min-w-0 p-4" aria-label={t.promises}>
      <h2 className="m-0 mb-2 text-14 font-semibold">{t.promises}</h2>
      {promises.isPending ? (
        <Skeleton className="h-10 w-full" />
      ) : promises.isError ? (
        <ErrorState error={promises.error} onRetry={promises.refetch} />
      ) : promises.data.items.length === 0 ? (
        <p className="m-0 text-text-2">{t.noPromises}</p>
      ) : (
        <ul className="m-0 list-none divide-y divide-line p-0">
          {[...promises.data.items].reverse().map((promise) => (
            <Line key={promise.id} promise={promise} begin={begin} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Line({ promise, begin }: { readonly promise: PaymentPromise; readonly begin: BeginAct }) {
  const t = useTexts(salesTexts);
  const a = useTexts(saleActsTexts);
  const format = useFormat();
  const may = useMay('payment-promises:write');
  const { id, promised_date, amount, currency, fulfilled_amount, status, note } = promise;
  return (
    <li className="flex items-start justify-between gap-2 py-2 first:pt-0 last:pb-0">
      <div className="min-w-0">
        <p className="m-0 flex flex-wrap items-center gap-x-2 gap-y-1">
          <Day day={promised_date} />
          <span className="font-medium">
            <Money amount={amount} currency={currency} />
          </span>
          <PromiseBadge status={status} />
        </p>
        {isAbove(fulfilled_amount) && (
          <p className="m-0 text-12 text-text-2">{t.keptSoFar(format.money(fulfilled_amount, currency))}</p>
        )}
        {note && <p className="m-0 text-13 wrap-anywhere text-text-2">{note}</p>}
      </div>
      {may && status === 'Bekliyor' && (
        <span className="flex shrink-0">
          <IconButton label={a.promiseChange} icon={Pencil} onClick={() => begin({ act: 'changePromise', promise })} />
          <IconButton label={a.promiseCancel} icon={X} onClick={() => begin({ act: 'callOff', promiseId: id })} />
        </span>
      )}
    </li>
  );
}
