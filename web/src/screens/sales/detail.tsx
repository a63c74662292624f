// One sale: what has become of its money, the plan installment by installment, collections, promises, terms, and every act in one place.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { formatFor } from '../../format.ts';
import { useLocale, useTexts } from '../../language.ts';
import { useListBehind } from '../../list-state.ts';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { BackLink, RecordGone, RecordSkeleton } from '../../parts/page/record.tsx';
import { Skeleton } from '../../parts/page/states.tsx';
import { useMay } from '../../permissions.ts';
import { CustomerName } from '../../records/customers/customer-name.tsx';
import { SaleStatusBadge } from '../../records/sales/sale-badges.tsx';
import { saleWord } from '../../records/sales/sale-texts.ts';
import { planQuery, type SaleDetail, saleQuery, useMayCollect } from '../../records/sales/sales.ts';
import { VehicleName } from '../../records/vehicles/vehicle-name.tsx';
import { Later } from '../../settled.tsx';
import { usePaperGaps } from '../sale-acts/documents/paper-gaps-query.ts';
import { SaleActs, useSaleActs } from './acts.tsx';
import { SaleCollections } from './collections.tsx';
import { useIsFiled, useIsFilingRead } from './filing.ts';
import { MoneyBar } from './money-bar.tsx';
import { SalePlan } from './plan.tsx';
import { SalePromises } from './promises.tsx';
import type { BeginAct } from './sale-act.ts';
import { SaleGuarantors, SaleNotes, SalePayoff, SaleTerms } from './terms.tsx';
import { salesTexts } from './texts.ts';

/** Below everything else, or empty for most, so they are fetched after it. */
const SalePicture = lazy(async () => ({ default: (await import('./sale-picture.tsx')).SalePicture }));
const SaleCost = lazy(async () => ({ default: (await import('./cost.tsx')).SaleCost }));
const loadSteps = () => import('./next-steps.tsx');
const loadPapers = () => import('./papers.tsx');
const NextSteps = lazy(async () => ({ default: (await loadSteps()).NextSteps }));
const SalePapers = lazy(async () => ({ default: (await loadPapers()).SalePapers }));
const SaleReminders = lazy(async () => ({ default: (await import('./reminders.tsx')).SaleReminders }));
const SaleHistory = lazy(async () => ({ default: (await import('./history.tsx')).SaleHistory }));

export function SaleScreen() {
  const t = useTexts(salesTexts);
  const { saleId } = useParams({ from: '/shell/satislar/$saleId' });
  const sale = useQuery(saleQuery(saleId));
  if (sale.isPending) return <RecordSkeleton cards={{ money: 'h-20', plan: 'h-80' }} />;
  if (sale.isError)
    return <RecordGone error={sale.error} onRetry={sale.refetch} back={<ToSales />} title={t.title} texts={t} list="/satislar" />;
  return <SalePage sale={sale.data} />;
}

function ToSales() {
  const t = useTexts(salesTexts);
  return (
    <BackLink to="/satislar" search={useListBehind()}>
      {t.back}
    </BackLink>
  );
}

const WHILE_CLOSING = 30;

/** A layer that is still closing would take the focus from the next one. */
function afterLayers(run: () => void): void {
  if (document.querySelector('[data-layer]') === null) run();
  else setTimeout(() => afterLayers(run), WHILE_CLOSING);
}

/** A link to collect opens «Tahsil et»; the address forgets it, so that going back or reloading does not open it again. */
function useCollectAtOnce(sale: SaleDetail, isLoaded: boolean, begin: BeginAct): void {
  const { tahsil } = useSearch({ from: '/shell/satislar/$saleId' });
  const navigate = useNavigate({ from: '/satislar/$saleId' });
  const may = useMayCollect()(sale) && sale.status === 'Aktif';
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the address asks for it
  useEffect(() => {
    if (tahsil === undefined || !isLoaded) return;
    if (may) afterLayers(() => begin({ act: 'collect' }));
    void navigate({ search: {}, replace: true });
  }, [tahsil, isLoaded]);
}

/** The picture's place is kept until it is fetched. */
function CarPlace({ vehicleId }: { readonly vehicleId: string }) {
  return (
    <span className="h-16 w-24 shrink-0 rounded-badge bg-subtle">
      <Suspense fallback={null}>
        <SalePicture vehicleId={vehicleId} />
      </Suspense>
    </span>
  );
}

function BodySkeleton() {
  return (
    <div aria-hidden className="mt-4 flex flex-col gap-4">
      <Skeleton className="h-36 w-full" />
      <Skeleton className="h-80 w-full" />
    </div>
  );
}

/** Beside the plan on a wide screen, below it on others. */
function SaleSide({ sale, begin }: { readonly sale: SaleDetail; readonly begin: BeginAct }) {
  const seesGuarantors = useMay('guarantors:read');
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4 md:grid-cols-2 xl:row-span-2 xl:grid-cols-1">
      <SalePayoff sale={sale} />
      <SalePromises sale={sale} begin={begin} />
      <Later>
        <SaleReminders saleId={sale.id} />
      </Later>
      <SaleTerms sale={sale} />
      {seesGuarantors && <SaleGuarantors sale={sale} />}
      <SaleNotes sale={sale} />
      <Later>
        <SaleCost sale={sale} />
      </Later>
    </div>
  );
}

function SalePage({ sale }: { readonly sale: SaleDetail }) {
  const t = useTexts(salesTexts);
  const locale = useLocale();
  const plan = useQuery(planQuery(sale.id));
  const seesPapers = useMay('documents:read');
  const gaps = usePaperGaps(sale.id);
  const { begin, layer } = useSaleActs(sale, plan.data);
  // Papers that are still to be made or signed are above the installments, of which there may be many.
  const isFiled = useIsFiled(sale) || sale.status === 'İptal';
  const papers = seesPapers && <SalePapers sale={sale} plan={plan.data} />;
  // Their code is fetched beside the data, not after it.
  useEffect(() => {
    void loadSteps();
    if (seesPapers) void loadPapers();
  }, [seesPapers]);
  // Next steps and papers are above the plan: shown together, so that nothing moves.
  const isFilingRead = useIsFilingRead(sale);
  const isRead = isFilingRead && !plan.isPending && (!seesPapers || gaps.isFetched);
  useCollectAtOnce(sale, plan.data !== undefined, begin);
  return (
    <>
      <PageHeader
        title={sale.sale_no}
        above={<ToSales />}
        beside={<SaleStatusBadge status={sale.status} />}
        description={
          <span className="flex items-center gap-3">
            <CarPlace vehicleId={sale.vehicle_id} />
            <span className="flex flex-wrap gap-x-3 gap-y-0.5">
              <CustomerName id={sale.customer_id} />
              <VehicleName id={sale.vehicle_id} />
              <span>
                {t.soldOn(formatFor(locale, 'UTC').date(sale.sale_date))} · {saleWord(locale, sale.payment_type)}
              </span>
            </span>
          </span>
        }
        actions={<SaleActs sale={sale} plan={plan.data} begin={begin} />}
      />
      <MoneyBar sale={sale} />
      {isRead ? (
        <Suspense fallback={<BodySkeleton />}>
          <NextSteps sale={sale} plan={plan.data} begin={begin} />
          <div className="mt-4 grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_20rem] xl:grid-rows-[auto_1fr]">
            <div className="flex min-w-0 flex-col gap-4">
              {!isFiled && papers}
              <SalePlan plan={plan} begin={begin} />
              <SaleCollections sale={sale} begin={begin} />
              {isFiled && papers}
            </div>
            <SaleSide sale={sale} begin={begin} />
            <Later>
              <SaleHistory sale={sale} />
            </Later>
          </div>
        </Suspense>
      ) : (
        <BodySkeleton />
      )}
      {layer}
    </>
  );
}
