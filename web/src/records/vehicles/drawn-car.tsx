// The drawing that a car has in place of a photo, in its own body type and colour. Its code is fetched when the first one is shown.
import { lazy, Suspense } from 'react';
import type { DrawnCarProps } from './drawn-car-art.tsx';

const CarArt = lazy(async () => ({ default: (await import('./drawn-car-art.tsx')).CarArt }));

/** The frame has the size of the drawing, so that nothing moves when it arrives. */
export function DrawnCar(props: DrawnCarProps) {
  return (
    <Suspense fallback={<span aria-hidden className={`block aspect-3/2 ${props.className}`} />}>
      <CarArt {...props} />
    </Suspense>
  );
}
