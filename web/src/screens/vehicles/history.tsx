// Geçmiş: who changed a vehicle, when, with old and new values. Write-only fields appear by name only.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import type { PastCondition } from '../../../../src/domain/stock/vehicle-condition.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterSelect } from '../../parts/table/filters.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { DateTime, None } from '../../parts/values.tsx';
import { useBranches } from '../../records/branches.ts';
import { CustomerName } from '../../records/customers/customer-name.tsx';
import { wireWord } from '../../records/vehicles/vehicle-texts.ts';
import { useFormat } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { ConditionLine } from './condition.tsx';
import { type HistoryLine, historyQuery } from './data.ts';
import { useFieldNames } from './field-names.ts';
import { vehiclesTexts } from './texts.ts';
import { vehicleWriteTexts } from './write-texts.ts';

const route = getRouteApi('/shell/araclar/$vehicleId/gecmis');

export function VehicleHistory() {
  const w = useTexts(vehicleWriteTexts);
  const { vehicleId } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const history = useQuery(historyQuery(vehicleId, { ...search } as { event?: string; offset?: string }));
  const go = (next: { event?: string | undefined; offset?: string | undefined }) =>
    navigate({ to: '.', search: next, replace: true, resetScroll: false });
  const kinds = Object.entries(w.events).map(([value, label]) => ({ value, label }));
  return (
    <section aria-label={w.history}>
      <div className="mb-3 flex">
        <FilterSelect
          label={w.eventFilter}
          none={w.allEvents}
          value={search.event}
          options={kinds}
          onChange={(event) => go(event === undefined ? {} : { event })}
        />
      </div>
      <Loaded query={history} rows={4}>
        {(page) => (
          <div className="card">
            {page.items.length === 0 ? (
              <EmptyState title={search.event ? w.noHistoryMatch : w.noHistory} />
            ) : (
              <ol className="m-0 list-none divide-y divide-line p-0">
                {page.items.map((line) => (
                  <Entry key={line.id} line={line} />
                ))}
              </ol>
            )}
            {(page.hasMore || page.offset > 0) && (
              <div className="border-t border-line px-3 py-2">
                <Pagination
                  page={page}
                  onMove={(offset) => go({ event: search.event, offset: offset === 0 ? undefined : String(offset) })}
                />
              </div>
            )}
          </div>
        )}
      </Loaded>
    </section>
  );
}

function Entry({ line }: { readonly line: HistoryLine }) {
  const w = useTexts(vehicleWriteTexts);
  const names = useFieldNames();
  const held: Readonly<Record<string, string>> = w.reservationFields;
  // Fields of a reservation have a prefix: «reservation.customer_id».
  const isNamed = line.changes.some(({ field }) => field === 'reservation.customer_id');
  const nameOf = (field: string) => names[field] ?? held[bare(field)] ?? field;
  return (
    <li className="px-4 py-3">
      <p className="m-0 flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">{w.events[line.event] ?? line.event}</span>
        <span className="text-13 text-text-2">
          <DateTime at={line.created_at} />
        </span>
      </p>
      <p className="m-0 text-13 text-text-2 wrap-anywhere">
        {line.actor.name} · {w.actors[line.actor.type]}
      </p>
      {line.note && <p className="mt-1 mb-0 text-13 whitespace-pre-line wrap-anywhere">{line.note}</p>}
      {line.changes.length > 0 && (
        <dl className="m-0 mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-13">
          {line.changes.map((change) => (
            <div key={change.field} className="contents">
              <dt className="text-text-2">{nameOf(change.field)}</dt>
              <dd className="m-0 wrap-anywhere">
                {change.field === 'reservation.kind' && !isNamed ? <Nameless change={change} /> : <Changed change={change} />}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

/** Set aside for a customer, who need not be named. */
function Nameless({ change }: { readonly change: HistoryLine['changes'][number] }) {
  const w = useTexts(vehicleWriteTexts);
  if (!('old' in change)) return <Changed change={change} />;
  const customerWord = (value: typeof change.old) => (value === 'Müşteri' ? w.noCustomer : value);
  return <Changed change={{ ...change, old: customerWord(change.old), new: customerWord(change.new) }} />;
}

const bare = (field: string): string => field.replace(/^reservation\./, '');

function Changed({ change }: { readonly change: HistoryLine['changes'][number] }) {
  const w = useTexts(vehicleWriteTexts);
  if (!('old' in change)) return <span className="text-text-2">{w.redacted}</span>;
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-1.5">
      <span className="text-text-2">
        <Value field={bare(change.field)} value={change.old} />
      </span>
      <ArrowRight aria-hidden className="size-3 self-center text-text-3" />
      <span className="sr-only">{w.became}: </span>
      <span>
        <Value field={bare(change.field)} value={change.new} />
      </span>
    </span>
  );
}

/** The value as the vehicle's page shows it. */
function Value({ field, value }: { readonly field: string; readonly value: unknown }) {
  const w = useTexts(vehicleWriteTexts);
  const p = useTexts(partsTexts);
  const locale = useLocale();
  const format = useFormat();
  if (value === null || value === undefined || value === '') return <None />;
  if (typeof value === 'boolean') return value ? w.yes : w.no;
  if (field === 'km' && typeof value === 'number') return format.km(value);
  if (field === 'branch_id') return <BranchName id={String(value)} />;
  if (field === 'customer_id') return <CustomerName id={String(value)} />;
  if (field === 'status') return p.vehicles[value as keyof typeof p.vehicles] ?? String(value);
  if (typeof value === 'number') return String(value);
  if (field === 'condition') return <ConditionLine condition={value as PastCondition} />;
  if (Array.isArray(value)) return value.length === 0 ? <None /> : value.join(', ');
  if (typeof value !== 'string') return JSON.stringify(value);
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return format.dateTime(value);
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return format.date(`${value}T12:00:00Z`);
  if (/(price|amount)$/.test(field)) return plainAmount(locale, value);
  return wireWord(locale, value);
}

/** Without a currency, which is a separate change. */
const plainAmount = (locale: 'tr' | 'en', amount: string): string =>
  new Intl.NumberFormat(locale === 'tr' ? 'tr-TR' : 'en-GB', { minimumFractionDigits: 0 }).format(
    amount as Intl.StringNumericLiteral,
  );

function BranchName({ id }: { readonly id: string }) {
  const t = useTexts(vehiclesTexts);
  return useBranches().find((branch) => branch.id === id)?.name ?? <span className="text-text-2">{t.branchGone}</span>;
}
