import { Skeleton } from '../../parts/page/states.tsx';

/** The place of a car's photos while they are fetched: the large one, and the strip of several. */
export function GalleryPlace({ count }: { readonly count: number }) {
  return (
    <>
      <Skeleton className="aspect-[3/2] w-full" />
      {count > 1 && <Skeleton className="mt-2 h-[72px] w-full" />}
    </>
  );
}
