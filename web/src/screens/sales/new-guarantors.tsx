import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../language.ts';
import { Checkbox } from '../../parts/choices.tsx';
import type { Form } from '../../parts/form/form-state.ts';
import { fullName } from '../../records/customers.ts';
import { guarantorsQuery } from '../../records/guarantors.ts';
import { newSaleTexts } from './new-texts.ts';
import { guarantorsOf, type SaleForm } from './new-values.ts';

/** Those on record for the customer; a new one is added on the customer's page. */
export function GuarantorChoice({ form }: { readonly form: Form<SaleForm> }) {
  const n = useTexts(newSaleTexts);
  const { customer_id } = form.values;
  const found = useQuery({ ...guarantorsQuery(customer_id), enabled: customer_id !== '' }).data?.items;
  const chosen = guarantorsOf(form.values);
  if (customer_id === '' || found === undefined) return null;
  const choose = (id: string, isChosen: boolean) =>
    form.set('guarantor_ids', JSON.stringify(isChosen ? [...chosen, id] : chosen.filter((one) => one !== id)));
  return (
    <fieldset className="col-span-full m-0 min-w-0 border-0 p-0">
      <legend className="mb-1 p-0 text-13 font-medium">{n.guarantors}</legend>
      {found.length === 0 && <p className="m-0 text-13 text-text-2">{n.noGuarantors}</p>}
      <div className="flex flex-wrap gap-x-6">
        {found.map((guarantor) => (
          <Checkbox
            key={guarantor.id}
            label={fullName(guarantor)}
            checked={chosen.includes(guarantor.id)}
            onChange={(checked) => choose(guarantor.id, checked)}
          />
        ))}
      </div>
    </fieldset>
  );
}
