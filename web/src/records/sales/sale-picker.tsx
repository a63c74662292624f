import { useQuery } from '@tanstack/react-query';
import { Handshake } from 'lucide-react';
import type { QueryOf } from '../../endpoints.ts';
import { texts, useTexts } from '../../language.ts';
import { type PickerFieldProps, RecordPicker } from '../../parts/page/record-picker.tsx';
import { Skeleton } from '../../parts/page/states.tsx';
import { Plate } from '../../parts/values.tsx';
import { CustomerName } from '../customers/customer-name.tsx';
import { listSales, saleQuery } from './sales.ts';

const MAX_FOUND = 6;

const pickerTexts = texts({
  tr: { hint: 'Satış no, plaka ya da müşteri', none: 'Satış bulunamadı.', results: 'Satışlar', clear: 'Başka satış seç' },
  en: { hint: 'Sale number, plate or customer', none: 'No sale found.', results: 'Sales', clear: 'Choose another sale' },
});

type SalePickerProps = PickerFieldProps & { readonly only?: QueryOf<'GET v1/sales'> };

/** Picks a sale by its number, plate or customer; `only` narrows down which are offered. */
export function SalePicker({ only = {}, ...field }: SalePickerProps) {
  const words = useTexts(pickerTexts);
  return (
    <RecordPicker
      field={field}
      record={{
        icon: Handshake,
        words,
        list: 'sales',
        only: JSON.stringify(only),
        maxLength: 60,
        find: async (q, signal) => (await listSales({ ...only, q, limit: MAX_FOUND }, signal)).items,
        line: ({ sale_no, named }) => ({
          name: named?.customer ?? sale_no,
          beside: (
            <span className="flex items-center gap-2">
              <span className="tabular text-12 text-text-2">{sale_no}</span>
              {named && <Plate plate={named.plate} />}
            </span>
          ),
        }),
        chosen: (id) => <SaleLine id={id} />,
      }}
    />
  );
}

function SaleLine({ id }: { readonly id: string }) {
  const sale = useQuery(saleQuery(id));
  if (sale.data === undefined) return <Skeleton className="inline-block h-3.5 w-24" />;
  return (
    <span>
      <span className="tabular">{sale.data.sale_no}</span> · <CustomerName id={sale.data.customer_id} />
    </span>
  );
}
