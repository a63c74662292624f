// Another dealer's car as its public card shows it.
import { Phone } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useLocale, useTexts } from '../../language.ts';
import { OutsideLink } from '../../parts/outside-link.tsx';
import { useFormat } from '../../session.ts';
import { type CarCard, carName, type DealerParty } from '../network/network.ts';
import { dealTexts } from '../network/network-texts.ts';
import { DrawnCar } from './drawn-car.tsx';
import { wireWord } from './vehicle-texts.ts';

/** A picture that lies elsewhere is not fetched: the panel shows only what comes from its own address. */
const isOurs = (url: string): boolean => URL.canParse(url) && new URL(url).origin === location.origin;

export function CarPicture({ car, className }: { readonly car: CarCard; readonly className: string }) {
  const t = useTexts(dealTexts);
  const [isBroken, setBroken] = useState(false);
  const url = car.photos.find(isOurs);
  if (url === undefined || isBroken)
    return (
      <span role="img" aria-label={t.noPhoto} className="contents">
        <DrawnCar car={{ ...car, plate: '' }} className={className} />
      </span>
    );
  return (
    <img
      src={url}
      alt={carName(car)}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(true)}
      className={`object-cover ${className}`}
    />
  );
}

/** A line of a list about another dealer's car. */
export function BesideCard({ car, children }: { readonly car: CarCard; readonly children: ReactNode }) {
  return (
    <span className="flex w-full items-center gap-3">
      <CarPicture car={car} className="h-16 w-24 shrink-0 rounded-badge" />
      <span className="min-w-0">{children}</span>
    </span>
  );
}

/** «84.000 km · Benzin · Otomatik · Gümüş · Girne» */
export function CarFacts({ car }: { readonly car: CarCard }) {
  const t = useTexts(dealTexts);
  const locale = useLocale();
  const format = useFormat();
  const { km, fuel_type, transmission, color, city } = car;
  const facts = [t.km(format.number(km)), wireWord(locale, fuel_type), wireWord(locale, transmission), color, city];
  return <span className="tabular">{facts.filter(Boolean).join(' · ')}</span>;
}

/** Name and city; the phone where the two agreed. */
export function DealerName({ dealer: { name, city, phone } }: { readonly dealer: DealerParty }) {
  const t = useTexts(dealTexts);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <span>
        <span className="font-medium">{name}</span>
        {city && <span className="text-text-2"> · {city}</span>}
      </span>
      {phone && (
        <OutsideLink
          to={{ phone }}
          inSandbox="text"
          aria-label={`${phone}: ${t.call(name)}`}
          className="link tabular inline-flex min-h-6 items-center gap-1"
        >
          <Phone aria-hidden className="size-3.5" />
          {phone}
        </OutsideLink>
      )}
    </span>
  );
}
