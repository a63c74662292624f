import { texts } from '../../language.ts';

export const outlineTexts = texts({
  tr: {
    title: 'Kaporta durumu',
    states: { original: 'Orijinal', locally_painted: 'Lokal boyalı', painted: 'Boyalı', replaced: 'Değişen' },
    letters: { locally_painted: 'L', painted: 'B', replaced: 'D' },
    allOriginal: 'Boyalı ya da değişen parça yok.',
    none: 'Yok',
    damage: 'Tramer tutarı',
  },
  en: {
    title: 'Body condition',
    states: { original: 'Original', locally_painted: 'Locally painted', painted: 'Painted', replaced: 'Replaced' },
    letters: { locally_painted: 'L', painted: 'P', replaced: 'R' },
    allOriginal: 'No part is painted or replaced.',
    none: 'None',
    damage: 'Damage on record',
  },
});
