// Every paper that a dealer prints, as data: the template, its version, and the content. The caller compiles such a value and has
// it drawn (paper-drawing.ts); a template reads nothing else, so the same value always gives the same bytes.
import type { Currency } from '../../kit/money.ts';

/** `version` rises with every change of a template's text; a stored paper is drawn again with its own version. */
export const TEMPLATE_VERSION = 2;

export type Country = 'TR' | 'KKTC';

export interface PaperHead {
  /** The dealer as a party of the contract; a missing value is printed as an empty line. */
  readonly legal_name: string | null;
  /** The name on the shop. */
  readonly name: string;
  readonly address: string | null;
  readonly city: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  /** Absent in papers that were stored before dealers could enter them. */
  readonly tax_office?: string | null;
  readonly tax_no?: string | null;
  /** A PNG or JPEG. */
  readonly logo: Uint8Array | null;
}

/** A customer or guarantor. Null means not recorded and is printed as an empty line. */
export interface Party {
  readonly kind: 'Bireysel' | 'Kurumsal';
  /** A company's own name, otherwise first and last name. */
  readonly name: string;
  /** The person who signs for a company. */
  readonly representative: string | null;
  readonly id_no: string | null;
  readonly tax_office: string | null;
  readonly tax_no: string | null;
  readonly address: string | null;
  readonly phone: string | null;
}

/** Chassis and engine numbers are never shown: the contract has empty lines for them. */
export interface PaperVehicle {
  readonly brand: string;
  readonly model: string;
  readonly model_year: number | null;
  readonly plate: string | null;
  readonly color: string | null;
  readonly km: number | null;
  readonly fuel_type: string | null;
  readonly transmission: string | null;
}

/** An installment; 0 is the down payment. Amounts in minor units. */
export interface PaperInstallment {
  readonly seq: number;
  readonly kind: 'Peşinat' | 'Taksit' | 'Ara Ödeme';
  readonly due_date: string;
  readonly amount: bigint;
  readonly paid: bigint;
  readonly discounted: bigint;
}

/** Amounts in minor units of `currency`, percents in hundredths, days as YYYY-MM-DD. */
export interface PaperSale {
  readonly sale_no: string;
  readonly sale_date: string;
  readonly currency: Currency;
  readonly currency_exemption: string | null;
  readonly payment_type: 'Peşin' | 'Taksitli';
  readonly sale_price: bigint;
  readonly trade_in_amount: bigint;
  readonly trade_in_vehicle: PaperVehicle | null;
  readonly down_payment: bigint;
  readonly finance_charge: bigint;
  readonly total_receivable: bigint;
  readonly financed_amount: bigint;
  readonly collected_amount: bigint;
  readonly discounted_amount: bigint;
  readonly yearly_rate: number | null;
  readonly late_rate_yearly: number | null;
  readonly delivery_due_on: string | null;
  readonly delivered_at: string | null;
  /** Without installments that a restructuring reduced to zero. */
  readonly rows: readonly PaperInstallment[];
}

/** A signature on a screen: typed, or drawn as an SVG path on a field of `SIGNATURE_FIELD`. */
export type Signature = { readonly typed: string } | { readonly drawn: string };

export const SIGNATURE_FIELD = { width: 600, height: 200 } as const;

/** The evidence of a signature by link, on a page after the paper. */
export interface SigningEvidence {
  readonly document_id: string;
  /** Hash of the file before signing, in hex. */
  readonly sha256: string;
  readonly consent: string;
  readonly signers: readonly {
    readonly role: string;
    readonly name: string;
    /** Already in the account's time zone: `15.02.2026 14:03:21`. */
    readonly signed_at: string;
    /** Remote, witnessed on site, or recorded from outside. */
    readonly method: string;
    /** Each one-time code: when it was generated, where it was sent (masked) or which staff saw it. */
    readonly codes: readonly string[];
    readonly address: string;
    readonly user_agent: string | null;
    /** Absent in evidence from before signatures were asked for. */
    readonly signature?: Signature | null;
  }[];
}

/** The link in the paper's QR code. */
export interface PaperVerification {
  readonly code: string;
  readonly url: string;
}

interface Base {
  readonly version: number;
  readonly country: Country;
  readonly language: 'tr';
  /** The record's time, not the time of drawing. */
  readonly created_at: Date;
  /** The day printed on it, in the account's time zone. */
  readonly day: string;
  readonly head: PaperHead;
  /** The account's own clauses, printed after the built-in text. */
  readonly clauses: string | null;
  readonly verification: PaperVerification | null;
  /** Of a world: every page has «ÖRNEKTİR / SPECIMEN» across it. Absent on real papers, whose stored text must not change. */
  readonly specimen?: true;
}

interface OfSale extends Base {
  readonly customer: Party;
  readonly guarantors: readonly Party[];
  readonly vehicle: PaperVehicle;
  readonly sale: PaperSale;
  /** The version of the generated document: 1, 2, 3 for the same sale and template. */
  readonly document_version: number;
  readonly note: string | null;
  readonly evidence: SigningEvidence | null;
}

export interface SaleContract extends OfSale {
  readonly code: 'satis_sozlesmesi';
}
export interface PaymentPlanPaper extends OfSale {
  readonly code: 'odeme_plani';
  /** It replaces the plan in the contract. */
  readonly is_restructured: boolean;
}
export interface GuaranteePaper extends OfSale {
  readonly code: 'kefaletname';
}
export interface HandoverPaper extends OfSale {
  readonly code: 'teslim_tutanagi';
}
export interface ReleasePaper extends OfSale {
  readonly code: 'ibraname';
  /** The day of the last payment. */
  readonly completed_on: string;
}
export interface PrivacyNotice extends Base {
  readonly code: 'kvkk_aydinlatma';
  readonly customer: Party;
  readonly sale_no: string | null;
  readonly document_version: number;
  readonly evidence: SigningEvidence | null;
}

export interface PaperNote {
  readonly note_no: string;
  readonly payee_name: string;
  readonly amount: bigint;
  readonly currency: Currency;
  readonly issue_date: string;
  readonly issue_place: string;
  readonly due_date: string;
  readonly payment_place: string;
  readonly maker: Party;
  readonly guarantors: readonly Party[];
  /** Has «ÖRNEKTİR, ASLI YERİNE GEÇMEZ» across it. */
  readonly is_copy: boolean;
}

/** Three to an A4. */
export interface NotesPaper extends Base {
  readonly code: 'senet';
  readonly notes: readonly PaperNote[];
}

/** A list of notes that are handed to a bank or a lawyer. */
export interface NoteSlip extends Base {
  readonly code: 'senet_bordrosu';
  /** Bank or lawyer; null prints an empty line. */
  readonly handed_to: string | null;
  readonly purpose: 'Tahsile' | 'Teminata' | 'Avukata' | 'Devir' | null;
  readonly notes: readonly {
    readonly note_no: string;
    readonly maker: string;
    readonly sale_no: string;
    readonly due_date: string;
    readonly payment_place: string;
    readonly amount: bigint;
    readonly currency: Currency;
  }[];
}

export interface ReceiptInstallment {
  readonly seq: number;
  /** `3/12`, `Peşinat` */
  readonly label: string;
  readonly due_date: string;
  /** In the sale's currency. */
  readonly amount: bigint;
}

interface ReceiptBase extends Base {
  readonly size: '80mm' | 'A5';
  readonly receipt_no: string;
  readonly payer: string;
  readonly branch: string;
  readonly collected_by: string | null;
  /** As handed over, positive also for a refund. */
  readonly amount: bigint;
  readonly currency: Currency;
  readonly method: string;
  readonly reference: string | null;
  readonly instrument: { readonly bank: string; readonly number: string; readonly due_on: string } | null;
  readonly vehicle: PaperVehicle | null;
  readonly note: string | null;
  /** Has «İPTAL EDİLDİ» across it. */
  readonly is_reversed: boolean;
}
export interface ReceiptRate {
  readonly pair: string;
  /** As recorded: `64.500000` */
  readonly rate: string;
  readonly rate_date: string;
  readonly source: string;
  readonly applied: bigint;
  readonly sale_currency: Currency;
}
export interface Receipt extends ReceiptBase {
  readonly code: 'makbuz';
  readonly sale_no: string;
  readonly sale_currency: Currency;
  readonly rate: ReceiptRate | null;
  /** Part of the amount, in its currency. */
  readonly late_interest: bigint;
  readonly discount: bigint;
  readonly filled: readonly ReceiptInstallment[];
  readonly remaining: bigint;
  /** Open installments that were due before the filled ones, or before the receipt's day. */
  readonly open_earlier: readonly ReceiptInstallment[];
}
export interface DepositReceipt extends ReceiptBase {
  readonly code: 'kapora_makbuzu';
  readonly reserved_until: string | null;
}
export interface RefundReceipt extends ReceiptBase {
  readonly code: 'iade_makbuzu';
  readonly sale_no: string | null;
  readonly rate: ReceiptRate | null;
  /** The receipt of the refunded deposit. */
  readonly of_receipt_no: string | null;
}

export interface PaperStatement {
  readonly customer: Party;
  readonly currency: Currency;
  readonly from: string;
  readonly to: string;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly lines: readonly {
    readonly day: string;
    readonly sale_no: string;
    readonly what: string;
    readonly debit: bigint;
    readonly credit: bigint;
    readonly balance: bigint;
  }[];
  readonly not_due: bigint;
  readonly open_deposit: bigint;
  readonly late_interest: bigint;
  /** As of `day`. */
  readonly aging: {
    readonly not_due: bigint;
    readonly d1_30: bigint;
    readonly d31_60: bigint;
    readonly d61_90: bigint;
    readonly d91: bigint;
  };
}

/** Each statement begins on its own page. */
export interface StatementPaper extends Base {
  readonly code: 'hesap_ekstresi';
  readonly statements: readonly PaperStatement[];
}

/** One letter for each recipient, each on its own pages. */
export interface NoticeLetter extends Base {
  readonly code: 'ihtar_mektubu';
  readonly customer: Party;
  readonly guarantors: readonly Party[];
  readonly vehicle: PaperVehicle;
  readonly sale_no: string;
  readonly sale_date: string;
  readonly currency: Currency;
  readonly late_rate_yearly: number | null;
  readonly rows: readonly {
    readonly label: string;
    readonly due_date: string;
    readonly days_overdue: number;
    readonly remaining: bigint;
    readonly late_interest: bigint;
  }[];
  /** The payment deadline. */
  readonly deadline: string;
}

export interface TillPaper extends Base {
  readonly code: 'kasa_kapanisi';
  readonly branch: string;
  readonly closed_through_before: string | null;
  readonly closed_by: string;
  /** In the account's time zone: `15.02.2026 18:30` */
  readonly closed_at: string;
  readonly reason: string | null;
  readonly reopened: { readonly by: string; readonly at: string; readonly reason: string } | null;
  readonly lines: readonly {
    readonly currency: Currency;
    readonly method: string;
    readonly count: number;
    /** Null in a closing of an earlier version, which carried nothing over. */
    readonly moved: { readonly opening: bigint; readonly cash_in: bigint; readonly cash_out: bigint } | null;
    readonly expected: bigint;
    readonly counted: bigint;
  }[];
}

/** A report for the requested period; its texts are already in the reader's language. */
export interface ReportPaper extends Base {
  readonly code: 'rapor';
  readonly title: string;
  readonly span: { readonly from: string; readonly to: string } | null;
  /** Has «GİZLİ» across it. */
  readonly is_confidential: boolean;
  readonly tables: readonly {
    readonly title: string;
    readonly columns: readonly { readonly title: string; readonly isText: boolean }[];
    readonly rows: readonly (readonly string[])[];
  }[];
}

/** A car as a paper shows it to a customer: no plate, no cost. */
export interface OfferedCar {
  readonly brand: string;
  readonly model: string;
  readonly trim: string | null;
  readonly model_year: number;
  readonly km: number;
  readonly fuel_type: string;
  readonly transmission: string;
  readonly body_type: string;
  readonly color: string;
  readonly price: bigint;
  readonly currency: Currency;
  readonly engine_cc: number | null;
  readonly power_hp: number | null;
  readonly drive: string | null;
  readonly steering: string | null;
  readonly doors: number | null;
  readonly seats: number | null;
  readonly owners: number | null;
  readonly inspection_until: string | null;
  readonly warranty: string | null;
  readonly equipment: readonly string[];
  readonly condition: {
    readonly painted: readonly string[];
    readonly locally_painted: readonly string[];
    readonly replaced: readonly string[];
    /** `12.000,00 TL` */
    readonly tramer: string | null;
  } | null;
}

export interface CarPaper extends Base {
  /** The language of its words. */
  readonly words: 'tr' | 'en';
  readonly car: OfferedCar;
  /** In the QR code: a message to the dealer. */
  readonly contact_url: string | null;
}

export interface WindowSticker extends CarPaper {
  readonly code: 'vitrin_etiketi';
  readonly size: 'A4' | 'A5';
}

export interface CarOffer extends CarPaper {
  readonly code: 'teklif';
  readonly customer: string | null;
  readonly price: bigint;
  readonly down_payment: bigint;
  readonly finance_charge: bigint;
  /** Empty for cash. */
  readonly rows: readonly { readonly due_date: string; readonly amount: bigint }[];
  readonly valid_until: string;
}

export type Paper =
  | SaleContract
  | PaymentPlanPaper
  | GuaranteePaper
  | HandoverPaper
  | ReleasePaper
  | PrivacyNotice
  | NotesPaper
  | NoteSlip
  | Receipt
  | DepositReceipt
  | RefundReceipt
  | StatementPaper
  | NoticeLetter
  | TillPaper
  | ReportPaper
  | WindowSticker
  | CarOffer;

export type PaperCode = Paper['code'];

export const TEMPLATE_NAMES: Readonly<Record<PaperCode, string>> = {
  satis_sozlesmesi: 'Satış sözleşmesi',
  odeme_plani: 'Ödeme planı',
  kefaletname: 'Kefaletname',
  teslim_tutanagi: 'Teslim tutanağı',
  senet: 'Senet',
  ibraname: 'İbraname',
  kvkk_aydinlatma: 'KVKK aydınlatma metni',
  makbuz: 'Tahsilat makbuzu',
  kapora_makbuzu: 'Kapora makbuzu',
  iade_makbuzu: 'İade makbuzu',
  hesap_ekstresi: 'Hesap ekstresi',
  ihtar_mektubu: 'İhtar mektubu',
  senet_bordrosu: 'Senet bordrosu',
  kasa_kapanisi: 'Kasa kapanışı',
  rapor: 'Rapor',
  vitrin_etiketi: 'Vitrin etiketi',
  teklif: 'Teklif',
};

/** A paper as text, to be stored (sealed, because it contains personal data) and drawn again, including the logo. */
export const paperText = (paper: Paper): string =>
  JSON.stringify(paper, function (this: Readonly<Record<string, unknown>>, key, value: unknown) {
    // Times and buffers arrive here already as their JSON text.
    const original = this[key];
    if (original instanceof Date) return { $time: value };
    if (original instanceof Uint8Array) return { $bytes: Buffer.from(original).toString('base64') };
    return typeof original === 'bigint' ? { $minor: original.toString() } : value;
  });

export const readPaperText = (text: string): Paper =>
  JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('$minor' in value) return BigInt(value.$minor as string);
    if ('$bytes' in value) return new Uint8Array(Buffer.from(value.$bytes as string, 'base64'));
    return '$time' in value ? new Date(value.$time as string) : value;
  }) as Paper;
