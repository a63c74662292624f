// The fixed values of a wallet and its top-ups.

export const TRANSACTION_TYPES = ['Yükleme', 'Boost', 'Boost İadesi', 'Üyelik', 'Düzeltme'] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

export const TOPUP_METHODS = ['Havale/EFT', 'Kredi Kartı'] as const;

export const TOPUP_STATUSES = ['Beklemede', 'Onaylandı', 'Reddedildi'] as const;
export type TopupStatus = (typeof TOPUP_STATUSES)[number];

export const REFERENCE_TYPES = ['topup_request', 'boost_order', 'membership_invoice'] as const;
export type ReferenceType = (typeof REFERENCE_TYPES)[number];
