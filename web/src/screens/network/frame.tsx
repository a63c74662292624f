import { Outlet } from '@tanstack/react-router';
import { useTexts } from '../../language.ts';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { TabLink, TabLinks } from '../../parts/page/tabs.tsx';
import { networkTexts } from './texts.ts';

/** The heading and tabs of everything between dealers. */
export function NetworkFrame() {
  const t = useTexts(networkTexts);
  return (
    <>
      <PageHeader title={t.title} description={t.description} />
      <TabLinks label={t.title}>
        <TabLink to="/ag" activeOptions={{ exact: true }}>
          {t.cars}
        </TabLink>
        <TabLink to="/ag/teklifler">{t.offers}</TabLink>
        <TabLink to="/ag/takas">{t.trades}</TabLink>
      </TabLinks>
      <Outlet />
    </>
  );
}
