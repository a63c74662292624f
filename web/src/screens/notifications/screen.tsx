// The dealer's notifications, and above them the platform's banners about keys.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { CheckCheck, CircleCheck, CircleDot } from 'lucide-react';
import { useState } from 'react';
import type { Notification } from '../../../../src/domain/notifications/notification.ts';
import { call, callPage, type Page } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { PanelLink } from '../../parts/page/panel-link.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterBar, FilterSelect } from '../../parts/table/filters.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { NoticeItem } from '../../records/documents/notice-item.tsx';
import { useNotices } from '../../records/notices.ts';
import { useUnread } from '../../records/unread-notifications.ts';
import { KINDS, placeOf } from './kinds.ts';
import { notificationsTexts } from './texts.ts';

interface NotificationSearch {
  readonly unread?: string;
  readonly kind?: string;
  readonly limit?: string;
  readonly offset?: string;
}

interface ListProps {
  readonly search: NotificationSearch;
  readonly onChange: (search: NotificationSearch) => void;
}

export function NotificationsScreen() {
  const t = useTexts(notificationsTexts);
  const search: NotificationSearch = useSearch({ from: '/shell/bildirimler' });
  const navigate = useNavigate({ from: '/bildirimler' });
  const go = (next: NotificationSearch) => navigate({ search: next });
  const list = useQuery({
    queryKey: ['notifications', search],
    queryFn: ({ signal }) => callPage('GET v1/notifications', { query: { ...search }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  return (
    <>
      <PageHeader title={t.title} description={t.description} actions={<ReadAll />} />
      <PlatformNotices />
      <ChoiceChips
        label={t.views}
        value={search.unread ?? ''}
        chips={[
          { value: '', label: t.all },
          { value: 'true', label: t.unread },
        ]}
        onChange={(unread) => go({ ...search, unread, offset: '' })}
      />
      <KindFilter search={search} onChange={go} />
      <Loaded query={list}>{(page) => <NotificationsTable page={page} search={search} onChange={go} />}</Loaded>
    </>
  );
}

/** Shows the banners here as part of the page. */
function PlatformNotices() {
  const t = useTexts(notificationsTexts);
  const notices = useNotices();
  if (notices.length === 0) return null;
  return (
    <section className="card mb-4 bg-live-bg p-3 text-live" aria-label={t.platform}>
      <h2 className="m-0 mb-2 text-13 font-semibold">{t.platform}</h2>
      <ul className="m-0 flex list-none flex-col gap-1.5 p-0 text-13">
        {notices.map((notice) => (
          <NoticeItem key={notice.id} notice={notice} />
        ))}
      </ul>
    </section>
  );
}

function KindFilter({ search, onChange }: ListProps) {
  const t = useTexts(notificationsTexts);
  const nameOf = (kind: string) => `${t.subjects[kind.split('.')[0]!]} · ${kind}`;
  const isFiltered = Boolean(search.kind || search.unread);
  return (
    <FilterBar onClear={isFiltered ? () => onChange(search.limit ? { limit: search.limit } : {}) : undefined}>
      <FilterSelect
        label={t.kind}
        none={t.anyKind}
        value={search.kind}
        options={KINDS.map((value) => ({ value: value as string, label: nameOf(value) }))}
        onChange={(kind) => onChange({ ...search, kind: kind ?? '', offset: '' })}
      />
    </FilterBar>
  );
}

function useReadAgain(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['notifications'] });
}

/** Marks notifications up to the newest one shown here; later ones stay unread. */
function ReadAll() {
  const t = useTexts(notificationsTexts);
  const may = useMay('notifications:write');
  const unread = useUnread();
  const again = useReadAgain();
  const [busy, setBusy] = useState(false);
  if (!may || unread.length === 0) return null;
  const run = async () => {
    setBusy(true);
    try {
      const before = new Date(Date.parse(unread[0]!.created_at) + 1).toISOString();
      const { updated } = await call('POST v1/notifications/read-all', { body: { before } });
      notify({ title: t.readDone(updated) });
    } catch (error) {
      notify({ title: t.failed, text: (error as Error).message, failed: true });
    } finally {
      await again();
      setBusy(false);
    }
  };
  return (
    <Button icon={CheckCheck} busy={busy} onClick={run}>
      {t.readAll}
    </Button>
  );
}

function NotificationsTable({ page, search, onChange }: ListProps & { readonly page: Page<Notification> }) {
  const t = useTexts(notificationsTexts);
  const may = useMay('notifications:write');
  const columns: readonly Column<Notification>[] = [
    { id: 'what', head: t.what, onCard: 'title', cell: (one) => <What notification={one} /> },
    {
      id: 'state',
      head: t.state,
      cell: ({ read_at }) =>
        read_at === null ? (
          <Badge tone="read" icon={CircleDot}>
            {t.isNew}
          </Badge>
        ) : (
          <Badge tone="soon" icon={CircleCheck}>
            {t.isRead}
          </Badge>
        ),
    },
    {
      id: 'kind',
      head: t.kind,
      cell: ({ kind }) => <span className="whitespace-nowrap">{t.subjects[kind.split('.')[0]!]}</span>,
    },
    { id: 'when', head: t.when, cell: ({ created_at }) => <DateTime at={created_at} show="relative" /> },
    ...(may
      ? [
          {
            id: 'read',
            head: t.read,
            headHidden: true,
            cell: (one) => <Read notification={one} />,
          } satisfies Column<Notification>,
        ]
      : []),
  ];
  return (
    <Table
      label={t.label}
      rows={page.items}
      rowKey={({ id }) => id}
      columns={columns}
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

function What({ notification: { title, body, read_at, resource_type, resource_id } }: { readonly notification: Notification }) {
  const place = placeOf(resource_type, resource_id);
  return (
    <span className="block max-w-[72ch] py-1">
      {place === null ? (
        <span className={cx('block', read_at === null && 'font-semibold')}>{title}</span>
      ) : (
        <PanelLink to={place} className={cx('link', read_at === null && 'font-semibold')}>
          {title}
        </PanelLink>
      )}
      <span className="block text-13 whitespace-pre-line text-text-2">{body}</span>
    </span>
  );
}

function Read({ notification: { id, title, read_at } }: { readonly notification: Notification }) {
  const t = useTexts(notificationsTexts);
  const again = useReadAgain();
  const [busy, setBusy] = useState(false);
  if (read_at !== null) return null;
  const run = async () => {
    setBusy(true);
    try {
      await call('POST v1/notifications/{notification_id}/read', { params: { notification_id: id } });
    } catch (error) {
      notify({ title: t.failed, text: (error as Error).message, failed: true });
    } finally {
      await again();
      setBusy(false);
    }
  };
  return (
    <Button look="quiet" busy={busy} aria-label={t.readOne(title)} onClick={run}>
      {t.read}
    </Button>
  );
}

function Nothing({ search, onChange }: ListProps) {
  const t = useTexts(notificationsTexts);
  const isFiltered = Boolean(search.kind || search.unread);
  return (
    <ListEmpty
      pastEnd={search.offset ? { title: t.lastPage, toFirst: () => onChange({ ...search, offset: '' }) } : undefined}
      noMatch={isFiltered && { title: t.noMatch, clear: () => onChange({}) }}
    >
      <EmptyState title={t.empty}>{t.emptyText}</EmptyState>
    </ListEmpty>
  );
}
