// Badges for the states of sales, plan installments and promises.
import { Ban, CheckCheck, CircleCheck, CircleX, Clock, type LucideIcon, RefreshCw, Signature, TriangleAlert } from 'lucide-react';
import type { InstallmentStatus, PromiseStatus, SaleStatus } from '../../../../src/domain/installments/sales-states.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { saleTexts, saleWord } from './sale-texts.ts';

type Look = { readonly tone: 'read' | 'write' | 'dest' | 'live' | 'soon'; readonly icon: LucideIcon };

const SALES: Readonly<Record<SaleStatus, Look>> = {
  Aktif: { tone: 'read', icon: Signature },
  Tamamlandı: { tone: 'live', icon: CheckCheck },
  İptal: { tone: 'soon', icon: Ban },
};

export function SaleStatusBadge({ status }: { readonly status: SaleStatus }) {
  return <Badge {...SALES[status]}>{saleWord(useLocale(), status)}</Badge>;
}

const ROWS: Readonly<Record<InstallmentStatus, Look>> = {
  Bekliyor: { tone: 'soon', icon: Clock },
  'Kısmi Ödendi': { tone: 'write', icon: Clock },
  Ödendi: { tone: 'live', icon: CircleCheck },
  Yapılandırıldı: { tone: 'soon', icon: RefreshCw },
  İptal: { tone: 'soon', icon: Ban },
};

/** Overdue is no state of an installment, but it is what one looks for. */
export function InstallmentBadge(row: { readonly status: InstallmentStatus; readonly days_overdue: number }) {
  const t = useTexts(saleTexts);
  const locale = useLocale();
  if (row.days_overdue > 0)
    return (
      <Badge tone="dest" icon={TriangleAlert}>
        {t.overdueDays(row.days_overdue)}
      </Badge>
    );
  return <Badge {...ROWS[row.status]}>{saleWord(locale, row.status)}</Badge>;
}

const PROMISES: Readonly<Record<PromiseStatus, Look>> = {
  Bekliyor: { tone: 'write', icon: Clock },
  Tutuldu: { tone: 'live', icon: CircleCheck },
  Tutulmadı: { tone: 'dest', icon: CircleX },
  İptal: { tone: 'soon', icon: Ban },
};

export function PromiseBadge({ status }: { readonly status: PromiseStatus }) {
  return <Badge {...PROMISES[status]}>{saleWord(useLocale(), status)}</Badge>;
}
