// People who asked about a car: a board by stage or a list, one of them in a drawer.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { EnquiryItem } from '../../../../src/domain/enquiries/enquiry-list.ts';
import {
  ENQUIRY_SOURCES,
  ENQUIRY_STAGES,
  type EnquiryStage,
  OPEN_STAGES,
} from '../../../../src/domain/enquiries/enquiry-states.ts';
import { callPage, type Page } from '../../api.ts';
import type { QueryOf } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterBar, FilterSelect } from '../../parts/table/filters.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime, Day, Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { enquiriesTexts } from '../../records/enquiries/enquiries-texts.ts';
import { useStaff } from '../../records/staff.ts';
import { EnquiryDrawer } from './drawer.tsx';
import { NewEnquiry } from './new.tsx';

type Search = Readonly<Partial<Record<'stage' | 'source' | 'owner_id' | 'gorunum' | 'limit' | 'offset' | 'aday', string>>>;

/** A board shows the newest of each stage; the list has all of them. */
const ON_BOARD = 100;

export function EnquiriesScreen() {
  const t = useTexts(enquiriesTexts);
  const search: Search = useSearch({ from: '/shell/adaylar' });
  const navigate = useNavigate({ from: '/adaylar' });
  const may = useMay('customers:write');
  const [isAdding, setAdding] = useState(false);
  const { aday, gorunum, ...filters } = search;
  const isList = gorunum === 'liste';
  const { source, owner_id, stage, limit, offset } = filters;
  const query: QueryOf<'GET enquiries'> = isList
    ? { source, owner_id, stage, limit, offset }
    : { source, owner_id, stage: 'open', limit: String(ON_BOARD) };
  const enquiries = useQuery({
    queryKey: ['enquiries', query],
    queryFn: ({ signal }) => callPage('GET enquiries', { query, signal }),
  });
  const go = (next: Search) => navigate({ search: next });
  return (
    <>
      <PageHeader
        title={t.title}
        description={t.description}
        actions={
          may && (
            <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
              {t.create}
            </Button>
          )
        }
      />
      <Filters search={search} onChange={go} />
      <Loaded query={enquiries} rows={8}>
        {(page) =>
          page.items.length === 0 ? (
            <EmptyState title={source || owner_id || stage ? t.noMatch : t.empty}>{t.emptyText}</EmptyState>
          ) : isList ? (
            <EnquiryTable page={page} search={search} onChange={go} />
          ) : (
            <Board items={page.items} search={search} />
          )
        }
      </Loaded>
      {isAdding && (
        <NewEnquiry
          onClose={(id) => {
            setAdding(false);
            if (id !== null) go({ ...search, aday: id });
          }}
        />
      )}
      {aday !== undefined && <EnquiryDrawer id={aday} onClose={() => go({ ...filters, ...(gorunum ? { gorunum } : {}) })} />}
    </>
  );
}

interface ListProps {
  readonly search: Search;
  readonly onChange: (search: Search) => void;
}

function Filters({ search, onChange }: ListProps) {
  const t = useTexts(enquiriesTexts);
  const staff = useStaff();
  const set = (changed: Search) => onChange({ ...search, ...changed, offset: '' });
  const isList = search.gorunum === 'liste';
  return (
    <>
      <ChoiceChips
        label={t.view}
        value={isList ? 'liste' : ''}
        chips={[
          { value: '', label: t.board },
          { value: 'liste', label: t.list },
        ]}
        onChange={(gorunum) => set({ gorunum, stage: '' })}
      />
      <FilterBar
        onClear={
          search.source || search.owner_id || search.stage ? () => set({ source: '', owner_id: '', stage: '' }) : undefined
        }
      >
        {isList && (
          <FilterSelect
            label={t.stageLabel}
            none={t.allStages}
            value={search.stage}
            options={[
              { value: 'open', label: t.open },
              ...ENQUIRY_STAGES.map((value) => ({ value: value as string, label: t.stages[value] })),
            ]}
            onChange={(stage) => set({ stage: stage ?? '' })}
          />
        )}
        <FilterSelect
          label={t.source}
          none={t.allSources}
          value={search.source}
          options={ENQUIRY_SOURCES.map((value) => ({ value: value as string, label: t.sources[value] }))}
          onChange={(source) => set({ source: source ?? '' })}
        />
        <FilterSelect
          label={t.owner}
          none={t.anyone}
          value={search.owner_id}
          options={staff
            .filter(({ id, active }) => active || id === search.owner_id)
            .map(({ id, full_name }) => ({ value: id, label: full_name }))}
          onChange={(owner_id) => set({ owner_id: owner_id ?? '' })}
        />
      </FilterBar>
    </>
  );
}

function Board({ items, search }: { readonly items: readonly EnquiryItem[]; readonly search: Search }) {
  const t = useTexts(enquiriesTexts);
  return (
    <div className="grid grid-cols-1 gap-3 md:grid-cols-2 xl:grid-cols-4">
      {OPEN_STAGES.map((stage) => (
        <Stage key={stage} stage={stage} items={items.filter((one) => one.stage === stage)} search={search} none={t.none} />
      ))}
    </div>
  );
}

interface StageProps {
  readonly stage: EnquiryStage;
  readonly items: readonly EnquiryItem[];
  readonly search: Search;
  readonly none: string;
}

function Stage({ stage, items, search, none }: StageProps) {
  const t = useTexts(enquiriesTexts);
  return (
    <section className="min-w-0" aria-label={t.stages[stage]}>
      <h2 className="m-0 mb-2 flex items-center justify-between text-14 font-semibold">
        {t.stages[stage]}
        <span className="tabular text-13 font-normal text-text-2">{items.length}</span>
      </h2>
      {items.length === 0 ? (
        <p className="m-0 rounded-card border border-dashed border-line px-3 py-4 text-center text-13 text-text-2">{none}</p>
      ) : (
        <ul className="m-0 flex list-none flex-col gap-2 p-0">
          {items.map((one) => (
            <li key={one.id}>
              <Card enquiry={one} search={search} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Card({ enquiry, search }: { readonly enquiry: EnquiryItem; readonly search: Search }) {
  const t = useTexts(enquiriesTexts);
  const { id, name, vehicle, offer, source, owner, next_step_on, last_activity_at } = enquiry;
  return (
    <Link
      to="/adaylar"
      search={{ ...search, aday: id }}
      className="card block p-3 text-text no-underline hover:border-line-strong"
    >
      <span className="block font-medium wrap-anywhere">{name ?? t.erased}</span>
      {vehicle && <span className="block text-13 text-text-2">{vehicle}</span>}
      {offer && (
        <span className="block text-13">
          {t.offer}: <Money amount={offer.amount} currency={offer.currency} />
        </span>
      )}
      <span className="mt-1 block text-12 text-text-2">
        {t.sources[source]} · {owner ?? t.noOwner}
      </span>
      <span className="block text-12 text-text-2">
        {next_step_on === null ? (
          <DateTime at={last_activity_at} show="relative" />
        ) : (
          <>
            {t.nextStep}: <Day day={next_step_on} />
          </>
        )}
      </span>
    </Link>
  );
}

function EnquiryTable({ page, search, onChange }: ListProps & { readonly page: Page<EnquiryItem> }) {
  const t = useTexts(enquiriesTexts);
  const columns: readonly Column<EnquiryItem>[] = [
    {
      id: 'name',
      head: t.name,
      onCard: 'title',
      cell: ({ id, name }) => (
        <Link to="/adaylar" search={{ ...search, aday: id }} className="link">
          {name ?? t.erased}
        </Link>
      ),
    },
    { id: 'phone', head: t.phone, cell: ({ phone }) => phone },
    { id: 'vehicle', head: t.vehicle, cell: ({ vehicle }) => vehicle },
    { id: 'stage', head: t.stageLabel, cell: ({ stage }) => t.stages[stage] },
    { id: 'source', head: t.source, cell: ({ source }) => t.sources[source], givesWay: 'second' },
    { id: 'owner', head: t.owner, cell: ({ owner }) => owner ?? t.noOwner, givesWay: 'second' },
    { id: 'step', head: t.nextStep, cell: ({ next_step_on }) => <Day day={next_step_on} />, givesWay: 'first' },
    { id: 'activity', head: t.activity, cell: ({ last_activity_at }) => <DateTime at={last_activity_at} /> },
  ];
  return (
    <Table
      label={t.title}
      rows={page.items}
      rowKey={({ id }) => id}
      columns={columns}
      onOpen={({ id }) => onChange({ ...search, aday: id })}
      isCurrent={({ id }) => id === search.aday}
      footer={
        <Pagination
          page={page}
          onMove={(offset) => onChange({ ...search, offset: String(offset) })}
          onLimit={(limit) => onChange({ ...search, limit, offset: '' })}
        />
      }
    />
  );
}
