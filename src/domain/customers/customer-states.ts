// The fixed values of customers: kinds, risk levels and kinds of activity. The panel in the browser imports them too.

export const CUSTOMER_KINDS = ['Bireysel', 'Kurumsal'] as const;

export const RISK_LEVELS = ['low', 'medium', 'high', 'blocked'] as const;

export type RiskLevel = (typeof RISK_LEVELS)[number];

export const MANUAL_KINDS = ['Arama', 'SMS', 'WhatsApp', 'E-posta', 'Ziyaret', 'Not'] as const;

export const ACTIVITY_KINDS = [...MANUAL_KINDS, 'Sistem'] as const;

export const ACTIVITY_SOURCES = ['manual', 'system'] as const;
