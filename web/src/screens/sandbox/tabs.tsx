// The header of the sandbox's pages.
import type { ReactNode } from 'react';
import { useTexts } from '../../language.ts';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { TabLink, TabLinks } from '../../parts/page/tabs.tsx';
import { sandboxScreenTexts } from './texts.ts';

export function SandboxTabs({ actions }: { readonly actions?: ReactNode }) {
  const t = useTexts(sandboxScreenTexts);
  return (
    <>
      <PageHeader title={t.title} description={t.description} actions={actions} />
      <TabLinks label={t.title}>
        <TabLink to="/kontrol" activeOptions={{ exact: true }}>
          {t.overview}
        </TabLink>
        <TabLink to="/kontrol/mesajlar">{t.messages}</TabLink>
        <TabLink to="/kontrol/kurallar">{t.rules}</TabLink>
      </TabLinks>
    </>
  );
}
