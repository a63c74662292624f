// One vehicle with all its data.
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { EyeOff, Globe, Trash2 } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import { call } from '../../api.ts';
import { businessNow } from '../../clock.ts';
import { useLocale, useTexts } from '../../language.ts';
import { useListBehind } from '../../list-state.ts';
import { Badge, VehicleStatusBadge } from '../../parts/badges.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { cx } from '../../parts/cx.ts';
import { type Fact, Facts } from '../../parts/page/facts.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { BackLink, RecordGone, RecordSkeleton } from '../../parts/page/record.tsx';
import { Skeleton } from '../../parts/page/states.tsx';
import { TabLink, TabLinks } from '../../parts/page/tabs.tsx';
import { DateTime, Day, Money, Plate } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { branchesQuery } from '../../records/branches.ts';
import { CustomerName } from '../../records/customers/customer-name.tsx';
import { Reveal } from '../../records/customers/reveal.tsx';
import { useTechnicalFacts } from '../../records/vehicles/car-facts.ts';
import { Equipment } from '../../records/vehicles/equipment.tsx';
import { wireWord } from '../../records/vehicles/vehicle-texts.ts';
import { vehicleQuery } from '../../records/vehicles/vehicles.ts';
import { useFormat } from '../../session.ts';
import { Later } from '../../settled.tsx';
import { RecordTasks } from '../tasks/record-tasks.tsx';
import { GalleryPlace } from '../vehicle-media/gallery-place.tsx';
import { VehicleActs } from './acts.tsx';
import { ShareMenu } from './share.tsx';
import { vehiclesTexts } from './texts.ts';
import { vehicleWriteTexts } from './write-texts.ts';

// Most cars have none, and its form is not to be fetched with every car.
const OpenDeposits = lazy(() =>
  import('../../records/sales/open-deposits.tsx').then(({ OpenDeposits: found }) => ({ default: found })),
);
const CarExpenses = lazy(() =>
  import('../../records/expenses/car-expenses.tsx').then((found) => ({ default: found.CarExpenses })),
);

const CarEnquiries = lazy(() =>
  import('../../records/enquiries/car-enquiries.tsx').then((found) => ({ default: found.CarEnquiries })),
);

// Loaded after the facts, because photos take longer and are less urgent.
const PhotosGallery = lazy(() =>
  import('../vehicle-media/photos-gallery.tsx').then((found) => ({ default: found.PhotosGallery })),
);

// The drawing of the body, below the photos.
const ConditionCard = lazy(() => import('./condition.tsx').then((found) => ({ default: found.ConditionCard })));

export function VehicleScreen() {
  const t = useTexts(vehiclesTexts);
  const { vehicleId } = useParams({ from: '/shell/araclar/$vehicleId' });
  const vehicle = useQuery(vehicleQuery(vehicleId));
  if (vehicle.isPending) return <RecordSkeleton cards={{ vehicle: 'h-[268px]', stock: 'h-[268px]' }} />;
  if (vehicle.isError)
    return (
      <RecordGone
        error={vehicle.error}
        onRetry={vehicle.refetch}
        back={<ToVehicles />}
        title={t.title}
        texts={t}
        list="/araclar"
      />
    );
  return <VehicleFrame vehicle={vehicle.data} />;
}

function ToVehicles() {
  const t = useTexts(vehiclesTexts);
  return (
    <BackLink to="/araclar" search={useListBehind()}>
      {t.back}
    </BackLink>
  );
}

/** The header of both pages of a vehicle: name, status, actions. */
function VehicleFrame({ vehicle }: { readonly vehicle: VehicleDetail }) {
  const t = useTexts(vehiclesTexts);
  const w = useTexts(vehicleWriteTexts);
  const params = { vehicleId: vehicle.id };
  const list = useListBehind();
  return (
    <>
      <PageHeader
        title={`${vehicle.brand} ${vehicle.model}`}
        above={<ToVehicles />}
        beside={
          <span className="flex flex-wrap items-center gap-2">
            <Plate plate={vehicle.plate} />
            <VehicleStatusBadge status={vehicle.status} />
            <MarketBadge visible={vehicle.is_marketplace_visible} />
          </span>
        }
        actions={
          <div className="flex flex-col gap-2 sm:items-end">
            <p className="m-0 text-24 font-semibold tracking-tight">
              <Money amount={vehicle.price} currency={vehicle.currency} />
            </p>
            <div className="flex flex-wrap gap-2">
              <VehicleActs vehicle={vehicle} />
              {vehicle.deleted_at === null && <ShareMenu vehicle={vehicle} />}
            </div>
          </div>
        }
      />
      {vehicle.deleted_at !== null && (
        <p className="mt-0 mb-4 flex items-start gap-2 rounded-card bg-dest-bg px-4 py-3 text-dest">
          <Trash2 aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>
            <strong className="font-medium">{t.deletedAt}:</strong> <DateTime at={vehicle.deleted_at} />. {t.deletedNote}
          </span>
        </p>
      )}
      <Suspense fallback={null}>
        <OpenDeposits of={{ vehicle_id: vehicle.id }} />
      </Suspense>
      <TabLinks label={w.tabsLabel}>
        <TabLink to="/araclar/$vehicleId" params={params} state={{ list }} activeOptions={{ exact: true }}>
          {w.tabs.facts}
        </TabLink>
        <TabLink to="/araclar/$vehicleId/fotograflar" params={params} state={{ list }}>
          {w.tabs.media}
        </TabLink>
        <TabLink to="/araclar/$vehicleId/gecmis" params={params} state={{ list }}>
          {w.tabs.history}
        </TabLink>
      </TabLinks>
      <Outlet />
    </>
  );
}

/** Rendered inside the vehicle's frame. */
export function VehicleFacts() {
  const { vehicleId } = useParams({ from: '/shell/araclar/$vehicleId' });
  const vehicle = useQuery(vehicleQuery(vehicleId));
  return vehicle.data ? <AllFacts vehicle={vehicle.data} /> : null;
}

function AllFacts({ vehicle }: { readonly vehicle: VehicleDetail }) {
  const t = useTexts(vehiclesTexts);
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex min-w-0 flex-col gap-4">
        <Suspense fallback={<PhotosPlace count={vehicle.photo_count} />}>
          <PhotosGallery vehicle={vehicle} place={<GalleryPlace count={vehicle.photo_count} />} />
        </Suspense>
        <Facts title={t.identity} facts={entered(useIdentity(vehicle))} />
        <TechnicalCard vehicle={vehicle} />
        {vehicle.condition !== null && (
          <Later place={<Skeleton className="h-80 w-full" />}>
            <ConditionCard condition={vehicle.condition} />
          </Later>
        )}
        {vehicle.description !== null && (
          <section className="card p-4" aria-label={t.descriptionTitle}>
            <h2 className="m-0 mb-2 text-14 font-semibold">{t.descriptionTitle}</h2>
            <p className="m-0 max-w-[80ch] whitespace-pre-line wrap-anywhere">{vehicle.description}</p>
          </section>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <Facts title={t.stock} facts={entered(useStock(vehicle))} />
        <VehicleSecretFacts vehicle={vehicle} />
        <Later>
          <CarExpenses vehicleId={vehicle.id} />
        </Later>
        <Later>
          <CarEnquiries vehicleId={vehicle.id} />
        </Later>
        <Dealings facts={entered(useDealings(vehicle))} />
        <RecordTasks of={{ vehicle_id: vehicle.id }} isClosed={vehicle.deleted_at !== null} />
        <Facts title={t.record} facts={useRecord(vehicle)} />
      </div>
    </div>
  );
}

/** With the link below the photos. */
const PhotosPlace = ({ count }: { readonly count: number }) => (
  <div className="pb-8">
    <GalleryPlace count={count} />
  </div>
);

/** What was not entered is not shown. */
const entered = (facts: readonly Fact[]): Fact[] =>
  facts.filter(({ value }) => value !== null && value !== undefined && value !== '' && value !== 0 && value !== false);

function Dealings({ facts }: { readonly facts: readonly Fact[] }) {
  const t = useTexts(vehiclesTexts);
  return facts.length === 0 ? null : <Facts title={t.dealings} facts={facts} />;
}

function TechnicalCard({ vehicle }: { readonly vehicle: VehicleDetail }) {
  const t = useTexts(vehiclesTexts);
  const facts = useTechnicalFacts(vehicle);
  const items = vehicle.equipment ?? [];
  if (facts.length === 0 && items.length === 0) return null;
  return (
    <Facts title={t.technical} facts={facts}>
      {items.length > 0 && (
        <div className={cx(facts.length > 0 && 'mt-3')}>
          <Equipment items={items} />
        </div>
      )}
    </Facts>
  );
}

/** What the car cost, and its numbers: kept from keys and lists, shown here to owner and finance. */
function VehicleSecretFacts({ vehicle }: { readonly vehicle: VehicleDetail }) {
  const t = useTexts(vehiclesTexts);
  const { secrets } = t;
  const money = (amount: string | null, currency: string | null) =>
    amount !== null && currency !== null && <Money amount={amount} currency={currency} />;
  return (
    <Reveal
      title={secrets.title}
      names={[secrets.purchase_price, secrets.customs_fee, secrets.other_costs, secrets.chassis_no, secrets.engine_no]}
      kept={t.kept}
      ask={() => call('POST vehicles/{vehicle_id}/reveal', { params: { vehicle_id: vehicle.id } })}
      facts={(found) => [
        { name: secrets.purchase_price, value: money(found.purchase_price, found.purchase_currency) || null },
        { name: secrets.customs_fee, value: money(found.customs_fee, found.purchase_currency) || null },
        { name: secrets.other_costs, value: money(found.other_costs, found.purchase_currency) || null },
        ...found.expenses.map(({ currency, amount }) => ({ name: secrets.expenses, value: money(amount, currency) || null })),
        ...found.costs.map(({ currency, amount }) => ({ name: secrets.cost, value: money(amount, currency) || null })),
        { name: secrets.margin, value: money(found.margin, vehicle.currency) || null },
        { name: secrets.chassis_no, value: found.chassis_no && <span className="code">{found.chassis_no}</span> },
        { name: secrets.engine_no, value: found.engine_no && <span className="code">{found.engine_no}</span> },
      ]}
    />
  );
}

function MarketBadge({ visible }: { readonly visible: boolean }) {
  const t = useTexts(vehiclesTexts);
  return (
    <Badge tone={visible ? 'read' : 'soon'} icon={visible ? Globe : EyeOff}>
      {visible ? t.visibleYes : t.visibleNo}
    </Badge>
  );
}

function useIdentity(vehicle: VehicleDetail): Fact[] {
  const t = useTexts(vehiclesTexts);
  const locale = useLocale();
  const format = useFormat();
  return [
    { name: t.brand, value: vehicle.brand },
    { name: t.model, value: vehicle.model },
    { name: t.trim, value: vehicle.trim },
    { name: t.year, value: vehicle.model_year },
    { name: t.km, value: format.km(vehicle.km) },
    { name: t.fuel, value: wireWord(locale, vehicle.fuel_type) },
    { name: t.transmission, value: wireWord(locale, vehicle.transmission) },
    { name: t.body, value: wireWord(locale, vehicle.body_type) },
    { name: t.color, value: vehicle.color },
    { name: t.city, value: vehicle.city },
  ];
}

const DAY = 86_400_000;

function useStock(vehicle: VehicleDetail): Fact[] {
  const t = useTexts(vehiclesTexts);
  const locale = useLocale();
  const days = Math.max(0, Math.floor((businessNow().getTime() - Date.parse(vehicle.stock_date)) / DAY));
  const isInStock = vehicle.status !== 'Satıldı' && vehicle.deleted_at === null;
  return [
    {
      name: t.stockDate,
      value: (
        <>
          <Day day={vehicle.stock_date} />
          {isInStock && <span className="font-medium"> · {t.daysInStock(days)}</span>}
        </>
      ),
    },
    { name: t.source, value: wireWord(locale, vehicle.source) },
    { name: t.branch, value: vehicle.branch_id && <BranchName id={vehicle.branch_id} /> },
    { name: t.externalRef, value: vehicle.external_ref && <span className="code">{vehicle.external_ref}</span> },
    ...(vehicle.status === 'Satıldı'
      ? [
          { name: t.soldAt, value: <Day day={vehicle.sold_at} /> },
          { name: t.soldVia, value: vehicle.sold_via && t.soldWays[vehicle.sold_via] },
        ]
      : []),
  ];
}

/** The branch's name once it is loaded; the line is there already, so nothing moves. */
function BranchName({ id }: { readonly id: string }) {
  const t = useTexts(vehiclesTexts);
  const branches = useQuery(branchesQuery);
  if (branches.isPending) return <Skeleton className="inline-block h-3.5 w-24" />;
  return branches.data?.items.find((branch) => branch.id === id)?.name ?? <span className="text-text-2">{t.branchGone}</span>;
}

function useDealings(vehicle: VehicleDetail): Fact[] {
  const t = useTexts(vehiclesTexts);
  const locale = useLocale();
  const format = useFormat();
  const w = useTexts(vehicleWriteTexts);
  const maySeeSales = useMay('sales:read');
  const maySeeListings = useMay('marketplace:read');
  const { reservation } = vehicle;
  // Set aside for a customer, who need not be named.
  const isNameless = reservation?.kind === 'Müşteri' && reservation.customer_id === null;
  const kind = isNameless ? w.noCustomer : reservation && wireWord(locale, reservation.kind);
  const until = reservation?.reserved_until;
  return [
    { name: t.reservation, value: kind && (until ? t.reservedUntil(kind, format.date(`${until}T12:00:00Z`)) : kind) },
    ...(reservation?.customer_id ? [{ name: w.customer, value: <CustomerName id={reservation.customer_id} /> }] : []),
    ...(reservation?.deposit_amount && reservation.deposit_currency
      ? [{ name: w.deposit, value: <Money amount={reservation.deposit_amount} currency={reservation.deposit_currency} /> }]
      : []),
    {
      name: t.activeSale,
      value: maySeeSales
        ? vehicle.active_sale_id && (
            <Link to="/satislar/$saleId" params={{ saleId: vehicle.active_sale_id }} className="link">
              {t.openSale}
            </Link>
          )
        : vehicle.active_sale_id && t.hasOne,
    },
    {
      name: t.listing,
      value:
        vehicle.listing_id &&
        (maySeeListings ? (
          <Link to="/pazar/$listingId" params={{ listingId: vehicle.listing_id }} className="link">
            {t.openListing}
          </Link>
        ) : (
          t.hasOne
        )),
    },
    {
      name: t.auction,
      value: vehicle.auction_id && (
        <Link to="/muzayede" className="link">
          {t.openAuctions}
        </Link>
      ),
    },
    { name: t.videos, value: vehicle.video_count },
  ];
}

function useRecord(vehicle: VehicleDetail): Fact[] {
  const t = useTexts(vehiclesTexts);
  return [
    {
      name: t.id,
      value: <CopyButton text={vehicle.id} label={t.copyId} look="quiet" />,
    },
    { name: t.createdAt, value: <DateTime at={vehicle.created_at} /> },
    { name: t.updatedAt, value: <DateTime at={vehicle.updated_at} /> },
  ];
}
