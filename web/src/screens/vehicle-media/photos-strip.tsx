// The first photos of a vehicle on its page, with a link to all of them.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ImagePlus } from 'lucide-react';
import type { VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import { useTexts } from '../../language.ts';
import { useListBehind } from '../../list-state.ts';
import { Skeleton } from '../../parts/page/states.tsx';
import { useMay } from '../../permissions.ts';
import { photosQuery } from './photo-data.ts';
import { photoTexts } from './photo-texts.ts';
import { Thumbnail } from './photos-tile.tsx';

const SHOWN = 8;
/** As many as fit in one line. */
const ROW = 'grid max-h-[92px] min-w-0 flex-1 grid-cols-[repeat(auto-fill,minmax(6.5rem,1fr))] gap-2 overflow-hidden';

export function PhotosStrip({ vehicle }: { readonly vehicle: VehicleDetail }) {
  const t = useTexts(photoTexts);
  const mayAdd = useMay('vehicles:write') && vehicle.deleted_at === null;
  const photos = useQuery({ ...photosQuery(vehicle.id), enabled: vehicle.photo_count > 0 });
  const list = useListBehind();
  const to = {
    to: '/araclar/$vehicleId/fotograflar',
    params: { vehicleId: vehicle.id },
    state: { list },
    replace: true,
  } as const;
  if (vehicle.photo_count === 0)
    return mayAdd ? (
      <Link
        {...to}
        className="card mb-4 flex min-h-14 items-center justify-center gap-2 border-dashed! font-medium text-accent no-underline hover:bg-subtle"
      >
        <ImagePlus aria-hidden className="size-4" />
        {t.add}
      </Link>
    ) : null;
  // The space is reserved while loading; after a failure the page shows no photos.
  if (photos.isError) return null;
  const shown = photos.data?.slice(0, SHOWN);
  return (
    <Link {...to} className="card mb-4 flex items-center gap-3 p-2 no-underline hover:bg-subtle">
      <span className={ROW}>
        {shown
          ? shown.map((photo) => <Thumbnail key={photo.id} photo={photo} className="h-[92px] rounded-control" />)
          : Array.from({ length: Math.min(SHOWN, vehicle.photo_count) }, (_, at) => at).map((at) => (
              <Skeleton key={at} className="h-[92px]" />
            ))}
      </span>
      <span className="flex w-24 shrink-0 flex-col items-center text-center text-13 font-medium text-accent">
        {t.seeAll}
        <span className="tabular text-12 font-normal text-text-2">{vehicle.photo_count}</span>
      </span>
    </Link>
  );
}
