// The photos of a vehicle on its page: a large one, which opens full screen, and the strip of the others.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ImagePlus, Images } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import { useTexts } from '../../language.ts';
import { useListBehind } from '../../list-state.ts';
import { cx } from '../../parts/cx.ts';
import { useMay } from '../../permissions.ts';
import { DrawnCar } from '../../records/vehicles/drawn-car.tsx';
import { type Photo, photosQuery, pictureOf } from './photo-data.ts';
import { photoTexts } from './photo-texts.ts';
import { Picture } from './photos-picture.tsx';
import { Thumbnail, useName } from './photos-tile.tsx';

const PhotoLightbox = lazy(() => import('./photos-lightbox.tsx').then((found) => ({ default: found.PhotoLightbox })));

/** The same place with and without photos, and while they are fetched: nothing moves. */
const PLACE = 'card block aspect-[3/2] w-full overflow-hidden p-0';

interface GalleryProps {
  readonly vehicle: VehicleDetail;
  /** Shown while the photos are read. */
  readonly place: ReactNode;
}

export function PhotosGallery({ vehicle, place }: GalleryProps) {
  const photos = useQuery({ ...photosQuery(vehicle.id), enabled: vehicle.photo_count > 0 });
  const isEmpty = vehicle.photo_count === 0 || photos.isError || photos.data?.length === 0;
  return (
    <div className="min-w-0">
      {isEmpty ? (
        <div className={PLACE}>
          <DrawnCar car={vehicle} className="size-full" />
        </div>
      ) : photos.data ? (
        <Shown photos={photos.data} />
      ) : (
        place
      )}
      <ToPhotos vehicle={vehicle} />
    </div>
  );
}

function ToPhotos({ vehicle }: { readonly vehicle: VehicleDetail }) {
  const t = useTexts(photoTexts);
  const mayAdd = useMay('vehicles:write') && vehicle.deleted_at === null;
  const list = useListBehind();
  const isEmpty = vehicle.photo_count === 0;
  if (isEmpty && !mayAdd) return null;
  const Icon = isEmpty ? ImagePlus : Images;
  return (
    <Link
      to="/araclar/$vehicleId/fotograflar"
      params={{ vehicleId: vehicle.id }}
      state={{ list }}
      replace
      className="link mt-2 inline-flex min-h-6 items-center gap-1.5 text-13"
    >
      <Icon aria-hidden className="size-4" />
      {isEmpty ? t.add : t.seeAll}
      {!isEmpty && <span className="tabular text-text-2">{vehicle.photo_count}</span>}
    </Link>
  );
}

function Shown({ photos }: { readonly photos: readonly Photo[] }) {
  const [chosen, setChosen] = useState(0);
  const [isFull, setFull] = useState(false);
  const at = Math.min(chosen, photos.length - 1);
  return (
    <>
      <Large photo={photos[at]!} at={at} count={photos.length} onOpen={() => setFull(true)} />
      {photos.length > 1 && <Strip photos={photos} at={at} onChoose={setChosen} />}
      {isFull && (
        <Suspense fallback={null}>
          <PhotoLightbox photos={photos} at={at} onMove={setChosen} onClose={() => setFull(false)} />
        </Suspense>
      )}
    </>
  );
}

interface LargeProps {
  readonly photo: Photo;
  readonly at: number;
  readonly count: number;
  readonly onOpen: () => void;
}

function Large({ photo, at, count, onOpen }: LargeProps) {
  const t = useTexts(photoTexts);
  const name = useName(photo, at, count);
  const source = pictureOf(photo);
  return (
    <button type="button" aria-label={t.open(name)} onClick={onOpen} className={cx(PLACE, 'cursor-zoom-in')}>
      {source === null ? (
        <Thumbnail photo={photo} className="size-full" />
      ) : (
        <Picture vehicleId={photo.vehicle_id} source={source} alt="" isMain className="size-full bg-subtle object-cover">
          <Thumbnail photo={photo} className="size-full" />
        </Picture>
      )}
    </button>
  );
}

interface StripProps {
  readonly photos: readonly Photo[];
  readonly at: number;
  readonly onChoose: (at: number) => void;
}

function Strip({ photos, at, onChoose }: StripProps) {
  const t = useTexts(photoTexts);
  return (
    <ul aria-label={t.strip} className="m-0 mt-2 flex list-none gap-2 overflow-x-auto p-0.5">
      {photos.map((photo, index) => (
        <li key={photo.id} className="shrink-0">
          <button
            type="button"
            aria-label={t.show(index + 1, photos.length)}
            aria-current={index === at ? 'true' : undefined}
            onClick={() => onChoose(index)}
            className={cx(
              'block overflow-hidden rounded-control border-2 p-0',
              index === at ? 'border-accent' : 'border-transparent opacity-80 hover:opacity-100',
            )}
          >
            <Thumbnail photo={photo} className="h-16 w-24" />
          </button>
        </li>
      ))}
    </ul>
  );
}
