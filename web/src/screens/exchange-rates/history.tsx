// The history of a pair as a chart and as a table. Pair and period are in the address.
import { ArrowDown, ArrowUp, Minus } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import type { Rate } from '../../../../src/domain/exchange-rates/rate-table.ts';
import { PAIRS, type Pair, type RateSource, sidesOf } from '../../../../src/domain/exchange-rates/rates.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Chart } from '../../parts/chart/chart.tsx';
import { Range } from '../../parts/input/range.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterBar, FilterSelect } from '../../parts/table/filters.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { Day, None } from '../../parts/values.tsx';
import { useFormat } from '../../session.ts';
import { isTooLong, pairOf, type RatesSearch, USUAL, useHistory } from './data.ts';
import { ratesTexts } from './texts.ts';

interface HistoryProps {
  readonly search: RatesSearch;
  readonly source: RateSource | undefined;
  readonly onChange: (part: RatesSearch) => void;
}

export function History({ search, source, onChange }: HistoryProps) {
  const t = useTexts(ratesTexts);
  const history = useHistory(search, source);
  const pair = pairOf(search);
  return (
    <section aria-label={t.history} className="mt-8">
      <h2 className="m-0 mb-3 text-16 font-semibold">{t.historyOf(pair)}</h2>
      <FilterBar>
        <FilterSelect
          label={t.pair}
          value={pair}
          options={PAIRS.map((value) => ({ value, label: value }))}
          onChange={(next) => onChange({ pair: next })}
        />
        <Range value={search} usual={USUAL} ranges={['30d', '90d', '365d']} onChange={onChange} />
      </FilterBar>
      {isTooLong(history.error) ? (
        <NoDays title={t.tooLong} onChange={onChange} />
      ) : (
        <Loaded query={history}>
          {(rates) =>
            rates.length === 0 ? (
              <NoDays title={t.noHistory} text={t.noHistoryText} onChange={onChange} />
            ) : (
              <div className="flex flex-col gap-4">
                <Course rates={rates} pair={pair} />
                <Days rates={rates} search={search} onChange={onChange} />
              </div>
            )
          }
        </Loaded>
      )}
    </section>
  );
}

interface NoDaysProps {
  readonly title: string;
  readonly text?: string;
  readonly onChange: (part: RatesSearch) => void;
}

function NoDays({ title, text, onChange }: NoDaysProps) {
  const t = useTexts(ratesTexts);
  return (
    <div className="card">
      <EmptyState
        title={title}
        action={<Button onClick={() => onChange({ range: '365d', from: undefined, to: undefined })}>{t.wider}</Button>}
      >
        {text}
      </EmptyState>
    </div>
  );
}

function Course({ rates, pair }: { readonly rates: readonly Rate[]; readonly pair: Pair }) {
  const t = useTexts(ratesTexts);
  const format = useFormat();
  // For drawing, a rate may become a floating-point number.
  const course = useMemo(() => {
    const oldestFirst = rates.toReversed();
    return {
      at: oldestFirst.map(({ rate_date }) => rate_date),
      series: [
        { name: t.buying, color: 'c2', values: oldestFirst.map(({ buying }) => Number(buying)) },
        { name: t.selling, color: 'c1', values: oldestFirst.map(({ selling }) => Number(selling)) },
      ] as const,
    };
  }, [rates, t]);
  const sold = course.series[1].values;
  const text = useCallback((value: number) => format.rate(value.toFixed(6), sidesOf(pair)[1]), [format, pair]);
  return (
    <div className="card min-w-0 p-4">
      <Chart
        label={t.historyOf(pair)}
        summary={t.summary(rates.length, text(Math.min(...sold)), text(Math.max(...sold)))}
        at={course.at}
        series={course.series}
        value={text}
        scale="near"
        hasTable
      />
    </div>
  );
}

const PER_PAGE = 25;

/** A day with its change since the previous bulletin. */
interface DayRow {
  readonly rate: Rate;
  readonly change: number | null;
}

function Days({ rates, search, onChange }: Omit<HistoryProps, 'source'> & { readonly rates: readonly Rate[] }) {
  const t = useTexts(ratesTexts);
  const format = useFormat();
  const start = Number(search.offset ?? 0);
  const offset = Number.isInteger(start) && start > 0 && start < rates.length ? start : 0;
  const rows: readonly DayRow[] = rates.slice(offset, offset + PER_PAGE).map((rate, index) => {
    const before = rates[offset + index + 1];
    return { rate, change: before === undefined ? null : Number(rate.selling) / Number(before.selling) - 1 };
  });
  const page = { items: rows, limit: PER_PAGE, offset, hasMore: offset + PER_PAGE < rates.length, total: rates.length };
  const columns: readonly Column<DayRow>[] = [
    { id: 'day', head: t.day, onCard: 'title', cell: ({ rate }) => <Day day={rate.rate_date} /> },
    { id: 'buying', head: t.buying, align: 'end', cell: ({ rate }) => format.rate(rate.buying, rate.quote) },
    { id: 'selling', head: t.selling, align: 'end', cell: ({ rate }) => format.rate(rate.selling, rate.quote) },
    { id: 'change', head: t.change, align: 'end', cell: ({ change }) => <Change share={change} /> },
    { id: 'number', head: t.number, align: 'end', onCard: 'hide', cell: ({ rate }) => rate.bulletin_no ?? <None /> },
  ];
  return (
    <Table
      label={t.history}
      rows={rows}
      rowKey={({ rate }) => rate.rate_date}
      columns={columns}
      slim
      footer={<Pagination page={page} onMove={(next) => onChange({ offset: next === 0 ? undefined : String(next) })} />}
    />
  );
}

/** Without colours, because a rise is neither good nor bad. */
function Change({ share }: { readonly share: number | null }) {
  const format = useFormat();
  if (share === null) return <None />;
  const Icon = share > 0 ? ArrowUp : share < 0 ? ArrowDown : Minus;
  return (
    <span className="inline-flex items-center justify-end gap-1 whitespace-nowrap">
      <Icon aria-hidden className="size-3.5 text-text-3" />
      {format.change(share)}
    </span>
  );
}
