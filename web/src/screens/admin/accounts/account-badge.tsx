import { CircleCheck, CirclePause } from 'lucide-react';
import { useTexts } from '../../../language.ts';
import { Badge } from '../../../parts/badges.tsx';
import { adminTexts } from '../texts.ts';

export function AccountBadge({ status }: { readonly status: 'Aktif' | 'Askıda' }) {
  const t = useTexts(adminTexts);
  return status === 'Aktif' ? (
    <Badge tone="live" icon={CircleCheck}>
      {t.active}
    </Badge>
  ) : (
    <Badge tone="dest" icon={CirclePause}>
      {t.suspended}
    </Badge>
  );
}
