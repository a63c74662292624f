// In the sandbox, over pages that an account has once: what is changed there is changed in live.
import { useLocation } from '@tanstack/react-router';
import { Info } from 'lucide-react';
import { useTexts } from '../language.ts';
import { shellTexts } from '../texts/shell.ts';

const OF_ACCOUNT = ['/api-anahtarlari', '/katalog', '/loglar', '/kullanim', '/ayarlar/oturumlar', '/ayarlar/guvenlik'];

export function AccountPageBanner() {
  const t = useTexts(shellTexts);
  const isOfAccount = useLocation({ select: ({ pathname }) => OF_ACCOUNT.some((place) => pathname.startsWith(place)) });
  if (!isOfAccount) return null;
  return (
    <p className="m-0 flex items-center gap-2 border-b border-line bg-write-bg px-4 py-1.5 text-13 text-write sm:px-6">
      <Info aria-hidden className="size-4 shrink-0" />
      {t.ofAccount}
    </p>
  );
}
