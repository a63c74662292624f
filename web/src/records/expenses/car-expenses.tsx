// On the page of a car: what was spent on it, for those who may see it, and a new expense of it.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { callPage } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Day, Money } from '../../parts/values.tsx';
import { useRole } from '../../session.ts';
import { expensesTexts } from './expenses-texts.ts';
import { NewExpense } from './new-expense.tsx';

const SHOWN = 5;

export function CarExpenses({ vehicleId }: { readonly vehicleId: string }) {
  const t = useTexts(expensesTexts);
  const may = useRole('owner', 'finance', 'sales');
  const [adds, setAdds] = useState(false);
  const query = { vehicle_id: vehicleId, limit: SHOWN };
  const expenses = useQuery({
    queryKey: ['expenses', query],
    queryFn: ({ signal }) => callPage('GET expenses', { query, signal }),
    enabled: may,
  });
  if (!may || !expenses.data) return null;
  const { items } = expenses.data;
  return (
    <section className="card p-4" aria-label={t.carTitle}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 className="m-0 text-14 font-semibold">{t.carTitle}</h2>
        <Button icon={Plus} onClick={() => setAdds(true)}>
          {t.add}
        </Button>
      </div>
      {items.length === 0 && <p className="m-0 text-13 text-text-2">{t.carNone}</p>}
      <ul className="m-0 flex list-none flex-col gap-1 p-0">
        {items.map(({ id, category, day, amount, currency }) => (
          <li key={id} className="flex flex-wrap justify-between gap-2 text-13">
            <span>
              <Link to="/giderler" search={{ vehicle_id: vehicleId, gider: id }} className="link">
                {t.categories[category]}
              </Link>{' '}
              · <Day day={day} />
            </span>
            <Money amount={amount} currency={currency} />
          </li>
        ))}
      </ul>
      {expenses.data.hasMore && (
        <Link to="/giderler" search={{ vehicle_id: vehicleId }} className="link mt-2 inline-block text-13">
          {t.all}
        </Link>
      )}
      {adds && <NewExpense vehicleId={vehicleId} onClose={() => setAdds(false)} />}
    </section>
  );
}
