// For reads that need a stored file: it is generated before the read, outside any transaction, and stored by a write of its own.
import type { Preparation } from '../../domain/files/preparation.ts';
import { storeThen } from '../../domain/files/stored-files.ts';
import { sealingKeys } from '../../domain/vault/vault.ts';
import { SYSTEM } from '../../domain/writes/write.ts';
import { Rollback } from '../../kit/db.ts';
import type { EndpointCall, EndpointRunner, PathParams } from './endpoint-call.ts';

export function preparationOf(runner: EndpointRunner, call: EndpointCall, params: PathParams): Preparation {
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

/** Rolls back the write, because another request has already stored the file. */
class NotKept extends Rollback {}
