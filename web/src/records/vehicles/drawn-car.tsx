// The drawing that a car has in place of a photo, in its own body type and colour.
import { useMemo } from 'react';
import { type DrawnCar as Car, drawCar } from '../../../../src/domain/media/car-art.ts';

interface DrawnCarProps {
  readonly car: Pick<Car, 'plate'> & { readonly body_type: string; readonly color: string };
  readonly className: string;
}

/** Decoration: the name of the car is always beside it. */
export function DrawnCar({ car: { body_type, color, plate }, className }: DrawnCarProps) {
  const url = useMemo(
    () => `data:image/svg+xml,${encodeURIComponent(drawCar({ bodyType: body_type, color, plate }, 'side'))}`,
    [body_type, color, plate],
  );
  return <img src={url} alt="" width={480} height={320} decoding="async" className={`object-cover ${className}`} />;
}
