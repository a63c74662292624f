// The actions on a sale as plain requests, and the state on which the service's arithmetic and the reference must agree.
import type { CustomKind, DiscountReason, Disposition, Period, RoundTo } from '../../src/domain/installments/sales-states.ts';
import type { Currency } from '../../src/kit/money.ts';

export interface Split {
  readonly installment_count: number;
  readonly period: Period;
  readonly round_to: RoundTo | undefined;
}
export interface OwnInstallment {
  readonly due_date: string;
  readonly amount: bigint;
  readonly kind: CustomKind;
}
export type OwnInstallments = { readonly installments: readonly OwnInstallment[] };

export interface SaleRequest {
  readonly sale_date: string;
  readonly currency: Currency;
  readonly sale_price: bigint;
  readonly trade_in_amount: bigint;
  readonly down_payment: bigint;
  readonly finance_charge: bigint;
  readonly late_rate_yearly: bigint | null;
  /** Null: everything is paid down. */
  readonly plan: (Split & { readonly first_due_date: string }) | OwnInstallments | null;
}

export interface Collect {
  readonly act: 'collect';
  readonly on: string;
  readonly amount: bigint;
  readonly currency: Currency;
  /** Millionths of the canonical pair, in another currency. */
  readonly rate: bigint | null;
  readonly discount: bigint;
  readonly reason: DiscountReason | null;
  readonly chosen: readonly number[] | null;
}

export type Request =
  | Collect
  /** Of the collection with this number, in the order of creation. */
  | { readonly act: 'reverse'; readonly number: number; readonly on: string }
  | {
      readonly act: 'postpone';
      readonly seq: number;
      readonly today: string;
      readonly to: { readonly new_due_date: string } | { readonly months: number; readonly shift_following: boolean };
    }
  | { readonly act: 'change amount'; readonly seq: number; readonly amount: bigint }
  | { readonly act: 'move earlier'; readonly seq: number; readonly due_date: string; readonly today: string }
  | {
      readonly act: 'restructure';
      readonly from: string;
      readonly today: string;
      readonly add: bigint;
      readonly plan: Split | OwnInstallments;
    }
  | { readonly act: 'cancel'; readonly today: string; readonly refund: bigint | null; readonly tradeIn: Disposition };

/** `done`, or the reason of the refusal. */
export type Outcome = string;

export interface Books {
  perform(request: Request): Outcome;
  /** Every figure as text, one line for each row and one for each sum. */
  picture(today: string): string[];
}
