// The fixed words of boosts.

export const BOOST_KINDS = ['Vitrin', 'Üst Sıra', 'Acil'] as const;
export type BoostKind = (typeof BOOST_KINDS)[number];

export const BOOST_STATUSES = ['Beklemede', 'Aktif', 'Tamamlandı', 'İptal'] as const;
export type BoostStatus = (typeof BOOST_STATUSES)[number];
