import { Outlet } from '@tanstack/react-router';
import { useTexts } from '../../language.ts';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { TabLink, TabLinks } from '../../parts/page/tabs.tsx';
import { auctionsTexts } from './texts.ts';

/** The heading and tabs of everything that is sold by bids. */
export function AuctionsFrame() {
  const t = useTexts(auctionsTexts);
  return (
    <>
      <PageHeader title={t.title} description={t.description} />
      <TabLinks label={t.title}>
        <TabLink to="/muzayede" activeOptions={{ exact: true }}>
          {t.live}
        </TabLink>
        <TabLink to="/muzayede/ag">{t.network}</TabLink>
        <TabLink to="/muzayede/talepler">{t.requests}</TabLink>
      </TabLinks>
      <Outlet />
    </>
  );
}
