// In the sandbox, over pages that an account has once: what is changed there is changed in live.
import { useLocation } from '@tanstack/react-router';
import { Info } from 'lucide-react';
import { texts, useTexts } from '../language.ts';

const bannerTexts = texts({
  tr: {
    ofAccount:
      'Bu sayfa hesabın kendisine aittir: canlı ve sandbox için aynıdır. Buradaki değişiklikler canlıda da geçerli olur.',
  },
  en: {
    ofAccount: 'This page belongs to the account and is the same in live and sandbox. Changes here apply to live too.',
  },
});

const OF_ACCOUNT = [
  '/api-anahtarlari',
  '/ajanlar',
  '/katalog',
  '/loglar',
  '/kullanim',
  '/ayarlar/oturumlar',
  '/ayarlar/guvenlik',
];

export function AccountPageBanner() {
  const t = useTexts(bannerTexts);
  const isOfAccount = useLocation({ select: ({ pathname }) => OF_ACCOUNT.some((place) => pathname.startsWith(place)) });
  if (!isOfAccount) return null;
  return (
    <p className="m-0 flex items-center gap-2 border-b border-line bg-write-bg px-4 py-1.5 text-13 text-write sm:px-6">
      <Info aria-hidden className="size-4 shrink-0" />
      {t.ofAccount}
    </p>
  );
}
