// The condition of a car's body on its page and in its history.
import type { PastCondition } from '../../../../src/domain/stock/vehicle-condition.ts';
import type { VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import { useLocale, useTexts } from '../../language.ts';
import { type Fact, Facts } from '../../parts/page/facts.tsx';
import { Money } from '../../parts/values.tsx';
import { wireWord } from '../../records/vehicles/vehicle-texts.ts';
import { useFormat } from '../../session.ts';
import { conditionTexts } from './condition-texts.ts';

/** On the car's page. */
export function ConditionFacts({ condition }: Pick<VehicleDetail, 'condition'>) {
  const t = useTexts(conditionTexts);
  const parts = usePartsText();
  const facts: Fact[] =
    condition === null
      ? [{ name: t.title, value: <span className="text-text-2">{t.notStated}</span> }]
      : [
          { name: t.states.painted, value: parts(condition.painted) },
          { name: t.states.locally_painted, value: parts(condition.locally_painted) },
          { name: t.states.replaced, value: parts(condition.replaced) },
          {
            name: t.tramer,
            value: condition.tramer_amount && (
              <Money amount={condition.tramer_amount} currency={condition.tramer_currency ?? 'TL'} />
            ),
          },
        ];
  return <Facts title={t.title} facts={facts} />;
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
