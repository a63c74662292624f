// What is known of a car besides its main facts: technical facts, equipment, and the condition of its body.
import { useTexts } from '../../language.ts';
import { Money } from '../../parts/values.tsx';
import type { CarCard } from '../network/network.ts';
import { useTechnicalFacts } from './car-facts.ts';
import { CarOutline, PartsList } from './car-outline.tsx';
import { Equipment } from './equipment.tsx';
import { outlineTexts } from './outline-texts.ts';

/** Nothing where nothing was entered. */
export function CarDetails({ car }: { readonly car: CarCard }) {
  const o = useTexts(outlineTexts);
  const facts = useTechnicalFacts(car);
  const items = car.equipment ?? [];
  const { condition } = car;
  if (facts.length === 0 && items.length === 0 && condition === null) return null;
  return (
    <div className="flex flex-col gap-3">
      {facts.length > 0 && (
        <dl className="m-0 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-13">
          {facts.map(({ name, value }) => (
            <div key={name} className="contents">
              <dt className="text-text-2">{name}</dt>
              <dd className="m-0">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {items.length > 0 && <Equipment items={items} />}
      {condition !== null && (
        <section aria-label={o.title} className="grid grid-cols-[7rem_1fr] items-center gap-4">
          <CarOutline parts={condition} />
          <div className="flex flex-col gap-2 text-13">
            <PartsList parts={condition} />
            {condition.tramer_amount !== null && (
              <p className="m-0">
                <span className="text-text-2">{o.damage}: </span>
                <Money amount={condition.tramer_amount} currency={condition.tramer_currency ?? 'TL'} />
              </p>
            )}
          </div>
        </section>
      )}
    </div>
  );
}
