// The expected promises of a sale, counted from the cents that each collection owns.
import type { CentLedger } from './cent-ledger.ts';
import type { Outcome } from './sale-request.ts';

export type PromiseRequest =
  | { readonly act: 'promise'; readonly seq: number | null; readonly amount: bigint; readonly until: string }
  | {
      readonly act: 'change promise';
      readonly number: number;
      readonly to: { readonly amount: bigint } | { readonly until: string } | 'called off';
    };

export interface KnownPromise {
  readonly seq: number | null;
  /** Collections from this number count. */
  readonly since: number;
  amount: bigint;
  until: string;
  status: 'Bekliyor' | 'Tutuldu' | 'Tutulmadı' | 'İptal';
  fulfilled: bigint;
}

export class PromiseStory {
  private readonly ledger: CentLedger;
  private readonly emit: (verb: string) => void;
  readonly all: KnownPromise[] = [];

  constructor(ledger: CentLedger, emit: (verb: string) => void) {
    this.ledger = ledger;
    this.emit = emit;
  }

  open(): KnownPromise | undefined {
    return this.all.find(({ status }) => status === 'Bekliyor');
  }

  perform(request: PromiseRequest, today: string): Outcome {
    if (request.act === 'promise') {
      const status = this.ledger.status();
      if (status !== 'Aktif') return status === 'İptal' ? 'sale_cancelled' : 'sale_completed';
      if (this.open() !== undefined) return 'promise_already_open';
      const { seq, amount, until } = request;
      this.all.push({ seq, since: this.ledger.collections.length, amount, until, status: 'Bekliyor', fulfilled: 0n });
      this.emit('created');
      return 'done';
    }
    const promise = this.all[request.number]!;
    if (promise.status !== 'Bekliyor') return 'promise_closed';
    if (request.to === 'called off') {
      promise.status = 'İptal';
      this.emit('cancelled');
      return 'done';
    }
    const { amount, until } = { amount: promise.amount, until: promise.until, ...request.to };
    if (amount === promise.amount && until === promise.until) return 'done';
    Object.assign(promise, { amount, until });
    this.emit('updated');
    this.follow(today);
    return 'done';
  }

  /** Money that came after the promise, by its date, and was not reversed. */
  private moneyFor({ seq, since, until }: KnownPromise): bigint {
    const installments = this.ledger.installments.filter((installment) => seq === null || installment.seq === seq);
    return this.ledger.collections.reduce(
      (cents, { on }, number) =>
        number >= since && on <= until ? cents + this.ledger.ownedBy(number, false, installments) : cents,
      0n,
    );
  }

  /** After money was received or reversed, and after midnight. The amount of a promise is frozen only while it is kept. */
  follow(today: string): void {
    let youngerIsOpen = false;
    for (const promise of this.all.toReversed()) {
      const money = this.moneyFor(promise);
      const was = promise.status;
      if (was === 'Tutuldu' && money >= promise.amount) continue;
      promise.fulfilled = money;
      if (was === 'İptal' || was === 'Tutulmadı') continue;
      if (money >= promise.amount) promise.status = 'Tutuldu';
      else if (promise.until < today || youngerIsOpen) promise.status = 'Tutulmadı';
      else promise.status = this.ledger.status() === 'Aktif' ? 'Bekliyor' : 'İptal';
      youngerIsOpen ||= promise.status === 'Bekliyor';
      if (promise.status !== was)
        this.emit({ Bekliyor: 'reopened', Tutuldu: 'kept', Tutulmadı: 'broken', İptal: 'cancelled' }[promise.status]);
    }
  }

  /** With the sale, or with its row. */
  endOpen(rows: readonly number[] | null): void {
    const promise = this.open();
    if (promise === undefined) return;
    if (rows !== null && (promise.seq === null || !rows.includes(promise.seq))) return;
    promise.status = 'İptal';
    this.emit('cancelled');
  }
}
