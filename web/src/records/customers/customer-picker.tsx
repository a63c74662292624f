import { useQuery } from '@tanstack/react-query';
import { UserPlus, UserRound } from 'lucide-react';
import { phoneText } from '../../../../src/domain/formats/phone-text.ts';
import { useTexts } from '../../language.ts';
import { type PickerFieldProps, RecordPicker } from '../../parts/page/record-picker.tsx';
import { Skeleton } from '../../parts/page/states.tsx';
import { useMay } from '../../permissions.ts';
import { customerTexts } from './customer-texts.ts';
import { customerQuery, fullName, listCustomers } from './customers.ts';
import { QuickCustomer } from './quick-customer.tsx';

const MAX_FOUND = 6;

/** Picks a customer by name, phone or e-mail; a new customer can be added here. */
export function CustomerPicker(field: PickerFieldProps) {
  const t = useTexts(customerTexts);
  const mayAdd = useMay('customers:write');
  return (
    <RecordPicker
      field={field}
      record={{
        icon: UserRound,
        words: t.picker,
        list: 'customers',
        maxLength: 80,
        find: async (q, signal) => (await listCustomers({ q, limit: MAX_FOUND }, signal)).items,
        line: (customer) => ({
          name: fullName(customer),
          beside: <span className="tabular text-text-2">{phoneText(customer.phone)}</span>,
        }),
        chosen: (id) => <ChosenCustomer id={id} />,
        add: mayAdd ? { label: t.pickerAdd, icon: UserPlus, layer: (layer) => <QuickCustomer {...layer} /> } : undefined,
      }}
    />
  );
}

function ChosenCustomer({ id }: { readonly id: string }) {
  const t = useTexts(customerTexts);
  const customer = useQuery(customerQuery(id));
  if (customer.isPending) return <Skeleton className="h-3.5 w-32" />;
  if (customer.data === undefined) return t.notShown;
  return `${fullName(customer.data)} · ${phoneText(customer.data.phone)}`;
}
