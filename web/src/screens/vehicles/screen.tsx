// The list of vehicles: statuses on top, filters in the address, saved views, cards on phones.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft, Globe, RotateCcw, Trash2 } from 'lucide-react';
import { VEHICLE_STATUSES } from '../../../../src/domain/stock/stock-states.ts';
import type { StockLine as Vehicle } from '../../../../src/panel/stock/stock.ts';
import { call, callPage, type Page } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { VehicleStatusBadge } from '../../parts/badges.tsx';
import { Button, buttonLook } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { NewRecordLink, PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { SavedViews } from '../../parts/table/saved-views.tsx';
import { type Column, type Sort, Table } from '../../parts/table/table.tsx';
import { DateTime, Plate } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { CarThumb } from '../../records/vehicles/car-thumb.tsx';
import { wireWord } from '../../records/vehicles/vehicle-texts.ts';
import { parseSearch, stringifySearch } from '../../search-params.ts';
import { useFormat } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { type BeginAct, useRestoreVehicle, useVehicleActs, VehicleRowActs } from './acts.tsx';
import { ExportMenu } from './export-menu.tsx';
import { VehicleFilters } from './filters.tsx';
import { vehicleListTexts } from './list-texts.ts';
import { PriceCell } from './price-cell.tsx';
import { filtersOf, orderOf, SORTED_BY, VEHICLE_FILTERS, type VehicleSearch } from './search.ts';
import { SelectBox, type Selection, SelectionBar, SelectPage, useSelectColumn, useSelection } from './selection.tsx';
import { StockGallery, type StockView, useStockView, ViewSwitch } from './stock-view.tsx';
import { vehiclesTexts } from './texts.ts';
import { vehicleWriteTexts } from './write-texts.ts';

export function VehiclesScreen() {
  const t = useTexts(vehiclesTexts);
  const l = useTexts(vehicleListTexts);
  const p = useTexts(partsTexts);
  const search: VehicleSearch = useSearch({ from: '/shell/araclar' });
  const navigate = useNavigate({ from: '/araclar' });
  const filters = filtersOf(search);
  const vehicles = useQuery({
    queryKey: ['vehicles', search],
    queryFn: ({ signal }) => callPage('GET vehicles/list', { query: search, signal }),
    placeholderData: keepPreviousData,
  });
  const counts = useQuery({
    queryKey: ['vehicle-counts', filters],
    queryFn: ({ signal }) => call('GET vehicles/counts', { query: filters, signal }),
    placeholderData: keepPreviousData,
  });
  const go = (next: VehicleSearch) => navigate({ search: next });
  const chips = [
    { value: '', label: t.all, count: counts.data && sum(counts.data.statuses) },
    ...VEHICLE_STATUSES.map((status) => ({ value: status, label: p.vehicles[status], count: counts.data?.statuses[status] })),
  ];
  const isTrash = search.deleted === 'true';
  const [view, setView] = useStockView();
  return (
    <>
      <StockHeader search={search} isTrash={isTrash} onChange={go} />
      {!isTrash && (
        <ChoiceChips
          label={l.statuses}
          value={search.status ?? ''}
          chips={chips}
          onChange={(status) => go({ ...search, status, offset: '' })}
        />
      )}
      <VehicleFilters
        search={search}
        counts={counts.data}
        onChange={go}
        actions={
          <>
            <ViewSwitch view={view} onChange={setView} />
            <ExportMenu search={search} />
            <ToTrash isTrash={isTrash} />
          </>
        }
      />
      <Loaded query={vehicles} rows={12}>
        {(page) => (
          <VehiclesTable
            page={page}
            total={counts.data?.total ?? null}
            search={search}
            view={isTrash ? 'table' : view}
            onChange={go}
          />
        )}
      </Loaded>
    </>
  );
}

interface StockHeaderProps {
  readonly search: VehicleSearch;
  readonly isTrash: boolean;
  readonly onChange: (search: VehicleSearch) => void;
}

function StockHeader({ search, isTrash, onChange }: StockHeaderProps) {
  const t = useTexts(vehiclesTexts);
  const w = useTexts(vehicleWriteTexts);
  const may = useMay('vehicles:write');
  const { limit } = search;
  return (
    <PageHeader
      title={isTrash ? w.trashTitle : t.title}
      description={isTrash ? w.trashText : t.description}
      actions={
        <>
          <SavedViews
            screen="vehicles"
            query={stringifySearch(filtersOf(search)).slice(1)}
            onPick={(query) => onChange({ ...only(parseSearch(query)), ...(limit ? { limit } : {}) })}
          />
          {may && !isTrash && <NewRecordLink to="/araclar/yeni">{w.add}</NewRecordLink>}
        </>
      }
    />
  );
}

function ToTrash({ isTrash }: { readonly isTrash: boolean }) {
  const w = useTexts(vehicleWriteTexts);
  const Icon = isTrash ? ArrowLeft : Trash2;
  return (
    <Link to="/araclar" search={isTrash ? {} : { deleted: 'true' }} className={buttonLook('quiet')}>
      <Icon aria-hidden className="size-4" />
      {isTrash ? w.toStock : w.trash}
    </Link>
  );
}

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((all, one) => all + one, 0);

/** The known filters of a saved view. */
const only = (search: Readonly<Record<string, string | undefined>>): VehicleSearch =>
  Object.fromEntries(VEHICLE_FILTERS.filter((name) => search[name]).map((name) => [name, search[name]]));

interface VehiclesTableProps {
  readonly page: Page<Vehicle>;
  readonly total: number | null;
  readonly search: VehicleSearch;
  readonly view: StockView;
  readonly onChange: (search: VehicleSearch) => void;
}

function VehiclesTable({ page, total, search, view, onChange }: VehiclesTableProps) {
  const t = useTexts(vehiclesTexts);
  const navigate = useNavigate();
  const may = useMay('vehicles:write');
  const selection = useSelection();
  const selects = may && search.deleted !== 'true';
  const columns = useColumns(search, selects ? selection : null);
  const select = useSelectColumn(selection);
  const restore = useRestoreColumn();
  const { begin, layer } = useVehicleActs();
  const acts = useActsColumn(begin);
  const drivingOf = useDriving();
  const pages = (
    <Pagination
      page={{ ...page, total }}
      onMove={(offset) => onChange({ ...search, offset: offset === 0 ? '' : String(offset) })}
      onLimit={(limit) => onChange({ ...search, limit, offset: '' })}
    />
  );
  if (view === 'gallery' && page.items.length > 0)
    return (
      <>
        {selects && <SelectPage page={page.items} selection={selection} />}
        <StockGallery
          vehicles={page.items}
          search={search}
          selection={selects ? selection : null}
          begin={may ? begin : null}
          drivingOf={drivingOf}
        />
        <div className="mt-3">{pages}</div>
        {selects && <SelectionBar selection={selection} />}
        {layer}
      </>
    );
  return (
    <>
      {selects && <SelectPage page={page.items} selection={selection} />}
      <Table
        label={t.label}
        rows={page.items}
        rowKey={({ id }) => id}
        columns={!may ? columns : selects ? [select, ...columns, acts] : [...columns, restore]}
        sort={sortOf(search)}
        onSort={({ by, descending }) =>
          onChange({ ...search, sort: SORTED_BY[by as keyof typeof SORTED_BY], desc: String(descending), offset: '' })
        }
        onOpen={({ id }) => navigate({ to: '/araclar/$vehicleId', params: { vehicleId: id }, state: { list: search } })}
        empty={<NoVehicles search={search} onChange={onChange} />}
        footer={pages}
      />
      {selects && <SelectionBar selection={selection} />}
      {layer}
    </>
  );
}

/** The column that is sorted by. */
function sortOf(search: VehicleSearch): Sort {
  const { sort, descending } = orderOf(search);
  return { by: Object.entries(SORTED_BY).find(([, name]) => name === sort)?.[0] ?? 'added', descending };
}

function useActsColumn(begin: BeginAct): Column<Vehicle> {
  const w = useTexts(vehicleWriteTexts);
  return {
    id: 'acts',
    head: w.acts,
    headHidden: true,
    width: 'w-12',
    align: 'end',
    onCard: 'corner',
    cell: (vehicle) => <VehicleRowActs vehicle={vehicle} begin={begin} />,
  };
}

function useRestoreColumn(): Column<Vehicle> {
  const w = useTexts(vehicleWriteTexts);
  const restore = useRestoreVehicle();
  return {
    id: 'restore',
    head: w.restore,
    headHidden: true,
    align: 'end',
    cell: (vehicle) => (
      <Button
        icon={RotateCcw}
        aria-label={`${w.restore}: ${vehicle.brand} ${vehicle.model}, ${vehicle.plate}`}
        onClick={() => restore(vehicle)}
      >
        {w.restore}
      </Button>
    ),
  };
}

function useColumns(search: VehicleSearch, selection: Selection | null): readonly Column<Vehicle>[] {
  const t = useTexts(vehiclesTexts);
  const drivingOf = useDriving();
  return [
    { id: 'plate', head: t.plate, sorts: true, onCard: 'hide', cell: ({ plate }) => <Plate plate={plate} /> },
    {
      id: 'vehicle',
      head: t.vehicle,
      sorts: true,
      onCard: 'title',
      cell: (vehicle) => <VehicleCell vehicle={vehicle} search={search} selection={selection} />,
    },
    {
      id: 'summary',
      head: t.vehicle,
      onCard: 'only',
      cell: (row) => (
        <span className="text-13 text-text-2">
          {row.model_year} · {drivingOf(row)}
          {row.is_marketplace_visible && ` · ${t.visibleYes}`}
        </span>
      ),
    },
    { id: 'year', head: t.year, sorts: true, align: 'end', onCard: 'hide', cell: ({ model_year }) => model_year },
    ...useDrivingColumns(),
    {
      id: 'price',
      head: t.price,
      sorts: true,
      align: 'end',
      cell: (vehicle) => <PriceCell vehicle={vehicle} />,
    },
    {
      id: 'status',
      head: t.status,
      sorts: true,
      cell: ({ status, is_marketplace_visible }) => (
        <span className="flex items-center gap-1.5">
          <VehicleStatusBadge status={status} />
          {is_marketplace_visible && <OnMarket />}
        </span>
      ),
    },
    { id: 'city', head: t.city, sorts: true, givesWay: 'first', cell: ({ city }) => city },
    {
      id: 'added',
      head: t.added,
      sorts: true,
      onCard: 'hide',
      givesWay: 'first',
      cell: ({ created_at }) => <DateTime at={created_at} show="date" />,
    },
  ];
}

/** Mileage, fuel and gears in one line. */
function useDriving(): (vehicle: Vehicle) => string {
  const format = useFormat();
  const locale = useLocale();
  return ({ km, fuel_type, transmission }) =>
    [format.km(km), wireWord(locale, fuel_type), wireWord(locale, transmission)].join(' · ');
}

/** Hidden first where there is little space; the vehicle's own column then shows them. */
function useDrivingColumns(): readonly Column<Vehicle>[] {
  const t = useTexts(vehiclesTexts);
  const format = useFormat();
  const locale = useLocale();
  return [
    {
      id: 'km',
      head: t.km,
      sorts: true,
      align: 'end',
      onCard: 'hide',
      givesWay: 'second',
      cell: ({ km }) => <span className="whitespace-nowrap">{format.km(km)}</span>,
    },
    {
      id: 'fuel',
      head: t.fuel,
      sorts: true,
      onCard: 'hide',
      givesWay: 'second',
      cell: ({ fuel_type }) => wireWord(locale, fuel_type),
    },
    {
      id: 'transmission',
      head: t.transmission,
      sorts: true,
      onCard: 'hide',
      givesWay: 'second',
      cell: ({ transmission }) => wireWord(locale, transmission),
    },
  ];
}

interface VehicleCellProps {
  readonly vehicle: Vehicle;
  readonly search: VehicleSearch;
  readonly selection: Selection | null;
}

function VehicleCell({ vehicle, search, selection }: VehicleCellProps) {
  const drivingOf = useDriving();
  return (
    <span className="flex w-full items-center gap-3 max-sm:flex-wrap max-sm:[&>a]:min-w-24 max-sm:[&>a]:flex-1">
      {selection && (
        <span className="sm:hidden">
          <SelectBox vehicle={vehicle} selection={selection} />
        </span>
      )}
      <CarThumb car={vehicle} className="h-16 w-24" />
      <Link
        to="/araclar/$vehicleId"
        params={{ vehicleId: vehicle.id }}
        state={{ list: search }}
        className="font-medium text-text no-underline hover:underline"
      >
        {/* A brand with a hyphen is not broken in two. */}
        <span className="whitespace-nowrap">{vehicle.brand}</span> {vehicle.model}
        {/* Of the columns that gave way. */}
        <span className="hidden text-12 font-normal text-text-2 sm:max-xl:block">{drivingOf(vehicle)}</span>
      </Link>
      <span className="sm:hidden">
        <Plate plate={vehicle.plate} />
      </span>
    </span>
  );
}

/** An icon beside the status, so that the list stays narrow; cards show it in words. */
function OnMarket() {
  const t = useTexts(vehiclesTexts);
  return (
    <span title={t.visibleYes} className="text-read max-sm:hidden">
      <Globe aria-hidden className="size-4" />
      <span className="sr-only">{t.visibleYes}</span>
    </span>
  );
}

function NoVehicles({ search, onChange }: Pick<VehiclesTableProps, 'search' | 'onChange'>) {
  const l = useTexts(vehicleListTexts);
  const w = useTexts(vehicleWriteTexts);
  const may = useMay('vehicles:write');
  const mayImport = useMay('import:write', 'sensitive');
  const { deleted, ...others } = filtersOf(search);
  const isFiltered = Object.keys(others).length > 0;
  return (
    <ListEmpty
      pastEnd={search.offset ? { title: l.lastPage, toFirst: () => onChange({ ...search, offset: '' }) } : undefined}
      noMatch={isFiltered && { title: l.noMatch, clear: () => onChange({}) }}
    >
      {deleted ? (
        <EmptyState
          title={w.trashEmpty}
          action={
            <Link to="/araclar" className={buttonLook('secondary')}>
              {w.toStock}
            </Link>
          }
        />
      ) : (
        <EmptyState
          title={l.emptyTitle}
          action={
            <>
              {may && (
                <Link to="/araclar/yeni" className={buttonLook('primary')}>
                  {w.add}
                </Link>
              )}
              {mayImport && (
                <Link to="/ice-aktarim/yeni" search={{ target: 'vehicles' }} className={buttonLook('secondary')}>
                  {l.emptyAction}
                </Link>
              )}
            </>
          }
        >
          {l.emptyText}
        </EmptyState>
      )}
    </ListEmpty>
  );
}
