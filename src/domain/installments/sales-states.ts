// The fixed values of sales, plans, collections and promises. The panel in the browser imports them too.

export const SALE_STATUSES = ['Aktif', 'Tamamlandı', 'İptal'] as const;
export type SaleStatus = (typeof SALE_STATUSES)[number];

export const PAYMENT_TYPES = ['Peşin', 'Taksitli'] as const;
export type PaymentType = (typeof PAYMENT_TYPES)[number];

export const TITLE_STATUSES = ['Bekliyor', 'Yapıldı'] as const;
export type TitleStatus = (typeof TITLE_STATUSES)[number];

export const LEGAL_STAGES = ['Yok', 'İhtar', 'Avukatta', 'İcrada'] as const;
export type LegalStage = (typeof LEGAL_STAGES)[number];

/** What happens to a traded-in car when its sale is cancelled, and to a deposit when its reservation ends. */
export const DISPOSITIONS = ['iade', 'kalsın'] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

export const PERIODS = ['Aylık', '15 Günlük', 'Haftalık'] as const;
export type Period = (typeof PERIODS)[number];

/** Whole units of the currency. */
export const ROUND_TO = [1, 5, 10, 50, 100] as const;
export type RoundTo = (typeof ROUND_TO)[number];

export const MAX_INSTALLMENTS = 120;

export const INSTALLMENT_KINDS = ['Peşinat', 'Taksit', 'Ara Ödeme'] as const;
export type InstallmentKind = (typeof INSTALLMENT_KINDS)[number];

/** The kinds that a caller may give to an installment. */
export const CUSTOM_KINDS = ['Taksit', 'Ara Ödeme'] as const satisfies readonly InstallmentKind[];
export type CustomKind = (typeof CUSTOM_KINDS)[number];

export const INSTALLMENT_STATUSES = ['Bekliyor', 'Kısmi Ödendi', 'Ödendi', 'Yapılandırıldı', 'İptal'] as const;
export type InstallmentStatus = (typeof INSTALLMENT_STATUSES)[number];

export const COLLECTION_TYPES = ['Tahsilat', 'Kapora', 'Mahsup', 'İndirim', 'Ters Kayıt', 'İade'] as const;
export type CollectionType = (typeof COLLECTION_TYPES)[number];

export const COLLECTION_STATUSES = ['Geçerli', 'İptal Edildi'] as const;
export type CollectionStatus = (typeof COLLECTION_STATUSES)[number];

/** The methods that a caller may name. */
export const COLLECTION_METHODS = ['Nakit', 'Havale/EFT', 'Kredi Kartı', 'Çek', 'Senet', 'Güvenli Ödeme', 'Diğer'] as const;
export type CollectionMethod = (typeof COLLECTION_METHODS)[number];

/** The method of a deposit that became a payment: no money moved, so it is not in the till. */
export const OFFSET_METHOD = 'Mahsup';
export const ALL_METHODS = [...COLLECTION_METHODS, OFFSET_METHOD] as const;

export const DISCOUNT_REASONS = ['Erken Ödeme', 'Küsurat', 'Anlaşma', 'Silme'] as const;
export type DiscountReason = (typeof DISCOUNT_REASONS)[number];

export const DEPOSIT_STATUSES = ['Açık', 'Mahsup Edildi', 'İade Edildi', 'Gelir'] as const;
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

export const REVERSAL_CODES = ['Karşılıksız', 'Yanlış Kayıt', 'İade'] as const;
export type ReversalCode = (typeof REVERSAL_CODES)[number];

export const PROMISE_STATUSES = ['Bekliyor', 'Tutuldu', 'Tutulmadı', 'İptal'] as const;
export type PromiseStatus = (typeof PROMISE_STATUSES)[number];
