import type { DataOf } from '../../endpoints.ts';
import { walletWord } from '../../records/wallet-words.tsx';

export type BoostPackage = DataOf<'GET v1/account/capabilities'>['boost_packages'][number];

/** `Vitrin-7` as a person says it: «Vitrin, 7 gün». */
export function packageName(locale: 'tr' | 'en', code: string): string {
  const [, kind = code, days = ''] = /^(.*)-(\d+)$/.exec(code) ?? [];
  return `${walletWord(locale, kind)}, ${days} ${locale === 'tr' ? 'gün' : 'days'}`;
}
