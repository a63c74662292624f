// Closing the till of a branch for a day: what the records say beside what was counted, and the days that were closed.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import type { TillDay } from '../../../../src/domain/receivables/till-closing.ts';
import { call } from '../../api.ts';
import { useOwnFirst } from '../../currencies.ts';
import type { RawBody } from '../../endpoints.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { signedAmountOf } from '../../parts/form/form-amount.ts';
import { filled, withoutEmpty } from '../../parts/form/form-body.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { ErrorSummary, problemOf } from '../../parts/input/error-summary.tsx';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState, SkeletonRows } from '../../parts/page/states.tsx';
import { FilterBar, FilterSelect } from '../../parts/table/filters.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { Day, Money, None } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { isAbove, minus } from '../../records/amounts.ts';
import { branchesQuery } from '../../records/branches.ts';
import { ListFiles } from '../../records/list-files.tsx';
import { saleWord } from '../../records/sales/sale-texts.ts';
import { useToday } from '../../records/sales/sales.ts';
import { receivablesTexts } from './texts.ts';
import { Closings } from './till-closings.tsx';
import { Transfers } from './till-transfers.tsx';

export function TillScreen() {
  const t = useTexts(receivablesTexts);
  const today = useToday();
  const search = useSearch({ from: '/shell/tahsilat/kasa' });
  const navigate = useNavigate({ from: '/tahsilat/kasa' });
  const { data: known, isPending } = useQuery(branchesQuery);
  const branches = known?.items ?? [];
  const ownFirst = useOwnFirst();
  const branchId = search.branch_id ?? branches[0]?.id ?? '';
  const day = search.day ?? today;
  const till = useQuery({
    queryKey: ['till', branchId, day],
    queryFn: ({ signal }) => call('GET till', { query: { branch_id: branchId, day }, signal }),
    enabled: branchId !== '',
  });
  if (isPending) return <SkeletonRows rows={6} />;
  return (
    <>
      <FilterBar>
        {branches.length > 1 && (
          <FilterSelect
            label={t.branch}
            value={branchId}
            options={branches.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(branch_id) => navigate({ search: { ...search, branch_id } })}
          />
        )}
        <div className="w-40">
          <Field label={t.day} labelHidden>
            <TextInput
              type="date"
              max={today}
              value={day}
              onChange={(typed) => navigate({ search: { ...search, day: typed === '' || typed === today ? undefined : typed } })}
            />
          </Field>
        </div>
        {branchId !== '' && <ListFiles list="collections" filters={{ branch_id: branchId, from: day, to: day }} />}
      </FilterBar>
      <Loaded query={till} rows={4}>
        {(loaded) => (
          <>
            <TillOfDay key={`${branchId} ${day} ${loaded.closed_through}`} till={{ ...loaded, lines: ownFirst(loaded.lines) }} />
            {branchId !== '' && <Transfers branchId={branchId} day={day} />}
            <Closings branchId={branchId} />
          </>
        )}
      </Loaded>
    </>
  );
}

type Line = TillDay['lines'][number];
const nameOf = ({ currency, method }: Pick<Line, 'currency' | 'method'>): string => `${currency} ${method}`;

function TillOfDay({ till }: { readonly till: TillDay }) {
  const t = useTexts(receivablesTexts);
  const client = useQueryClient();
  const may = useMay('collections:write', 'destructive');
  const [counted, setCounted] = useState<Readonly<Record<string, string>>>({});
  const [reason, setReason] = useState('');
  const isClosed = till.closed_through !== null && till.day <= till.closed_through;
  const write = useWrite({
    send: (typed: RawBody<'POST till/closings'>, headers) =>
      call('POST till/closings', { rawBody: withoutEmpty(typed), headers }),
    onDone: () => {
      notify({ title: t.closed });
      return client.invalidateQueries({ queryKey: ['till'] });
    },
  });
  const [isPressed, setPressed] = useState(false);
  const columns = useTillColumns(may && !isClosed ? { counted, setCounted } : null);
  const typedOf = (line: Line): string => (counted[nameOf(line)] ?? '').trim();
  // An empty box is nothing in the till only where the records say so too: else it was forgotten.
  const uncounted = till.lines.find((line) => typedOf(line) === '' && line.expected !== '0.00');
  const differs = till.lines.some((line) => typedOf(line) !== '' && differenceOf(line, typedOf(line)) !== '0.00');
  const send = () => write.run(closingBody(till, typedOf, reason));
  const close = () => {
    setPressed(true);
    if (uncounted === undefined) send();
    else document.getElementById(nameOf(uncounted))?.focus();
  };
  return (
    // Not a form: Enter after an amount moves to the next one and must not close the day.
    <section aria-label={t.till}>
      {write.error && <ErrorSummary error={write.error} names={{ reason: t.differenceReason }} />}
      <p className="mt-0 mb-3 text-13 text-text-2">
        {till.closed_through === null ? (
          t.neverClosed
        ) : (
          <>
            {t.closedThrough} <Day day={till.closed_through} />
          </>
        )}
      </p>
      <Table
        label={t.till}
        rows={isClosed ? [] : till.lines}
        rowKey={nameOf}
        columns={columns}
        empty={<EmptyState title={isClosed ? t.dayIsClosed : t.noTillMoney} />}
      />
      {isPressed && uncounted && (
        <p role="alert" className="mt-2 mb-0 text-end text-13 font-medium text-danger">
          {t.countFirst}
        </p>
      )}
      {may && !isClosed && (
        <div className="mt-3 flex flex-wrap items-end gap-3">
          {differs && (
            <div className="min-w-60 flex-1">
              <Field id="reason" label={t.differenceReason} error={problemOf(write.error, 'reason', t.differenceReason)}>
                <TextInput maxLength={500} value={reason} onChange={setReason} />
              </Field>
            </div>
          )}
          <p className="m-0 ml-auto max-w-96 text-12 text-text-2">{t.closeHint}</p>
          <Button look="primary" icon={Lock} busy={write.isPending} onClick={close}>
            {t.closeDay}
          </Button>
        </div>
      )}
    </section>
  );
}

export const closingBody = (till: TillDay, typedOf: (line: Line) => string, reason: string): RawBody<'POST till/closings'> => ({
  branch_id: till.branch_id,
  day: till.day,
  counted: till.lines.map((line) => ({
    currency: line.currency,
    method: line.method,
    amount: typedOf(line) === '' ? '0' : (signedAmountOf(typedOf(line)) ?? typedOf(line)),
  })),
  reason: filled(reason),
});

/** What was counted less what the records say. */
function differenceOf(line: Line, typed: string): string | null {
  const amount = signedAmountOf(typed);
  return amount === undefined ? null : minus(amount, line.expected);
}

interface Counting {
  readonly counted: Readonly<Record<string, string>>;
  readonly setCounted: (counted: Readonly<Record<string, string>>) => void;
}

function useTillColumns(counting: Counting | null): readonly Column<Line>[] {
  const t = useTexts(receivablesTexts);
  const locale = useLocale();
  const counts: readonly Column<Line>[] =
    counting === null
      ? []
      : [
          {
            id: 'counted',
            head: t.counted,
            align: 'end',
            cell: (line) => (
              <TextInput
                id={nameOf(line)}
                aria-label={`${t.counted}: ${saleWord(locale, line.method)}, ${line.currency}`}
                // The keypads of phones have no minus.
                inputMode={line.expected.startsWith('-') ? 'text' : 'decimal'}
                autoComplete="off"
                className="tabular ml-auto w-32 text-end"
                value={counting.counted[nameOf(line)] ?? ''}
                onChange={(typed) => counting.setCounted({ ...counting.counted, [nameOf(line)]: typed })}
              />
            ),
          },
          {
            id: 'difference',
            head: t.difference,
            align: 'end',
            cell: (line) => {
              const typed = counting.counted[nameOf(line)] ?? '';
              const difference = differenceOf(line, typed);
              // Not yet counted is no difference to worry about.
              if (difference === null || typed.trim() === '') return <None />;
              return (
                <span className={cx('font-medium', difference === '0.00' ? 'text-live' : 'text-danger')}>
                  {isAbove(difference) && '+'}
                  <Money amount={difference} currency={line.currency} />
                </span>
              );
            },
          },
        ];
  const moved = (id: 'opening' | 'cash_in' | 'cash_out', head: string): Column<Line> => ({
    id,
    head,
    align: 'end',
    cell: (line) => {
      const amount = line[id] ?? '0.00';
      return amount === '0.00' ? <None /> : <Money amount={amount} currency={line.currency} />;
    },
  });
  return [
    { id: 'method', head: t.method, onCard: 'title', cell: ({ method }) => saleWord(locale, method) },
    { id: 'currency', head: t.currency, cell: ({ currency }) => currency },
    { id: 'count', head: t.records, align: 'end', onCard: 'hide', cell: ({ count }) => count },
    moved('opening', t.opening),
    moved('cash_in', t.cashIn),
    moved('cash_out', t.cashOut),
    {
      id: 'expected',
      head: t.expected,
      align: 'end',
      cell: ({ expected, currency }) => <Money amount={expected} currency={currency} />,
    },
    ...counts,
  ];
}
