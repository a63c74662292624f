// A car's cover photo in a small frame, or the drawing of the car until it has one. The car's name is beside it.
import { useState } from 'react';
import { cx } from '../../parts/cx.ts';
import { DrawnCar } from './drawn-car.tsx';

interface CarThumbProps {
  readonly car: {
    readonly thumbnail_url: string | null;
    readonly body_type: string;
    readonly color: string;
    readonly plate: string;
  };
  readonly className: string;
}

export function CarThumb({ car, className }: CarThumbProps) {
  const [isBroken, setBroken] = useState(false);
  const shape = cx('shrink-0 rounded-badge', className);
  if (car.thumbnail_url === null || isBroken) return <DrawnCar car={car} className={shape} />;
  return (
    <img
      src={car.thumbnail_url}
      alt=""
      loading="lazy"
      decoding="async"
      width={72}
      height={48}
      onError={() => setBroken(true)}
      className={cx('object-cover', shape)}
    />
  );
}
