import { Outlet } from '@tanstack/react-router';
import { useTexts } from '../../language.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { TabLink, TabLinks } from '../../parts/tabs.tsx';
import { receivablesTexts } from './texts.ts';

/** The heading and tabs of every screen about what customers owe. */
export function ReceivablesFrame() {
  const t = useTexts(receivablesTexts);
  return (
    <>
      <PageHeader title={t.title} description={t.description} />
      <TabLinks label={t.title}>
        <TabLink to="/tahsilat" activeOptions={{ exact: true }}>
          {t.today}
        </TabLink>
        <TabLink to="/tahsilat/hatirlatmalar">{t.reminders}</TabLink>
        <TabLink to="/tahsilat/yaslandirma">{t.aging}</TabLink>
        <TabLink to="/tahsilat/takvim">{t.calendar}</TabLink>
        <TabLink to="/tahsilat/nakit-akisi">{t.cashFlow}</TabLink>
        <TabLink to="/tahsilat/kasa">{t.till}</TabLink>
      </TabLinks>
      <Outlet />
    </>
  );
}
