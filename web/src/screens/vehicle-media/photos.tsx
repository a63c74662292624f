// Fotoğraf ve video: a vehicle's photos and videos, with uploads of many at once and reordering by drag, key or menu.
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Camera, ImagePlus, Info } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import type { VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { useMay } from '../../permissions.ts';
import { vehicleQuery } from '../../records/vehicles/vehicles.ts';
import { type Photo, photosQuery, useMediaLimits } from './photo-data.ts';
import { photoTexts } from './photo-texts.ts';
import { uploadsOf, useUploads } from './photo-uploads.ts';
import { PhotosGrid } from './photos-grid.tsx';
import { UploadBar } from './photos-sending.tsx';
import { Videos } from './videos.tsx';

/** Rendered inside the vehicle's frame. */
export function VehicleMedia() {
  const t = useTexts(photoTexts);
  const { vehicleId } = useParams({ from: '/shell/araclar/$vehicleId' });
  const vehicle = useQuery(vehicleQuery(vehicleId)).data;
  const writes = useMay('vehicles:write');
  if (!vehicle) return null;
  const isDeleted = vehicle.deleted_at !== null;
  return (
    <div className="flex flex-col gap-4">
      {isDeleted && writes && (
        <p className="m-0 flex items-start gap-2 text-13 text-text-2">
          <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
          {t.deletedVehicle}
        </p>
      )}
      <Photos vehicle={vehicle} mayChange={writes && !isDeleted} />
      <Videos vehicle={vehicle} mayChange={writes && !isDeleted} />
    </div>
  );
}

interface PhotosProps {
  readonly vehicle: VehicleDetail;
  readonly mayChange: boolean;
}

function Photos({ vehicle, mayChange }: PhotosProps) {
  const t = useTexts(photoTexts);
  const photos = useQuery(photosQuery(vehicle.id));
  const max = useMediaLimits()?.photos;
  return (
    <Dropping vehicle={vehicle} count={photos.data?.length} max={max} mayChange={mayChange}>
      {(buttons) => (
        <>
          <header className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
            <h2 className="m-0 flex items-baseline gap-2 text-14 font-semibold">
              {t.photos}
              {photos.data && max !== undefined && (
                <span className="tabular text-13 font-normal text-text-2">
                  <span aria-hidden>{t.count(photos.data.length, max)}</span>
                  <span className="sr-only">{t.countName(photos.data.length, max)}</span>
                </span>
              )}
            </h2>
            <div className="ml-auto flex flex-wrap gap-2">{buttons}</div>
          </header>
          <UploadBar vehicleId={vehicle.id} />
          {photos.isPending ? (
            <GridSkeleton />
          ) : photos.isError ? (
            <ErrorState error={photos.error} onRetry={photos.refetch} />
          ) : (
            <Shown vehicle={vehicle} photos={photos.data} max={max} mayChange={mayChange} />
          )}
        </>
      )}
    </Dropping>
  );
}

function Shown({
  vehicle,
  photos,
  max,
  mayChange,
}: PhotosProps & { readonly photos: readonly Photo[]; readonly max: number | undefined }) {
  const t = useTexts(photoTexts);
  const uploads = useUploads(vehicle.id);
  if (photos.length === 0 && uploads.length === 0) return <EmptyState title={t.none}>{mayChange && t.noneText}</EmptyState>;
  const isFull = max !== undefined && photos.length >= max;
  return (
    <>
      <PhotosGrid vehicleId={vehicle.id} photos={photos} mayChange={mayChange} />
      {mayChange && (
        <p className="mt-3 mb-0 text-12 text-text-2">
          {isFull ? (
            t.full(max)
          ) : (
            <>
              <span className="pointer-coarse:hidden">{t.dropHint}</span>
              <span className="hidden pointer-coarse:inline">{t.touchHint}</span>
            </>
          )}
        </p>
      )}
    </>
  );
}

function GridSkeleton() {
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {['a', 'b', 'c', 'd'].map((tile) => (
        <Skeleton key={tile} className="aspect-4/3" />
      ))}
    </div>
  );
}

/** With these types an iPhone converts its own format to JPEG. */
const KINDS = 'image/jpeg,image/png,image/webp';

interface DroppingProps extends PhotosProps {
  readonly count: number | undefined;
  readonly max: number | undefined;
  readonly children: (buttons: ReactNode) => ReactNode;
}

/** Adds photos by file dialog, camera, or drag and drop on the card. Too many files are reported before anything is sent. */
function Dropping({ vehicle, count, max, mayChange, children }: DroppingProps) {
  const t = useTexts(photoTexts);
  const [tooMany, setTooMany] = useState<{ readonly files: readonly File[]; readonly room: number } | null>(null);
  const underWay = useUploads(vehicle.id).filter(({ state }) => state !== 'done').length;
  const room = count === undefined || max === undefined ? null : Math.max(0, max - count - underWay);
  const take = (files: readonly File[]) => {
    if (files.length === 0 || room === null) return;
    if (room === 0) notify({ title: t.full(max!), failed: true });
    else if (files.length > room) setTooMany({ files, room });
    else uploadsOf(vehicle.id).add(files);
  };
  const { isOver, ...drop } = useFileDrop(take);
  return (
    <section aria-label={t.photos} className="card relative p-4" {...(mayChange ? drop : {})}>
      {children(
        mayChange && (
          <>
            <span className="hidden pointer-coarse:contents">
              <ChooseButton label={t.camera} icon={Camera} camera disabled={!room} onChosen={take} />
            </span>
            <ChooseButton label={t.add} icon={ImagePlus} disabled={!room} onChosen={take} />
          </>
        ),
      )}
      {mayChange && isOver && (
        <div className="pointer-events-none absolute inset-0 z-20 grid place-items-center rounded-card border-2 border-dashed border-accent bg-read-bg text-16 font-medium text-read">
          {t.dropHere}
        </div>
      )}
      <ConfirmDialog
        open={tooMany !== null}
        onClose={() => setTooMany(null)}
        title={tooMany ? t.tooManyTitle(tooMany.files.length, tooMany.room) : ''}
        action={t.addFirst(tooMany?.room ?? 0)}
        danger={false}
        run={async () => uploadsOf(vehicle.id).add(tooMany!.files.slice(0, tooMany!.room))}
      >
        {max !== undefined && t.tooManyText(max)}
      </ConfirmDialog>
    </section>
  );
}

interface ChooseProps {
  readonly label: string;
  readonly icon: typeof Camera;
  /** Opens the camera; only on touch devices. */
  readonly camera?: boolean;
  readonly disabled: boolean;
  readonly onChosen: (files: readonly File[]) => void;
}

function ChooseButton({ label, icon, camera = false, disabled, onChosen }: ChooseProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={KINDS}
        {...(camera ? { capture: 'environment' } : { multiple: true })}
        onChange={({ target }) => {
          onChosen([...(target.files ?? [])]);
          // Reset, so that choosing the same file again counts as a change.
          target.value = '';
        }}
      />
      <Button look={camera ? 'secondary' : 'primary'} icon={icon} disabled={disabled} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  );
}

const bringsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

function useFileDrop(onFiles: (files: readonly File[]) => void) {
  // Counted, because dragenter and dragleave fire for every child element.
  const depth = useRef(0);
  const [isOver, setOver] = useState(false);
  const enter = (by: 1 | -1) => (event: DragEvent) => {
    if (!bringsFiles(event)) return;
    depth.current += by;
    setOver(depth.current > 0);
  };
  return {
    isOver,
    onDragEnter: enter(1),
    onDragLeave: enter(-1),
    onDragOver: (event: DragEvent) => {
      if (bringsFiles(event)) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      if (!bringsFiles(event)) return;
      event.preventDefault();
      depth.current = 0;
      setOver(false);
      onFiles([...event.dataTransfer.files]);
    },
  };
}
