// The actions on a vehicle that its status and the person's role allow: the next step as a button, the others in a menu.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  BookmarkCheck,
  BookmarkIcon,
  BookmarkX,
  CheckCheck,
  Ellipsis,
  EyeOff,
  Globe,
  Handshake,
  type LucideIcon,
  Pencil,
  RotateCcw,
  Trash2,
  Undo2,
} from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import type { Vehicle, VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import { ApiError, call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { isDecided, useWrite } from '../../parts/form/form-write.ts';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { Menu, MenuItem, MenuLine } from '../../parts/overlay/menu.tsx';
import { RowMenuButton } from '../../parts/overlay/row-menu-button.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { useMay } from '../../permissions.ts';
import { vehicleQuery } from '../../records/vehicles/vehicles.ts';
import { partsTexts } from '../../texts/parts.ts';
import { CarPapers } from '../sale-acts/car-papers/car-papers.tsx';
import { useVehiclesChanged } from './data.ts';
import { vehicleWriteTexts } from './write-texts.ts';

// Their forms are fetched when one is opened, not with every car.
const dialogs = () => import('./act-dialogs.tsx');
const PublishDialog = lazy(() => dialogs().then((found) => ({ default: found.PublishDialog })));
const ReleaseDialog = lazy(() => dialogs().then((found) => ({ default: found.ReleaseDialog })));
const ReserveDialog = lazy(() => dialogs().then((found) => ({ default: found.ReserveDialog })));
const SoldDialog = lazy(() => dialogs().then((found) => ({ default: found.SoldDialog })));

type Act = 'reserve' | 'release' | 'publish' | 'unpublish' | 'markSold' | 'undoSold' | 'endAuction' | 'delete' | 'restore';

const ICONS: Readonly<Record<Act | 'changeReservation', LucideIcon>> = {
  reserve: BookmarkIcon,
  changeReservation: BookmarkCheck,
  release: BookmarkX,
  publish: Globe,
  unpublish: EyeOff,
  markSold: CheckCheck,
  undoSold: Undo2,
  endAuction: Undo2,
  delete: Trash2,
  restore: RotateCcw,
};

/** In order of use; the first one is the button. */
export function actsOf(vehicle: VehicleDetail): readonly Act[] {
  if (vehicle.deleted_at !== null) return ['restore'];
  const { status, reservation } = vehicle;
  if (status === 'Stokta') return ['reserve', vehicle.is_marketplace_visible ? 'unpublish' : 'publish', 'markSold', 'delete'];
  // Only a reservation for a customer can be extended.
  if (status === 'Rezerve') return ['release', ...(reservation?.customer_id ? (['reserve'] as const) : []), 'markSold'];
  if (status === 'Satıldı') return vehicle.sold_via === 'Harici' ? ['undoSold'] : [];
  // The status comes from an import; there is no auction here.
  return vehicle.auction_id === null ? ['endAuction'] : [];
}

/** `begin(vehicle, act)` opens the dialog of an action; `layer` renders it. */
export function useVehicleActs() {
  const [open, setOpen] = useState<{ readonly vehicle: VehicleDetail; readonly act: Act } | null>(null);
  const deletes = useDeleteVehicle();
  const restores = useRestoreVehicle();
  const begin = (vehicle: VehicleDetail, act: Act) => {
    // Deleting can be undone and is done at once, unless it would close a listing.
    if (act === 'delete' && !vehicle.is_marketplace_visible) deletes(vehicle);
    else if (act === 'restore') restores(vehicle);
    else setOpen({ vehicle, act });
  };
  const layer = open && (
    <Suspense fallback={null}>
      <Layers vehicle={open.vehicle} open={open.act} onClose={() => setOpen(null)} />
    </Suspense>
  );
  return { begin, layer };
}

export type BeginAct = ReturnType<typeof useVehicleActs>['begin'];

const isSellable = ({ deleted_at, status }: VehicleDetail): boolean =>
  deleted_at === null && (status === 'Stokta' || status === 'Rezerve');

/** The customer with the reservation is likely to buy it. */
const buyerOf = ({ reservation }: VehicleDetail): { customer_id?: string } =>
  reservation?.customer_id ? { customer_id: reservation.customer_id } : {};

const lookOf = (vehicle: VehicleDetail, act: Act) => (act === 'reserve' && vehicle.reservation ? 'changeReservation' : act);

export function VehicleActs({ vehicle }: { readonly vehicle: VehicleDetail }) {
  const w = useTexts(vehicleWriteTexts);
  const may = useMay('vehicles:write');
  const maySell = useMay('sales:write');
  const { begin, layer } = useVehicleActs();
  if (!may) return null;
  const all = actsOf(vehicle);
  // A car in stock is reserved or published next.
  const shown = vehicle.status === 'Stokta' && vehicle.deleted_at === null && !vehicle.is_marketplace_visible ? 2 : 1;
  const [buttons, rest] = [all.slice(0, shown), all.slice(shown)];
  return (
    <>
      {maySell && isSellable(vehicle) && (
        <Link to="/satislar/yeni" search={{ vehicle_id: vehicle.id, ...buyerOf(vehicle) }} className={buttonLook('primary')}>
          <Handshake aria-hidden className="size-4" />
          {w.sell}
        </Link>
      )}
      {buttons.map((act, place) => (
        // Actions that go a step back are not highlighted.
        <Button
          key={act}
          look={act === 'restore' || (place === 0 && act === 'reserve' && !maySell) ? 'primary' : 'secondary'}
          icon={ICONS[lookOf(vehicle, act)]}
          onClick={() => begin(vehicle, act)}
        >
          {w[lookOf(vehicle, act)]}
        </Button>
      ))}
      {vehicle.deleted_at === null && (
        <Link to="/araclar/$vehicleId/duzenle" params={{ vehicleId: vehicle.id }} className={buttonLook('secondary')}>
          <Pencil aria-hidden className="size-4" />
          {w.edit}
        </Link>
      )}
      {isSellable(vehicle) && <CarPapers vehicle={vehicle} />}
      {rest.length > 0 && (
        <Menu trigger={<Button icon={Ellipsis} aria-label={w.acts} title={w.acts} className="px-2" />}>
          <ActItems vehicle={vehicle} acts={rest} begin={begin} />
        </Menu>
      )}
      {layer}
    </>
  );
}

interface ActItemsProps {
  readonly vehicle: VehicleDetail;
  readonly acts: readonly Act[];
  readonly begin: BeginAct;
}

function ActItems({ vehicle, acts, begin }: ActItemsProps) {
  const w = useTexts(vehicleWriteTexts);
  return acts.flatMap((act) => [
    ...(act === 'delete' ? [<MenuLine key="line" />] : []),
    <MenuItem key={act} icon={ICONS[lookOf(vehicle, act)]} danger={act === 'delete'} onSelect={() => begin(vehicle, act)}>
      {w[lookOf(vehicle, act)]}
    </MenuItem>,
  ]);
}

/**
 * The same actions in a list row. The row lacks some of the data that decides them, so the vehicle is fetched when the menu
 * opens. Dialogs belong to the list and not to the row, which may disappear.
 */
export function VehicleRowActs({ vehicle, begin }: { readonly vehicle: Vehicle; readonly begin: BeginAct }) {
  const w = useTexts(vehicleWriteTexts);
  return (
    <Menu trigger={<RowMenuButton label={w.installmentActs(`${nameOf(vehicle)}, ${vehicle.plate}`)} />}>
      <MenuItem icon={Pencil} render={<Link to="/araclar/$vehicleId/duzenle" params={{ vehicleId: vehicle.id }} />}>
        {w.edit}
      </MenuItem>
      <RowActItems id={vehicle.id} begin={begin} />
    </Menu>
  );
}

function RowActItems({ id, begin }: { readonly id: string; readonly begin: BeginAct }) {
  const p = useTexts(partsTexts);
  const vehicle = useQuery(vehicleQuery(id));
  const w = useTexts(vehicleWriteTexts);
  const maySell = useMay('sales:write');
  if (vehicle.data)
    return (
      <>
        {maySell && isSellable(vehicle.data) && (
          <MenuItem icon={Handshake} render={<Link to="/satislar/yeni" search={{ vehicle_id: id, ...buyerOf(vehicle.data) }} />}>
            {w.sell}
          </MenuItem>
        )}
        <ActItems vehicle={vehicle.data} acts={actsOf(vehicle.data)} begin={begin} />
      </>
    );
  return <MenuItem disabled>{vehicle.isError ? p.failed : p.loading}</MenuItem>;
}

interface LayersProps {
  readonly vehicle: VehicleDetail;
  readonly open: Act | null;
  readonly onClose: () => void;
}

/** Mounted when it opens, so that each dialog has its own idempotency key. */
function Layers({ vehicle, open, onClose }: LayersProps) {
  const w = useTexts(vehicleWriteTexts);
  if (open === 'reserve') return <ReserveDialog vehicle={vehicle} onClose={onClose} />;
  if (open === 'publish') return <PublishDialog vehicle={vehicle} onClose={onClose} />;
  if (open === 'markSold') return <SoldDialog vehicle={vehicle} onClose={onClose} />;
  const props = { vehicle, onClose };
  const params = { vehicle_id: vehicle.id };
  const toStock: SendAct = (headers) => call('PATCH v1/vehicles/{vehicle_id}', { params, body: { status: 'Stokta' }, headers });
  if (open === 'release' && vehicle.reservation?.deposit) return <ReleaseDialog vehicle={vehicle} onClose={onClose} />;
  if (open === 'release')
    return (
      <ConfirmAct {...props} send={toStock} title={w.releaseTitle} text={w.releaseText} action={w.release} done={w.released} />
    );
  if (open === 'undoSold')
    return (
      <ConfirmAct
        {...props}
        send={toStock}
        title={w.undoSoldTitle}
        text={w.undoSoldText}
        action={w.undoSold}
        done={w.backInStock}
      />
    );
  if (open === 'endAuction')
    return (
      <ConfirmAct
        {...props}
        send={toStock}
        title={w.endAuctionTitle}
        text={w.endAuctionText}
        action={w.endAuction}
        done={w.backInStock}
      />
    );
  if (open === 'unpublish') {
    const send: SendAct = (headers) => call('POST v1/vehicles/{vehicle_id}/unpublish', { params, headers });
    return (
      <ConfirmAct
        {...props}
        send={send}
        title={w.unpublishTitle}
        text={w.unpublishText}
        action={w.unpublish}
        done={w.unpublished}
      />
    );
  }
  return open === 'delete' ? <ConfirmDelete {...props} /> : null;
}

type SendAct = (headers: Readonly<Record<string, string>>) => Promise<VehicleDetail>;

interface ConfirmActProps {
  readonly vehicle: VehicleDetail;
  readonly onClose: () => void;
  readonly send: SendAct;
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly done: string;
}

function ConfirmAct({ onClose, send, title, text, action, done }: ConfirmActProps) {
  const changed = useVehiclesChanged();
  const write = useWrite({
    send: (_: undefined, headers) => send(headers),
    onDone: (now) => {
      notify({ title: done });
      void changed(now);
    },
  });
  return (
    <ConfirmDialog open onClose={onClose} title={title} action={action} danger={false} run={() => write.runAndWait(undefined)}>
      {text}
    </ConfirmDialog>
  );
}

function ConfirmDelete({ vehicle, onClose }: Pick<ConfirmActProps, 'vehicle' | 'onClose'>) {
  const w = useTexts(vehicleWriteTexts);
  const deleted = useDeletedNotice();
  const write = useWrite({
    send: (_: undefined, headers) => call('DELETE v1/vehicles/{vehicle_id}', { params: { vehicle_id: vehicle.id }, headers }),
    onDone: deleted,
  });
  return (
    <ConfirmDialog open onClose={onClose} title={w.deleteTitle} action={w.delete} run={() => write.runAndWait(undefined)}>
      {w.deleteText}
    </ConfirmDialog>
  );
}

const nameOf = ({ brand, model }: Pick<Vehicle, 'brand' | 'model'>): string => `${brand} ${model}`;

/** Shows a message with an undo button for ten seconds; later the vehicle can be restored from the list of deleted ones. */
function useDeletedNotice(): (vehicle: VehicleDetail) => void {
  const w = useTexts(vehicleWriteTexts);
  const p = useTexts(partsTexts);
  const changed = useVehiclesChanged();
  const restore = useRestoreVehicle();
  return (now) => {
    void changed(now);
    notify({ title: w.deleted(nameOf(now)), undo: { label: p.undo, run: () => restore(now) } });
  };
}

function useDeleteVehicle(): (vehicle: Pick<Vehicle, 'id'>) => void {
  const notifyDeleted = useDeletedNotice();
  return useAtOnce(
    (vehicle, headers) => call('DELETE v1/vehicles/{vehicle_id}', { params: { vehicle_id: vehicle.id }, headers }),
    notifyDeleted,
  );
}

export function useRestoreVehicle(): (vehicle: Pick<Vehicle, 'id'>) => void {
  const w = useTexts(vehicleWriteTexts);
  const changed = useVehiclesChanged();
  return useAtOnce(
    (vehicle, headers) => call('POST v1/vehicles/{vehicle_id}/restore', { params: { vehicle_id: vehicle.id }, headers }),
    (now) => {
      void changed(now);
      notify({ title: w.restored(nameOf(now)) });
    },
  );
}

type Named = Pick<Vehicle, 'id'>;

/**
 * Runs without a dialog; a refusal is shown as a message. A second press does nothing, and a retry after a lost connection is the
 * same write.
 */
function useAtOnce(
  send: (vehicle: Named, headers: Readonly<Record<string, string>>) => Promise<VehicleDetail>,
  onDone: (now: VehicleDetail) => void,
): (vehicle: Named) => void {
  const w = useTexts(vehicleWriteTexts);
  const p = useTexts(partsTexts);
  const keys = useRef(new Map<string, string>());
  const running = useRef(new Set<string>());
  return (vehicle) => {
    const { id } = vehicle;
    if (running.current.has(id)) return;
    const key = keys.current.get(id) ?? crypto.randomUUID();
    keys.current.set(id, key);
    running.current.add(id);
    send(vehicle, { 'Idempotency-Key': key })
      .then((now) => {
        keys.current.delete(id);
        onDone(now);
      })
      .catch((error: unknown) => {
        if (isDecided(error)) keys.current.delete(id);
        notify({ title: w.failed, text: error instanceof ApiError ? error.message : p.offline, failed: true });
      })
      .finally(() => running.current.delete(id));
  };
}
