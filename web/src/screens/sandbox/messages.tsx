// Mail and messages of the sandbox, which are kept here and not sent.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Mail, MessageCircle, MessageSquare, Paperclip } from 'lucide-react';
import { callPage, type Page } from '../../api.ts';
import type { ItemOf } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterBar, FilterSelect, SearchInput } from '../../parts/table/filters.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { DateTime } from '../../parts/values.tsx';
import { textParts } from './message-text.ts';
import { SandboxTabs } from './tabs.tsx';
import { sandboxScreenTexts } from './texts.ts';

type Message = ItemOf<'GET world/messages'>;

interface MessageSearch {
  readonly kanal?: string | undefined;
  readonly alici?: string | undefined;
  readonly offset?: string | undefined;
}

const LIMIT = 25;
const CHANNELS = ['E-posta', 'WhatsApp', 'SMS'] as const;

export function MessagesScreen() {
  const t = useTexts(sandboxScreenTexts);
  const search: MessageSearch = useSearch({ from: '/shell/kontrol/mesajlar' });
  const navigate = useNavigate({ from: '/kontrol/mesajlar' });
  const go = (next: MessageSearch) => void navigate({ search: next });
  const { kanal = '', alici = '', offset } = search;
  const messages = useQuery({
    queryKey: ['world', 'messages', search],
    queryFn: ({ signal }) =>
      callPage('GET world/messages', { query: { channel: kanal, to: alici, offset, limit: LIMIT }, signal }),
    placeholderData: keepPreviousData,
  });
  const isFiltered = kanal !== '' || alici !== '';
  return (
    <>
      <SandboxTabs />
      <p className="mt-0 mb-4 max-w-[72ch] text-text-2">{t.messagesText}</p>
      <FilterBar onClear={isFiltered ? () => go({}) : undefined}>
        <SearchInput label={t.recipient} value={alici} onChange={(to) => go({ ...search, alici: to, offset: '' })} />
        <FilterSelect
          label={t.channel}
          none={t.anyChannel}
          value={kanal || undefined}
          options={CHANNELS.map((value) => ({ value: value as string, label: t.channels[value] ?? value }))}
          onChange={(channel) => go({ ...search, kanal: channel ?? '', offset: '' })}
        />
      </FilterBar>
      <Loaded query={messages}>
        {(page) => (
          <Messages
            page={page}
            isFiltered={isFiltered}
            onClear={() => go({})}
            onMove={(to) => go({ ...search, offset: String(to) })}
          />
        )}
      </Loaded>
    </>
  );
}

interface MessagesProps {
  readonly page: Page<Message>;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  readonly onMove: (offset: number) => void;
}

function Messages({ page, isFiltered, onClear, onMove }: MessagesProps) {
  const t = useTexts(sandboxScreenTexts);
  if (page.items.length === 0)
    return (
      <div className="card">
        <ListEmpty
          pastEnd={page.offset > 0 && { title: t.pastEnd, toFirst: () => onMove(0) }}
          noMatch={isFiltered && { title: t.noMatch, clear: onClear }}
        >
          <EmptyState title={t.noMessages}>{t.noMessagesText}</EmptyState>
        </ListEmpty>
      </div>
    );
  return (
    <div className="flex flex-col gap-3">
      <ul className="card m-0 list-none divide-y divide-line p-0">
        {page.items.map((message) => (
          <li key={message.id}>
            <MessageLine message={message} />
          </li>
        ))}
      </ul>
      <Pagination page={page} onMove={onMove} />
    </div>
  );
}

const ICONS = { 'E-posta': Mail, WhatsApp: MessageCircle, SMS: MessageSquare } as const;

function MessageLine({ message }: { readonly message: Message }) {
  const t = useTexts(sandboxScreenTexts);
  const { channel, to, subject, text, about, attachments, created_at } = message;
  return (
    <details className="group px-3">
      <summary className="flex min-h-[var(--row)] cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
        <Badge tone="read" icon={ICONS[channel]}>
          {t.channels[channel] ?? channel}
        </Badge>
        <span className="min-w-0 flex-1 basis-40 truncate font-medium group-open:whitespace-normal">
          {subject ?? text.split('\n')[0]}
        </span>
        <span className="min-w-0 text-13 text-text-2 wrap-anywhere">{to}</span>
        <span className="text-13 text-text-2">
          <DateTime at={created_at} />
        </span>
      </summary>
      <div className="flex flex-col gap-2 pb-3 text-13">
        <p className="m-0 text-text-2">
          {t.to}: {to}
          {about && ` · ${t.about[about.kind] ?? about.kind}`}
        </p>
        <p className="m-0 max-w-[80ch] rounded-control bg-subtle p-3 whitespace-pre-wrap wrap-anywhere">
          {textParts(text, location.origin).map(({ text: part, href }, place) =>
            href === null ? (
              part
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
              <a key={place} href={href} target="_blank" rel="noreferrer" className="link">
                {part}
              </a>
            ),
          )}
        </p>
        {attachments.length > 0 && (
          <p className="m-0 flex flex-wrap items-center gap-1.5 text-text-2">
            <Paperclip aria-hidden className="size-3.5 shrink-0" />
            {t.attachments(attachments.length)}: {attachments.map(({ name }) => name).join(', ')}
          </p>
        )}
      </div>
    </details>
  );
}
