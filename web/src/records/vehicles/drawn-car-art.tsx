// The drawing of a car; its code is fetched by the frame of `drawn-car.tsx`.
import { useMemo } from 'react';
import { type DrawnCar as Car, drawCar } from '../../../../src/domain/media/car-art.ts';

export interface DrawnCarProps {
  readonly car: Pick<Car, 'plate'> & { readonly body_type: string; readonly color: string };
  readonly className: string;
}

/** Decoration: the name of the car is always beside it. */
export function CarArt({ car: { body_type, color, plate }, className }: DrawnCarProps) {
  const url = useMemo(
    () => `data:image/svg+xml,${encodeURIComponent(drawCar({ bodyType: body_type, color, plate }, 'side'))}`,
    [body_type, color, plate],
  );
  return <img src={url} alt="" width={480} height={320} decoding="async" className={`object-cover ${className}`} />;
}
