// The review before an endpoint is opened or closed: which keys gain or lose it, which stay refused, and who voted for it.
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Megaphone, OctagonMinus } from 'lucide-react';
import { slugOf } from '../../../../../src/domain/catalog/catalog.ts';
import type { HoldingKey } from '../../../../../src/domain/releases/release-effect.ts';
import type { Status } from '../../../../../src/kit/endpoint.ts';
import type { ReleaseView } from '../../../../../src/panel/admin/releases.ts';
import { ApiError, call } from '../../../api.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { EnvironmentBadge, MethodChip, RiskBadge, StatusBadge } from '../../../parts/badges.tsx';
import { Button } from '../../../parts/button.tsx';
import { Drawer } from '../../../parts/overlay/dialog.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { ErrorState, SkeletonRows } from '../../../parts/page/states.tsx';
import { DateTime } from '../../../parts/values.tsx';
import { partsTexts } from '../../../texts/parts.ts';
import { adminTexts } from '../texts.ts';

export function ReleaseDrawer({ slug, onClose }: { readonly slug: string | null; readonly onClose: () => void }) {
  const t = useTexts(adminTexts);
  const locale = useLocale();
  const row = useQuery({
    queryKey: ['admin', 'release', slug],
    queryFn: slug === null ? skipToken : ({ signal }) => call('GET admin/releases/{slug}', { params: { slug }, signal }),
  });
  return (
    <Drawer
      open={slug !== null}
      onClose={onClose}
      title={row.data?.name[locale] ?? t.endpoint}
      footer={row.data && <Flip endpoint={row.data} onClose={onClose} />}
    >
      {row.isError ? (
        <ErrorState error={row.error} onRetry={row.refetch} />
      ) : row.data ? (
        <Review endpoint={row.data} />
      ) : (
        <SkeletonRows rows={6} />
      )}
    </Drawer>
  );
}

function Flip({ endpoint, onClose }: { readonly endpoint: ReleaseView; readonly onClose: () => void }) {
  const t = useTexts(adminTexts);
  const p = useTexts(partsTexts);
  const client = useQueryClient();
  const target: Status = endpoint.status === 'Aktif' ? 'Yakında' : 'Aktif';
  const flip = useMutation({
    mutationFn: () => call('POST admin/releases/{slug}', { params: { slug: slugOf(endpoint.id) }, body: { status: target } }),
    onSuccess: ({ accounts }) => {
      notify({ title: target === 'Aktif' ? t.opened(endpoint.id) : t.closed(endpoint.id), text: t.notified(accounts) });
      onClose();
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['admin'] }),
        client.invalidateQueries({ queryKey: ['catalog'] }),
        client.invalidateQueries({ queryKey: ['notices'] }),
      ]),
  });
  const blocked = target === 'Aktif' && !endpoint.built;
  return (
    <>
      {flip.error && (
        <p role="alert" className="m-0 w-full text-13 font-medium text-danger">
          {flip.error instanceof ApiError ? flip.error.message : p.offline}
        </p>
      )}
      {blocked && (
        <p id="cannot-open" className="m-0 flex-1 self-center text-13 text-text-2">
          {t.cannotOpen}
        </p>
      )}
      <Button onClick={onClose}>{t.cancel}</Button>
      <Button
        look={target === 'Aktif' ? 'primary' : 'danger'}
        icon={target === 'Aktif' ? Megaphone : OctagonMinus}
        busy={flip.isPending}
        disabled={blocked}
        {...(blocked ? { 'aria-describedby': 'cannot-open' } : {})}
        onClick={() => flip.mutate()}
      >
        {target === 'Aktif' ? t.open : t.shut}
      </Button>
    </>
  );
}

function Review({ endpoint }: { readonly endpoint: ReleaseView }) {
  const t = useTexts(adminTexts);
  const open = endpoint.status === 'Aktif';
  const works = endpoint.holding.filter((key) => key.refused === null);
  const refused = endpoint.holding.filter((key) => key.refused !== null);
  const accounts = new Set(works.map((key) => key.account_id)).size;
  return (
    <div className="flex flex-col gap-4 pb-4">
      <p className="m-0 flex items-center gap-2">
        <MethodChip method={endpoint.method} />
        <span className="code min-w-0 text-13 wrap-anywhere">/api/v1/{endpoint.path}</span>
      </p>
      <p className="m-0 flex flex-wrap gap-2">
        <RiskBadge risk={endpoint.risk} />
        <StatusBadge status={endpoint.status} />
      </p>
      <p className="m-0 rounded-card bg-write-bg p-3 text-13 font-medium text-write">
        {open ? t.effectShut(works.length, accounts) : t.effectOpen(works.length, accounts)}
      </p>
      <KeyList title={open ? t.loses : t.gains} keys={works} endpoint={endpoint} />
      <KeyList title={t.staysRefused} keys={refused} endpoint={endpoint} />
      <section aria-labelledby="asks">
        <h3 id="asks" className="m-0 mb-2 text-14 font-semibold">
          {t.asks} ({endpoint.asks.length})
        </h3>
        {endpoint.asks.length === 0 && <p className="m-0 text-13 text-text-2">{t.noAsks}</p>}
        <ul className="m-0 flex list-none flex-col gap-2 p-0">
          {endpoint.asks.map((ask) => (
            <li key={ask.account_id} className="rounded-control border border-line p-2.5 text-13">
              <span className="flex flex-wrap justify-between gap-x-3">
                <AccountLink id={ask.account_id} name={ask.account} />
                <span className="text-12 text-text-2">
                  <DateTime at={ask.created_at} show="relative" />
                </span>
              </span>
              {ask.blocks_go_live && <span className="block font-medium text-write">{t.blocks}</span>}
              {ask.use_case && <span className="block whitespace-pre-line wrap-anywhere">{ask.use_case}</span>}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

interface KeyListProps {
  readonly title: string;
  readonly keys: readonly HoldingKey[];
  readonly endpoint: ReleaseView;
}

function KeyList({ title, keys, endpoint }: KeyListProps) {
  const t = useTexts(adminTexts);
  if (keys.length === 0) return null;
  return (
    <section>
      <h3 className="m-0 mb-2 flex flex-wrap items-center gap-2 text-14 font-semibold">
        {title} <RiskBadge risk={endpoint.risk} count={keys.length} />
      </h3>
      <ul className="m-0 flex max-h-72 list-none flex-col divide-y divide-line overflow-y-auto rounded-control border border-line p-0">
        {keys.map((key) => (
          <li key={key.id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 px-2.5 py-1.5 text-13">
            <span className="min-w-0">
              <span className="block font-medium wrap-anywhere">{key.name}</span>
              <AccountLink id={key.account_id} name={key.account} />
              {key.refused && <span className="block text-12 text-text-2">{t.refusals[key.refused] ?? key.refused}</span>}
            </span>
            <EnvironmentBadge environment={key.environment} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const AccountLink = ({ id, name }: { readonly id: string; readonly name: string }) => (
  <Link to="/yonetim/hesaplar/$accountId" params={{ accountId: id }} className="link wrap-anywhere">
    {name}
  </Link>
);
