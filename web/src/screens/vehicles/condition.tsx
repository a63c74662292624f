// The condition of a car's body on its page and in its history.
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
export function ConditionLine({ condition }: { readonly condition: NonNullable<VehicleDetail['condition']> }) {
  const t = useTexts(conditionTexts);
  const parts = usePartsText();
  const format = useFormat();
  const { painted, replaced, tramer_amount, tramer_currency } = condition;
  const claims = tramer_amount === null ? [] : [`${t.tramer}: ${format.money(tramer_amount, tramer_currency ?? 'TL')}`];
  return [`${t.states.painted}: ${parts(painted)}`, `${t.states.replaced}: ${parts(replaced)}`, ...claims].join(' · ');
}
