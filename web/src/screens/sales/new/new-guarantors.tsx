import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTexts } from '../../../language.ts';
import { Checkbox } from '../../../parts/input/choices.tsx';
import { fullName } from '../../../records/customers/customers.ts';
import { guarantorsQuery } from '../../../records/customers/guarantors.ts';
import { newSaleTexts } from './new-texts.ts';

interface GuarantorChoiceProps {
  readonly customerId: string;
  readonly chosen: readonly string[];
  /** Of a new sale: the customer's guarantors are ticked, and can be unticked. */
  readonly ticksAll?: boolean;
  readonly onChange: (ids: readonly string[]) => void;
}

/** Those on record for the customer; a new one is added on the customer's page. */
export function GuarantorChoice({ customerId, chosen, ticksAll = false, onChange }: GuarantorChoiceProps) {
  const n = useTexts(newSaleTexts);
  const found = useQuery({ ...guarantorsQuery(customerId), enabled: customerId !== '' }).data?.items;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each customer
  useEffect(() => {
    if (!ticksAll || found === undefined || customerId === '') return;
    const own = found.map(({ id }) => id);
    if (!chosen.some((id) => own.includes(id))) onChange(own);
  }, [customerId, found === undefined]);
  if (customerId === '' || found === undefined) return null;
  const choose = (id: string, isChosen: boolean) => onChange(isChosen ? [...chosen, id] : chosen.filter((one) => one !== id));
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
