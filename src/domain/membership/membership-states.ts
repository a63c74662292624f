// The fixed values of a membership and its limits.

export const PLANS = ['Başlangıç', 'Profesyonel', 'Kurumsal'] as const;
export const MEMBERSHIP_STATUSES = ['Deneme', 'Aktif', 'Gecikmiş', 'İptal'] as const;
export const INVOICE_STATUSES = ['Ödenmedi', 'Ödendi', 'İptal'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

export const LIMITS = ['vehicles', 'listings', 'staff', 'branches', 'api_keys', 'monthly_api_requests'] as const;
export type LimitName = (typeof LIMITS)[number];
