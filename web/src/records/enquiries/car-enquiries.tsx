// On the page of a car: who asked about it, the latest activity first.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callPage } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { DateTime } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { enquiriesTexts } from './enquiries-texts.ts';

const SHOWN = 10;

export function CarEnquiries({ vehicleId }: { readonly vehicleId: string }) {
  const t = useTexts(enquiriesTexts);
  const query = { vehicle_id: vehicleId, limit: SHOWN };
  const enquiries = useQuery({
    queryKey: ['enquiries', query],
    queryFn: ({ signal }) => callPage('GET enquiries', { query, signal }),
    enabled: useMay('tasks:read'),
  });
  if (!enquiries.data || enquiries.data.items.length === 0) return null;
  return (
    <section className="card p-4" aria-label={t.title}>
      <h2 className="mt-0 mb-2 text-14 font-semibold">{t.title}</h2>
      <ul className="m-0 flex list-none flex-col gap-1 p-0">
        {enquiries.data.items.map(({ id, name, stage, last_activity_at }) => (
          <li key={id} className="flex flex-wrap justify-between gap-2 text-13">
            <span>
              <Link to="/adaylar" search={{ aday: id }} className="link wrap-anywhere">
                {name ?? t.erased}
              </Link>{' '}
              · {t.stages[stage]}
            </span>
            <span className="text-text-2">
              <DateTime at={last_activity_at} show="relative" />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
