import { BODY_TYPES, FUEL_TYPES, TRANSMISSIONS } from '../../../../../src/domain/stock/stock-states.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { FormSection } from '../../../parts/form/form.tsx';
import { amountOf } from '../../../parts/form/form-amount.ts';
import { ChoiceField, type FieldsOf, TextField } from '../../../parts/form/form-fields.tsx';
import { Checkbox } from '../../../parts/input/choices.tsx';
import { wireWord } from '../../../records/vehicles/vehicle-texts.ts';
import { useFormat } from '../../../session.ts';
import { newSaleTexts } from './new-texts.ts';
import type { SaleForm } from './new-values.ts';

/** A car taken in payment; it comes into stock with the sale, or is written down later. */
export function TradeInSection({ of }: { readonly of: FieldsOf<SaleForm> }) {
  const n = useTexts(newSaleTexts);
  const format = useFormat();
  const { form } = of;
  const { has_trade_in, has_trade_in_car, currency } = form.values;
  const amount = amountOf(form.values['trade_in.amount']);
  const tick = (name: 'has_trade_in' | 'has_trade_in_car') => (checked: boolean) => form.set(name, checked);
  return (
    <FormSection title={n.tradeIn}>
      <Checkbox className="col-span-full" label={n.hasTradeIn} checked={has_trade_in} onChange={tick('has_trade_in')} />
      {has_trade_in && (
        <>
          <TextField
            of={of}
            name="trade_in.amount"
            inputMode="decimal"
            hint={amount === undefined ? currency : format.money(amount, currency)}
          />
          <Checkbox
            className="col-span-full"
            label={n.hasTradeInCar}
            checked={has_trade_in_car}
            onChange={tick('has_trade_in_car')}
          />
          {has_trade_in_car && <CarFields of={of} />}
        </>
      )}
    </FormSection>
  );
}

function CarFields({ of }: { readonly of: FieldsOf<SaleForm> }) {
  const locale = useLocale();
  const words = (values: readonly string[]) => values.map((value) => ({ value, label: wireWord(locale, value) }));
  return (
    <>
      <TextField of={of} name="trade_in.vehicle.plate" maxLength={15} tidy={(typed) => typed.toLocaleUpperCase('tr')} />
      <TextField of={of} name="trade_in.vehicle.brand" maxLength={80} />
      <TextField of={of} name="trade_in.vehicle.model" maxLength={80} />
      <TextField of={of} name="trade_in.vehicle.model_year" inputMode="numeric" maxLength={4} />
      <TextField of={of} name="trade_in.vehicle.km" inputMode="numeric" maxLength={9} />
      <ChoiceField of={of} name="trade_in.vehicle.fuel_type" options={words(FUEL_TYPES)} />
      <ChoiceField of={of} name="trade_in.vehicle.transmission" options={words(TRANSMISSIONS)} />
      <ChoiceField of={of} name="trade_in.vehicle.body_type" options={words(BODY_TYPES)} />
      <TextField of={of} name="trade_in.vehicle.color" maxLength={40} />
      <TextField of={of} name="trade_in.vehicle.city" maxLength={60} />
      <TextField of={of} name="trade_in.vehicle.price" inputMode="decimal" />
    </>
  );
}
