import { Outlet, useNavigate } from '@tanstack/react-router';
import { HandCoins } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/overlay/dialog.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { TabLink, TabLinks } from '../../parts/page/tabs.tsx';
import { useMay } from '../../permissions.ts';
import { SalePicker } from '../../records/sales/sale-picker.tsx';
import { useRole, useSession } from '../../session.ts';
import { receivablesTexts } from './texts.ts';

/** The heading and tabs of every screen about what customers owe. */
export function ReceivablesFrame() {
  const t = useTexts(receivablesTexts);
  const [takes, setTakes] = useState(false);
  const mayTake = useMay('collections:write');
  const isSeller = useRole('sales');
  const seesTill = useRole('owner', 'finance');
  return (
    <>
      <PageHeader
        title={t.title}
        description={t.description}
        actions={
          mayTake && (
            <Button look="primary" icon={HandCoins} onClick={() => setTakes(true)}>
              {t.take}
            </Button>
          )
        }
      />
      <TabLinks label={t.title}>
        <TabLink to="/tahsilat" activeOptions={{ exact: true }}>
          {t.today}
        </TabLink>
        <TabLink to="/tahsilat/hatirlatmalar">{t.reminders}</TabLink>
        {!isSeller && <TabLink to="/tahsilat/yaslandirma">{t.aging}</TabLink>}
        <TabLink to="/tahsilat/takvim">{t.calendar}</TabLink>
        {!isSeller && <TabLink to="/tahsilat/nakit-akisi">{t.cashFlow}</TabLink>}
        {seesTill && <TabLink to="/tahsilat/kasa">{t.till}</TabLink>}
      </TabLinks>
      <Outlet />
      <TakeFrom open={takes} onClose={() => setTakes(false)} />
    </>
  );
}

/** A customer who pays early is not on the board: search for the sale, and its collection form opens. */
function TakeFrom({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const t = useTexts(receivablesTexts);
  const navigate = useNavigate();
  const { account } = useSession();
  const isSeller = useRole('sales');
  const begin = (saleId: string) => navigate({ to: '/satislar/$saleId', params: { saleId }, search: { tahsil: '1' } });
  return (
    <Dialog open={open} onClose={onClose} title={t.takeFrom}>
      <div className="pb-4">
        <SalePicker
          id="take_from"
          label={t.takeSale}
          only={{ status: 'Aktif', ...(isSeller && account?.member_id ? { salesperson_id: account.member_id } : {}) }}
          value=""
          onChange={begin}
        />
      </div>
    </Dialog>
  );
}
