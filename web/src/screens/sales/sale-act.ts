// The actions of a sale that open a dialog.
import type { Collection, Installment, PaymentPromise } from '../../records/sales/sales.ts';

export type SaleAct =
  | { readonly act: 'collect' | 'promise' | 'postpone' | 'remind'; readonly installment?: Installment | undefined }
  | { readonly act: 'restructure' | 'cancel' | 'notice' }
  | { readonly act: 'reverse'; readonly collection: Collection }
  | { readonly act: 'editRow'; readonly installment: Installment }
  | { readonly act: 'changePromise'; readonly promise: PaymentPromise }
  | { readonly act: 'callOff'; readonly promiseId: string };

export type BeginAct = (act: SaleAct) => void;
