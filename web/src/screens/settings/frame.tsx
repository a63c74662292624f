// The frame of all settings screens: heading and tabs. Tabs for owners are shown only to them.
import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTexts } from '../../language.ts';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { TabLink, TabLinks } from '../../parts/page/tabs.tsx';
import { useRole, useSession } from '../../session.ts';
import { settingsTexts } from './texts.ts';

/** Whether the person may read what an owner may: an owner, or an administrator who views the account. */
export function useOwnersView(): boolean {
  const owner = useRole('owner');
  return useSession().look || owner;
}

interface FrameProps {
  readonly title: string;
  readonly description: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function SettingsFrame({ title, description, actions, children }: FrameProps) {
  const t = useTexts(settingsTexts);
  const owner = useOwnersView();
  return (
    <>
      <PageHeader title={title} description={description} actions={actions} />
      <TabLinks label={t.settings}>
        {owner && <TabLink to="/ayarlar/hesap">{t.tabs.account}</TabLink>}
        {owner && <TabLink to="/ayarlar/evrak">{t.tabs.paper}</TabLink>}
        {owner && <TabLink to="/ayarlar/vitrin">{t.tabs.showroom}</TabLink>}
        {owner && <TabLink to="/ayarlar/banka-hesaplari">{t.tabs.bankAccounts}</TabLink>}
        <TabLink to="/ayarlar/tercihler">{t.tabs.preferences}</TabLink>
        <TabLink to="/ayarlar/guvenlik">{t.tabs.security}</TabLink>
        <TabLink to="/ayarlar/oturumlar">{t.tabs.sessions}</TabLink>
        {owner && <TabLink to="/ayarlar/denetim">{t.tabs.audit}</TabLink>}
      </TabLinks>
      {children}
    </>
  );
}

/** `/ayarlar` redirects to the first tab that the person may open. */
export function FirstSettings() {
  return <Navigate to={useOwnersView() ? '/ayarlar/hesap' : '/ayarlar/tercihler'} replace />;
}

interface PanelProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly children: ReactNode;
}

/** A section of a form; its heading is beside the fields where there is space. */
export function FormPart({ title, text, children }: PanelProps) {
  return (
    <section className="card grid gap-4 p-4 lg:grid-cols-[220px_minmax(0,1fr)] lg:gap-8 lg:p-5">
      <div>
        <h2 className="m-0 text-14 font-semibold">{title}</h2>
        {text && <p className="mt-1 mb-0 text-13 text-text-2">{text}</p>}
      </div>
      <div className="max-w-[640px] min-w-0">{children}</div>
    </section>
  );
}
