// The condition of a car's body on its page and in its history.
import type { PastCondition } from '../../../../src/domain/stock/vehicle-condition.ts';
import type { VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Money } from '../../parts/values.tsx';
import { CarOutline, PartsList } from '../../records/vehicles/car-outline.tsx';
import { wireWord } from '../../records/vehicles/vehicle-texts.ts';
import { useFormat } from '../../session.ts';
import { conditionTexts } from './condition-texts.ts';

/** On the car's page. */
export function ConditionCard({ condition }: { readonly condition: NonNullable<VehicleDetail['condition']> }) {
  const t = useTexts(conditionTexts);
  const { tramer_amount, tramer_currency } = condition;
  return (
    <section className="card p-4" aria-label={t.title}>
      <h2 className="m-0 mb-3 text-14 font-semibold">{t.title}</h2>
      <div className="grid grid-cols-1 items-center gap-4 sm:grid-cols-[11rem_1fr]">
        <CarOutline parts={condition} />
        <div className="flex flex-col gap-3">
          <PartsList parts={condition} />
          {tramer_amount !== null && (
            <p className="m-0">
              <span className="text-13 text-text-2">{t.tramer}: </span>
              <Money amount={tramer_amount} currency={tramer_currency ?? 'TL'} />
            </p>
          )}
        </div>
      </div>
    </section>
  );
}

function usePartsText(): (parts: readonly string[]) => string {
  const t = useTexts(conditionTexts);
  const locale = useLocale();
  return (parts) => (parts.length === 0 ? t.none : parts.map((part) => wireWord(locale, part)).join(', '));
}

/** In one line, for the history. */
export function ConditionLine({ condition }: { readonly condition: PastCondition }) {
  const t = useTexts(conditionTexts);
  const parts = usePartsText();
  const format = useFormat();
  // An entry from before parts could be locally painted has no list of them.
  const { painted, locally_painted = [], replaced, tramer_amount, tramer_currency } = condition;
  const claims = tramer_amount === null ? [] : [`${t.tramer}: ${format.money(tramer_amount, tramer_currency ?? 'TL')}`];
  const lists = { painted, locally_painted, replaced };
  const words = Object.entries(lists).map(([state, list]) => `${t.states[state as keyof typeof lists]}: ${parts(list)}`);
  return [...words, ...claims].join(' · ');
}
