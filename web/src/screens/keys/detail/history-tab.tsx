// Geçmiş: who changed this key, from where, with old and new values.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { KeyEvent } from '../../../../../src/panel/keys/keys.ts';
import { texts, useTexts } from '../../../language.ts';
import { EmptyState, ErrorState, SkeletonRows } from '../../../parts/page/states.tsx';
import { Pagination } from '../../../parts/table/pagination.tsx';
import { DateTime } from '../../../parts/values.tsx';
import { fieldTexts } from '../../../records/field-texts.ts';
import { useFormat } from '../../../session.ts';
import { historyQuery } from '../key-data.ts';

const route = getRouteApi('/shell/api-anahtarlari/$keyId/gecmis');

/** Beside the key's other words, which the form for a new key loads too. */
const historyTexts = texts({
  tr: {
    noHistory: 'Henüz kayıt yok.',
    denied: 'Reddedildi',
    actors: { cli: 'Komut satırı', panel: 'Panel', api_key: 'API anahtarı', system: 'Sistem' },
  },
  en: {
    noHistory: 'Nothing recorded yet.',
    denied: 'Denied',
    actors: { cli: 'Command line', panel: 'Panel', api_key: 'API key', system: 'System' },
  },
});

const actionTexts = texts({
  tr: {
    'key.created': 'Anahtar oluşturuldu',
    'key.changed': 'Ayarlar değiştirildi',
    'key.policy_changed': 'Kapsam değiştirildi',
    'key.agents_changed': 'Ajanların yapabilecekleri değiştirildi',
    'key.rotated': 'Yenilendi',
    'key.revoked': 'İptal edildi',
    'key.limited': 'Dakika limiti değiştirildi',
    'key.limit_requested': 'Limit artışı istendi',
  } as Readonly<Record<string, string>>,
  en: {
    'key.created': 'Key created',
    'key.changed': 'Settings changed',
    'key.policy_changed': 'Scope changed',
    'key.agents_changed': 'What agents may do changed',
    'key.rotated': 'Rotated',
    'key.revoked': 'Revoked',
    'key.limited': 'Limit per minute changed',
    'key.limit_requested': 'Higher limit requested',
  },
});

export function HistoryTab() {
  const t = useTexts(historyTexts);
  const { keyId } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const history = useQuery(historyQuery(keyId, Number(search.offset ?? 0)));
  if (history.data === undefined)
    return history.isError ? <ErrorState error={history.error} onRetry={history.refetch} /> : <SkeletonRows rows={4} />;
  const page = history.data;
  return (
    <div className="card">
      {page.items.length === 0 ? (
        <EmptyState title={t.noHistory} />
      ) : (
        <ol className="m-0 list-none divide-y divide-line p-0">
          {page.items.map((event) => (
            <Event key={event.id} event={event} />
          ))}
        </ol>
      )}
      {(page.hasMore || page.offset > 0) && (
        <div className="border-t border-line px-3 py-2">
          <Pagination
            page={page}
            onMove={(offset) => navigate({ to: '.', search: { offset: offset === 0 ? undefined : String(offset) } })}
          />
        </div>
      )}
    </div>
  );
}

function Event({ event }: { readonly event: KeyEvent }) {
  const t = useTexts(historyTexts);
  const actions: Readonly<Record<string, string>> = useTexts(actionTexts);
  const fieldNames: Readonly<Record<string, string>> = useTexts(fieldTexts);
  const { before, after } = event;
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <li className="px-4 py-3">
      <p className="m-0 flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">
          {actions[event.action] ?? event.action}
          {event.outcome === 'denied' && <span className="ml-2 text-12 text-danger">{t.denied}</span>}
        </span>
        <span className="text-13 text-text-2">
          <DateTime at={event.created_at} />
        </span>
      </p>
      <p className="m-0 text-13 text-text-2 wrap-anywhere">
        {event.actor} · {t.actors[event.actor_type]}
        {event.ip && (
          <>
            {' · '}
            <span className="code">{event.ip}</span>
          </>
        )}
      </p>
      {names.length > 0 && (
        <dl className="m-0 mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-12">
          {names.map((name) => (
            <div key={name} className="contents">
              <dt className="text-text-2">{fieldNames[name] ?? name}</dt>
              <dd className="m-0 wrap-anywhere">
                {before && name in before && (
                  <span className="mr-2 text-text-3 line-through">
                    <Value value={before[name]} />
                  </span>
                )}
                {after && name in after && <Value value={after[name]} />}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

function Value({ value }: { readonly value: unknown }) {
  const format = useFormat();
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return '—';
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'number') return format.number(value);
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return format.dateTime(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
