// A budget that many share in one process (requests or bytes), limited in total and for each owner (an account, a person, a
// network), so that no owner uses all of it.
import { fail } from '../../kit/errors.ts';

export class Quota {
  readonly #total: number;
  readonly #each: number;
  readonly #taken = new Map<string, number>();
  #sum = 0;

  constructor({ total, each }: { readonly total: number; readonly each: number }) {
    this.#total = total;
    this.#each = each;
  }

  taken(): number {
    return this.#sum;
  }

  hasRoom(owner: string, amount = 1): boolean {
    return this.#sum + amount <= this.#total && (this.#taken.get(owner) ?? 0) + amount <= this.#each;
  }

  /** Refuses at once if there is no room, so that the caller tries again later instead of queueing. */
  take(owner: string, amount = 1): void {
    if (!this.hasRoom(owner, amount)) fail('service_unavailable');
    this.#sum += amount;
    this.#taken.set(owner, (this.#taken.get(owner) ?? 0) + amount);
  }

  leave(owner: string, amount = 1): void {
    this.#sum -= amount;
    const left = this.#taken.get(owner)! - amount;
    if (left === 0) this.#taken.delete(owner);
    else this.#taken.set(owner, left);
  }

  /** Takes one unit while the work runs. */
  during<R>(owner: string, work: () => R): R {
    this.take(owner);
    let isLeft = false;
    try {
      const result = work();
      if (!(result instanceof Promise)) return result;
      isLeft = true;
      return result.finally(() => this.leave(owner)) as R;
    } finally {
      if (!isLeft) this.leave(owner);
    }
  }

  /** A growing number of bytes; `release` returns all of them, once. */
  hold(owner: string): { add(amount: number): void; release(): void } {
    let held = 0;
    return {
      add: (amount) => {
        this.take(owner, amount);
        held += amount;
      },
      release: () => {
        if (held > 0) this.leave(owner, held);
        held = 0;
      },
    };
  }
}
