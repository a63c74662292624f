// The list of webhooks with their states.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { Webhook } from '../../../../src/domain/webhooks/webhook.ts';
import { useTexts } from '../../language.ts';
import { buttonLook } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { useShortcut } from '../../parts/table/row-keys.ts';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { useFormat } from '../../session.ts';
import { MAX_WEBHOOKS, WEBHOOK_STATUSES, webhooksQuery } from './data.ts';
import { webhooksTexts } from './texts.ts';
import { Events, WebhookBadge } from './webhook-parts.tsx';

export function WebhooksScreen() {
  const t = useTexts(webhooksTexts);
  const { status = '' } = useSearch({ from: '/shell/webhooks' });
  const navigate = useNavigate({ from: '/webhooks' });
  const may = useMay('webhooks:write');
  // There are at most ten, so one query returns all, and the counts by state.
  const webhooks = useQuery(webhooksQuery);
  const all = webhooks.data?.items;
  const isFull = (all?.length ?? 0) >= MAX_WEBHOOKS;
  useShortcut('c', () => may && !isFull && navigate({ to: '/webhooks/yeni' }));
  const chips = [
    { value: '', label: t.all, count: all?.length },
    ...WEBHOOK_STATUSES.map((value) => ({
      value: value as string,
      label: t.statuses[value],
      count: all?.filter((webhook) => webhook.status === value).length,
    })),
  ];
  const show = (next: string) => navigate({ search: next === '' ? {} : { status: next } });
  return (
    <>
      <PageHeader
        title={t.title}
        description={isFull && may ? t.limit(MAX_WEBHOOKS) : t.description}
        actions={may && !isFull && <CreateLink label={t.create} />}
      />
      <ChoiceChips label={t.views} value={status} chips={chips} onChange={show} />
      <Loaded query={webhooks} rows={4}>
        {({ items }) => (
          <WebhooksTable
            webhooks={status === '' ? items : items.filter((webhook) => webhook.status === status)}
            empty={<Nothing isFiltered={items.length > 0} onAll={() => show('')} />}
          />
        )}
      </Loaded>
    </>
  );
}

function CreateLink({ label }: { readonly label: string }) {
  return (
    <Link to="/webhooks/yeni" className={buttonLook('primary')}>
      <Plus aria-hidden className="size-4" />
      {label}
    </Link>
  );
}

function Nothing({ isFiltered, onAll }: { readonly isFiltered: boolean; readonly onAll: () => void }) {
  const t = useTexts(webhooksTexts);
  const may = useMay('webhooks:write');
  return (
    <ListEmpty noMatch={isFiltered && { title: t.noMatch, clear: onAll }}>
      <EmptyState title={t.empty} action={may && <CreateLink label={t.createFirst} />}>
        {t.emptyText}
      </EmptyState>
    </ListEmpty>
  );
}

function WebhooksTable({ webhooks, empty }: { readonly webhooks: readonly Webhook[]; readonly empty: React.ReactNode }) {
  const t = useTexts(webhooksTexts);
  const format = useFormat();
  const navigate = useNavigate();
  const columns: readonly Column<Webhook>[] = [
    {
      id: 'url',
      head: t.url,
      onCard: 'title',
      cell: ({ id, url, description }) => (
        <span className="block py-1">
          <Link
            to="/webhooks/$webhookId/teslimatlar"
            params={{ webhookId: id }}
            className="code font-medium wrap-anywhere text-text no-underline hover:underline"
          >
            {url}
          </Link>
          {description && <span className="block text-13 text-text-2">{description}</span>}
        </span>
      ),
    },
    { id: 'status', head: t.status, cell: ({ status }) => <WebhookBadge status={status} /> },
    { id: 'events', head: t.events, cell: ({ events }) => <Events events={events} /> },
    {
      id: 'failures',
      head: t.failures,
      align: 'end',
      cell: ({ consecutive_failures: n }) => <span className={n > 0 ? 'font-medium text-dest' : ''}>{format.number(n)}</span>,
    },
    {
      id: 'success',
      head: t.lastSuccess,
      cell: ({ last_success_at }) =>
        last_success_at === null ? (
          <span className="text-text-3">{t.never}</span>
        ) : (
          <DateTime at={last_success_at} show="relative" />
        ),
    },
  ];
  return (
    <Table
      label={t.label}
      rows={webhooks}
      rowKey={({ id }) => id}
      columns={columns}
      onOpen={({ id }) => navigate({ to: '/webhooks/$webhookId/teslimatlar', params: { webhookId: id } })}
      empty={empty}
    />
  );
}
