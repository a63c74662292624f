// Another dealer's car whole: its photos, facts, the condition of its body and its dealer, with what one can do about it.
import { useState } from 'react';
import { useTexts } from '../../language.ts';
import { cx } from '../../parts/cx.ts';
import { Drawer } from '../../parts/overlay/dialog.tsx';
import { DateTime, Money } from '../../parts/values.tsx';
import { type CarCard, carName } from '../../records/network/network.ts';
import { CarFacts, CarPicture, DealerName } from '../../records/vehicles/car-card.tsx';
import { CarDetails } from '../../records/vehicles/car-details.tsx';
import { CarActs, type CarActsProps } from './car-acts.tsx';
import { networkTexts } from './texts.ts';

interface CarSheetProps extends CarActsProps {
  readonly onClose: () => void;
}

export function CarSheet({ listing, onAct, onClose }: CarSheetProps) {
  const { title, price, currency, vehicle, seller, published_at } = listing;
  if (vehicle === undefined || seller === undefined) return null;
  return (
    <Drawer open onClose={onClose} title={title} footer={<CarActs listing={listing} onAct={onAct} />}>
      <div className="flex flex-col gap-4">
        <Photos car={vehicle} />
        <div>
          <p className="m-0 text-24 font-semibold tracking-tight">
            <Money amount={price} currency={currency} />
          </p>
          <p className="m-0 text-13 text-text-2">
            <CarFacts car={vehicle} />
          </p>
        </div>
        <p className="m-0 flex flex-wrap justify-between gap-x-3 text-13">
          <DealerName dealer={seller} />
          <span className="text-text-2">
            <DateTime at={published_at} show="relative" />
          </span>
        </p>
        <CarDetails car={vehicle} />
      </div>
    </Drawer>
  );
}

/** The chosen photo large, the others as a strip below it. */
function Photos({ car }: { readonly car: CarCard }) {
  const t = useTexts(networkTexts);
  const [at, setAt] = useState(0);
  const only = (url: string): CarCard => ({ ...car, photos: [url] });
  const shown = car.photos[at];
  return (
    <div className="flex flex-col gap-2">
      <CarPicture key={at} car={shown === undefined ? car : only(shown)} className="aspect-[3/2] w-full rounded-card" />
      {car.photos.length > 1 && (
        <ul className="m-0 flex list-none flex-wrap gap-2 p-0" aria-label={t.photosOf(carName(car))}>
          {car.photos.map((url, place) => (
            <li key={url}>
              <button
                type="button"
                aria-label={t.photo(place + 1)}
                aria-pressed={place === at}
                onClick={() => setAt(place)}
                className={cx(
                  'block rounded-badge border-2 bg-transparent p-0',
                  place === at ? 'border-accent' : 'border-transparent',
                )}
              >
                <CarPicture car={only(url)} className="h-12 w-18 rounded-badge" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
