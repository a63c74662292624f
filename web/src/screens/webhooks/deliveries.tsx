// The deliveries of a webhook, updated live; one opens in a drawer.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate, useParams } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { Delivery } from '../../../../src/domain/webhooks/webhook-delivery.ts';
import { EVENT_KINDS } from '../../../../src/domain/writes/event-kinds.ts';
import { call, type Page } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { Switch } from '../../parts/input/choices.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterBar, FilterSelect } from '../../parts/table/filters.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime, None } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { useFormat } from '../../session.ts';
import { DELIVERY_STATUSES, type DeliverySearch, deliveriesQuery, useWebhooksChanged, webhookQuery } from './data.ts';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { useDeliveriesLive } from './live.ts';
import { webhooksTexts } from './texts.ts';
import { Answer, DeliveryBadge } from './webhook-parts.tsx';

const route = getRouteApi('/shell/webhooks/$webhookId/teslimatlar');

interface Address extends DeliverySearch {
  readonly teslimat?: string;
}

export function DeliveriesTab() {
  const t = useTexts(webhooksTexts);
  const { webhookId } = useParams({ from: '/shell/webhooks/$webhookId' });
  const search: Address = route.useSearch();
  const navigate = useNavigate({ from: '/webhooks/$webhookId/teslimatlar' });
  const [isLive, setLive] = useState(true);
  const { teslimat, ...filters } = search;
  const everyMs = useDeliveriesLive(webhookId, isLive);
  const deliveries = useQuery(deliveriesQuery(webhookId, filters, everyMs));
  const go = (next: Address) => navigate({ search: next });
  const set = (changed: DeliverySearch) => go({ ...filters, ...changed, offset: '' });
  const isFiltered = Boolean(filters.status || filters.event_type);
  return (
    <>
      <ChoiceChips
        label={t.status}
        value={filters.status ?? ''}
        chips={[
          { value: '', label: t.all },
          ...DELIVERY_STATUSES.map((value) => ({ value: value as string, label: t.deliveryStatuses[value] })),
        ]}
        onChange={(status) => set({ status })}
      />
      <FilterBar
        onClear={isFiltered ? () => go(filters.limit ? { limit: filters.limit } : {}) : undefined}
        actions={<Switch label={t.live} checked={isLive} onChange={setLive} />}
      >
        <FilterSelect
          label={t.kind}
          none={t.anyKind}
          value={filters.event_type}
          options={EVENT_KINDS.map((value) => ({ value, label: value }))}
          onChange={(event_type) => set({ event_type: event_type ?? '' })}
        />
        <RetryAll webhookId={webhookId} deliveries={deliveries.data?.items ?? []} isAsked={filters.status === 'Başarısız'} />
      </FilterBar>
      <Loaded query={deliveries}>
        {(page) => <DeliveriesTable page={page} webhookId={webhookId} search={filters} current={teslimat} onChange={go} />}
      </Loaded>
      <DeliveryDrawer webhookId={webhookId} id={teslimat} onClose={() => go(filters)} />
    </>
  );
}

/** Retries all failed deliveries of the page, for example after an outage. */
function RetryAll(props: { readonly webhookId: string; readonly deliveries: readonly Delivery[]; readonly isAsked: boolean }) {
  const { webhookId, deliveries, isAsked } = props;
  const t = useTexts(webhooksTexts);
  const may = useMay('webhooks:write');
  const webhook = useQuery(webhookQuery(webhookId));
  const changed = useWebhooksChanged();
  const [busy, setBusy] = useState(false);
  const failed = deliveries.filter(({ status }) => status === 'Başarısız');
  if (!isAsked || !may || failed.length === 0 || webhook.data?.status !== 'Aktif') return null;
  const run = async () => {
    setBusy(true);
    let sent = 0;
    try {
      for (const { id } of failed) {
        await call('POST v1/webhooks/{webhook_id}/deliveries/{delivery_id}/retry', {
          params: { webhook_id: webhookId, delivery_id: id },
        });
        sent += 1;
      }
      notify({ title: t.retriedAll(sent) });
    } catch (error) {
      notify({ title: t.failed, text: (error as Error).message, failed: true });
    } finally {
      await changed();
      setBusy(false);
    }
  };
  return (
    <Button icon={RotateCw} busy={busy} onClick={run}>
      {t.retryAll(failed.length)}
    </Button>
  );
}

interface DeliveriesTableProps {
  readonly page: Page<Delivery>;
  readonly webhookId: string;
  readonly search: DeliverySearch;
  readonly current: string | undefined;
  readonly onChange: (search: Address) => void;
}

function DeliveriesTable({ page, webhookId, search, current, onChange }: DeliveriesTableProps) {
  const t = useTexts(webhooksTexts);
  const format = useFormat();
  const columns: readonly Column<Delivery>[] = [
    {
      id: 'kind',
      head: t.kind,
      onCard: 'title',
      cell: ({ id, event_type }) => (
        <Link
          to="/webhooks/$webhookId/teslimatlar"
          params={{ webhookId }}
          search={{ ...search, teslimat: id }}
          className="code font-medium text-text no-underline hover:underline"
        >
          {event_type}
        </Link>
      ),
    },
    { id: 'status', head: t.status, cell: ({ status }) => <DeliveryBadge status={status} /> },
    { id: 'answer', head: t.answer, cell: (delivery) => <Answer delivery={delivery} /> },
    { id: 'attempts', head: t.attempts, align: 'end', cell: ({ attempt_count }) => format.number(attempt_count) },
    {
      id: 'duration',
      head: t.duration,
      align: 'end',
      cell: ({ duration_ms }) => (duration_ms === null ? <None /> : format.milliseconds(duration_ms)),
    },
    { id: 'when', head: t.when, cell: ({ created_at }) => <DateTime at={created_at} show="relative" /> },
    { id: 'next', head: t.next, cell: ({ next_attempt_at }) => <DateTime at={next_attempt_at} /> },
  ];
  return (
    <Table
      label={t.deliveries}
      rows={page.items}
      rowKey={({ id }) => id}
      columns={columns}
      onOpen={({ id }) => onChange({ ...search, teslimat: id })}
      isCurrent={({ id }) => id === current}
      empty={<Nothing search={search} onChange={onChange} />}
      footer={
        <Pagination
          page={page}
          onMove={(offset) => onChange({ ...search, offset: offset === 0 ? '' : String(offset) })}
          onLimit={(limit) => onChange({ ...search, limit, offset: '' })}
        />
      }
    />
  );
}

function Nothing({ search, onChange }: Pick<DeliveriesTableProps, 'search' | 'onChange'>) {
  const t = useTexts(webhooksTexts);
  const isFiltered = Boolean(search.status || search.event_type);
  return (
    <ListEmpty
      pastEnd={search.offset ? { title: t.lastPage, toFirst: () => onChange({ ...search, offset: '' }) } : undefined}
      noMatch={isFiltered && { title: t.noDeliveryMatch, clear: () => onChange({}) }}
    >
      <EmptyState title={t.noDeliveries}>{t.noDeliveriesText}</EmptyState>
    </ListEmpty>
  );
}
