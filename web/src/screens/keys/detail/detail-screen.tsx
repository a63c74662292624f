// K4: one key. The tabs have their own addresses; rotating and revoking open over any of them.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useNavigate } from '@tanstack/react-router';
import { Ban, RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import type { KeyDetail } from '../../../../../src/panel/keys/key-views.ts';
import { texts, useTexts } from '../../../language.ts';
import { EnvironmentBadge, KeyStateBadge } from '../../../parts/badges.tsx';
import { Button, buttonLook } from '../../../parts/button.tsx';
import { PageHeader } from '../../../parts/page/page-header.tsx';
import { BackLink, RecordError } from '../../../parts/page/record.tsx';
import { Skeleton } from '../../../parts/page/states.tsx';
import { TabLink, TabLinks } from '../../../parts/page/tabs.tsx';
import { isTakenElsewhere } from '../../../parts/table/row-keys.ts';
import { keyQuery, useMayChange } from '../key-data.ts';
import { Warning } from '../key-parts.tsx';
import { keysTexts } from '../texts.ts';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDrawer } from './rotate-drawer.tsx';

const route = getRouteApi('/shell/api-anahtarlari/$keyId');
const TABS = ['genel', 'kapsam', 'trafik', 'loglar', 'gecmis', 'ajanlar'] as const;

export function KeyScreen() {
  const t = useTexts(keysTexts);
  const { keyId } = route.useParams();
  const key = useQuery(keyQuery(keyId));
  const above = <BackLink to="/api-anahtarlari">{t.backToList}</BackLink>;
  if (key.data === undefined)
    return key.isError ? (
      <RecordError
        error={key.error}
        onRetry={key.refetch}
        back={above}
        title={t.title}
        gone={{
          title: t.notFound,
          text: t.notFoundText,
          action: (
            <Link to="/api-anahtarlari" className={buttonLook('secondary')}>
              {t.toList}
            </Link>
          ),
        }}
      />
    ) : (
      <>
        <Skeleton className="mb-6 h-16 w-72" />
        <Skeleton className="mb-4 h-9 w-full" />
        <Skeleton className="h-96 w-full" />
      </>
    );
  return (
    <>
      <PageHeader
        title={key.data.name}
        description={
          <span className="code">
            {key.data.prefix}…{key.data.last_four}
          </span>
        }
        above={above}
        beside={
          <>
            <KeyStateBadge state={key.data.state} />
            <EnvironmentBadge environment={key.data.environment} />
          </>
        }
        actions={<Acts shown={key.data} />}
      />
      {key.data.state === 'revoked' && <Note text={t.revokedKey} />}
      {key.data.state === 'expired' && <Note text={t.expiredKey} />}
      <Tabs keyId={keyId} label={key.data.name} />
      <Outlet />
      <Layers shown={key.data} />
    </>
  );
}

function Note({ text }: { readonly text: string }) {
  return (
    <div className="mb-4">
      <Warning tone="soon">{text}</Warning>
    </div>
  );
}

/** Beside the key's other words, which the form for a new key loads too. */
const tabTexts = texts({ tr: { agents: 'Ajanlar' }, en: { agents: 'Agents' } });

/** 1–6 open the tabs. */
function Tabs({ keyId, label }: { readonly keyId: string; readonly label: string }) {
  const t = useTexts(keysTexts);
  const words = useTexts(tabTexts);
  const navigate = useNavigate();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const tab = TABS[Number(event.key) - 1];
      if (tab === undefined || event.defaultPrevented || isTakenElsewhere(event)) return;
      event.preventDefault();
      void navigate({ to: `/api-anahtarlari/$keyId/${tab}`, params: { keyId }, replace: true });
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [navigate, keyId]);
  return (
    <TabLinks label={label}>
      {TABS.map((tab) => (
        <TabLink key={tab} to={`/api-anahtarlari/$keyId/${tab}`} params={{ keyId }}>
          {tab === 'ajanlar' ? words.agents : t.tabs[tab]}
        </TabLink>
      ))}
    </TabLinks>
  );
}

function Acts({ shown }: { readonly shown: KeyDetail }) {
  const t = useTexts(keysTexts);
  const navigate = useNavigate();
  const { may } = useMayChange();
  if (!may || shown.state === 'revoked') return null;
  return (
    <>
      <Button icon={RefreshCw} onClick={() => navigate({ to: '.', search: { dondur: '1' }, resetScroll: false })}>
        {t.rotate}
      </Button>
      <Button icon={Ban} onClick={() => navigate({ to: '.', search: { iptal: '1' }, resetScroll: false })}>
        {t.revoke}
      </Button>
    </>
  );
}

function Layers({ shown }: { readonly shown: KeyDetail }) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const { may } = useMayChange();
  const close = () => navigate({ to: '.', search: {}, replace: true, resetScroll: false });
  if (!may) return null;
  return (
    <>
      <RotateDrawer shown={shown} open={search.dondur === '1'} onClose={close} />
      <RevokeDialog shown={shown} open={search.iptal === '1' && shown.state !== 'revoked'} onClose={close} />
    </>
  );
}
