// Who did what to the sale and when, the newest first, with what changed.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import type { SaleChange, SaleHistoryLine } from '../../../../src/domain/sales/sale-history.ts';
import { callPage } from '../../api.ts';
import { formatFor } from '../../format.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Loaded } from '../../parts/page/loaded.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { DateTime, None } from '../../parts/values.tsx';
import { useBranches } from '../../records/branches.ts';
import { fieldTexts } from '../../records/field-texts.ts';
import { useInstallmentNames } from '../../records/installment-names.ts';
import { saleWord } from '../../records/sales/sale-texts.ts';
import { planQuery, type SaleDetail } from '../../records/sales/sales.ts';
import { useStaff } from '../../records/staff.ts';
import { useFormat } from '../../session.ts';
import { historyTexts } from './history-texts.ts';

const LIMIT = 10;

/** The fields that get a line of their own; the others follow from them or from the action. */
const SHOWN = new Set([
  'sale_price',
  'trade_in_amount',
  'down_payment',
  'finance_charge',
  'total_receivable',
  'yearly_rate',
  'late_rate_yearly',
  'installment_count',
  'payment_type',
  'sale_date',
  'salesperson_id',
  'branch_id',
  'guarantor_ids',
  'delivered_at',
  'delivery_due_on',
  'currency_exemption',
  'external_ref',
  'secure_payment_ref',
  'title_transfer',
  'lien',
  'invoice',
  'legal_stage',
  'notes',
  'note',
  'due_date',
  'amount',
  'promised_date',
]);

export function SaleHistory({ sale }: { readonly sale: SaleDetail }) {
  const t = useTexts(historyTexts);
  const [offset, setOffset] = useState(0);
  const history = useQuery({
    queryKey: ['sale', sale.id, 'history', offset],
    queryFn: ({ signal }) =>
      callPage('GET sales/{sale_id}/history', { params: { sale_id: sale.id }, query: { limit: LIMIT, offset }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-label={t.history} className="min-w-0">
      <h2 className="m-0 mb-2 text-14 font-semibold">{t.history}</h2>
      <Loaded query={history} rows={3}>
        {(page) => (
          <div className="card">
            {page.items.length === 0 ? (
              <p className="m-0 p-4 text-text-2">{t.none}</p>
            ) : (
              <ol className="m-0 list-none divide-y divide-line p-0">
                {page.items.map((line) => (
                  <Line key={line.id} line={line} sale={sale} />
                ))}
              </ol>
            )}
            {(page.hasMore || offset > 0) && (
              <div className="border-t border-line px-3 py-2">
                <Pagination page={page} onMove={setOffset} />
              </div>
            )}
          </div>
        )}
      </Loaded>
    </section>
  );
}

function Line({ line, sale }: { readonly line: SaleHistoryLine; readonly sale: SaleDetail }) {
  const t = useTexts(historyTexts);
  const locale = useLocale();
  const format = useFormat();
  const { what, actor, at, installment_id, receipt_no, type, amount, currency, discount, note } = line;
  const rowNames = useInstallmentNames(useQuery(planQuery(sale.id)).data);
  const names: Readonly<Record<string, string>> = useTexts(fieldTexts);
  const changes = line.changes.filter(({ field }) => SHOWN.has(field));
  const about = [
    installment_id === null ? null : rowNames.long(installment_id),
    type === null || type === 'Tahsilat' ? null : saleWord(locale, type),
    receipt_no,
    amount === null || currency === null ? null : format.money(amount, currency),
    discount === null ? null : t.discount(format.money(discount, sale.currency)),
  ].filter((part) => part !== null);
  return (
    <li className="px-4 py-2.5">
      <p className="m-0 flex flex-wrap items-baseline justify-between gap-x-4">
        <span>
          <span className="font-medium">{(t.what as Readonly<Record<string, string>>)[what] ?? t.other}</span>
          {about.length > 0 && <span className="tabular text-text-2"> · {about.join(' · ')}</span>}
        </span>
        <span className="text-13 text-text-2">
          <DateTime at={at} />
        </span>
      </p>
      {actor && (
        <p className="m-0 text-13 wrap-anywhere text-text-2">
          {(t.systems as Readonly<Record<string, string>>)[actor.name ?? ''] ?? actor.name}
          {actor.type !== 'panel' && ` · ${t.actors[actor.type]}`}
        </p>
      )}
      {note && <p className="m-0 mt-0.5 text-13 wrap-anywhere">{note}</p>}
      {changes.length > 0 && (
        <dl className="m-0 mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-13">
          {changes.map((change) => (
            <div key={change.field} className="contents">
              <dt className="text-text-2">{names[change.field]}</dt>
              <dd className="m-0 wrap-anywhere">
                <Changed change={change} currency={sale.currency} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

function Changed({ change, currency }: { readonly change: SaleChange; readonly currency: string }) {
  const t = useTexts(historyTexts);
  if ('withheld' in change) return <span className="text-text-2">{t.withheld}</span>;
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-1.5">
      <span className="text-text-2">
        <Value field={change.field} value={change.old} currency={currency} />
      </span>
      <ArrowRight aria-hidden className="size-3 self-center text-text-3" />
      <span className="sr-only">{t.became}: </span>
      <Value field={change.field} value={change.new} currency={currency} />
    </span>
  );
}

const AMOUNT = /(_price|_amount|_payment|_charge|_receivable|^amount)$/;

interface ValueProps {
  readonly field: string;
  readonly value: unknown;
  readonly currency: string;
}

/** As the sale's page shows it. */
function Value({ field, value, currency }: ValueProps) {
  const t = useTexts(historyTexts);
  const locale = useLocale();
  const format = useFormat();
  const staff = useStaff();
  const branches = useBranches();
  if (value === null || value === undefined || value === '') return <None />;
  if (field === 'salesperson_id') return staff.find(({ id }) => id === value)?.full_name ?? <None />;
  if (field === 'branch_id') return branches.find(({ id }) => id === value)?.name ?? <None />;
  if (Array.isArray(value)) return t.people(value.length);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') return <Parts value={value as Readonly<Record<string, unknown>>} currency={currency} />;
  const text = String(value);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return formatFor(locale, 'UTC').date(text);
  if (AMOUNT.test(field) && /^-?\d+\.\d\d$/.test(text)) return format.money(text, currency);
  if (field.endsWith('_rate') || field.endsWith('_yearly')) return format.percent(Number(text) / 100);
  return saleWord(locale, text);
}

/** What is filled in of an object: «Yapıldı, 12.03.2026, Lefkoşa». */
function Parts({ value, currency }: { readonly value: Readonly<Record<string, unknown>>; readonly currency: string }) {
  const filled = Object.entries(value).filter(([, part]) => part !== null);
  if (filled.length === 0) return <None />;
  return filled.map(([name, part], at) => (
    <span key={name}>
      {at > 0 && ', '}
      <Value field={name} value={part} currency={currency} />
    </span>
  ));
}
