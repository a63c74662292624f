// What a read may need to have stored before it begins: read, made outside of any transaction, kept in a write of its own.
import type { Preparation } from '../../domain/files/preparation.ts';
import { storeThen } from '../../domain/files/stored-files.ts';
import { sealingKeys } from '../../domain/vault/vault.ts';
import { SYSTEM } from '../../domain/writes/write.ts';
import { Rollback } from '../../kit/db.ts';
import type { RowCall, RowRunner } from './run-row.ts';

export function preparationOf(runner: RowRunner, call: RowCall, params: Readonly<Record<string, string>>): Preparation {
  const { database, files, secrets, writer } = runner;
  const { dataSetId: dataSet, accountId: id, timezone, settings } = call.caller;
  const write = { dataSet, account: { id, timezone, settings }, actor: SYSTEM, requestId: call.id, now: call.now };
  return {
    params,
    keys: sealingKeys(secrets, dataSet),
    folder: files.incoming,
    read: (run) => database.inTenant(dataSet, 'read', run),
    store: async (file, keep) => {
      const target = { database, store: files.store, dataSet, realNow: call.realNow };
      await storeThen(
        target,
        [file],
        () =>
          writer
            .write(write, async (work) => {
              if (!(await keep(work))) throw new NotKept('another one is there already');
              return true;
            })
            .catch((error) => {
              if (error instanceof NotKept) return false;
              throw error;
            }),
        (isKept) => isKept,
      );
    },
  };
}

/** Undoes the write: what it would have changed is as it should be. */
class NotKept extends Rollback {}
