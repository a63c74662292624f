// Verifies the ledger every night, at the start of a worker and whenever work is drained: in real time, because it checks the
// database itself. Several processes may do it at once; each verification is independent.
import { keepProof, lastProof, proveBooks } from '../domain/wallet/books.ts';
import type { Database } from '../kit/db.ts';
import type { Log } from '../kit/log.ts';
import { formatMoney } from '../kit/money.ts';

export interface ProofParts {
  readonly database: Database;
  readonly log: Log;
}

const DAY_MS = 86_400_000;

/** Once a UTC day. */
export async function proveLedgerIfDue(parts: ProofParts, realNow: Date): Promise<number> {
  const last = await parts.database.onPlatform('read', lastProof);
  const isDue = last === null || Math.floor(last.proved_at.getTime() / DAY_MS) < Math.floor(realNow.getTime() / DAY_MS);
  return isDue ? proveLedger(parts, realNow) : 0;
}

export async function proveLedger({ database, log }: ProofParts, realNow: Date): Promise<number> {
  const proof = await database.onPlatform('write', async (db) => {
    const found = await proveBooks(db);
    await keepProof(db, found, realNow);
    return found;
  });
  if (proof.imbalance !== 0n)
    log.error('the books do not agree', { imbalance: formatMoney(proof.imbalance), found: JSON.stringify(proof.found) });
  return 1;
}
