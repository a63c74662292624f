import { texts } from '../../language.ts';

export const conditionTexts = texts({
  tr: {
    title: 'Kaporta durumu',
    partsHint: 'Parçaya her basışta durumu değişir: orijinal, lokal boyalı, boyalı, değişen.',
    isStated: 'Boyalı ve değişen parçaları belirt',
    isStatedHint: 'İşaretlenmezse durum hakkında bir şey söylenmemiş olur.',
    states: { original: 'Orijinal', locally_painted: 'Lokal boyalı', painted: 'Boyalı', replaced: 'Değişen' },
    tramer: 'Tramer tutarı',
    tramerHint: 'Kazasızsa 0 yazın; bilinmiyorsa boş bırakın.',
    tramerCurrency: 'Tramer para birimi',
    none: 'Yok',
  },
  en: {
    title: 'Body condition',
    partsHint: 'Each press on a part changes its state: original, locally painted, painted, replaced.',
    isStated: 'State which parts were painted or replaced',
    isStatedHint: 'If not ticked, the condition is not stated.',
    states: { original: 'Original', locally_painted: 'Locally painted', painted: 'Painted', replaced: 'Replaced' },
    tramer: 'Damage on record',
    tramerHint: 'Type 0 where there was none; leave it empty where it is not known.',
    tramerCurrency: 'Currency of the damage',
    none: 'None',
  },
});
