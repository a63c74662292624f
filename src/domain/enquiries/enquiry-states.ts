// The fixed values of enquiries. The panel in the browser imports them too.

export const ENQUIRY_SOURCES = ['Vitrin', 'Pazar teklifi', 'Telefon', 'Walk-in'] as const;
export type EnquirySource = (typeof ENQUIRY_SOURCES)[number];

/** Of enquiries that people at the dealer enter. */
export const ENTERED_SOURCES = ['Telefon', 'Walk-in'] as const;

export const OPEN_STAGES = ['Yeni', 'Görüşüldü', 'Test sürüşü', 'Teklif'] as const;
export const ENQUIRY_STAGES = [...OPEN_STAGES, 'Kazanıldı', 'Kaybedildi'] as const;
export type EnquiryStage = (typeof ENQUIRY_STAGES)[number];

/** Won and lost are final; until then stages change in any order. */
export const isOpenStage = (stage: EnquiryStage): boolean => OPEN_STAGES.some((open) => open === stage);

export const ENTRY_KINDS = ['received', 'note', 'stage', 'owner', 'step', 'customer', 'sale', 'counter', 'erased'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Months without activity after which the personal data is erased. */
export const KEPT_MONTHS = 24;

/** From the forms of the showroom. */
export const MAX_MESSAGE = 500;
export const MAX_A_DAY = 50;
